// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.ipc.ArrowContainer;
import dev.fletch.testdata.ArrowCpp;
import dev.fletch.testdata.ArrowCpp.Reading;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.Producers;
import dev.fletch.testdata.Reports;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// arrow-java and Arrow C++ read what `fletch convert` writes from unusual and damaged inputs.
class OtherReadersTest {
    /// Uncompressed lengths are impossible, or too small.
    private static final List<String> HAS_WRONG_LENGTHS =
            List.of("zstd-huge.arrow", "js-lz4.arrows");

    @TempDir Path folder;

    private static String name(Path file) {
        return file.getFileName().toString();
    }

    /// Files of other implementations, and their streams.
    @Test
    void arrowCppReadsWhatOtherProducersFilesBecome() throws IOException {
        List<Path> inputs = new ArrayList<>();
        for (Path each : List.of(Producers.folder(), Reports.folder())) {
            try (Stream<Path> files = Files.list(each)) {
                files.filter(file -> file.toString().contains(".arrow")).forEach(inputs::add);
            }
        }
        inputs.sort(null);
        List<Path> files = new ArrayList<>();
        Map<Path, Path> inputOf = new TreeMap<>();
        for (Path each : inputs) {
            if (each.endsWith("shared-text.arrows") || HAS_WRONG_LENGTHS.contains(name(each))) {
                continue; // not converted; or copied with the lengths
            }
            byte[] file = Converted.of(Files.readAllBytes(each), ArrowContainer.FILE, true).bytes();
            Path path = Files.write(folder.resolve(files.size() + ".arrow"), file);
            files.add(path);
            inputOf.put(path, each);
        }
        List<Reading> found = ArrowCpp.read(files);
        for (int i = 0; i < files.size(); i++) {
            Path input = inputOf.get(files.get(i));
            assertEquals(null, found.get(i).error(), input.toString());
            List<Long> rows =
                    OracleListing.list(Files.readAllBytes(files.get(i))).recordBatches().stream()
                            .map(batch -> batch.rows())
                            .toList();
            assertEquals(rows.toString(), found.get(i).rows(), input.toString());
        }
        assertTrue(files.size() > 20);
        System.out.printf("convert: %d files of other producers read by Arrow C++%n", files.size());
    }
}
