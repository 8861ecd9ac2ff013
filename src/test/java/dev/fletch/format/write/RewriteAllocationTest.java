// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.FlatcDocument;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.LargeSchemas;
import dev.fletch.testdata.Memories.BufferBacking;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.PlacedBuffer;
import dev.fletch.testdata.PlacedSegment;
import dev.fletch.testdata.Row;

import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// After set-up nothing is allocated where messages and footers are written again, whatever memory
/// they are read from. `EncodersAllocationTest` writes to any memory.
@Isolated("counts allocations")
class RewriteAllocationTest {
    private static final int COLUMNS = CaseCount.of(5, 40);
    private static final int REPETITIONS = CaseCount.of(20, 100);
    private static final Row ROW = row();
    private static final int LONGEST = ROW.longest() + 64;

    /// A footer, and messages.
    private static Row row() {
        List<byte[]> messages = new ArrayList<>();
        byte[] file = ArrowVectorFiles.named("footer_metadata").file();
        messages.add(OracleListing.list(file).flatbuffers().getLast().bytes());
        messages.add(LargeSchemas.schemaMessage(COLUMNS));
        messages.add(LargeSchemas.recordBatchMessage(COLUMNS));
        List<String> names = List.of("all_types", "dictionaries", "custom_metadata", "nested");
        for (String name : names.subList(0, CaseCount.of(1, names.size()))) {
            OracleListing.list(ArrowVectorFiles.named(name).stream())
                    .flatbuffers()
                    .forEach(each -> messages.add(each.bytes()));
        }
        for (FlatcDocument each : FlatcDocument.all()) {
            if (each.root().equals("Message") && each.title().contains("tensor")) {
                messages.add(each.compiled(false));
            }
        }
        return Row.of(messages.toArray(byte[][]::new));
    }

    /// One writer for all messages, from one memory to another.
    private static final class Rewriting {
        private final Message message = new Message();
        private final Footer footer = new Footer();
        private final FlatBufferWriter buffer;
        private final MetadataWriter writer;

        Rewriting(EmissionOrder order) {
            buffer = order.newWriter();
            writer = new MetadataWriter(order, buffer);
        }

        void all(MemorySegment from, long offset, MemorySegment to) {
            for (int i = 0; i < ROW.count(); i++) {
                buffer.wrap(to);
                long next = offset + ROW.offset(i);
                if (i == 0) {
                    writer.footer(footer.wrap(from, next, ROW.length(i)));
                } else {
                    writer.message(message.wrap(from, next, ROW.length(i)));
                }
            }
        }

        void messages(ByteBuffer from, int offset, ByteBuffer to) {
            for (int i = 1; i < ROW.count(); i++) {
                int next = offset + ROW.offset(i);
                from.limit(next + ROW.length(i)).position(next);
                buffer.wrap(to);
                writer.message(message.wrap(from));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#segments")
    void rewritingFromASegmentAllocatesNothing(SegmentBacking backing) {
        MemorySegment target = MemorySegment.ofArray(new byte[LONGEST]);
        try (PlacedSegment placed = backing.place(ROW.bytes())) {
            for (EmissionOrder order : EmissionOrder.values()) {
                Rewriting work = new Rewriting(order);
                Allocations.assertNone(
                        order + " from " + backing,
                        REPETITIONS,
                        () -> work.all(placed.segment(), placed.offset(), target));
            }
            assertTrue(placed.surroundingsIntact());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#buffers")
    void rewritingFromAByteBufferAllocatesNothing(BufferBacking backing) {
        ByteBuffer target = ByteBuffer.allocateDirect(LONGEST);
        try (PlacedBuffer placed = backing.place(ROW.bytes())) {
            Rewriting work = new Rewriting(EmissionOrder.ARROW_CPP);
            int from = placed.buffer().position();
            Allocations.assertNone(
                    "from " + backing,
                    REPETITIONS,
                    () -> work.messages(placed.buffer(), from, target));
        }
    }
}
