// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Reads damaged bytes where they are surrounded by others, and finds out whether any of those
/// were looked at: the same bytes lie in memories that differ in everything around them, and all
/// that is seen must be the same in each, values as well as exceptions and their texts.
///
/// The surroundings are as wide as a slot or a vtable's size can lead, so that what strays is not
/// stopped by the end of the memory.
final class DamageRig implements AutoCloseable {
    private static final int SURROUNDINGS = 0x2_0000;
    private static final byte[] FILLS = {0x00, (byte) 0xFF};
    private static final int KINDS = 3;

    /// Memories that each content is read in.
    static final int MEMORIES = KINDS * FILLS.length;

    private final FullWalk walk = FullWalk.bounded();
    private final Arena arena = Arena.ofConfined();
    private final List<MemorySegment> memories = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private int lastLength;

    /// @param capacity bytes of the longest content
    DamageRig(int capacity) {
        int size = 2 * SURROUNDINGS + ((capacity + 7) & -8);
        for (byte fill : FILLS) {
            add("array", MemorySegment.ofArray(new byte[size]), fill);
            add("native", arena.allocate(size, 8), fill);
            add("long[]", MemorySegment.ofArray(new long[size / Long.BYTES]), fill);
        }
    }

    private void add(String kind, MemorySegment memory, byte fill) {
        memory.fill(fill);
        memories.add(memory);
        names.add(kind + " amid " + (fill & 0xFF));
    }

    /// Reads content as a buffer that begins with this root.
    ///
    /// @return the digest, the same in all memories
    long read(String root, byte[] content, int length, String what) {
        long expected = 0;
        for (int i = 0; i < memories.size(); i++) {
            MemorySegment memory = memories.get(i);
            place(memory, FILLS[i / KINDS], content, length);
            long digest;
            try {
                digest = walk.root(root, memory, SURROUNDINGS, length);
            } catch (RuntimeException | Error e) {
                throw new AssertionError(root + ", " + what + ", in " + names.get(i), e);
            }
            if (i == 0) {
                expected = digest;
            } else if (digest != expected) {
                assertEquals(expected, digest, root + ", " + what + ", in " + names.get(i));
            }
        }
        lastLength = length;
        return expected;
    }

    long read(String root, byte[] content, String what) {
        return read(root, content, content.length, what);
    }

    /// What an earlier, longer content left behind becomes surroundings again.
    private void place(MemorySegment memory, byte fill, byte[] content, int length) {
        MemorySegment.copy(MemorySegment.ofArray(content), 0, memory, SURROUNDINGS, length);
        if (length < lastLength) {
            memory.asSlice(SURROUNDINGS + (long) length, lastLength - length).fill(fill);
        }
    }

    /// The walk that reads them.
    FullWalk walk() {
        return walk;
    }

    @Override
    public void close() {
        arena.close();
    }
}
