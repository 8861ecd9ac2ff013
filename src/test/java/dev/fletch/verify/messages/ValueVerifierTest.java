// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.MeaningRule;
import dev.fletch.ValueRule;
import dev.fletch.WorkMonitor;
import dev.fletch.batch.BatchBuilder;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.ReceivedBody;
import dev.fletch.format.Buffer;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FirstFault;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.PlacedSegment;
import dev.fletch.testdata.SegmentBytes;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;

/// Long columns, whose values are checked block by block, in all kinds of memory.
class ValueVerifierTest {
    private static final int ROWS = 20_000;
    private static final int BLOCK = 16 << 10;
    private static final int TEXT_BYTES = 4;

    /// Rows on each side of an edge.
    private static final int EDGE = CaseCount.of(1, 2);

    private static final ArrowSchema SCHEMA =
            ArrowSchema.of(
                    ArrowField.of("text", ArrowType.Simple.UTF8).nullable(),
                    ArrowField.of("large", ArrowType.Simple.LARGE_BINARY),
                    ArrowField.of("time", new ArrowType.Time(ArrowType.TimeResolution.SECOND))
                            .nullable(),
                    ArrowField.of("date", ArrowType.Date.MILLISECOND),
                    ArrowField.of(
                            "union",
                            ArrowType.Union.sparse(0, 1),
                            ArrowField.of("a", ArrowType.Simple.BOOL),
                            ArrowField.of("b", ArrowType.Simple.NULL)),
                    ArrowField.of("view", ArrowType.Simple.UTF8_VIEW));
    private static final BatchLayout LAYOUT =
            BatchLayout.compile(SCHEMA.toTable(), MetadataVersion.V5);

    private final Random random = new Random(7);
    private final Message message = new Message();
    private final BatchCursor cursor = new BatchCursor();
    private final ValueVerifier verifier = new ValueVerifier(SCHEMA.toTable(), LAYOUT);
    private final FirstFault first = new FirstFault();
    private final List<String> found = new ArrayList<>();
    private byte[] body;

    // ---- a batch without faults

    private static ByteBuffer bytes(int count) {
        return ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void build() {
        byte[] bits = new byte[ROWS / 8];
        random.nextBytes(bits);
        ByteBuffer offsets = bytes(4 * (ROWS + 1));
        ByteBuffer largeOffsets = bytes(8 * (ROWS + 1));
        ByteBuffer times = bytes(4 * ROWS);
        ByteBuffer dates = bytes(8 * ROWS);
        ByteBuffer views = bytes(16 * ROWS);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < ROWS; i++) {
            text.append(i % 100 < 50 ? "abcd" : "eéf");
            offsets.putInt(TEXT_BYTES * i);
            largeOffsets.putLong(i);
            times.putInt(random.nextInt(86_400));
            dates.putLong(86_400_000L * random.nextInt(-99, 99));
            views.putInt(20).putInt('a' * 0x01010101).putInt(0).putInt(i);
        }
        offsets.putInt(TEXT_BYTES * ROWS);
        largeOffsets.putLong(ROWS);
        BatchBuilder batch = new BatchBuilder(LAYOUT).begin(ROWS);
        give(batch, "text", BufferRole.VALIDITY, bits);
        give(batch, "text", BufferRole.OFFSETS, offsets.array());
        give(batch, "text", BufferRole.DATA, text.toString().getBytes(StandardCharsets.UTF_8));
        give(batch, "large", BufferRole.OFFSETS, largeOffsets.array());
        give(batch, "large", BufferRole.DATA, new byte[ROWS]);
        give(batch, "time", BufferRole.VALIDITY, bits);
        give(batch, "time", BufferRole.DATA, times.array());
        give(batch, "date", BufferRole.DATA, dates.array());
        give(batch, "union", BufferRole.TYPE_IDS, new byte[ROWS]);
        give(batch, "union.a", BufferRole.DATA, new byte[ROWS / 8]);
        give(batch, "view", BufferRole.VIEWS, views.array());
        give(batch, "view", BufferRole.VARIADIC, "a".repeat(ROWS + 20).getBytes());
        int length = batch.encode();
        message.wrap(
                MemorySegment.ofArray(batch.message().toArray(ValueLayout.JAVA_BYTE)), 0, length);
        body = SegmentBytes.of(batch.body());
        cursor.bind(LAYOUT, message).body(MemorySegment.ofArray(body));
    }

