// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.CompressionType;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Decompresses buffers when they are read, into memory that it uses again.
///
/// ```java
/// var buffers = new DecompressedBuffers(new LibraryDecompressor(), 1L << 30);
/// cursor.source(buffers);
/// …
/// cursor.bind(layout, message, body);
/// cursor.values(price, ValueType.INT64, prices);      // decompresses this buffer only
/// …
/// buffers.release();                                  // before the next batch
/// ```
///
/// Each call that binds a slice to a compressed buffer decompresses it. Buffers that are stored as they
/// are, and those of batches that are not compressed, are not copied.
///
/// **Memory.** A buffer needs the bytes that its prefix claims, which is checked first: see
/// [BatchCursor#uncompressedLength]. All buffers since the last [#release] together have at most the
/// bytes of the constructor, and each at most 2 GiB.
///
/// **Errors.** [LayoutException]: the bytes are malformed or have another length than claimed
/// ([LayoutRules#DECOMPRESSION]), the limit is reached ([LayoutRules#TOO_MUCH_MEMORY]), or the codec
/// is unknown ([LayoutRules#COMPRESSED_BUFFER]).
///
/// **Lifetime and threads.** Slices are valid until [#release]. Belongs to one thread at a time.
public final class DecompressedBuffers implements BufferSource {
    /// What `fletch` permits: 1 GiB.
    public static final long DEFAULT_BYTES = 1 << 30;

    private static final int LEAST_BYTES = 1 << 16;
    private static final int MOST_BYTES = Integer.MAX_VALUE - Long.BYTES;

    private final Decompressor decompressor;
    private final long most;
    // Bytes in use are in all but the last, and in that up to `used`.
    private final List<byte[]> memory = new ArrayList<>();
    private int used;
    // Sum of the lengths.
    private long allocated;
    // Length of the next array, at least.
    private long expected = LEAST_BYTES;

    /// Creates a source.
    ///
    /// @param decompressor decompresses
    /// @param most maximum number of bytes of memory
    public DecompressedBuffers(Decompressor decompressor, long most) {
        this.decompressor = Objects.requireNonNull(decompressor, "decompressor");
        this.most = most;
    }

    @Override
    public void bytes(BatchCursor cursor, int field, int buffer, ByteSlice into) {
        cursor.content(field, buffer, into);
        // arrow-java writes a prefix of 0, and nothing behind it.
        if (into.length() == 0 || !cursor.isCompressed(field, buffer)) {
            return;
        }
        if (!decompressor.knows(cursor.codec())) {
            throw cursor.compressed(field, buffer);
        }
        long claim = cursor.uncompressedLength(field, buffer);
        try {
            if (reserve(claim)) {
                decompress(cursor, field, buffer, (int) claim, into);
                return;
            }
        } catch (OutOfMemoryError _) {
            free(); // the limit is more than the JVM has
            expected = LEAST_BYTES;
        }
        String limits = "length=" + claim + ", used=" + allocated + ", limit=" + most;
        throw cursor.unreadable(field, buffer, LayoutRules.TOO_MUCH_MEMORY, limits);
    }

    /// @param into bound to the compressed bytes, then to the others
    private void decompress(BatchCursor cursor, int field, int buffer, int length, ByteSlice into) {
        int codec = cursor.codec();
        byte[] bytes = memory.getLast();
        MemorySegment compressed = into.asSlice();
        int found;
        try {
            found = decompressor.decompress(codec, compressed, bytes, used, length);
        } catch (RuntimeException e) {
            String reason = "codec=" + CompressionType.NAMES.name(codec) + ", " + e.getMessage();
            throw cursor.unreadable(field, buffer, LayoutRules.DECOMPRESSION, reason);
        }
        if (found != length) {
            String lengths = "length=" + found + ", claimed=" + length;
            throw cursor.unreadable(field, buffer, LayoutRules.DECOMPRESSION, lengths);
        }
        into.wrap(MemorySegment.ofArray(bytes), used, length);
        used = (int) Math.min(bytes.length, (long) used + length + Long.BYTES - 1 & -Long.BYTES);
    }

    /// Makes the last array long enough.
    ///
    /// @return false if the limit is reached
    private boolean reserve(long length) {
        if (!memory.isEmpty() && length <= memory.getLast().length - used) {
            return true;
        }
        if (used == 0 && memory.size() == 1) {
            free();
        }
        long limit = Math.min(most - allocated, MOST_BYTES);
        if (length > limit) {
            return false;
        }
        byte[] more = new byte[(int) Math.min(limit, Math.max(length, expected))];
        memory.add(more);
        allocated += more.length;
        used = 0;
        return true;
    }

    /// Lets the memory be used again: slices from before are no longer valid.
    public void release() {
        if (memory.size() > 1) {
            expected = Math.min(allocated, MOST_BYTES); // in one array next time
            free();
        }
        used = 0;
    }

    private void free() {
        memory.clear();
        allocated = 0;
        used = 0;
    }
}
