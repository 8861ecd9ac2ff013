// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.batch.BatchLayout;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.testdata.ArrowCpp;
import dev.fletch.testdata.ArrowCpp.Reading;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.RealInput;
import dev.fletch.testdata.Reports;

import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/// Arrow C++ reads each single column, random subsets and orders of forwarded files: the same as in
/// files of these columns that arrow-java writes.
class ForwardedToArrowCppTest {
    private static final int SUBSETS = 3;
    private static final int MOST_SINGLE = 40;

    /// What this version of Arrow C++, or arrow-java, does not read at all.
    private static final List<String> UNREADABLE =
            List.of(
                    "0.17.1", // unions of version 4
                    "lz4", // arrow-java's frames
                    "js-delta", // now and then other values, or a crash at a later file
                    "duplicate_fieldnames",
                    "js-union-sparse",
                    "decimals_of_32_and_64_bits");

    /// What arrow-java's allocator says of some batches without rows that Arrow C++ has read.
    private static final String ACCOUNTING = "Accounted size went negative.";

    private final Random random = new Random(9);
    private final List<Path> files = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final List<Path> expected = new ArrayList<>();
    private int replacing;

    @TempDir Path folder;

    private static Map<String, byte[]> inputs() throws IOException {
        Map<String, byte[]> all = new LinkedHashMap<>();
        for (RealInput each : RealInput.all()) {
            if (!each.name().matches("arrow-vector/.*_file")) { // the streams have the same batches
                all.put(each.name(), each.bytes());
            }
        }
        for (String each :
                List.of("rs6311-real.arrow", "swift91-nopad.arrow", "footer-repeats.arrow")) {
            all.put(each, Files.readAllBytes(Reports.folder().resolve(each)));
        }
        all.keySet().removeIf(name -> UNREADABLE.stream().anyMatch(name::contains));
        return all;
    }

    @Test
    void arrowCppReadsForwardedColumns() throws IOException {
        for (Map.Entry<String, byte[]> each : inputs().entrySet()) {
            int[] columns = {0};
            forward(
                    each,
                    layout -> {
                        columns[0] = layout.columnCount();
                        return IntStream.range(0, columns[0]).boxed().toList();
                    });
            for (int i = 0; i < Math.min(MOST_SINGLE, columns[0]); i++) {
                int column = i;
                forward(each, _ -> List.of(column));
            }
            List<Integer> all = new ArrayList<>(IntStream.range(0, columns[0]).boxed().toList());
            for (int i = 0; i < SUBSETS && all.size() > 1; i++) {
                Collections.shuffle(all, random);
                int count = 1 + random.nextInt(Math.min(50, all.size()));
                forward(each, _ -> List.copyOf(all.subList(0, count)));
            }
        }
        List<Path> both = new ArrayList<>(files);
        both.addAll(expected);
        List<Reading> found = ArrowCpp.read(both);
        int refused = 0;
        for (int i = 0; i < files.size(); i++) {
            Reading ofArrowJava = found.get(files.size() + i);
            if (ACCOUNTING.equals(found.get(i).error())) {
                refused++;
                continue;
            }
            assertEquals(ofArrowJava, found.get(i), names.get(i));
            refused += ofArrowJava.error() == null ? 0 : 1;
        }
        System.out.printf(
                "Forwarded: %d files read by Arrow C++ or, %d of them, refused like arrow-java's;"
                        + " %d not written, as no file may replace dictionaries%n",
                files.size(), refused, replacing);
        assertTrue(refused < files.size() / 20, "refused=" + refused);
        assertTrue(files.size() > 300);
    }

    private interface Choice {
        List<Integer> of(BatchLayout layout);
    }

    private void forward(Map.Entry<String, byte[]> input, Choice choice) throws IOException {
        Forwarded forwarded =
                new Forwarded(
                        ArrowContainer.FILE,
                        layout -> {
                            int[] fields =
                                    choice.of(layout).stream()
                                            .mapToInt(layout::columnField)
                                            .toArray();
                            return new BatchProjector(layout.choose(fields));
                        });
        byte[] file;
        try {
            file = forwarded.all(input.getValue());
        } catch (IllegalStateException e) {
            assertTrue(e.getMessage().startsWith("dictionary is out of order"), e.getMessage());
            replacing++;
            return;
        }
        List<Integer> columns = choice.of(forwarded.projection.layout().source());
        names.add(input.getKey() + " " + columns);
        files.add(Files.write(folder.resolve(files.size() + ".arrow"), file));
        byte[] ofArrowJava = writtenByArrowJava(input.getValue(), columns);
        expected.add(Files.write(folder.resolve("java" + files.size() + ".arrow"), ofArrowJava));
    }

    private static byte[] writtenByArrowJava(byte[] content, List<Integer> columns)
            throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (RootAllocator allocator = new RootAllocator();
                ArrowReader reader = ArrowVectorReading.reader(content, allocator)) {
            VectorSchemaRoot all = reader.getVectorSchemaRoot();
            // The schema's fields: a vector's own leaves out names and type ids of unions.
            VectorSchemaRoot root =
                    new VectorSchemaRoot(
                            columns.stream().map(all.getSchema().getFields()::get).toList(),
                            columns.stream().map(all.getFieldVectors()::get).toList());
            ArrowFileWriter writer = null; // needs the dictionaries, which the first batch loads
            while (reader.loadNextBatch()) {
                if (writer == null) {
                    writer = new ArrowFileWriter(root, reader, Channels.newChannel(out));
                    writer.start();
                }
                root.setRowCount(all.getRowCount());
                writer.writeBatch();
            }
            if (writer == null) {
                writer = new ArrowFileWriter(root, reader, Channels.newChannel(out));
            }
            writer.end();
        }
        return out.toByteArray();
    }
}