    private static void give(BatchBuilder batch, String path, BufferRole role, byte[] bytes) {
        batch.buffer(LAYOUT.field(path), role, MemorySegment.ofArray(bytes));
    }

    // ---- faults

    /// Changes a row of one of the columns, so that it, or one near it, has a fault.
    private void damage(int column, int row) {
        ByteBuffer all = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
        switch (column) {
            case 0 -> all.putInt(at("text", BufferRole.OFFSETS) + 4 * row, random.nextInt());
            case 1 -> all.putLong(at("large", BufferRole.OFFSETS) + 8 * row, random.nextLong());
            case 2 -> all.putInt(at("time", BufferRole.DATA) + 4 * row, 86_400);
            case 3 -> all.putLong(at("date", BufferRole.DATA) + 8 * row, 86_400_001);
            case 4 -> all.put(at("union", BufferRole.TYPE_IDS) + row, (byte) 2);
            case 5 -> all.put(at("text", BufferRole.DATA) + TEXT_BYTES * row + 2, (byte) 0x80);
            default -> all.putInt(at("view", BufferRole.VIEWS) + 16 * row + 12, ROWS + 1);
        }
    }

    private int at(String path, BufferRole role) {
        return (int) cursor.bufferOffset(LAYOUT.field(path), role);
    }

    private void collect(BatchCursor from) {
        found.clear();
        verifier.verify(from, null, each -> found.add(text((ValueFault) each)));
    }

    private static String text(ValueFault fault) {
        return "%s %s %d".formatted(fault.column(), fault.rule().id(), fault.row());
    }

    private void assertAgrees(BatchCursor from) {
        collect(from);
        assertEquals(ReferenceValues.faults(SCHEMA.fields(), from, null), found);
    }

