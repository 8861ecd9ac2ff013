// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.flatbuf.Fingerprint;
import dev.fletch.format.Schema;

import java.util.ArrayList;
import java.util.List;

/// A cache of compiled layouts: a stream that is opened again, or one of many with the same schema,
/// finds its plan instead of compiling it.
///
/// Two schemas have the same plan if their fields agree in order, depth, name, type, union mode and
/// dictionary id. It does not matter where the schema lies, who wrote it, or what metadata and blocks
/// stand beside it. A look-up walks through the schema once, finds a plan by a fingerprint, and
/// compares all of the schema with it before it is handed out: nobody can forge another schema's plan.
/// It keeps names and 24 bytes per field beside each layout, and once more for the largest schema.
///
/// When it is full, it drops the layout that has not been asked for for the longest time.
///
/// **Threads.** Any number of threads may use it; they wait for each other.
public final class LayoutCache {
    private record Entry(long low, long high, int version, byte[] image, BatchLayout layout) {}

    private final int capacity;
    private final LayoutLimits limits;
    // The last one was asked for last.
    private final List<Entry> entries = new ArrayList<>();
    private final SchemaImage image = new SchemaImage();
    private final Fingerprint fingerprint = new Fingerprint();

    /// Creates a cache.
    ///
    /// @param capacity the most layouts that it keeps; positive
    /// @param limits for compiling
    /// @throws IllegalArgumentException if `capacity` is not positive
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
    /// @return the layout, the same one for the same fields as long as it is kept
    /// @throws LayoutException if the version is neither V4 nor V5, or a limit is passed
    /// @throws IllegalStateException if `schema` is not bound, or out of date
    /// @throws dev.fletch.flatbuf.FlatBufferFormatException if the bytes lead out of their range
    public synchronized BatchLayout layout(Schema schema, int version) {
        try {
            return find(schema, version);
        } finally {
            image.release();
        }
    }

    private BatchLayout find(Schema schema, int version) {
        image.take(schema, limits, fingerprint);
        for (int i = entries.size() - 1; i >= 0; i--) {
            final Entry entry = entries.get(i);
            if (entry.low == fingerprint.low()
                    && entry.high == fingerprint.high()
                    && entry.version == version
                    && image.equal(entry.image)) {
                moveToEnd(i, entry);
                return entry.layout;
            }
        }
        final BatchLayout layout = BatchLayout.compile(schema, version, limits);
        if (entries.size() == capacity) {
            entries.removeFirst();
        }
        entries.add(
                new Entry(fingerprint.low(), fingerprint.high(), version, image.copy(), layout));
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

    /// {@return about how many bytes are kept, of layouts and schemas}
    public synchronized long memoryBytes() {
        long sum = 0;
        for (final Entry entry : entries) {
            sum += entry.image.length + entry.layout.memoryBytes();
        }
        return sum;
    }
}
