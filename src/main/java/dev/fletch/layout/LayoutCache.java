// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.Fingerprint;
import dev.fletch.format.Schema;

import java.util.ArrayList;
import java.util.List;

/// Compiled layouts by the bytes of their schema: a stream that is opened again, or one of many
/// with the same schema, finds its plan instead of compiling it.
///
/// A schema is the same if the whole buffer that it is in has the same bytes. For schema messages
/// that holds as long as one writer writes one schema; a file's footer has its blocks in it, so
/// each file is a schema of its own. It is looked up by its fingerprint, and the bytes are compared
/// before a layout is handed out, so no one can forge another one's plan. What it takes: a copy of
/// the schema's bytes beside each layout.
///
/// When it is full, the layout goes that was not asked for for the longest time.
///
/// **Threads.** Any number of threads may use it; compiling holds the others up.
public final class LayoutCache {
    private record Entry(
            long low, long high, long schemaAt, int version, byte[] bytes, BatchLayout layout) {}

    private static final ByteSlice NOTHING = new ByteSlice();

    private final int capacity;
    private final LayoutLimits limits;
    // The last one was asked for last.
    private final List<Entry> entries = new ArrayList<>();
    private final ByteSlice slice = new ByteSlice();
    private final Fingerprint fingerprint = new Fingerprint();

    /// Creates a cache.
    ///
    /// @param capacity the most layouts that it keeps; positive
    /// @param limits for compiling
    public LayoutCache(int capacity, LayoutLimits limits) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity is not positive: capacity=" + capacity);
        }
        this.capacity = capacity;
        this.limits = limits;
    }

    /// Finds the layout of a schema, or compiles it. Finding allocates nothing.
    ///
    /// @param schema bound to a schema
    /// @param version metadata version of the batches, one of [dev.fletch.format.MetadataVersion]
    /// @return the layout, the same one for the same bytes as long as it is kept
    /// @throws LayoutException if the version is neither 4 nor 5, or a limit is passed
    /// @throws dev.fletch.flatbuf.FlatBufferFormatException if the bytes lead out of their range
    public synchronized BatchLayout layout(Schema schema, int version) {
        try {
            return find(schema, version);
        } finally {
            slice.wrap(NOTHING, 0, 0); // so that no schema's memory is held
        }
    }

    private BatchLayout find(Schema schema, int version) {
        slice.wrapBufferOf(schema);
        fingerprint.of(slice);
        final long schemaAt = schema.position() - slice.offset();
        for (int i = entries.size() - 1; i >= 0; i--) {
            final Entry entry = entries.get(i);
            if (entry.low == fingerprint.low()
                    && entry.high == fingerprint.high()
                    && entry.schemaAt == schemaAt
                    && entry.version == version
                    && slice.contentEquals(entry.bytes)) {
                moveToEnd(i, entry);
                return entry.layout;
            }
        }
        final byte[] copy = slice.toByteArray();
        final BatchLayout layout = BatchLayout.compile(schema, version, limits);
        if (entries.size() == capacity) {
            entries.removeFirst();
        }
        entries.add(
                new Entry(fingerprint.low(), fingerprint.high(), schemaAt, version, copy, layout));
        return layout;
    }

    private void moveToEnd(int index, Entry entry) {
        if (index != entries.size() - 1) {
            entries.remove(index);
            entries.add(entry);
        }
    }

    /// {@return number of layouts that are kept}
    public synchronized int size() {
        return entries.size();
    }

    /// {@return bytes that are kept, layouts and schemas, about}
    public synchronized long memoryBytes() {
        long sum = 0;
        for (final Entry entry : entries) {
            sum += entry.bytes.length + entry.layout.memoryBytes();
        }
        return sum;
    }
}
