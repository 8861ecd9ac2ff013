// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.testdata.Memories.BufferBacking;
import dev.fletch.testdata.Memories.SegmentBacking;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Each kind of memory holds what it is given and is what its name says.
class MemoriesTest {
    private static final byte[] CONTENT = new byte[1_001];

    static {
        for (int i = 0; i < CONTENT.length; i++) {
            CONTENT[i] = (byte) (i * 31);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#segments")
    void segmentHoldsTheContent(SegmentBacking backing) {
        for (byte[] content : List.of(CONTENT, new byte[0], new byte[] {1})) {
            try (PlacedSegment placed = backing.place(content)) {
                assertEquals(content.length, placed.length());
                assertArrayEquals(content, placed.content());
                assertTrue(placed.surroundingsIntact());
                assertEquals(!backing.writable(), placed.segment().isReadOnly());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#segments")
    void segmentIsWritableWhereItSays(SegmentBacking backing) {
        try (PlacedSegment placed = backing.place(CONTENT.clone())) {
            MemorySegment segment = placed.segment();
            long last = placed.offset() + placed.length() - 1;
            if (!backing.writable()) {
                assertThrows(
                        IllegalArgumentException.class,
                        () -> segment.set(ValueLayout.JAVA_BYTE, last, (byte) 1));
                return;
            }
            segment.set(ValueLayout.JAVA_BYTE, last, (byte) 99);
            assertEquals(99, placed.content()[CONTENT.length - 1]);
            assertTrue(placed.surroundingsIntact());
            if (last + 1 < segment.byteSize()) {
                segment.set(ValueLayout.JAVA_BYTE, last + 1, (byte) 0);
                assertFalse(placed.surroundingsIntact());
            }
        }
    }

    @Test
    void segmentsAreOfEveryKind() {
        int odd = 0;
        int heap = 0;
        int mapped = 0;
        int full = 0;
        for (SegmentBacking backing : Memories.segments()) {
            if (backing.name().contains("GiB")) {
                continue; // Where it cannot be had, it would skip this test too.
            }
            try (PlacedSegment placed = backing.place(CONTENT)) {
                MemorySegment segment = placed.segment();
                odd += (segment.address() + placed.offset()) % 2 != 0 ? 1 : 0;
                heap += segment.isNative() ? 0 : 1;
                mapped += segment.isMapped() ? 1 : 0;
                full += segment.byteSize() == placed.length() ? 1 : 0;
            }
        }
        assertEquals(2, full);
        assertEquals(8, heap);
        assertEquals(2, mapped);
        assertTrue(odd >= 4, "odd=" + odd);
    }

    @Test
    void farSegmentsLieBeyondIntegers() {
        try (PlacedSegment slice = named("slice at 3 GiB of a mapped file").place(CONTENT);
                PlacedSegment whole = named("mapped file, beyond 4 GiB").place(CONTENT)) {
            assertTrue(slice.offset() < 100, "offset=" + slice.offset());
            assertTrue(whole.offset() > 0xFFFF_FFFFL, "offset=" + whole.offset());
            assertTrue(whole.segment().isMapped() && slice.segment().isMapped());
        }
    }

    private static SegmentBacking named(String name) {
        return Memories.segments().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#buffers")
    void bufferHoldsTheContent(BufferBacking backing) {
        for (byte[] content : List.of(CONTENT, new byte[0], new byte[] {1})) {
            try (PlacedBuffer placed = backing.place(content)) {
                assertArrayEquals(content, placed.content());
                assertTrue(placed.surroundingsIntact());
                assertEquals(!backing.writable(), placed.buffer().isReadOnly());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#buffers")
    void bufferIsWhatItSays(BufferBacking backing) {
        try (PlacedBuffer placed = backing.place(CONTENT.clone())) {
            ByteBuffer buffer = placed.buffer();
            String name = backing.name();
            boolean heap = name.contains("heap");
            assertEquals(!heap, buffer.isDirect());
            assertEquals(heap && backing.writable(), buffer.hasArray());
            assertEquals(
                    name.startsWith("big-endian") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN,
                    buffer.order());
            if (name.contains("inside")) {
                assertTrue(buffer.position() > 0 && buffer.limit() < buffer.capacity());
            }
            if (name.startsWith("slice of heap")) {
                assertTrue(buffer.arrayOffset() > 0);
            }
            if (backing.writable()) {
                buffer.put(buffer.position(), (byte) 99);
                assertEquals(99, placed.content()[0]);
            } else {
                assertThrows(ReadOnlyBufferException.class, () -> buffer.put(0, (byte) 99));
            }
        }
    }

    @Test
    void namesAreUnique() {
        Set<String> names = new HashSet<>();
        Memories.segments().forEach(each -> names.add(each.name()));
        assertEquals(Memories.segments().size(), names.size());
        names.clear();
        Memories.buffers().forEach(each -> names.add(each.name()));
        assertEquals(Memories.buffers().size(), names.size());
        System.out.printf(
                "Memories: %d kinds of segments, %d kinds of byte buffers%n",
                Memories.segments().size(), Memories.buffers().size());
    }
}
