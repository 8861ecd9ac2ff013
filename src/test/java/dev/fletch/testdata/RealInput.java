// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// A file or stream as some producer writes it: a golden of the Arrow project, an input by another
/// implementation, or what arrow-vector writes while the tests run.
///
/// @param name unique, for messages; goldens have their [Goldens#title]
/// @param content its bytes
public record RealInput(String name, Supplier<byte[]> content) {
    /// What arrow-java does not read: unions of version 4, two columns of a name, a union in the
    /// form of arrow-js, and decimals of 32 and 64 bits.
    private static final List<String> UNREAD_BY_ARROW_JAVA =
            List.of(
                    "0.17.1/",
                    "duplicate_fieldnames",
                    "js-union-sparse",
                    "decimals_of_32_and_64_bits");

    /// Files with bytes between their messages or before their footer.
    private static final List<String> WITH_GAPS =
            List.of("fl-ree.arrow", "fl-union.arrow", "pl-sink-newest-zstd.arrow");

    /// Returns all of them. In a clone alone, one of them stands for those that are absent and
    /// skips the test that reads it: a list without it would leave no trace in the report.
    public static List<RealInput> all() {
        List<RealInput> all = new ArrayList<>();
        for (Path golden : Goldens.parameters()) {
            all.add(new RealInput(Goldens.title(golden), () -> Goldens.read(golden)));
        }
        if (Goldens.present()) {
            for (Path file : Producers.parameters()) {
                all.add(new RealInput("producers/" + file.getFileName(), () -> read(file)));
            }
        }
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            all.add(new RealInput("arrow-vector/" + each.name() + ".stream", each::stream));
            if (each.hasFile()) {
                all.add(new RealInput("arrow-vector/" + each.name() + ".arrow_file", each::file));
            }
        }
        return List.copyOf(all);
    }

    /// Returns those that [OracleListing] lists.
    public static List<RealInput> listed() {
        return all().stream()
                .filter(each -> WITH_GAPS.stream().noneMatch(each.name::contains))
                .toList();
    }

    public static List<RealInput> readByArrowJava() {
        return all().stream().filter(RealInput::isReadByArrowJava).toList();
    }

    public boolean isReadByArrowJava() {
        return UNREAD_BY_ARROW_JAVA.stream().noneMatch(name::contains);
    }

    /// Skips the calling test for an input whose buffers cannot be decompressed.
    public void assumeDecompressible() {
        assumeFalse(
                name.contains("js-lz4"),
                "arrow-js writes other lengths in front of compressed buffers");
    }

    /// Returns the bytes. Skips the calling test where they are absent.
    public byte[] bytes() {
        return content.get();
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The name, as a test's title.
    @Override
    public String toString() {
        return name;
    }
}
