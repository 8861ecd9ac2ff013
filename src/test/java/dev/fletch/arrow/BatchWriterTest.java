// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.batch.BatchBuilder;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.DictionaryInfo;
import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;

/// What a batch writer makes of Java's arrays and texts.
class BatchWriterTest {
    private static final ArrowType.Int INT8 = new ArrowType.Int(8, true);

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final EncapsulatedMessage frame = new EncapsulatedMessage(ReadOptions.DEFAULT);
    private final Message message = new Message();

    private BatchWriter writer(ArrowSchema schema) throws IOException {
        return Arrow.writeStream(Channels.newChannel(bytes), schema);
    }

    /// Binds to the written message with an index.
    private MemorySegment message(int index) {
        MemorySegment all = written();
        long at = 0;
        for (int i = 0; i <= index; i++) {
            assertEquals(FrameKind.MESSAGE, frame.wrap(all, at, message));
            at = frame.nextOffset();
        }
        return all.asSlice(at - frame.bodyLength(), frame.bodyLength());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void numbersHaveTheByteOrderOfTheSchema(boolean isBigEndian) throws IOException {
        ByteOrder order = isBigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        ArrowSchema schema =
                ArrowSchema.of(
                                ArrowField.of("id", new ArrowType.Int(64, true)),
                                ArrowField.of("price", ArrowType.FloatingPoint.DOUBLE),
                                ArrowField.of("name", ArrowType.Simple.UTF8).nullable())
                        .withEndianness(order);
        try (BatchWriter out = writer(schema)) {
            out.begin(2).values(0, 7, -8).values(out.field("price"), 0.5, -2);
            assertThrows(IllegalArgumentException.class, () -> out.texts(2, "one"));
            out.texts(2, "one", null).end();
            out.finish();
        }
        MemorySegment body = message(1);
        BatchLayout layout = BatchLayout.compile(schema.toTable(), message.version());
        BatchCursor batch = new BatchCursor().bind(layout, message).body(body);
        ByteBuffer ids = buffer(batch, 0, BufferRole.DATA, order);
        assertEquals(7, ids.getLong());
        assertEquals(-8, ids.getLong());
        ByteBuffer prices = buffer(batch, 1, BufferRole.DATA, order);
        assertEquals(0.5, prices.getDouble());
        assertEquals(-2, prices.getDouble());
        ByteBuffer offsets = buffer(batch, 2, BufferRole.OFFSETS, order);
        assertEquals(0, offsets.getInt());
        assertEquals(3, offsets.getInt());
        assertEquals(3, offsets.getInt());
    }

    private static ByteBuffer buffer(
            BatchCursor batch, int field, BufferRole role, ByteOrder order) {
        byte[] found = batch.buffer(field, role, new ByteSlice()).toByteArray();
        return ByteBuffer.wrap(found).order(order);
    }

    @Test
    void metadataBelongsToOneBatch() throws IOException {
        ArrowSchema schema =
                ArrowSchema.of(
                        ArrowField.of("kind", ArrowType.Simple.NULL)
                                .nullable()
                                .withDictionary(DictionaryInfo.of(0, INT8)));
        MemorySegment index = MemorySegment.ofArray(new byte[1]);
        try (BatchWriter out = writer(schema)) {
            out.builder().beginDictionary(0, 1, false);
            out.metadata("first", "1").end();
            out.builder().beginDictionary(0, 2, false);
            out.metadata("second", "2").end();
            out.begin(1).buffer(0, BufferRole.DATA, index).end();
            out.finish();
        }
        message(1);
        assertEquals(1, message.customMetadataCount());
        message(2);
        assertEquals(MessageHeader.DICTIONARY_BATCH, message.headerType());
        assertEquals(1, message.customMetadataCount());
        message(3);
        assertEquals(0, message.customMetadataCount());
    }

    /// What a schema has is the caller's choice: also the order of its dictionaries is checked.
    @Test
    void schemaIsWrittenThatExceedsTheLimitsOfReaders() throws IOException {
        ArrowField field =
                ArrowField.of("kind", ArrowType.Simple.UTF8)
                        .withDictionary(DictionaryInfo.of(0, INT8));
        for (int depth = 1; depth < 2 * Limits.DEFAULT.depth(); depth++) {
            field = ArrowField.of("f", ArrowType.Simple.STRUCT, field);
        }
        int leaf = 2 * Limits.DEFAULT.depth() - 1;
        MemorySegment index = MemorySegment.ofArray(new byte[1]);
        BatchWriter out = writer(ArrowSchema.of(field));
        out.begin(1).buffer(leaf, BufferRole.DATA, index);
        String text = assertThrows(IllegalStateException.class, out::end).getMessage();
        assertTrue(text.startsWith("dictionary is out of order"), text);
    }

    @Test
    void eachBatchIsWrittenOnce() throws IOException {
        ArrowSchema schema =
                ArrowSchema.of(ArrowField.of("id", new ArrowType.Int(64, true)).nullable());
        try (BatchWriter out = writer(schema)) {
            assertThrows(IllegalStateException.class, out::end);
            out.begin(2);
            assertThrows(IllegalStateException.class, () -> out.begin(1));
            assertThrows(IllegalStateException.class, out::finish);
            assertThrows(IllegalStateException.class, out::end); // without values
            out.values(0, 1, 2).end();
            assertThrows(IllegalStateException.class, out::end);
            out.begin(3).builder().begin(1); // in place of the one before
            out.buffer(0, BufferRole.DATA, MemorySegment.ofArray(new long[1])).end();
            out.finish();
        }
        message(2);
        RecordBatch batch = new RecordBatch();
        message.header(batch);
        assertEquals(1, batch.length());
        assertEquals(FrameKind.END_OF_STREAM, frame.wrap(written(), frame.nextOffset(), message));
    }

    @Test
    void batchThatCannotBeClearedIsNotLost() throws IOException {
        ArrowSchema schema = ArrowSchema.of(ArrowField.of("id", new ArrowType.Int(64, true)));
        try (BatchWriter out = writer(schema).clearingUnused(1 << 20)) {
            out.builder().compression(CompressionType.ZSTD);
            out.begin(1).buffer(0, BufferRole.DATA, MemorySegment.ofArray(new long[2]));
            assertThrows(FletchException.class, out::end);
            assertThrows(IllegalStateException.class, out::finish);
            assertThrows(FletchException.class, out::end);
            out.builder().compression(BatchBuilder.NOT_COMPRESSED).begin(1);
            out.values(0, 7).end();
            out.finish();
        }
        assertEquals(7, message(1).get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
    }

    private MemorySegment written() {
        return MemorySegment.ofArray(bytes.toByteArray());
    }

    @Test
    void textsWithoutEncodingAreRefused() throws IOException {
        ArrowSchema schema = ArrowSchema.of(ArrowField.of("name", ArrowType.Simple.UTF8));
        try (BatchWriter out = writer(schema)) {
            out.begin(1);
            assertThrows(IllegalArgumentException.class, () -> out.texts(0, "a\uD83D"));
            assertThrows(IllegalArgumentException.class, () -> out.metadata("key", "\uDE00"));
            out.texts(0, "\uD83D\uDE00").end();
            out.finish();
        }
        MemorySegment body = message(1);
        assertEquals(0, message.customMetadataCount());
        BatchLayout layout = BatchLayout.compile(schema.toTable(), message.version());
        BatchCursor batch = new BatchCursor().bind(layout, message).body(body);
        byte[] text = batch.buffer(0, BufferRole.DATA, new ByteSlice()).toByteArray();
        assertArrayEquals(new byte[] {(byte) 0xF0, (byte) 0x9F, (byte) 0x98, (byte) 0x80}, text);
    }

    @Test
    void textsOfTwoGigabytesAreRefusedWithTheirColumn() throws IOException {
        BatchWriter out = writer(ArrowSchema.of(ArrowField.of("name", ArrowType.Simple.UTF8)));
        int copies = CaseCount.of(2_100, 700);
        String text = (copies == 700 ? "\u20AC" : "x").repeat(1 << 20);
        String[] texts = Collections.nCopies(copies, text).toArray(String[]::new);
        out.begin(texts.length);
        var refused = assertThrows(IllegalArgumentException.class, () -> out.texts(0, texts));
        assertEquals(
                "values are too long for an array: column=name, bytes=2202009600, limit=2147483639",
                refused.getMessage());
    }

    @Test
    void bigEndianNumbersOfTwoGigabytesAreRefusedWithTheirColumn(@TempDir Path directory)
            throws IOException {
        ArrowSchema schema =
                ArrowSchema.of(ArrowField.of("a", new ArrowType.Int(64, true)))
                        .withEndianness(ByteOrder.BIG_ENDIAN);
        Path sparse = directory.resolve("sparse");
        BatchWriter out = writer(schema);
        try (FileChannel file =
                FileChannel.open(
                        sparse,
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.allocate(1), (1L << 31) - 1);
            MemorySegment numbers =
                    file.map(FileChannel.MapMode.READ_ONLY, 0, 1L << 31, Arena.ofAuto());
            var refused =
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> out.inOrder(0, numbers, ValueLayout.JAVA_LONG));
            assertEquals(
                    "values are too long for an array: column=a, bytes=2147483648,"
                            + " limit=2147483639",
                    refused.getMessage());
        }
    }
}
