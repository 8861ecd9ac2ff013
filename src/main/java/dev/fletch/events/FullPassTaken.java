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

@Name("dev.fletch.FullPassTaken")
@Label("Full Pass Taken")
@Category("Fletch")
@Description(
        "The full pass of the verifier verified a buffer: the quick pass did not accept it, or the"
                + " options have none")
@Enabled(false)
@StackTrace(false)
final class FullPassTaken extends Event {
    // For isEnabled().
    private static final FullPassTaken ANY = new FullPassTaken();

    @Label("Root Table")
    String root;

    @Label("Buffer")
    @DataAmount
    long bytes;

    @Label("Valid")
    boolean valid;

    static Object begun() {
        if (!ANY.isEnabled()) {
            return null;
        }
        var event = new FullPassTaken();
        event.begin();
        return event;
    }
}
