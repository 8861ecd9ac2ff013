// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("dev.fletch.LayoutCompiled")
@Label("Layout Compiled")
@Category("Fletch")
@Description("A schema was compiled to a layout")
@Enabled(false)
@StackTrace(true)
final class LayoutCompiled extends Event {
    // For isEnabled().
    private static final LayoutCompiled ANY = new LayoutCompiled();

    @Label("Columns")
    int columns;

    @Label("Fields")
    @Description("Columns and their descendants")
    int fields;

    static Object begun() {
        if (!ANY.isEnabled()) {
            return null;
        }
        var event = new LayoutCompiled();
        event.begin();
        return event;
    }
}
