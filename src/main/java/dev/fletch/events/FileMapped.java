// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.events;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

@Name("dev.fletch.FileMapped")
@Label("File Mapped")
@Category("Fletch")
@Description("A file was mapped into memory")
@Enabled(false)
@StackTrace(true)
final class FileMapped extends Event {
    // For isEnabled().
    private static final FileMapped ANY = new FileMapped();

    @Label("Path")
    String path;

    @Label("File")
    @DataAmount
    long bytes;

    static Object begun() {
        if (!ANY.isEnabled()) {
            return null;
        }
        var event = new FileMapped();
        event.begin();
        return event;
    }
}
