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

import dev.fletch.FletchException;
import dev.fletch.ValueRule;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.ids.Type;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Dictionaries that are defined again and again, whose values readers verify before they hand them
/// on.
class RepeatedDictionariesTest {
    private static final byte[] NONE = {};
    private static final int TIMES = 100;
    private static final int VALUES = 10_000;
    private static final FbsValue.Table TEXT = field("d", Type.UTF8, table("Utf8"));

    private static Batch texts() {
        return new Batch(2).node(2, 0, NONE, ints(0, 1, 2), text("ab"));
    }

    /// A stream whose dictionary 5 has many indices into dictionary 3; dictionary 7 has a column.
    private static HandmadeInput nested() {
        FbsValue.Table outer = with(struct(encoded(TEXT, 3)), "name", "o");
        FbsValue.Table other = with(encoded(TEXT, 7), "name", "other");
        Batch values =
                new Batch(VALUES)
                        .node(VALUES, 0, NONE)
                        .node(VALUES, 0, NONE, bytes(new int[VALUES]));
        return new HandmadeInput(schema(encoded(outer, 5), other))
                .dictionary(3, false, texts())
                .dictionary(5, false, values)
                .dictionary(7, false, texts());
    }

    private static MemorySegment stream(long id, boolean isDelta) {
        HandmadeInput made = nested();
        for (int i = 0; i < TIMES; i++) {
            made.dictionary(id, isDelta, texts());
        }
        Batch batch = new Batch(1).node(1, 0, NONE, bytes(0)).node(1, 0, NONE, bytes(0));
        return MemorySegment.ofArray(made.batch(batch).stream());
    }

    private static void read(MemorySegment stream) throws IOException {
        try (BatchReader reader = Arrow.open(stream, ReadOptions.UNTRUSTED)) {
            assertTrue(reader.next());
        }
    }

    @Test
    void indicesAreReadAgainOnlyForTheirDictionary() throws IOException {
        read(stream(7, false));
        read(stream(7, true));
        read(stream(3, true));
    }

    /// 100 short messages would cost the indices of the long one 100 times.
    @Test
    void workOfAStreamHasALimit() {
        FletchException e = assertThrows(FletchException.class, () -> read(stream(3, false)));
        assertEquals(ValueRule.VALUES_UNCHECKED, e.rule());
        assertTrue(e.getMessage().contains("batches share too many bytes"), e::getMessage);
        assertTrue(e.fault().message() > 10, e::toString);
    }

    /// Offsets of values count from the start of the body, also in dictionaries.
    @Test
    void wrongValuesOfReceivedDictionariesHaveTheirOffset() {
        byte[] stream =
                new HandmadeInput(schema(encoded(TEXT, 3)))
                                .dictionary(
                                        3,
                                        false,
                                        new Batch(1).node(1, 0, NONE, ints(0, 9), text("a")))
                                .stream();
        MemorySegment memory = MemorySegment.ofArray(stream);
        BatchReceiver receiver = Arrow.receive(ReadOptions.UNTRUSTED);
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        assertEquals(FrameKind.MESSAGE, frame.wrap(memory, 0, message));
        receiver.receive(header(memory, frame), MemorySegment.ofArray(NONE));
        assertEquals(FrameKind.MESSAGE, frame.wrap(memory, frame.nextOffset(), message));
        MemorySegment header = header(memory, frame);
        MemorySegment body = frame.bodySlice();
        FletchException e =
                assertThrows(FletchException.class, () -> receiver.receive(header, body));
        assertEquals(ValueRule.VALUE_OFFSET_RANGE, e.rule());
        assertEquals(1, e.fault().message());
        assertEquals(Integer.BYTES, e.offset());
    }

    private static MemorySegment header(MemorySegment memory, EncapsulatedMessage frame) {
        return memory.asSlice(frame.metadataOffset(), frame.metadataLength());
    }
}
