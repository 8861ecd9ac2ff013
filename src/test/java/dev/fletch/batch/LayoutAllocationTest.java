// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static dev.fletch.format.ids.MetadataVersion.V5;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Limits;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.FieldWalk;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.PlacedSegment;
import dev.fletch.testdata.Row;

import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// After set-up nothing is allocated, in any memory: by a cursor that goes over all columns, by
/// looking up names, by a walk.
@Isolated("counts allocations")
class LayoutAllocationTest {

    private static final byte[] SCHEMA =
            Tree.message(
                    Tree.of("a", Type.INT),
                    Tree.of("s", Type.STRUCT_, Tree.of("Größe", Type.UTF8_VIEW)),
                    Tree.of("e", Type.LIST, Tree.of("item", Type.INT)).encoded(4),
                    Tree.of("a", Type.UTF8));
    private static final int NODES = 5;
    private static final int BUFFERS = 14;

    private static final byte[] BATCH = Tree.numberedBatch(NODES, BUFFERS, new long[] {4});
    private static final int BODY_BYTES = 8 * BUFFERS + 8;
    private static final Row ROW = Row.of(SCHEMA, BATCH, new byte[BODY_BYTES]);

    private final Message message = new Message();
    private final Schema schema = new Schema();
    private final RecordBatch batch = new RecordBatch();
    private final BatchCursor cursor = new BatchCursor();
    private final FieldWalk walk = new FieldWalk();
    private final byte[] last = {'e'};
    private final ByteSlice slice = new ByteSlice();
    private final byte[] utf8 = "Größe".getBytes(StandardCharsets.UTF_8);
    private long sum;

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#segments")
    void bindingBatchesAllocatesNothing(SegmentBacking backing) {
        try (PlacedSegment placed = backing.place(ROW.bytes())) {
            bind(placed);
            BatchLayout layout = BatchLayout.compile(schema, V5);
            BatchLayout some =
                    BatchLayout.compile(schema, V5, Limits.DEFAULT, Columns.named("s", "a"));
            BatchLayout chosen = layout.choose(3, 0);
            long[] sums = new long[4];
            Allocations.assertNone(
                    "binding and reading",
                    () -> {
                        sum = 0;
                        bind(placed);
                        overAll(layout, placed);
                        lookUp(layout);
                        overAll(some, placed);
                        overAll(chosen, placed);
                        find();
                        sums[0] = sum;
                    });
            assertTrue(sums[0] > 0);
        }
    }

    private void bind(PlacedSegment placed) {
        message.wrap(placed.segment(), placed.offset(), SCHEMA.length).header(schema);
    }

    /// Binds the batch by a root of its own.
    private final Message second = new Message();

    private void bindCursor(BatchLayout layout, PlacedSegment placed) {
        MemorySegment memory = placed.segment();
        second.wrap(memory, placed.offset() + ROW.offset(1), BATCH.length).header(batch);
        cursor.bind(layout, batch).body(memory, placed.offset() + ROW.offset(2), BODY_BYTES);
    }

    private void overAll(BatchLayout layout, PlacedSegment placed) {
        bindCursor(layout, placed);
        for (int f = 0; f < layout.fieldCount(); f++) {
            sum += cursor.length(f) + cursor.nullCount(f) + cursor.variadicCount(f);
            for (int i = 0; i < cursor.bufferCount(f); i++) {
                sum +=
                        cursor.bufferOffset(f, i)
                                + cursor.bufferLength(f, i)
                                + cursor.role(f, i).ordinal();
                sum += cursor.buffer(f, i, slice).length() + cursor.uncompressedLength(f, i);
                sum += cursor.content(f, i, slice).length();
            }
        }
    }

    private void lookUp(BatchLayout layout) {
        sum += layout.find("a") + layout.findNext("a", 0) + layout.find("absent");
        sum += layout.child(1, "Größe") + layout.find("Größe");
        sum += layout.dictionaryLayout(4).viewCount();
    }

    private void find() {
        sum += walk.wrap(schema).find(utf8);
        walk.rewind();
        sum += walk.find(last);
        walk.rewind();
        while (walk.next()) {
            sum += walk.field().typeType() + walk.dictionaryId();
        }
    }
}
