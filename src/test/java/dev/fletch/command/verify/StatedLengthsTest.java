// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.Rule.Severity;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.ColumnValues;
import dev.fletch.format.Message;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.vectors.VectorReader;

import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/// By default, `fletch verify` and `fletch convert` compare the lengths that metadata states with
/// the rows: a page of zeros in the metadata of a batch is found.
class StatedLengthsTest {
    private static final int PAIR = 16;
    private static final int ROWS = 20;
    private static final List<ArrowType> FIXED_WIDTH =
            List.of(
                    ArrowType.Bool.INSTANCE,
                    new ArrowType.Int(32, true),
                    new ArrowType.Int(8, false),
                    new ArrowType.Decimal(9, 2, 128),
                    new ArrowType.FixedSizeBinary(5),
                    new ArrowType.Date(DateUnit.MILLISECOND),
                    new ArrowType.Time(TimeUnit.SECOND, 32),
                    new ArrowType.Timestamp(TimeUnit.MICROSECOND, null));

    /// Where the buffers of a batch are: follows message, header and buffers by hand.
    private static int firstBuffer(byte[] bytes, OracleMessage batch) {
        ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int root = (int) batch.metadataOffset();
        int header = follow(words, root + words.getInt(root), 2);
        return follow(words, header, 2) + Integer.BYTES;
    }

    private static int follow(ByteBuffer words, int table, int slot) {
        int at = table + words.getShort(table - words.getInt(table) + 4 + 2 * slot);
        return at + words.getInt(at);
    }

    private static void zero(byte[] bytes, int from, int count) {
        for (int i = from; i < from + count; i++) {
            bytes[i] = 0;
        }
    }

    /// Zeroes one buffer's offset and length at a time. A buffer that values need is missed by
    /// default as it is strictly; only lengths inside of bodies are left to the strict check.
    @Test
    void eachZeroedLengthIsFoundAsItIsStrictly() {
        int cases = 0;
        int wrong = 0;
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            byte[] sound = each.stream();
            assertEquals(List.of(), errors(Verified.of(sound)), each.name());
            for (OracleMessage batch : OracleListing.list(sound).recordBatches()) {
                int count = Math.min(40, buffers(batch));
                for (int i = 0; i < count; i++) {
                    byte[] bytes = sound.clone();
                    zero(bytes, firstBuffer(bytes, batch) + i * PAIR, PAIR);
                    List<String> strict = errors(Verified.of(bytes, Checks.STRICT));
                    assertEquals(strict, errors(Verified.of(bytes)), each.name() + " " + i);
                    cases++;
                    wrong += strict.isEmpty() ? 0 : 1;
                }
            }
        }
        CaseCount.report("%,d lengths zeroed, found: %,d", cases, wrong);
        assertTrue(wrong > cases / 4, wrong + " of " + cases);
    }

    private static int buffers(OracleMessage batch) {
        ByteBuffer metadata = batch.metadata().duplicate();
        byte[] bytes = new byte[metadata.remaining()];
        metadata.get(bytes);
        ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int root = words.getInt(0);
        return words.getInt(follow(words, follow(words, root, 2), 2));
    }

    private static List<String> errors(Verified found) {
        List<String> errors = new ArrayList<>();
        found.findings().stream()
                .filter(each -> each.rule().severity() == Severity.ERROR)
                .forEach(each -> errors.add(each.line()));
        return errors;
    }

    // ---- data of nulls

    /// A stream with a batch of nulls alone, whose data buffer is empty, as arrow-js writes it.
    private static byte[] withoutData(ArrowType type) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Schema schema = new Schema(List.of(Field.nullable("x", type)));
        try (RootAllocator allocator = new RootAllocator();
                VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
                ArrowStreamWriter writer = new ArrowStreamWriter(root, null, out)) {
            root.getVector(0).allocateNew();
            root.setRowCount(ROWS);
            writer.writeBatch();
        }
        byte[] bytes = out.toByteArray();
        OracleMessage batch = OracleListing.list(bytes).recordBatches().getFirst();
        int length = firstBuffer(bytes, batch) + PAIR + Long.BYTES;
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(length, 0);
        return bytes;
    }

    /// As by arrow-java.
    @Test
    void absentDataIsReadAsNulls() throws IOException {
        for (ArrowType type : FIXED_WIDTH) {
            assertReadAsNulls(withoutData(type));
        }
    }

    private static void assertReadAsNulls(byte[] stream) throws IOException {
        MemorySegment memory = MemorySegment.ofArray(stream);
        List<OracleMessage> messages = OracleListing.list(stream).messages();
        BatchLayout layout =
                BatchLayout.compile(schema(memory, messages.getFirst()), MetadataVersion.V5);
        OracleMessage batch = messages.getLast();
        MemorySegment body = memory.asSlice(batch.bodyOffset(), batch.bodyLength());
        BatchCursor cursor = new BatchCursor().bind(layout, message(memory, batch)).body(body);
        ColumnValues column = new ColumnValues().bind(cursor, 0);
        assertEquals(ROWS, column.length());
        try (RootAllocator allocator = new RootAllocator();
                VectorReader vectors =
                        VectorReader.open(new ByteArrayInputStream(stream), allocator, "x");
                ArrowStreamReader theirs =
                        new ArrowStreamReader(new ByteArrayInputStream(stream), allocator)) {
            assertTrue(vectors.loadNext());
            assertTrue(theirs.loadNextBatch());
            FieldVector own = vectors.root().getVector(0);
            FieldVector expected = theirs.getVectorSchemaRoot().getVector(0);
            for (int row = 0; row < ROWS; row++) {
                assertTrue(column.isNull(row));
                assertNull(own.getObject(row));
                assertNull(expected.getObject(row));
            }
        }
    }

    private static dev.fletch.format.Schema schema(MemorySegment memory, OracleMessage of) {
        dev.fletch.format.Schema schema = new dev.fletch.format.Schema();
        assertTrue(message(memory, of).header(schema));
        return schema;
    }

    private static Message message(MemorySegment memory, OracleMessage of) {
        return new Message().wrap(memory, of.metadataOffset(), of.metadataLength());
    }
}
