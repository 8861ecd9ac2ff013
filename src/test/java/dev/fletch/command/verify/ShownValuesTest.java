// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.BufferRole;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.FileBatches;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.layout.BatchBuilder;
import dev.fletch.layout.BatchLayout;
import dev.fletch.layout.ColumnValues;
import dev.fletch.layout.LayoutException;
import dev.fletch.model.ArrowField;
import dev.fletch.model.ArrowSchema;
import dev.fletch.model.ArrowType;
import dev.fletch.model.DictionaryInfo;
import dev.fletch.vectors.Columns;
import dev.fletch.vectors.FileVectors;
import dev.fletch.vectors.VectorException;
import dev.fletch.vectors.VectorOptions;

import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/// How wrong values and their limits are shown.
class ShownValuesTest {
    @TempDir Path folder;

    private record Column(ArrowField field, BufferRole role, byte[] bytes) {}

    private static byte[] file(Column... columns) throws IOException {
        ArrowField[] fields = new ArrowField[columns.length];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = columns[i].field;
        }
        ArrowSchema schema = ArrowSchema.of(fields);
        BatchLayout layout = BatchLayout.compile(schema.toTable(), MetadataVersion.V5);
        BatchBuilder batch = new BatchBuilder(layout);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (MessageWriter writer = MessageWriter.of(ArrowContainer.FILE, out)) {
            writer.write(schema.toMessage(EmissionOrder.ARROW_CPP));
            if (layout.dictionaryLayout(1) != null) {
                batch.beginDictionary(1, 2, false);
                batch.buffer(0, BufferRole.DATA, MemorySegment.ofArray(new int[] {7, 8}));
                writer.write(batch);
            }
            batch.begin(2);
            for (int i = 0; i < columns.length; i++) {
                batch.buffer(i, columns[i].role, MemorySegment.ofArray(columns[i].bytes));
            }
            writer.write(batch);
            writer.finish();
        }
        return out.toByteArray();
    }

    private String verified(byte[] file, String... options) throws IOException {
        String path = Files.write(folder.resolve("file"), file).toString();
        String[] all = java.util.Arrays.copyOf(options, options.length + 3);
        System.arraycopy(options, 0, all, 2, options.length);
        all[0] = "verify";
        all[1] = "--values";
        all[all.length - 1] = path;
        return Cli.run(all).out();
    }

    private static ByteBuffer little(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /// The second index is wrong.
    private static Column indices(int bits, boolean isSigned, long index) {
        ByteBuffer both = little(2 * bits / 8 + 8);
        both.putLong(bits / 8, index);
        DictionaryInfo dictionary = DictionaryInfo.of(1, new ArrowType.Int(bits, isSigned));
        return new Column(
                ArrowField.of("d", new ArrowType.Int(32, true)).withDictionary(dictionary),
                BufferRole.DATA,
                java.util.Arrays.copyOf(both.array(), 2 * bits / 8));
    }

    @ParameterizedTest
    @CsvSource({
        "8,false,200,200",
        "16,false,40000,40000",
        "32,false,3000000000,3000000000",
        "64,false,-9223372036854775808,9223372036854775808",
        "64,false,-1,18446744073709551615",
        "8,true,-1,-1",
        "64,true,-1,-1",
        "64,true,-9223372036854775808,-9223372036854775808",
        "64,true,9223372036854775807,9223372036854775807"
    })
    void indicesAreShownAsTheirTypeIs(int bits, boolean isSigned, long index, String shown)
            throws IOException {
        byte[] bytes = file(indices(bits, isSigned, index));
        String expected = "row=1, value=" + shown + ", limit=1, column=d";
        assertTrue(verified(bytes).contains(expected), verified(bytes));
        assertTrue(verified(bytes, "--json").contains(expected), verified(bytes, "--json"));
        ArrowFile file = ArrowFile.of(MemorySegment.ofArray(bytes));
        FileBatches<BatchLayout> batches = FileBatches.of(file);
        ColumnValues values = new ColumnValues().bind(batches.bind(0), 0, batches.dictionaries());
        LayoutException e =
                assertThrows(LayoutException.class, () -> values.get(1, new ByteSlice()));
        assertTrue(e.getMessage().contains("index=" + shown + ", "), e.getMessage());
        try (RootAllocator allocator = new RootAllocator();
                FileVectors vectors =
                        FileVectors.copying(
                                file, allocator, Columns.all(), VectorOptions.DEFAULT)) {
            VectorException vector = assertThrows(VectorException.class, vectors::loadNext);
            assertTrue(vector.getMessage().contains("value=" + shown + ", "), vector.getMessage());
        }
    }

    @Test
    void decimalsAreShownWithAllTheirDigits() throws IOException {
        BigInteger found = BigInteger.TEN.pow(38).add(BigInteger.valueOf(5)).negate();
        byte[] highestFirst = found.toByteArray();
        ByteBuffer both = little(32);
        for (int i = 0; i < 16; i++) {
            both.put(
                    16 + i,
                    i < highestFirst.length ? highestFirst[highestFirst.length - 1 - i] : -1);
        }
        byte[] bytes =
                file(
                        new Column(
                                ArrowField.of("d", new ArrowType.Decimal(38, 0, 128)),
                                BufferRole.DATA,
                                both.array()));
        String expected = "row=1, value=" + found + ", limit=" + "9".repeat(38) + ", column=d";
        assertTrue(verified(bytes).contains(expected), verified(bytes));
    }

    /// Text, and views that are not padded with zeros.
    @Test
    void rulesWithoutALimitShowNone() throws IOException {
        byte[] views = little(32).putInt(1).put((byte) 0xFF).array();
        views[16] = 1;
        views[20] = 'a';
        views[31] = 1;
        byte[] bytes =
                file(
                        new Column(
                                ArrowField.of("v", new ArrowType.Utf8View()),
                                BufferRole.VIEWS,
                                views));
        String text = verified(bytes);
        assertEquals(2, text.lines().count(), text);
        assertTrue(text.contains("value-not-utf8") && text.contains("value-view-padding"), text);
        assertFalse(text.contains("limit="), text);
    }
}
