// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.fletch.FletchException;
import dev.fletch.FrameRule;
import dev.fletch.Rule;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.Verifier.Root;
import dev.fletch.format.WholeTrees;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.MessageDecoder;
import dev.fletch.ipc.MessageReader;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Reads any bytes as a stream of messages, in memory, from a source and in pieces: all find the
/// same, and throw nothing but what is documented.
class FramingFuzzTest {
    private static final int CAPACITY = 1 << 16;

    private static WholeTrees trees;

    private final Message message = new Message();

    @BeforeAll
    static void allocate() {
        trees = new WholeTrees(CAPACITY);
    }

    @AfterAll
    static void free() {
        trees.close();
    }

    @FuzzTest
    void streamsInMemoryAndFromASource(byte[] input) throws IOException {
        if (input.length > CAPACITY) {
            return;
        }
        for (Level verification : Level.values()) {
            ReadOptions options = ReadOptions.DEFAULT.withLevel(verification);
            List<String> inMemory = inMemory(input, options);
            List<String> fromSource = fromSource(input, options);
            assertEquals(inMemory, fromSource);
            for (int size : new int[] {1, 100, CAPACITY}) {
                assertEquals(inMemory, inPieces(input, size, options));
            }
        }
    }

    private List<String> inMemory(byte[] input, ReadOptions options) {
        List<String> found = new ArrayList<>();
        EncapsulatedMessage frame = new EncapsulatedMessage(options);
        MemorySegment memory = MemorySegment.ofArray(input);
        try {
            long at = 0;
            FrameKind kind = frame.wrap(memory, at, message);
            while (kind == FrameKind.MESSAGE) {
                found.add(text(frame));
                trees.readsWhatItCan(
                        Root.MESSAGE, memory, frame.metadataOffset(), frame.metadataLength());
                long next = frame.nextOffset();
                assertTrue(next > at && next <= input.length, "no way forward");
                at = next;
                kind = frame.wrap(memory, at, message);
            }
            found.add(text(frame));
        } catch (FletchException e) {
            found.add(e.rule() + " at " + e.offset());
        }
        return found;
    }

    private List<String> fromSource(byte[] input, ReadOptions options) throws IOException {
        List<String> found = new ArrayList<>();
        try (MessageReader reader = MessageReader.of(new ByteArrayInputStream(input), options)) {
            while (reader.next(message) == FrameKind.MESSAGE) {
                found.add(text(reader.frame()));
            }
            found.add(text(reader.frame()));
        } catch (FletchException e) {
            found.add(withoutLimit(e));
        }
        return found;
    }

    /// A reader has a limit, which is beyond the end of any input here.
    private static String withoutLimit(FletchException e) {
        boolean over = e.rule() == FrameRule.METADATA_OVER_LIMIT;
        Rule fault = over ? FrameRule.METADATA_OUT_OF_INPUT : e.rule();
        return fault + " at " + e.offset();
    }

    private List<String> inPieces(byte[] input, int size, ReadOptions options) {
        List<String> found = new ArrayList<>();
        MessageDecoder decoder = new MessageDecoder(options);
        ByteBuffer buffer = ByteBuffer.wrap(input).limit(0);
        try {
            for (; ; ) {
                switch (decoder.next(buffer, message)) {
                    case MESSAGE -> found.add(text(decoder.frame()));
                    case BODY -> assertTrue(decoder.bodyLeft() >= 0);
                    case NEED_MORE -> {
                        if (buffer.position() == input.length) {
                            decoder.finish();
                            found.add(text(decoder.frame()));
                            return found;
                        }
                        buffer.limit(Math.min(input.length, buffer.position() + size));
                    }
                    case END_OF_STREAM -> {
                        found.add(text(decoder.frame()));
                        return found;
                    }
                }
            }
        } catch (FletchException e) {
            found.add(withoutLimit(e));
            return found;
        }
    }

    private static String text(EncapsulatedMessage frame) {
        return "%s at %d: %d, %d, %d"
                .formatted(
                        frame.kind(),
                        frame.offset(),
                        frame.prefixLength(),
                        frame.metadataLength(),
                        frame.bodyLength());
    }
}
