// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cluster;

import dev.fletch.FletchException;
import dev.fletch.input.Links;
import dev.fletch.input.ReadFailure;
import dev.fletch.scan.FileScan;
import dev.fletch.scan.FileSummary;
import dev.fletch.schema.ArrowSchema;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// What one task of a job does: it scans files, and sums up their schema groups before they are sent.
/// The schemas it has seen make the next files cheaper.
final class TaskScan {
    private static final int MOST_GROUPS = 64;

    /// Maximum total number of columns of the groups kept.
    private static final int MOST_COLUMNS = 100_000;

    private static final int MOST_DIGESTS = 1_000;

    private final FileScan scan = new FileScan();
    private final Map<String, SchemaGroup> groups = new HashMap<>();
    // Digests without metadata, by those with metadata.
    private final Map<String, String> digests = new HashMap<>();
    private final boolean ignoresMetadata;
    private final Consumer<FileLine> lines;
    private final Consumer<SchemaGroup> parts;
    private int columns;

    /// @param ignoresMetadata whether files are in one group if only custom metadata differs
    /// @param lines takes a line for each file
    /// @param parts takes parts of groups; several may be of the same group
    TaskScan(boolean ignoresMetadata, Consumer<FileLine> lines, Consumer<SchemaGroup> parts) {
        this.ignoresMetadata = ignoresMetadata;
        this.lines = lines;
        this.parts = parts;
    }

    /// Scans a file. Nothing that is wrong with it ends the task.
    void add(FileName file) {
        FileLine line;
        try {
            line = summed(scan(file));
        } catch (OutOfMemoryError | StackOverflowError _) {
            line = summed(failed(file, "not enough memory"));
        } catch (RuntimeException e) {
            line = summed(failed(file, "internal error: " + e));
        }
        lines.accept(line);
        if (groups.size() > MOST_GROUPS || columns > MOST_COLUMNS) {
            end();
        }
    }

    /// Adds a file to its group, after all else has succeeded: no file is in two groups.
    private FileLine summed(FileSummary found) {
        String digest = digest(found);
        FileLine line = FileLine.of(found, digest);
        SchemaGroup group = SchemaGroup.of(found, digest);
        boolean isNew = groups.merge(group.digest(), group, SchemaGroup::plus) == group;
        columns += isNew ? group.columns().size() : 0;
        return line;
    }

    private String digest(FileSummary found) {
        if (!ignoresMetadata || found.schema() == null) {
            return found.schemaDigest();
        }
        if (digests.size() > MOST_DIGESTS) {
            digests.clear();
        }
        return digests.computeIfAbsent(found.schemaDigest(), _ -> digestOfFields(found));
    }

    /// The digest without metadata; if the schema breaks a rule of the format, the one with metadata.
    private static String digestOfFields(FileSummary found) {
        try {
            return ArrowSchema.ofParquet(found.schema()).digest(false);
        } catch (FletchException _) {
            return found.schemaDigest();
        }
    }

    /// Passes on the groups. Called after the last file.
    void end() {
        groups.values().forEach(parts);
        groups.clear();
        columns = 0;
    }

    /// The rest of an iterator.
    static <T> Stream<T> stream(Iterator<T> from) {
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(from, 0), false);
    }

    private FileSummary scan(FileName file) {
        if (file.failure() != null) {
            return failed(file, file.failure());
        }
        if (!Links.isLink(file.name())) {
            try {
                if (isDevice(dev.fletch.input.FileName.path(file.name()))) {
                    return failed(file, "not a regular file");
                }
            } catch (InvalidPathException e) {
                return failed(file, ReadFailure.text(e));
            }
        }
        return scan.of(file.name());
    }

    /// Whether a path is a pipe, a device or the like: reading it may never end.
    private static boolean isDevice(Path path) {
        return !Files.isRegularFile(path) && Files.exists(path) && !Files.isDirectory(path);
    }

    private static FileSummary failed(FileName file, String text) {
        return FileSummary.unreadable(file.name(), text);
    }
}
