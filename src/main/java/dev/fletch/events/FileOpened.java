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

@Name("dev.fletch.FileOpened")
@Label("File Opened")
@Category("Fletch")
@Description(
        "The footer of an Arrow file was verified; the duration does not contain mapping or reading"
                + " the file")
@Enabled(false)
@StackTrace(true)
final class FileOpened extends Event {
    // For isEnabled().
    private static final FileOpened ANY = new FileOpened();

    @Label("Path")
    @Description("Absent if the file was given as memory")
    String path;

    @Label("File")
    @DataAmount
    long bytes;

    @Label("Footer")
    @DataAmount
    long footerBytes;

    @Label("Record Batches")
    int recordBatches;

    static Object begun() {
        if (!ANY.isEnabled()) {
            return null;
        }
        var event = new FileOpened();
        event.begin();
        return event;
    }
}