    @Test
    void faultsAtTheEdgesOfBlocksAreFound() {
        build();
        assertAgrees(cursor);
        assertEquals(List.of(), found);
        byte[] sound = body.clone();
        int faulty = 0;
        for (int column = 0; column <= 6; column++) {
            for (int width = 1; width <= 16; width *= 2) {
                for (int i = -EDGE; i <= EDGE; i++) {
                    int row = BLOCK / width + i;
                    System.arraycopy(sound, 0, body, 0, body.length);
                    damage(column, Math.min(row, ROWS - 1));
                    assertAgrees(cursor);
                    faulty += found.isEmpty() ? 0 : 1;
                }
            }
        }
        assertTrue(faulty > 40 * EDGE, () -> found.toString());
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#segments")
    void faultsAreTheSameInAllKindsOfMemoryAndInPieces(SegmentBacking backing) {
        build();
        for (int column = 0; column <= 6; column++) {
            damage(column, random.nextInt(ROWS));
        }
        collect(cursor);
        List<String> expected = List.copyOf(found);
        try (PlacedSegment placed = backing.place(body)) {
            cursor.bind(LAYOUT, message).body(placed.segment(), placed.offset(), placed.length());
            collect(cursor);
        }
        assertFalse(expected.isEmpty());
        assertEquals(expected, found);
        ReceivedBody pieces = new ReceivedBody();
        for (int at = 0; at < body.length; at += 5_000) {
            pieces.add(ByteBuffer.wrap(body, at, Math.min(5_000, body.length - at)));
        }
        collect(cursor.bind(LAYOUT, message).body(pieces));
        assertEquals(expected, found);
    }

    @Test
    void onlyChosenFieldsAreVerified() {
        build();
        damage(4, 5);
        BatchLayout chosen = LAYOUT.choose(LAYOUT.field("time"), LAYOUT.field("text"));
        ValueVerifier some = new ValueVerifier(SCHEMA.toTable(), chosen);
        BatchCursor own = new BatchCursor().bind(chosen, message).body(MemorySegment.ofArray(body));
        assertTrue(some.verify(own, null, first));
        assertFalse(verifier.verify(cursor, null, first));
        assertThrows(IllegalArgumentException.class, () -> some.verify(cursor, null, first));
    }

    /// Any number is a value, but all must be there.
    @Test
    void shortBuffersAreFaults() {
        build();
        RecordBatch header = new RecordBatch();
        message.header(header);
        int index = cursor.bufferIndex(LAYOUT.field("union.a"), 1);
        Buffer entry = header.buffers(index, new Buffer());
        entry.set(entry.offset(), entry.length() - 1);
        cursor.bind(LAYOUT, message).body(MemorySegment.ofArray(body));
        assertFalse(verifier.verify(cursor, null, first));
        assertEquals(MeaningRule.DATA_SIZE, first.fault().rule());
        assertEquals("union.a", first.fault().column());
    }

    @Test
    void cursorAndSinkMustBeGiven() {
        build();
        assertThrows(NullPointerException.class, () -> verifier.verify(null, null, _ -> {}));
        assertThrows(NullPointerException.class, () -> verifier.verify(cursor, null, null));
    }

    @Test
    void faultsEndWhenTheSinkIsFull() {
        build();
        for (int row = 100; row < 200; row++) {
            damage(4, row);
        }
        List<Long> rows = new ArrayList<>();
        FaultSink three =
                new FaultSink() {
                    @Override
                    public void accept(Fault fault) {
                        rows.add(((ValueFault) fault).row());
                    }

                    @Override
                    public boolean isFull() {
                        return rows.size() == 3;
                    }
                };
        assertFalse(verifier.verify(cursor, null, three));
        assertEquals(List.of(100L, 101L, 102L), rows);
    }

    /// Views that share bytes are text, however often they are repeated.
    @Test
    void workForViewsThatShareBytesIsBounded() {
        ArrowSchema schema = ArrowSchema.of(ArrowField.of("v", ArrowType.Simple.UTF8_VIEW));
        BatchLayout layout = BatchLayout.compile(schema.toTable(), MetadataVersion.V5);
        byte[] text = "é".repeat(50_000).getBytes(StandardCharsets.UTF_8);
        ByteBuffer views = bytes(16 * 10_000);
        for (int i = 0; i < 10_000; i++) {
            int from = i == 9_999 ? 1 : 0; // inside a character
            views.putInt(text.length - from);
            views.put(text, from, 4).putInt(0).putInt(from);
        }
        BatchBuilder batch = new BatchBuilder(layout).begin(10_000);
        batch.buffer(0, BufferRole.VIEWS, MemorySegment.ofArray(views.array()));
        batch.buffer(0, BufferRole.VARIADIC, MemorySegment.ofArray(text));
        int length = batch.encode();
        Message header = new Message().wrap(batch.message(), 0, length);
        BatchCursor own =
                new BatchCursor()
                        .bind(layout, header)
                        .body(MemorySegment.ofArray(SegmentBytes.of(batch.body())));
        WorkMonitor limit = WorkMonitor.limitedTo(20L * text.length);
        ValueVerifier limited = new ValueVerifier(schema.toTable(), layout, limit, null);
        assertFalse(limited.verify(own, null, first));
        assertEquals(9_999, ((ValueFault) first.fault()).row());
        assertEquals(ValueRule.VALUE_NOT_UTF8, first.fault().rule());
        assertEquals(0, limited.unchecked());
    }

    @Test
    void monitorStopsTheWork() {
        build();
        ValueVerifier stopped =
                new ValueVerifier(
                        SCHEMA.toTable(), LAYOUT, WorkMonitor.limitedTo(body.length / 2), null);
        assertThrows(CancellationException.class, () -> stopped.verify(cursor, null, first));
    }

    @Test
    void nothingIsAllocated() {
        build();
        MemorySegment memory = MemorySegment.ofArray(body);
        Allocations.assertNone(
                "values",
                () -> {
                    if (!verifier.verify(cursor.bind(LAYOUT, message).body(memory), null, first)) {
                        throw new AssertionError(first.fault().toString());
                    }
                });
    }
}
