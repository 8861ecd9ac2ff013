// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cluster;

import dev.fletch.input.Links;
import dev.fletch.scan.FileFault;
import dev.fletch.scan.FileScan;
import dev.fletch.scan.FileSummary;

import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// What one task of a job does: it scans files, and sums up their schema groups before they are sent.
/// The schemas it has seen make the next files cheaper.
final class TaskScan {
    private static final int MOST_GROUPS = 64;

    private final FileScan scan = new FileScan();
    private final Map<String, SchemaGroup> groups = new HashMap<>();
    private final Consumer<FileLine> lines;
    private final Consumer<SchemaGroup> parts;

    /// @param lines takes a line for each file
    /// @param parts takes parts of groups; several may be of the same group
    TaskScan(Consumer<FileLine> lines, Consumer<SchemaGroup> parts) {
        this.lines = lines;
        this.parts = parts;
    }

    /// Scans a file. Nothing that is wrong with it ends the task.
    void add(FileName file) {
        FileSummary found = scan(file);
        lines.accept(FileLine.of(found));
        SchemaGroup group = SchemaGroup.of(found);
        groups.merge(group.digest(), group, SchemaGroup::plus);
        if (groups.size() > MOST_GROUPS) {
            end();
        }
    }

    /// Passes on the groups. Called after the last file.
    void end() {
        groups.values().forEach(parts);
        groups.clear();
    }

    /// The rest of an iterator.
    static <T> Stream<T> stream(Iterator<T> from) {
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(from, 0), false);
    }

    private FileSummary scan(FileName file) {
        if (file.failure() != null) {
            return failed(file, file.failure());
        }
        try {
            return scan.of(file.name());
        } catch (OutOfMemoryError | StackOverflowError _) {
            return failed(file, "not enough memory");
        } catch (RuntimeException e) {
            return failed(file, "internal error: " + Links.cleaned(e.toString()));
        }
    }

    private static FileSummary failed(FileName file, String text) {
        FileFault fault = new FileFault(FileFault.Kind.UNREADABLE, -1, text);
        String name = Links.shown(file.name());
        return new FileSummary(name, null, 0, 0, 0, 0, -1, null, List.of(), null, null, fault);
    }
}
