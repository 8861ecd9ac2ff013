// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import dev.fletch.testdata.Memories.SegmentBacking;

import org.junit.jupiter.api.Assumptions;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The kinds of segments of [Memories].
final class SegmentBackings {
    /// Poison before the content at an aligned offset, and after any content.
    private static final int PAD = 64;

    /// The same at an odd offset.
    private static final int ODD_PAD = 13;

    /// Beyond what 31 bits can say, and beyond what 32 can.
    private static final long FAR_BYTES = 3L << 30;

    private static final long FARTHER_BYTES = 5L << 30;

    private static final Runnable NOTHING = () -> {};

    static final List<SegmentBacking> ALL =
            List.of(
                    heap("byte[] and nothing else", 0, 0),
                    heap("byte[] from its start", 0, PAD),
                    heap("byte[] at an odd offset", ODD_PAD, PAD),
                    new SegmentBacking("slice of a byte[]", true, SegmentBackings::heapSlice),
                    new SegmentBacking("read-only byte[]", false, SegmentBackings::heapReadOnly),
                    new SegmentBacking("int[]", true, SegmentBackings::ints),
                    new SegmentBacking("long[]", true, content -> longs(content, PAD)),
                    new SegmentBacking(
                            "long[] at an odd offset", true, content -> longs(content, ODD_PAD)),
                    allocated("native and nothing else", Arena::ofConfined, Arena::close, 0, 0),
                    allocated(
                            "native, 8-aligned, confined",
                            Arena::ofConfined,
                            Arena::close,
                            PAD,
                            PAD),
                    allocated(
                            "native at an odd address",
                            Arena::ofConfined,
                            Arena::close,
                            ODD_PAD,
                            PAD),
                    allocated("native, shared", Arena::ofShared, Arena::close, PAD, PAD),
                    allocated(
                            "native, automatic",
                            Arena::ofAuto,
                            SegmentBackings::leaveToCollector,
                            PAD,
                            PAD),
                    new SegmentBacking("read-only native", false, SegmentBackings::readOnlyNative),
                    new SegmentBacking("slice of native", true, SegmentBackings::nativeSlice),
                    new SegmentBacking("direct byte buffer", true, SegmentBackings::direct),
                    new SegmentBacking(
                            "file mapped read-only",
                            false,
                            content -> mapped(content, MapMode.READ_ONLY)),
                    new SegmentBacking(
                            "file mapped read-write",
                            true,
                            content -> mapped(content, MapMode.READ_WRITE)),
                    new SegmentBacking(
                            "slice at 3 GiB of a mapped file", true, SegmentBackings::farSlice),
                    new SegmentBacking(
                            "mapped file, beyond 4 GiB", true, SegmentBackings::farther));

    private SegmentBackings() {}

    /// Returns the content between that many poison bytes.
    static byte[] padded(byte[] content, int before, int after) {
        byte[] padded = new byte[before + content.length + after];
        Arrays.fill(padded, PlacedSegment.POISON);
        System.arraycopy(content, 0, padded, before, content.length);
        return padded;
    }

    private static PlacedSegment placed(MemorySegment segment, long offset, byte[] content) {
        return new PlacedSegment(segment, offset, content.length, NOTHING);
    }

    // ---- Heap ----

    private static SegmentBacking heap(String name, int before, int after) {
        return new SegmentBacking(
                name,
                true,
                content ->
                        placed(
                                MemorySegment.ofArray(padded(content, before, after)),
                                before,
                                content));
    }

    private static PlacedSegment heapSlice(byte[] content) {
        byte[] array = padded(content, ODD_PAD + PAD, PAD + PAD);
        long size = (long) PAD + content.length + PAD;
        return placed(MemorySegment.ofArray(array).asSlice(ODD_PAD, size), PAD, content);
    }

    private static PlacedSegment heapReadOnly(byte[] content) {
        byte[] array = padded(content, PAD, PAD);
        return placed(MemorySegment.ofArray(array).asReadOnly(), PAD, content);
    }

    /// At 4 bytes from the start, which is as aligned as it can be.
    private static PlacedSegment ints(byte[] content) {
        int count = (content.length + Integer.BYTES - 1) / Integer.BYTES;
        MemorySegment segment = MemorySegment.ofArray(new int[1 + count + 2]);
        return fill(segment, Integer.BYTES, content, NOTHING);
    }

    private static PlacedSegment longs(byte[] content, int offset) {
        int count = (offset + content.length + PAD + Long.BYTES - 1) / Long.BYTES;
        return fill(MemorySegment.ofArray(new long[count]), offset, content, NOTHING);
    }

