// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.scan.internal;

import dev.fletch.input.CompleteBatches;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The sums of an input. The bytes of all classes sum to its size.
public final class MapTotals {
    private final long[] bytes = new long[BytePurpose.values().length];
    private final Map<Long, FieldTotals> dictionaries = new TreeMap<>();
    private final Map<String, Long> codecs = new TreeMap<>();
    private final Set<String> versions = new TreeSet<>();
    private FieldTotals columns;
    private long overlapping;
    private long rows;
    private long batches;
    private long dictionaryBatches;
    private final Sizes rowsOfBatches = new Sizes();
    private final Sizes bytesOfBatches = new Sizes();

    public void columns(MapPlan.Fields fields) {
        columns = new FieldTotals(fields, 0);
    }

    /// Adds a message's version, and its batch.
    public void add(MapMessage message) {
        versions.add(message.version);
        if (!message.hasBatch()) {
            return;
        }
        owner(message).add(message);
        count(message.isDictionary, message.rows);
        if (!message.isDictionary) {
            codecs.merge(message.codec, 1L, Long::sum);
            rowsOfBatches.add(message.rows);
            bytesOfBatches.add(message.frame.bodyLength());
        }
    }

    /// The sizes of record batches.
    public static final class Sizes {
        private final long[] counts = new long[Long.SIZE];
        private long least = Long.MAX_VALUE;
        private long most;

        private void add(long size) {
            long valid = Math.max(0, size);
            counts[Long.SIZE - Long.numberOfLeadingZeros(valid)]++;
            least = Math.min(least, valid);
            most = Math.max(most, valid);
        }

        /// Number of batches of size 0 at index 0, of 2^(n-1) to below 2^n at n.
        public long[] counts() {
            return counts;
        }

        public long least() {
            return least;
        }

        public long most() {
            return most;
        }
    }

    /// Counts a batch, which may have no known schema.
    ///
    /// @param more its rows, if it is a record batch
    void count(boolean isDictionary, long more) {
        if (isDictionary) {
            dictionaryBatches++;
        } else {
            rows = CompleteBatches.sum(rows, more);
            batches++;
        }
    }

    private FieldTotals owner(MapMessage message) {
        return message.isDictionary
                ? dictionaries.computeIfAbsent(
                        message.dictionaryId, id -> new FieldTotals(message.fields, id))
                : columns;
    }

    /// @param buffer the buffer that contains the bytes, or that the padding follows; or null
    public void add(BytePurpose purpose, MapMessage message, MapMessage.Buffer buffer, long count) {
        bytes[purpose.ordinal()] += count;
        if (buffer != null && buffer.isOwned()) {
            owner(message).add(buffer.field(), purpose == BytePurpose.PADDING, count);
        }
    }

    /// Counts bytes that an earlier buffer contains. Other sums count them once.
    public void addOverlapping(long count) {
        // Saturates: buffers of hostile input may have any length.
        overlapping = count > Long.MAX_VALUE - overlapping ? Long.MAX_VALUE : overlapping + count;
    }

    public long bytes(BytePurpose purpose) {
        return bytes[purpose.ordinal()];
    }

    /// Size of the input in bytes; of the part that was read if [MapWalk#isCutShort].
    public long size() {
        return Arrays.stream(bytes).sum();
    }

    /// Padding and unreferenced bytes.
    public long waste() {
        return bytes(BytePurpose.PADDING) + bytes(BytePurpose.UNREFERENCED);
    }

    public double share(long of) {
        return size() == 0 ? 0 : (double) of / size();
    }

    public long overlapping() {
        return overlapping;
    }

    /// Rows of all record batches.
    public long rows() {
        return rows;
    }

    /// Number of record batches.
    public long batches() {
        return batches;
    }

    public long dictionaryBatches() {
        return dictionaryBatches;
    }

    /// The rows of record batches.
    public Sizes rowsOfBatches() {
        return rowsOfBatches;
    }

    /// The bytes of the bodies of record batches.
    public Sizes bytesOfBatches() {
        return bytesOfBatches;
    }

    /// Number of record batches by codec, `none` included.
    public Map<String, Long> codecs() {
        return codecs;
    }

    /// The metadata versions of all messages.
    public Set<String> versions() {
        return versions;
    }

    /// The columns in the schema's order; empty without a schema.
    public List<FieldTotals.Sums> columns() {
        return columns == null ? List.of() : columns.columns();
    }

    /// The values of all dictionaries that have batches, by ascending id.
    public List<FieldTotals.Sums> dictionaries() {
        return dictionaries.values().stream().map(each -> each.columns().getFirst()).toList();
    }

    /// Number of dictionaries that have batches.
    public int dictionaryCount() {
        return dictionaries.size();
    }

    /// The values of a dictionary; null if it has no batch.
    public FieldTotals.Sums dictionary(long id) {
        FieldTotals totals = dictionaries.get(id);
        return totals == null ? null : totals.columns().getFirst();
    }
}
