// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.ipc.Frames.batch;
import static dev.fletch.ipc.Frames.body;
import static dev.fletch.ipc.Frames.dictionary;
import static dev.fletch.ipc.Frames.footer;
import static dev.fletch.ipc.Frames.frame;
import static dev.fletch.ipc.Frames.join;
import static dev.fletch.ipc.Frames.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.ipc.Frames.BlockNumbers;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Readers recognize batch messages, verified or not, and count them.
class RecognizedMessagesTest {
    private static final int ROUNDS = 10;

    /// A schema, then by turns a dictionary and a record batch, with bodies of several lengths.
    private static byte[] stream(List<BlockNumbers> dictionaries, List<BlockNumbers> batches) {
        byte[] all = frame(schema());
        for (int i = 0; i < ROUNDS; i++) {
            int bytes = 8 * (1 + i % 3);
            for (byte[] metadata : List.of(dictionary(bytes), batch(bytes))) {
                byte[] framed = frame(metadata);
                var to = metadata.length == dictionary(8).length ? dictionaries : batches;
                to.add(new BlockNumbers(8 + all.length, framed.length, bytes));
                all = join(all, framed, body(bytes));
            }
        }
        return all;
    }

    private static byte[] stream() {
        return stream(new ArrayList<>(), new ArrayList<>());
    }

    private static ReadOptions options(Verification verification) {
        return ReadOptions.DEFAULT.withVerification(verification);
    }

    /// The schema, and each kind of batch until its shape is known.
    private static void assertCounts(long messages, long recognized, long parsed) {
        assertEquals(messages, recognized + parsed);
        assertEquals(true, parsed <= messages - 2 * ROUNDS + 4, parsed + " parsed");
        assertEquals(true, recognized > 0);
    }

    @ParameterizedTest
    @EnumSource(Verification.class)
    void aFrameCountsRecognizedMessages(Verification verification) {
        MemorySegment input = MemorySegment.ofArray(stream());
        EncapsulatedMessage frame = new EncapsulatedMessage(options(verification));
        Message message = new Message();
        DictionaryBatch dictionary = new DictionaryBatch();
        RecordBatch batch = new RecordBatch();
        long at = 0;
        long messages = 0;
        while (frame.wrap(input, at, message) == FrameKind.MESSAGE) {
            messages++;
            assertEquals(messages > 1, message.header(batch) || message.header(dictionary));
            at = frame.nextOffset();
        }
        assertEquals(1 + 2 * ROUNDS, messages);
        assertCounts(messages, frame.messagesRecognized(), frame.messagesParsed());
    }

    @ParameterizedTest
    @EnumSource(Verification.class)
    void aReaderCountsRecognizedMessages(Verification verification) throws IOException {
        try (MessageReader reader =
                MessageReader.of(new ByteArrayInputStream(stream()), options(verification))) {
            Message message = new Message();
            while (reader.next(message) == FrameKind.MESSAGE) {
                assertEquals(reader.frame().bodyLength(), message.bodyLength());
            }
            assertCounts(
                    1 + 2 * ROUNDS,
                    reader.frame().messagesRecognized(),
                    reader.frame().messagesParsed());
        }
    }

    @ParameterizedTest
    @EnumSource(Verification.class)
    void aFileCountsRecognizedMessages(Verification verification) {
        List<BlockNumbers> dictionaries = new ArrayList<>();
        List<BlockNumbers> batches = new ArrayList<>();
        byte[] messages = stream(dictionaries, batches);
        byte[] file = Frames.file(messages, footer(dictionaries, batches));
        ArrowFile opened = ArrowFile.of(MemorySegment.ofArray(file), options(verification));
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        for (int i = 0; i < ROUNDS; i++) {
            opened.dictionary(i, frame, message);
            opened.recordBatch(i, frame, message);
        }
        assertCounts(2 * ROUNDS, opened.messagesRecognized(), opened.messagesParsed());
        assertEquals(0, frame.messagesRecognized() + frame.messagesParsed());
    }
}
