// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.cli.io.DetectedInput;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.Verifier;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;

/// How well some bytes can be explained as a flatbuffer, or as a stream of messages.
///
/// @param bytes number of bytes with a meaning that the format declares
/// @param end offset behind the last of them
record FlatbufferScore(long bytes, long end) {
    // Enough to recognize a kind or an end, also in a larger flatbuffer.
    private static final int MAX_REGIONS = 1 << 18;
    private static final int MOST_FAULTS = 16;

    // How many explained bytes one fault cancels.
    private static final int BYTES_PER_FAULT = 8;
    // Divides the bytes of a message whose header has no known kind.
    private static final int NO_HEADER_DIVISOR = 4;

    /// Counts what bytes explain if they are read as a flatbuffer.
    static FlatbufferScore of(MemorySegment memory, long at, long length, String root) {
        FlatbufferWalk walk = new FlatbufferWalk(memory, at, length, MAX_REGIONS, root);
        long bytes = 0;
        long end = at;
        for (Region each : walk.regions()) {
            if (each.isExplained()) {
                bytes += each.length();
                end = each.end();
            }
        }
        return new FlatbufferScore(bytes, end);
    }

    /// How likely it is that all bytes are a flatbuffer of a kind: explained bytes less a penalty for
    /// each fault.
    static long ofFlatbuffer(MemorySegment memory, Verifier.Root root) {
        long size = memory.byteSize();
        long explained = of(memory, 0, size, root.table()).bytes();
        if (root == Verifier.Root.MESSAGE && !hasKnownHeader(memory)) {
            explained /= NO_HEADER_DIVISOR;
        }
        int faults =
                size > VerifierOptions.STRICT.maxSize()
                        ? MOST_FAULTS
                        : new Verifier(VerifierOptions.STRICT)
                                .findFaults(root, memory, 0, size, _ -> {}, MOST_FAULTS);
        return explained - (long) BYTES_PER_FAULT * faults;
    }

    private static boolean hasKnownHeader(MemorySegment memory) {
        try {
            Message message = new Message().wrap(memory, 0, memory.byteSize());
            int kind = message.headerType();
            return kind != MessageHeader.NONE && MessageHeader.NAMES.isKnown(kind);
        } catch (FlatBufferFormatException _) {
            return false;
        }
    }

    /// How likely it is that bytes are a stream; comparable with [#ofFlatbuffer].
    static long ofStream(DetectedInput stream) {
        long[] bytes = new long[1];
        AnnotateSink counter =
                (region, part, _, _) -> {
                    boolean counts = part.isInBuffer(region) && region.isExplained();
                    bytes[0] += counts ? region.length() : 0;
                };
        AnnotateFaults faults;
        try {
            faults = AnnotateFaults.of(stream);
            new AnnotateWalk(stream, faults, counter).run();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // only memory is read
        }
        return bytes[0] - (long) BYTES_PER_FAULT * faults.count();
    }
}
