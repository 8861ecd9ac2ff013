// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.tables.BufferShape;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.SegmentList;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.testdata.RealInput;
import dev.fletch.testdata.VectorTexts;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// The buffers of each batch, given to a [BatchBuilder] in any order, are a batch in which
/// arrow-java reads the same values and dictionaries.
class BatchBuilderAgreesTest {
    private static final SegmentList NOTHING = new SegmentList();

    private static int streams;
    private static int batches;
    private static int buffersGiven;
    private static int lengthsGiven;

    private final Random random = new Random(3);
    private final BatchCursor cursor = new BatchCursor();

    // ---- a stream, rebuilt

    private byte[] rebuilt(byte[] stream) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        MemorySegment input = MemorySegment.ofArray(stream);
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        Schema schema = new Schema();
        DictionaryBatch dictionary = new DictionaryBatch();
        BatchBuilder builder = null;
        BatchLayout layout = null;
        try (MessageWriter writer = MessageWriter.of(ArrowContainer.STREAM, out)) {
            long at = 0;
            while (frame.wrap(input, at, message) == FrameKind.MESSAGE) {
                at = frame.nextOffset();
                if (message.header(schema)) {
                    layout = BatchLayout.compile(schema, message.version());
                    EmissionOrder[] orders = EmissionOrder.values();
                    builder =
                            new BatchBuilder(
                                    layout,
                                    orders[random.nextInt(orders.length)],
                                    random.nextBoolean() ? 8 : 64);
                    writer.write(input, frame.metadataOffset(), frame.metadataLength(), NOTHING);
                    continue;
                }
                MemorySegment body = input.asSlice(frame.bodyOffset(), frame.bodyLength());
                BatchLayout of = layout;
                if (message.header(dictionary)) {
                    of = layout.dictionaryLayout(dictionary.id());
                }
                cursor.bind(of, message).body(body);
                if (cursor.isCompressed()) {
                    builder.compression(cursor.codec());
                }
                if (of == layout) {
                    builder.begin(cursor.rowCount());
                } else {
                    builder.beginDictionary(
                            dictionary.id(), cursor.rowCount(), dictionary.isDelta());
                }
                give(builder, of);
                writer.write(builder);
                batches++;
            }
            writer.finish();
        }
        return out.toByteArray();
    }

    private record Given(int field, int index) {}

    private void give(BatchBuilder builder, BatchLayout layout) {
        List<Given> all = new ArrayList<>();
        List<Given> variadic = new ArrayList<>();
        for (int field = 0; field < layout.fieldCount(); field++) {
            int own = layout.bufferCount(field);
            for (int i = 0; i < cursor.bufferCount(field); i++) {
                (i < own ? all : variadic).add(new Given(field, i));
            }
            if (!follows(layout, field)) {
                builder.length(field, cursor.length(field));
                lengthsGiven++;
            }
            boolean isCounted = !cursor.isCompressed() && random.nextBoolean();
            if (layout.has(field, BufferRole.VALIDITY) && !isCounted) {
                builder.nullCount(field, cursor.nullCount(field));
            }
        }
        Collections.shuffle(all, random);
        all.addAll(random.nextInt(all.size() + 1), variadic); // these have an order
        ByteSlice bytes = new ByteSlice();
        for (Given each : all) {
            cursor.buffer(each.field, each.index, bytes);
            BufferRole role = cursor.role(each.field, each.index);
            builder.buffer(each.field, role, MemorySegment.ofArray(bytes.toByteArray()));
            buffersGiven++;
        }
    }

    /// Whether a builder knows the length of a field.
    private boolean follows(BatchLayout layout, int field) {
        int parent = layout.parent(field);
        if (parent < 0) {
            return true;
        }
        BufferShape shape = layout.shape(parent);
        if (layout.typeType(parent) == Type.RUN_END_ENCODED) {
            return field != parent + 1;
        }
        return switch (shape) {
            case VALIDITY_ONLY, SPARSE_UNION, SPARSE_UNION_V4 -> true;
            case LIST -> !cursor.isCompressed();
            default -> false;
        };
    }

    static List<RealInput> streams() { // files have the same batches
        return RealInput.readByArrowJava().stream()
                .filter(each -> !each.name().matches(".*(arrow_file|[.]arrow)"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("streams")
    void batchesAreRebuilt(RealInput input) throws IOException {
        byte[] stream = input.bytes();
        assertEquals(VectorTexts.ofArrow(stream), VectorTexts.ofArrow(rebuilt(stream)));
        streams++;
    }

    @AfterAll
    static void printCounts() {
        System.out.printf(
                "Built batches: %d streams, %d batches of %d buffers, %d lengths given%n",
                streams, batches, buffersGiven, lengthsGiven);
        assertTrue(streams > 20 && lengthsGiven > 20);
    }
}