    private static PlacedSegment fill(
            MemorySegment segment, long offset, byte[] content, Runnable release) {
        segment.fill(PlacedSegment.POISON);
        MemorySegment.copy(MemorySegment.ofArray(content), 0, segment, offset, content.length);
        return new PlacedSegment(segment, offset, content.length, release);
    }

    // ---- Native ----

    private static SegmentBacking allocated(
            String name, Supplier<Arena> arenas, Consumer<Arena> close, int before, int after) {
        return new SegmentBacking(
                name,
                true,
                content -> {
                    Arena arena = arenas.get();
                    long size = (long) before + content.length + after;
                    MemorySegment segment = arena.allocate(size, Long.BYTES);
                    return fill(segment, before, content, () -> close.accept(arena));
                });
    }

    /// Nothing else can close an automatic arena.
    private static void leaveToCollector(Arena arena) {}

    private static PlacedSegment readOnlyNative(byte[] content) {
        Arena arena = Arena.ofConfined();
        MemorySegment segment = arena.allocate(PAD + (long) content.length + PAD, Long.BYTES);
        PlacedSegment filled = fill(segment, PAD, content, arena::close);
        return new PlacedSegment(segment.asReadOnly(), PAD, content.length, filled.release());
    }

    private static PlacedSegment nativeSlice(byte[] content) {
        Arena arena = Arena.ofConfined();
        long size = (long) ODD_PAD + content.length + PAD;
        MemorySegment whole = arena.allocate(PAD + size + PAD, Long.BYTES);
        whole.fill((byte) 0);
        return fill(whole.asSlice(PAD, size), ODD_PAD, content, arena::close);
    }

    private static PlacedSegment direct(byte[] content) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(PAD + content.length + PAD);
        return fill(MemorySegment.ofBuffer(buffer), PAD, content, NOTHING);
    }

    // ---- Files ----

    private static PlacedSegment mapped(byte[] content, MapMode mode) throws IOException {
        TemporaryFile file = TemporaryFile.holding(padded(content, PAD, PAD), 0);
        Arena arena = Arena.ofConfined();
        try (FileChannel channel = file.open(mode)) {
            MemorySegment segment = channel.map(mode, 0, channel.size(), arena);
            return new PlacedSegment(segment, PAD, content.length, closing(arena, file));
        } catch (IOException | RuntimeException e) {
            closing(arena, file).run();
            throw e;
        }
    }

    private static Runnable closing(Arena arena, TemporaryFile file) {
        return () -> {
            arena.close();
            file.close();
        };
    }

    private static PlacedSegment farSlice(byte[] content) throws IOException {
        PlacedSegment whole = behindHole(content, FAR_BYTES);
        MemorySegment slice = whole.segment().asSlice(FAR_BYTES);
        return new PlacedSegment(
                slice, whole.offset() - FAR_BYTES, whole.length(), whole.release());
    }

    private static PlacedSegment farther(byte[] content) throws IOException {
        return behindHole(content, FARTHER_BYTES);
    }

    /// A file with a hole before the content, which takes no room on the disk.
    private static PlacedSegment behindHole(byte[] content, long hole) throws IOException {
        TemporaryFile file = sparse(padded(content, PAD, PAD), hole);
        Arena arena = Arena.ofConfined();
        try (FileChannel channel = file.open(MapMode.READ_WRITE)) {
            MemorySegment whole = channel.map(MapMode.READ_WRITE, 0, channel.size(), arena);
            return new PlacedSegment(whole, hole + PAD, content.length, closing(arena, file));
        } catch (IOException | RuntimeException e) {
            closing(arena, file).run();
            return Assumptions.abort("no mapping of such a size here: bytes=" + hole + ": " + e);
        }
    }

    private static TemporaryFile sparse(byte[] tail, long hole) throws IOException {
        TemporaryFile probe = TemporaryFile.holding(new byte[0], 0);
        boolean roomy;
        try (probe) {
            // Where the file system knows no holes, the file takes what it says.
            roomy = Files.getFileStore(probe.path()).getUsableSpace() > 2 * hole;
        }
        Assumptions.assumeTrue(roomy, "little room in the temporary folder: bytes=" + hole);
        try {
            return TemporaryFile.holding(tail, hole);
        } catch (IOException e) {
            return Assumptions.abort("no file of such a size here: bytes=" + hole + ": " + e);
        }
    }
}
