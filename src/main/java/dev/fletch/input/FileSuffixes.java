// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.ipc.ArrowContainer;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
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

    // What follows the last dot of names that stand for other formats of data, text, pages,
    // compression and archives.
    private static final Set<String> OTHERS =
            Set.of(
                    ("parquet geoparquet parq pq orc avro lance vortex zarr npy npz mat h5 hdf hdf5"
                         + " nc nc4 rds rda rdata sav dta sas7bdat xpt pkl pickle msgpack bson cbor"
                         + " pb proto sqlite sqlite3 db duckdb xls xlsx ods csv tsv psv txt json"
                         + " jsonl ndjson geojson xml yaml yml toml sql md htm html pdf b64 base64"
                         + " fbs gz gzip tgz zst zstd tzst lz4 xz txz lzma bz2 tbz tbz2 br snappy"
                         + " sz lzo z zip 7z rar tar")
                            .split(" "));

    private FileSuffixes() {}

    /// Returns what the suffix of a file's name stands for; null if it has none of the suffixes.
    public static ArrowContainer container(Path file) {
        return hasOneOf(OF_STREAMS, file)
                ? ArrowContainer.STREAM
                : hasOneOf(OF_FILES, file) ? ArrowContainer.FILE : null;
    }

    /// Returns the end of a file's name, from its last dot on, if it stands for another format or
    /// for compression; else null.
    public static String other(Path file) {
        String name = name(file);
        String suffix = name.substring(name.lastIndexOf('.') + 1);
        boolean isOther = suffix.length() < name.length() && OTHERS.contains(suffix);
        return isOther ? "." + suffix : null;
    }

    /// Whether a file's name, without its folder, ends in one of the suffixes.
    public static boolean hasOneOf(List<String> suffixes, Path file) {
        String name = name(file);
        return suffixes.stream().anyMatch(each -> name.endsWith(each.toLowerCase(Locale.ROOT)));
    }

    /// A file's name in lower case, without its folder.
    private static String name(Path file) {
        Path name = file.getFileName(); // null for a root folder
        return name == null ? "" : name.toString().toLowerCase(Locale.ROOT);
    }
}
