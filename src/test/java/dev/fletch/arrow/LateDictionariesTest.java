// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.testdata.HandmadeInput.text;
import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.field;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.struct;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.FletchException;
import dev.fletch.batch.Columns;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.format.ids.Type;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.FileBatches;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;
import dev.fletch.vectors.VectorOptions;
import dev.fletch.vectors.VectorReader;
import dev.fletch.verify.CheckReport;
import dev.fletch.verify.messages.ValueVerifier;

import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// All dictionaries and deltas of a file are known before its first batch, in the order in which the
/// footer names them: to all that checks or reads values.
class LateDictionariesTest {
    private static final byte[] NONE = {};
    private static final FbsValue.Table TEXT = field("d", Type.UTF8, table("Utf8"));

    @TempDir Path folder;

    private static Batch texts(String letters) {
        int[] offsets = new int[letters.length() + 1];
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = i;
        }
        return new Batch(letters.length())
                .node(letters.length(), 0, NONE, ints(offsets), text(letters));
    }

    private static Batch indices(int... values) {
        return new Batch(values.length).node(values.length, 0, NONE, bytes(values));
    }

    /// A dictionary of three values, a delta among them.
    private static HandmadeInput input() {
        return new HandmadeInput(schema(encoded(TEXT, 3)));
    }

    /// Files in which the batch has an index, and the dictionary is somewhere else.
    private static List<byte[]> files(int index) {
        List<byte[]> files = new ArrayList<>();
        Batch batch = indices(0, index);
        files.add(
                input().dictionary(3, false, texts("ab"))
                        .batch(batch)
                        .dictionary(3, true, texts("c"))
                        .file());
        files.add(
                input().batch(batch)
                        .batch(indices(1))
                        .dictionary(3, false, texts("ab"))
                        .dictionary(3, true, texts("c"))
                        .file());
        files.add(
                input().dictionary(3, true, texts("c"))
                        .dictionary(3, false, texts("ab"))
                        .batch(batch)
                        .file(1, 0, 2));
        files.add(
                input().dictionary(3, true, texts("c"))
                        .batch(batch)
                        .dictionary(3, false, texts("b"))
                        .dictionary(3, true, texts("a"))
                        .file(2, 3, 0, 1));
        return files;
    }

    /// The same for an index inside the values of a dictionary.
    private static List<byte[]> nestedFiles(int index) {
        FbsValue.Table outer = with(struct(encoded(TEXT, 3)), "name", "o");
        Batch values = new Batch(1).node(1, 0, NONE).node(1, 0, NONE, bytes(index));
        HandmadeInput late =
                new HandmadeInput(schema(encoded(outer, 5)))
                        .dictionary(3, false, texts("ab"))
                        .dictionary(5, false, values)
                        .batch(indices(0, 0))
                        .dictionary(3, true, texts("c"));
        HandmadeInput last =
                new HandmadeInput(schema(encoded(outer, 5)))
                        .batch(indices(0, 0))
                        .dictionary(5, false, values)
                        .dictionary(3, true, texts("c"))
                        .dictionary(3, false, texts("ab"));
        return List.of(late.file(), last.file(3, 2, 1, 0), last.file(1, 3, 2, 0));
    }

    private static List<String> findings(byte[] file, ReadOptions options) throws IOException {
        List<String> lines = new ArrayList<>();
        ReadOptions values = options.withLevel(Level.VALUES);
        CheckReport report =
                Arrow.verify(MemorySegment.ofArray(file), values, each -> lines.add(each.line()));
        List<String> piped = new ArrayList<>();
        Arrow.verify(new ByteArrayInputStream(file), values, each -> piped.add(each.line()));
        assertEquals(lines, piped);
        assertEquals(0, report.uncheckedFields(), lines::toString);
        return lines;
    }

    private static byte[] converted(byte[] file, ArrowContainer target) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Arrow.convert(
                MemorySegment.ofArray(file),
                Channels.newChannel(out),
                ConvertOptions.DEFAULT
                        .withTarget(target)
                        .withReading(ReadOptions.DEFAULT.withLevel(Level.VALUES)));
        return out.toByteArray();
    }

    private void readVectors(byte[] file) throws IOException {
        Path path = Files.write(folder.resolve("file.arrow"), file);
        try (var allocator = new RootAllocator();
                var vectors =
                        VectorReader.open(path, allocator, Columns.all(), VectorOptions.DEFAULT)) {
            while (vectors.loadNext()) {
                assertTrue(vectors.root().getRowCount() > 0);
            }
        }
    }

    /// Verifies the values with the dictionaries of [FileBatches].
    private static String firstFault(byte[] bytes) throws IOException {
        ArrowFile file = ArrowFile.of(MemorySegment.ofArray(bytes));
        var batches = FileBatches.of(file);
        var schema = new dev.fletch.format.Schema();
        file.footer().schema(schema);
        ValueVerifier verifier = new ValueVerifier(schema, batches.layout());
        for (int i = 0; i < batches.count(); i++) {
            if (!verifier.verify(batches.bind(i), batches.dictionaries(null))) {
                return verifier.fault().toString();
            }
        }
        return null;
    }

    @Test
    void dictionariesOfAFileMayBeAnywhere() throws IOException {
        List<byte[]> valid = new ArrayList<>(files(2));
        valid.addAll(nestedFiles(2));
        for (byte[] file : valid) {
            List<String> found =
                    findings(file, ReadOptions.VERIFY.withChecks(Checks.STRICT.enabled()));
            found.removeIf(line -> line.contains("block-order"));
            assertEquals(List.of(), found);
            ArrowVectorReading read = ArrowVectorReading.read(file);
            for (ArrowContainer target : ArrowContainer.values()) {
                byte[] written = converted(file, target);
                assertEquals(read.values(), ArrowVectorReading.read(written).values());
            }
            readVectors(file);
            assertEquals(null, firstFault(file));
        }
        System.out.printf("Valid files: %d%n", valid.size());
    }

    @Test
    void indexBehindAllDeltasIsAnErrorWithTheirLimit() throws IOException {
        List<byte[]> wrong = new ArrayList<>(files(3));
        wrong.addAll(nestedFiles(3));
        for (byte[] file : wrong) {
            List<String> found = findings(file, ReadOptions.VERIFY);
            found.removeIf(line -> line.contains("block-order"));
            assertEquals(1, found.size(), found::toString);
            String fault = "value=3, limit=2";
            assertTrue(found.getFirst().contains("value-dictionary-index"), found::toString);
            assertTrue(found.getFirst().contains(fault), found::toString);
            var refused =
                    assertThrows(FletchException.class, () -> converted(file, ArrowContainer.FILE));
            assertTrue(refused.getMessage().contains(fault), refused::getMessage);
            var unread = assertThrows(FletchException.class, () -> readVectors(file));
            assertTrue(unread.getMessage().contains(fault), unread::getMessage);
            assertTrue(firstFault(file).contains(fault));
        }
    }

    @Test
    void deltaThatTheFooterNamesBeforeItsDictionaryIsAnError() throws IOException {
        byte[] file =
                input().dictionary(3, false, texts("ab"))
                        .dictionary(3, true, texts("c"))
                        .batch(indices(0))
                        .file(1, 0, 2);
        List<String> lines = new ArrayList<>();
        Arrow.verify(
                MemorySegment.ofArray(file),
                ReadOptions.VERIFY.withLevel(Level.VALUES),
                each -> lines.add(each.line()));
        assertTrue(lines.toString().contains("delta-without-dictionary"), lines::toString);
        assertThrows(FletchException.class, () -> converted(file, ArrowContainer.STREAM));
        assertThrows(FletchException.class, () -> readVectors(file));
    }

    /// In a stream, what follows a batch is not known to it.
    @Test
    void deltaOfAStreamComesBeforeItsIndices() throws IOException {
        byte[] stream =
                input()
                        .dictionary(3, false, texts("ab"))
                        .batch(indices(2))
                        .dictionary(3, true, texts("c"))
                        .batch(indices(2))
                        .stream();
        List<String> found = findings(stream, ReadOptions.VERIFY);
        assertEquals(1, found.size(), found::toString);
        assertTrue(found.getFirst().startsWith("message 2: values: value-dictionary-index"));
        assertTrue(found.getFirst().contains("value=2, limit=1"), found::toString);
    }
}
