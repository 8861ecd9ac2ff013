// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.corpus.CaseFile;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.internal.Work;
import dev.fletch.testdata.CountedWork;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Where unused bytes of a batch are found that are not 0.
class UnusedCheckTest {
    private static final String TYPES =
            """
            let i8 = Int(bitWidth=8 is_signed=1)
            """;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // The second value is null.
                "<a:i8 b:i8> & batch 2 [2 2/1] [- i8(5 6) i8(1) i8(7 8)]"
                        + " | unused-values b data 17 bytes=1",
                "<a:i8 b:i8> & batch lz4 2 [2 2/1] [- i8(5 6) i8(1) i8(7 8)]"
                        + " | unused-values b data 56 bytes=1",
                // Behind a buffer, which is not the last one of the batch.
                "<a:i8 b:i8> & batch 8 [8 8] [- i64(1) - i64(1)] + i64(1)"
                        + " => 1.header.buffers = [(0 0) (16 8) (0 0) (0 8)]"
                        + " | unused-padding b data 8 bytes=1",
                // Of two buffers with one end, and one inside them, the first has the gap.
                "<a:i8 b:i8 c:Bool d:i8> & batch 8 [8 8 8 8] [- i64(0) - i64(1) - i8(1) - i64(0)]"
                    + " => 1.header.buffers = [(0 0) (0 8) (0 0) (0 8) (0 0) (0 1) (0 0) (24 8)] |"
                    + " unused-padding a data 8 bytes=2",
                "<> & batch 1 [] [] + i64(256) | unused-padding null '' 1 bytes=1"
            })
    void unusedBytesNameTheirBuffer(String input, String expected) {
        MemorySegment bytes =
                MemorySegment.ofArray(CaseFile.input(TYPES + "stream " + input.replace('&', '|')));
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        Schema schema = new Schema();
        frame.wrap(bytes, 0, message);
        message.header(schema);
        BatchLayout layout = BatchLayout.compile(schema, message.version());
        frame.wrap(bytes, frame.nextOffset(), message);
        MemorySegment body = bytes.asSlice(frame.bodyOffset(), frame.bodyLength());
        BatchCursor cursor = new BatchCursor().bind(layout, message).body(body);
        List<String> found = new ArrayList<>();
        CountedWork work = new CountedWork();
        UnusedCheck check = new UnusedCheck(ReadOptions.VERIFY);
        Work.watched(
                work,
                () -> check.check(cursor, body, true, each -> found.add(text((ValueFault) each))));
        assertEquals(List.of(expected), found);
        assertTrue(work.bytes() >= body.byteSize());
        assertNull(cursor.source());
    }

    private static String text(ValueFault fault) {
        return String.join(
                " ",
                fault.rule().id(),
                fault.column(),
                fault.path().isEmpty() ? "''" : fault.path(),
                String.valueOf(fault.position()),
                fault.explanation());
    }
}
