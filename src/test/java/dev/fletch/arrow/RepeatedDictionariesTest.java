// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.ValueRule;
import dev.fletch.corpus.CaseFile;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Dictionaries that are defined again and again, whose values readers verify before they hand them
/// on.
class RepeatedDictionariesTest {
    private static final int TIMES = 100;
    private static final String FIELDS =
            """
            let i8 = Int(bitWidth=8 is_signed=1)
            let text = text:Utf8{dictionary=DictionaryEncoding(id=3 indexType=i8)}
            let other = other:Utf8{dictionary=DictionaryEncoding(id=7 indexType=i8)}
            let struct = struct:Struct_<text>{dictionary=DictionaryEncoding(id=5 indexType=i8)}
            """;
    private static final String TEXTS = " 2 [2] [- i32(0 1 2) \"ab\"]";

    private static MemorySegment stream(String messages) {
        return MemorySegment.ofArray(CaseFile.input(FIELDS + "stream " + messages));
    }

    /// A stream whose dictionary 5 has many indices into dictionary 3; dictionary 7 has a column.
    ///
    /// @param again a dictionary that follows, again and again
    private static MemorySegment repeated(String again) {
        String indices = " | dictionary 5 10000 [10000*2] [- - zeros(10000)]";
        String others = " | dictionary 7" + TEXTS + (" | " + again + TEXTS).repeat(TIMES);
        String batch = " | batch 1 [1*2] [- i8(0) - i8(0)]";
        return stream("<struct other> | dictionary 3" + TEXTS + indices + others + batch);
    }

    private static void read(MemorySegment stream) throws IOException {
        try (BatchReader reader = Arrow.open(stream, ReadOptions.UNTRUSTED)) {
            assertTrue(reader.next());
        }
    }

    @Test
    void indicesAreReadAgainOnlyForTheirDictionary() throws IOException {
        read(repeated("dictionary 7"));
        read(repeated("delta 7"));
        read(repeated("delta 3"));
    }

    /// 100 short messages would cost the indices of the long one 100 times.
    @Test
    void workOfAStreamHasALimit() {
        FletchException e =
                assertThrows(FletchException.class, () -> read(repeated("dictionary 3")));
        assertEquals(ValueRule.VALUES_UNCHECKED, e.rule());
        assertTrue(
                e.getMessage().contains("too many bytes to verify for the size of the input"),
                e::getMessage);
        assertTrue(e.fault().message() > 10, e::toString);
    }

    /// Offsets of values count from the start of the body, also in dictionaries.
    @Test
    void wrongValuesOfReceivedDictionariesHaveTheirOffset() {
        MemorySegment memory = stream("<text> | dictionary 3 1 [1] [- i32(0 9) \"a\"]");
        BatchReceiver receiver = Arrow.receive(ReadOptions.UNTRUSTED);
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        assertEquals(FrameKind.MESSAGE, frame.wrap(memory, 0, message));
        receiver.receive(header(memory, frame), MemorySegment.ofArray(new byte[0]));
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
