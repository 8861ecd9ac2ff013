// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.map;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/// The sums of a map. They add up to the input's size.
final class MapTotals {
    private final long[] bytes = new long[MapClass.values().length];
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
    /// @param buffer the buffer that they are in, or that they are padding behind; or null
    void add(MapClass of, MapMessage message, MapMessage.Buffer buffer, long count) {
        bytes[of.ordinal()] += count;
        if (buffer == null || !buffer.isOwned()) {
            return;
        }
        boolean isPadding = of == MapClass.PADDING;
        if (message.isDictionary) {
            dictionary(message.dictionaryId)[isPadding ? 1 : 0] += count;
        } else {
            int column = message.fields.layout().columnOf(buffer.field);
            (isPadding ? columnPadding : columnBytes)[column] += count;
        }
    }

    /// Bytes and padding of a dictionary. Lists it, also if its batches have no bytes.
    long[] dictionary(long id) {
        return dictionaries.computeIfAbsent(id, _ -> new long[2]);
    }

    /// Counts bytes that were claimed before. They count in the sums once.
    void addOverlapping(long count) {
        // The buffers of a hostile input may claim any number.
        overlapping = count > Long.MAX_VALUE - overlapping ? Long.MAX_VALUE : overlapping + count;
    }

    long bytes(MapClass of) {
        return bytes[of.ordinal()];
    }

    /// All bytes of the input.
    long size() {
        return Arrays.stream(bytes).sum();
    }

    /// Padding and unreferenced bytes.
    long waste() {
        return bytes(MapClass.PADDING) + bytes(MapClass.UNREFERENCED);
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
