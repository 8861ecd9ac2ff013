// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cluster;

import dev.fletch.input.InputBytes;
import dev.fletch.input.InputFile;
import dev.fletch.input.InputFiles;
import dev.fletch.input.Links;
import dev.fletch.input.ReadFailure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// A folder, or a list with a name on each line, in UTF-8. Blanks around a name do not count, nor do empty lines.
///
/// @param path absolute
public record NameSource(String path, boolean isList) implements Serializable {
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    /// The names, which are read on the way. A folder is listed as by `fletch -r`; relative paths in a list begin at the
    /// list's own folder.
    ///
    /// @return names, to be closed
    /// @throws IOException if a list cannot be read; what fails in a folder comes with its name
    public Stream<FileName> names() throws IOException {
        if (!isList) {
            return TaskScan.stream(new InputFiles(List.of(path), true, List.of()))
                    .map(NameSource::found);
        }
        // A reader that replaces wrong bytes: such a name is a fault of its file, not of the job.
        InputStream bytes = Files.newInputStream(dev.fletch.input.FileName.path(path));
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8));
        return lines.lines()
                .map(line -> line.replace(BYTE_ORDER_MARK, "").strip())
                .filter(line -> !line.isEmpty())
                .map(this::listed)
                .onClose(() -> close(lines));
    }

    private static void close(Reader lines) {
        try {
            lines.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FileName found(InputFile file) {
        String failure = file.failure() == null ? null : ReadFailure.text(file.failure());
        return new FileName(file.name(), failure);
    }

    private FileName listed(String line) {
        if (Links.isLink(line)) {
            return new FileName(line, null);
        }
        if (FileName.showsSecret(line)) {
            return new FileName(line, "not a link: a link begins with https://");
        }
        if (line.equals(InputBytes.STANDARD_INPUT)) {
            return new FileName(line, "a job has no standard input");
        }
        try {
            Path found = Path.of(path).resolveSibling(line).normalize();
            return new FileName(found.toString(), null);
        } catch (InvalidPathException e) {
            return new FileName(line, ReadFailure.text(e));
        }
    }
}
