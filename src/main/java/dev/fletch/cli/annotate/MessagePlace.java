// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import dev.fletch.cli.verify.BodyLength;
import dev.fletch.format.Verifier;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;

/// What the words at a place say, if they are a message's prefix.
///
/// @param at where they begin
/// @param prefixBytes 8, or 4 as old writers have it; less if the input ends inside
/// @param metadataLength what the size word says
/// @param room how many bytes there are behind the prefix
/// @param hasBodyLength whether the metadata says how long the body is
/// @param bodyLength what it says, which may be negative
public record MessagePlace(
        long at,
        int prefixBytes,
        int metadataLength,
        long room,
        boolean hasBodyLength,
        long bodyLength) {
    private static final int WORD = Integer.BYTES;

    public static MessagePlace at(MemorySegment memory, long at, long end) {
        long room = end - at;
        if (room < EncapsulatedMessage.LEGACY_PREFIX_BYTES) {
            return new MessagePlace(at, (int) room, -1, 0, false, 0);
        }
        int word = Wire.int32(memory, at);
        int prefix = EncapsulatedMessage.LEGACY_PREFIX_BYTES;
        return word == EncapsulatedMessage.CONTINUATION
                ? behindWrongWord(memory, at, end)
                : of(memory, at, prefix, word, room - prefix);
    }

    /// What the words say if the first one should be a continuation word, whatever it is.
    static MessagePlace behindWrongWord(MemorySegment memory, long at, long end) {
        long room = end - at;
        int prefix = EncapsulatedMessage.PREFIX_BYTES;
        return room < prefix
                ? new MessagePlace(at, (int) room, -1, 0, false, 0)
                : of(memory, at, prefix, Wire.int32(memory, at + WORD), room - prefix);
    }

    private static MessagePlace of(
            MemorySegment memory, long at, int prefix, int length, long room) {
        BodyLength body = new BodyLength();
        boolean fits = length > 0 && length <= room;
        boolean hasBody = fits && body.read(memory, at + prefix, length);
        return new MessagePlace(at, prefix, length, room, hasBody, hasBody ? body.value() : 0);
    }

    /// The same with another size word.
    MessagePlace withLength(MemorySegment memory, int length) {
        return of(memory, at, prefixBytes, length, room);
    }

    /// Whether there is metadata, and all of it.
    public boolean isWhole() {
        return metadataLength > 0 && metadataLength <= room;
    }

    /// Whether this ends a stream.
    boolean isEnd() {
        return metadataLength == 0;
    }

    /// Whether there is a continuation word.
    public boolean isCurrent() {
        return prefixBytes == EncapsulatedMessage.PREFIX_BYTES;
    }

    long metadataAt() {
        return at + prefixBytes;
    }

    public long bodyAt() {
        return metadataAt() + metadataLength;
    }

    /// Whether the metadata, which is whole, verifies as a message, and says what its body is.
    boolean isSound(MemorySegment memory) {
        return hasBodyLength
                && bodyLength >= 0
                && new Verifier().message(memory, metadataAt(), metadataLength);
    }

    boolean isSoundAndWhole(MemorySegment memory) {
        return isWhole() && isSound(memory);
    }
}
