// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.internal.CompressedBuffer;
import dev.fletch.wire.Growth;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/// Decompresses buffers when they are read, into memory that it uses again.
///
/// ```java
/// var buffers = new DecompressedBuffers(new LibraryDecompressor(), 1L << 30);
/// cursor.source(buffers);
/// …
/// cursor.bind(layout, message).body(body);
/// cursor.values(price, ValueType.INT64, prices);      // decompresses this buffer only
/// …
/// buffers.release();                                  // before the next batch
/// ```
///
/// Each compressed buffer of a batch is decompressed once, when it is first read. Buffers that are
/// stored as they are, and those of batches that are not compressed, are not copied.
///
/// **Memory.** A buffer needs the bytes that its prefix claims, which is checked first: see
/// [BatchCursor#uncompressedLength]. All buffers since the last [#release] together have at most
/// the bytes of the constructor, and each at most 2 GiB. Those of [Dictionaries] no longer count
/// once their dictionary is replaced or removed.
///
/// **Errors.** [FletchException]: the bytes are malformed or have another length than claimed
/// ([MeaningRule#DECOMPRESSION]), the limit is reached ([MeaningRule#TOO_MUCH_MEMORY]), or the
/// decompressor does not know the codec ([MeaningRule#COMPRESSED_BUFFER]).
///
/// **Lifetime and threads.** Slices are valid until [#release], those of dictionaries always.
/// Belongs to one thread at a time.
public final class DecompressedBuffers implements BufferSource {
    private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);
    private static final int LEAST_BYTES = 1 << 16;

    private final Decompressor decompressor;
    private final long max;
    // Bytes in use are in all but the last, and in that up to `used`.
    private final List<byte[]> memory = new ArrayList<>();
    private int used;
    // Sum of the lengths.
    private long allocated;
    // Length of the next array, at least.
    private long expected = LEAST_BYTES;
    // Bytes since the last release of dictionaries that were not replaced.
    private long kept;
    private int releases;

    // The batch whose buffers are known, and its number in the cursor.
    private BatchCursor owner;
    private int binding;
    // By their indexes among those of the layout; null or of length 0 if not decompressed yet.
    private ByteSlice[] known = {};
    // The indexes of those that were decompressed: a batch may have very many others.
    private int[] filled = {};
    private int filledCount;

    /// Creates a source.
    ///
    /// @param decompressor decompresses
    /// @param limit maximum number of bytes of memory
    public DecompressedBuffers(Decompressor decompressor, long limit) {
        this.decompressor = Objects.requireNonNull(decompressor, "decompressor");
        this.max = limit;
    }

    @Override
    public void bytes(BatchCursor cursor, int field, int buffer, ByteSlice into) {
        bytes(cursor, field, buffer, null, into);
    }

    /// @param store the dictionary's batch that keeps the bytes; null for a record batch
    private void bytes(BatchCursor cursor, int field, int buffer, Kept store, ByteSlice into) {
        bindCompressed(cursor, field, buffer, into);
        int index = cursor.ownIndex(field, buffer);
        ByteSlice[] slices = store == null ? known(cursor, index) : store.known(index);
        ByteSlice before = slices[index];
        if (before != null && before.length() != 0) {
            into.wrap(before, 0, before.length());
            return;
        }
        long claim = cursor.uncompressedLength(field, buffer);
        try {
            byte[] bytes = store == null ? reserve(claim) : store.reserve(claim);
            if (bytes != null) {
                int length = (int) claim;
                decompress(cursor, field, buffer, bytes, store == null ? used : 0, length, into);
                if (length != 0) { // an empty one is not forgotten, and would keep the array
                    before = before == null ? new ByteSlice() : before;
                    slices[index] = before.wrap(into, 0, length);
                }
                if (store == null) {
                    use(index, length);
                } else {
                    store.count(length);
                }
                return;
            }
        } catch (OutOfMemoryError _) { // the limit is more than the JVM has
            if (store == null) {
                free();
                expected = LEAST_BYTES;
            }
        }
        throw tooMuch(cursor, field, buffer, claim);
    }

    private void use(int index, int length) {
        long end = (long) used + length + Long.BYTES - 1 & -Long.BYTES;
        used = (int) Math.min(memory.getLast().length, end);
        if (length != 0) {
            fill(index);
        }
    }

    /// The buffers that were decompressed.
    private ByteSlice[] known(BatchCursor cursor, int index) {
        if (cursor != owner || cursor.binding() != binding) {
            owner = cursor;
            binding = cursor.binding();
            forget();
        }
        known = Growth.withIndex(known, index);
        return known;
    }

    private void fill(int index) {
        if (filledCount == filled.length) {
            filled = Arrays.copyOf(filled, Math.max(1, 2 * filledCount));
        }
        filled[filledCount++] = index;
    }

    private void forget() {
        for (int i = 0; i < filledCount; i++) {
            known[filled[i]].wrap(NOTHING, 0, 0);
        }
        filledCount = 0;
    }

    /// Binds to the compressed bytes of a buffer.
    private void bindCompressed(BatchCursor cursor, int field, int buffer, ByteSlice into) {
        cursor.content(field, buffer, into);
        if (!decompressor.knows(cursor.codec())) {
            throw cursor.compressed(field, buffer);
        }
    }

    private FletchException tooMuch(BatchCursor cursor, int field, int buffer, long length) {
        String limits = "length=" + length + ", used=" + (allocated + kept) + ", limit=" + max;
        return cursor.unreadable(field, buffer, MeaningRule.TOO_MUCH_MEMORY, limits);
    }

    /// The exception if something else than a buffer needs too much memory.
    static FletchException tooMuch(String details) {
        return FletchException.of(MeaningRule.TOO_MUCH_MEMORY, details);
    }

    /// @param bytes for the decompressed bytes, from index `position` on
    /// @param into bound to the compressed bytes, then to the others
    private void decompress(
            BatchCursor cursor,
            int field,
            int buffer,
            byte[] bytes,
            int position,
            int length,
            ByteSlice into) {
        int codec = cursor.codec();
        MemorySegment compressed = into.asSlice();
        int found;
        try {
            CompressedBuffer.requireOneFrame(codec, compressed);
            found = decompressor.decompress(codec, compressed, bytes, position, length);
        } catch (RuntimeException e) {
            String reason = "codec=" + CompressionType.NAMES.name(codec) + ", " + e.getMessage();
            throw cursor.unreadable(field, buffer, MeaningRule.DECOMPRESSION, reason);
        }
        if (found != length) {
            String lengths = "length=" + found + ", claimed=" + length;
            throw cursor.unreadable(field, buffer, MeaningRule.DECOMPRESSION, lengths);
        }
        into.wrap(MemorySegment.ofArray(bytes), position, length);
    }

    /// The last array, which is long enough; null if the limit is reached.
    private byte[] reserve(long length) {
        if (!memory.isEmpty() && length <= memory.getLast().length - used) {
            return memory.getLast();
        }
        if (used == 0 && memory.size() == 1) {
            free();
        }
        long limit = Math.min(max - allocated - kept, Wire.LONGEST_ARRAY);
        if (length > limit) {
            return null;
        }
        byte[] more = new byte[(int) Math.min(limit, Math.max(length, expected))];
        memory.add(more);
        allocated += more.length;
        used = 0;
        return more;
    }

    /// Lets the memory be used again: slices from before are no longer valid. Those of dictionaries
    /// stay valid, but no longer count.
    public void release() {
        kept = 0;
        releases++;
        if (memory.size() > 1) {
            expected = Math.min(allocated, Wire.LONGEST_ARRAY); // in one array next time
            free();
        }
        used = 0;
        forget();
    }

    private void free() {
        memory.clear();
        allocated = 0;
        used = 0;
        forget();
    }

    // ---- dictionaries

    /// The buffers of a dictionary's batch, each decompressed once. Their slices stay valid, and
    /// they count until [#end].
    private final class Kept implements BufferSource {
        // As those of record batches.
        private ByteSlice[] known = {};
        // Counted bytes, since the last release.
        private long bytes;
        private int since = releases;
        private boolean hasEnded;

        @Override
        public void bytes(BatchCursor cursor, int field, int buffer, ByteSlice into) {
            DecompressedBuffers.this.bytes(cursor, field, buffer, this, into);
        }

        private ByteSlice[] known(int index) {
            known = Growth.withIndex(known, index);
            return known;
        }

        /// A new array; null if the limit is reached.
        private byte[] reserve(long length) {
            if (length > max - allocated - kept && used == 0 && memory.size() == 1) {
                free(); // nothing of it is in use
            }
            long limit = Math.min(max - allocated - kept, Wire.LONGEST_ARRAY);
            return length > limit ? null : new byte[(int) length];
        }

        private void count(int length) {
            if (!hasEnded) {
                bytes = length + (since == releases ? bytes : 0);
                since = releases;
                kept += length;
            }
        }

        void end() {
            if (!hasEnded && since == releases) {
                kept -= bytes;
            }
            hasEnded = true;
        }
    }

    /// {@return a source of the bytes of one batch that a dictionary keeps}
    static BufferSource kept(BufferSource source) {
        return source instanceof DecompressedBuffers all ? all.new Kept() : source;
    }

    /// Ends a dictionary's batch: its bytes no longer count.
    static void end(BatchCursor batch) {
        if (batch.source() instanceof Kept buffers) {
            buffers.end();
        }
    }
}
