// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.ipc.ArrowContainer;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// The suffixes of file names that stand for Arrow data. Upper and lower case are the same.
public final class FileSuffixes {
    /// Suffixes of files, as help lists them.
    public static final String FILES = ".arrow, .arrow_file, .feather, .ipc";

    /// Suffixes of streams, as help lists them.
    public static final String STREAMS = ".arrows, .arrow_stream, .stream";

    private static final List<String> OF_FILES = List.of(FILES.split(", "));
    private static final List<String> OF_STREAMS = List.of(STREAMS.split(", "));

    /// All suffixes.
    public static final List<String> ALL =
            Stream.concat(OF_FILES.stream(), OF_STREAMS.stream()).toList();

    private FileSuffixes() {}

    /// Returns what the suffix of a file's name stands for; null if it has none of the suffixes.
    public static ArrowContainer container(Path file) {
        return hasOneOf(OF_STREAMS, file)
                ? ArrowContainer.STREAM
                : hasOneOf(OF_FILES, file) ? ArrowContainer.FILE : null;
    }

    /// Whether a file's name, without its folder, ends in one of the suffixes.
    public static boolean hasOneOf(List<String> suffixes, Path file) {
        Path name = file.getFileName(); // null for a root folder
        String lower = name == null ? "" : name.toString().toLowerCase(Locale.ROOT);
        return suffixes.stream().anyMatch(each -> lower.endsWith(each.toLowerCase(Locale.ROOT)));
    }
}
