// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.Verifier;

import java.lang.foreign.MemorySegment;

/// How much of some bytes is explained if they are taken for a flatbuffer.
///
/// @param bytes how many have a meaning that the format declares
/// @param end offset behind the last of them
public record FlatbufferScore(long bytes, long end) {
    // Enough to tell a kind or an end; of a larger flatbuffer only the first regions are looked at.
    private static final int MAX_REGIONS = 1 << 18;
    private static final int MOST_FAULTS = 16;

    /// What a fault weighs.
    static final int BYTES_PER_FAULT = 8;

    /// What a message's tree explains if it is nothing that a reader could use.
    private static final int MEANINGLESS = 4;

    /// Takes bytes apart as if they were a flatbuffer.
    static FlatbufferScore of(MemorySegment memory, long at, long length, String root) {
        BufferWalk walk =
                new BufferWalk(memory, at, length, (code, where, value, path) -> {}, MAX_REGIONS);
        long bytes = 0;
        long end = at;
        for (Region each : walk.run(root)) {
            if (isKnown(each)) {
                bytes += each.length();
                end = each.end();
            }
        }
        return new FlatbufferScore(bytes, end);
    }

    /// Whether a region is something that this version of the format declares.
    static boolean isKnown(Region region) {
        return switch (region.kind()) {
            case UNREFERENCED, NOT_ANNOTATED, PADDING, UNKNOWN_FIELD, BODY -> false;
            case SLOT -> !RegionText.name(region).endsWith(" unknown");
            default -> true;
        };
    }

    /// How likely it is that these bytes are a flatbuffer of a kind: what its tree explains, less
    /// what each fault weighs.
    static long score(MemorySegment memory, Verifier.Root root) {
        long size = memory.byteSize();
        long reached = of(memory, 0, size, root.table()).bytes();
        if (root == Verifier.Root.MESSAGE && !hasMeaning(memory)) {
            reached /= MEANINGLESS;
        }
        int faults =
                size > VerifierOptions.STRICT.maxSize()
                        ? MOST_FAULTS
                        : new Verifier(VerifierOptions.STRICT)
                                .findFaults(root, memory, 0, size, _ -> {}, MOST_FAULTS);
        return reached - (long) BYTES_PER_FAULT * faults;
    }

    /// Whether a message has a header of a kind that is known.
    private static boolean hasMeaning(MemorySegment memory) {
        try {
            Message message = new Message().wrap(memory, 0, memory.byteSize());
            int kind = message.headerType();
            return kind != MessageHeader.NONE && MessageHeader.NAMES.isKnown(kind);
        } catch (FlatBufferFormatException _) {
            return false;
        }
    }
}
