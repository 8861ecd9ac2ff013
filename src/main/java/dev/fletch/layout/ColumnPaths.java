// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.format.Schema;

/// Finds a field by its path where columns are found by name: each beginning of the path may be a
/// column's name, as names may hold dots.
final class ColumnPaths {
    private ColumnPaths() {}

    /// @param scan null where there is an index
    /// @param index null where there is a scan
    /// @param schema of the index
    /// @param into filled with the plan of the field's column
    /// @return the field's number in it, -1 if there is none
    static int find(
            CharSequence path,
            ColumnLayout into,
            ColumnScan scan,
            ColumnIndex index,
            Schema schema) {
        into.setPath(path);
        int best = FieldLayout.NONE;
        int bestKey = 0;
        while (into.extendKey()) {
            boolean found = scan != null ? scan.findKey(into) : index.findKey(schema, into);
            while (found && (best < 0 || into.column() < best)) {
                if (into.fieldOfPath() >= 0) {
                    best = into.column();
                    bestKey = into.keyLength;
                }
                found = scan != null ? scan.findNext(into) : index.findNext(schema, into);
            }
        }
        into.clear();
        if (best < 0) {
            return FieldLayout.NONE;
        }
        into.keyLength = bestKey;
        boolean found = scan != null ? scan.findKey(into) : index.findKey(schema, into);
        while (found && into.column() < best) {
            found = scan != null ? scan.findNext(into) : index.findNext(schema, into);
        }
        return into.fieldOfPath();
    }
}
