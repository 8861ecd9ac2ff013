// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import dev.fletch.testdata.Memories.BufferBacking;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.util.List;
import java.util.function.UnaryOperator;

/// The kinds of byte buffers of [Memories]. Their order is little-endian where the name does not
/// say otherwise; whatever reads them must not depend on it.
final class BufferBackings {
    private static final int PAD = 64;
    private static final int ODD_PAD = 13;
    private static final Runnable NOTHING = () -> {};

    static final List<BufferBacking> ALL =
            List.of(
                    heap("heap", 0, 0, buffer -> buffer),
                    heap("heap, position and limit inside", ODD_PAD, PAD, buffer -> buffer),
                    heap("slice of heap, with an array offset", ODD_PAD, PAD, ByteBuffer::slice),
                    heap(
                            "slice of heap, position and limit inside",
                            PAD,
                            PAD,
                            BufferBackings::innerSlice),
                    readOnly(heap("read-only heap", ODD_PAD, PAD, BufferBackings::readOnly)),
                    heap("big-endian heap", PAD, PAD, BufferBackings::bigEndian),
                    direct("direct", 0, 0, buffer -> buffer),
                    direct("direct, position and limit inside", ODD_PAD, PAD, buffer -> buffer),
                    direct("slice of direct", ODD_PAD, PAD, ByteBuffer::slice),
                    readOnly(direct("read-only direct", PAD, PAD, BufferBackings::readOnly)),
                    direct("big-endian direct", PAD, PAD, BufferBackings::bigEndian),
                    new BufferBacking(
                            "file mapped read-only",
                            false,
                            content -> mapped(content, MapMode.READ_ONLY)),
                    new BufferBacking(
                            "file mapped read-write",
                            true,
                            content -> mapped(content, MapMode.READ_WRITE)),
                    new BufferBacking("view of a segment", true, BufferBackings::ofSegment));

    private BufferBackings() {}

    private static BufferBacking heap(
            String name, int before, int after, UnaryOperator<ByteBuffer> change) {
        return new BufferBacking(
                name,
                true,
                content ->
                        placed(
                                ByteBuffer.wrap(SegmentBackings.padded(content, before, after)),
                                before,
                                content,
                                change,
                                NOTHING));
    }

    private static BufferBacking direct(
            String name, int before, int after, UnaryOperator<ByteBuffer> change) {
        return new BufferBacking(
                name,
                true,
                content -> {
                    byte[] padded = SegmentBackings.padded(content, before, after);
                    ByteBuffer buffer = ByteBuffer.allocateDirect(padded.length);
                    buffer.put(0, padded);
                    return placed(buffer, before, content, change, NOTHING);
                });
    }

    private static BufferBacking readOnly(BufferBacking backing) {
        return new BufferBacking(backing.name(), false, backing.placing());
    }

    /// Sets position and limit around the content, then lets `change` have the buffer.
    private static PlacedBuffer placed(
            ByteBuffer buffer,
            int offset,
            byte[] content,
            UnaryOperator<ByteBuffer> change,
            Runnable release) {
        buffer.position(offset).limit(offset + content.length);
        ByteOrder usual = ByteOrder.LITTLE_ENDIAN;
        ByteBuffer changed = change.apply(buffer.order(usual));
        // A slice or a read-only view begins big-endian again.
        return new PlacedBuffer(changed == buffer ? changed : changed.order(usual), release);
    }

    private static ByteBuffer readOnly(ByteBuffer buffer) {
        return buffer.asReadOnlyBuffer();
    }

    private static ByteBuffer bigEndian(ByteBuffer buffer) {
        return buffer.order(ByteOrder.BIG_ENDIAN);
    }

    /// A slice that begins before the content and ends behind it.
    private static ByteBuffer innerSlice(ByteBuffer buffer) {
        int length = buffer.remaining();
        return buffer.duplicate()
                .clear()
                .slice(buffer.position() - ODD_PAD, ODD_PAD + length + ODD_PAD)
                .position(ODD_PAD)
                .limit(ODD_PAD + length);
    }

    private static PlacedBuffer mapped(byte[] content, MapMode mode) throws IOException {
        try (TemporaryFile file =
                        TemporaryFile.holding(SegmentBackings.padded(content, PAD, PAD), 0);
                FileChannel channel = file.open(mode)) {
            // Unmapped when the buffer is collected: it outlives the file's name.
            ByteBuffer buffer = channel.map(mode, 0, channel.size());
            return placed(buffer, PAD, content, unchanged -> unchanged, NOTHING);
        }
    }

    private static PlacedBuffer ofSegment(byte[] content) {
        Arena arena = Arena.ofShared();
        byte[] padded = SegmentBackings.padded(content, ODD_PAD, PAD);
        MemorySegment segment = arena.allocate(padded.length);
        segment.copyFrom(MemorySegment.ofArray(padded));
        return placed(
                segment.asByteBuffer(), ODD_PAD, content, unchanged -> unchanged, arena::close);
    }
}
