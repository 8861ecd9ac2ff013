// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.fletch.format.Verifier.Root;
import dev.fletch.format.WholeTrees;
import dev.fletch.ipc.Listing;
import dev.fletch.ipc.MessageDecoder;
import dev.fletch.ipc.MessageReader;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;

import org.junit.jupiter.api.AutoClose;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Reads any bytes as a stream of messages, in memory, from a source and in pieces: all find the
/// same, and throw nothing but what is documented.
class FramingFuzzTest {
    private static final int CAPACITY = 1 << 16;

    @AutoClose private static WholeTrees trees = new WholeTrees(CAPACITY);

    @FuzzTest
    void streamsInMemoryAndFromASource(byte[] input) throws IOException {
        if (input.length > CAPACITY) {
            return;
        }
        MemorySegment memory = MemorySegment.ofArray(input);
        for (Level verification : Level.values()) {
            ReadOptions options = ReadOptions.DEFAULT.withLevel(verification);
            Listing inMemory = Listing.ofStream(input, options);
            long end = 0;
            for (Listing.Line each : inMemory.messages()) {
                assertEquals(end, each.offset(), "no way forward");
                end = each.bodyOffset() + each.bodyLength();
                long metadata = each.bodyOffset() - each.metadataLength();
                trees.readsWhatItCan(Root.MESSAGE, memory, metadata, each.metadataLength());
            }
            try (MessageReader reader =
                    MessageReader.of(new ByteArrayInputStream(input), options)) {
                inMemory.assertFoundBy(Listing.ofReader(reader));
            }
            for (int size : new int[] {1, 100, CAPACITY}) {
                inMemory.assertFoundBy(inPieces(input, size, options));
            }
        }
    }

    private static Listing inPieces(byte[] input, int size, ReadOptions options) {
        ByteBuffer buffer = ByteBuffer.wrap(input).limit(0);
        return Listing.ofDecoder(
                new MessageDecoder(options),
                () ->
                        buffer.position() == input.length
                                ? null
                                : buffer.limit(Math.min(input.length, buffer.position() + size)),
                decoder -> assertTrue(decoder.bodyLeft() >= 0));
    }
}
