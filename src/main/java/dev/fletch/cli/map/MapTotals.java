// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.map;

import java.util.Map;
import java.util.TreeMap;

/// The sums of a map. They add up to the input's size.
public final class MapTotals {
    private final long[] bytes = new long[MapClass.count()];
    private final Map<Long, long[]> dictionaries = new TreeMap<>();
    private MapPlan.Fields columns;
    private long[] columnBytes = new long[0];
    private long[] columnPadding = new long[0];
    private long overlapping;

    /// Called when the columns are known.
    void columns(MapPlan.Fields fields) {
        columns = fields;
        columnBytes = new long[fields.layout().columnCount()];
        columnPadding = new long[fields.layout().columnCount()];
    }

    /// Adds bytes.
    ///
    /// @param buffer of the message that they are of, or the padding behind; or none
    void add(MapClass of, MapMessage message, int buffer, long count) {
        bytes[of.ordinal()] += count;
        if (buffer == MapMessage.NONE || message.bufferFields[buffer] == MapMessage.NONE) {
            return;
        }
        boolean isPadding = of == MapClass.PADDING;
        if (message.isDictionary) {
            dictionary(message.dictionaryId)[isPadding ? 1 : 0] += count;
        } else {
            (isPadding ? columnPadding : columnBytes)[message.column(buffer)] += count;
        }
    }

    /// Lists a dictionary, also one whose batches have no bytes.
    long[] dictionary(long id) {
        return dictionaries.computeIfAbsent(id, _ -> new long[2]);
    }

    /// Adds bytes that were claimed before, and are counted for what claimed them first.
    void addOverlapping(long count) {
        // What hostile buffers claim in all may be any number.
        overlapping = count > Long.MAX_VALUE - overlapping ? Long.MAX_VALUE : overlapping + count;
    }

    long bytes(MapClass of) {
        return bytes[of.ordinal()];
    }

    /// All bytes of the input.
    long size() {
        long sum = 0;
        for (long each : bytes) {
            sum += each;
        }
        return sum;
    }

    /// Bytes that nobody reads.
    long waste() {
        return bytes(MapClass.PADDING) + bytes(MapClass.UNREFERENCED);
    }

    /// Part of the input that nobody reads, between 0 and 1.
    double wasteShare() {
        return share(waste());
    }

    double share(long of) {
        return size() == 0 ? 0 : (double) of / size();
    }

    long overlapping() {
        return overlapping;
    }

    int columnCount() {
        return columnBytes.length;
    }

    String columnPath(int column) {
        return columns.paths()[columns.layout().columnField(column)];
    }

    /// Bytes of a column's buffers.
    long columnBytes(int column) {
        return columnBytes[column];
    }

    /// Bytes of the padding behind a column's buffers.
    long columnPadding(int column) {
        return columnPadding[column];
    }

    /// For each dictionary by its id, bytes of buffers and of the padding behind them.
    Map<Long, long[]> dictionaries() {
        return dictionaries;
    }
}
