// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

/// Finds a field by its path with a scan that finds columns by name: each beginning of the path may
/// be a column's name, as names may hold dots.
final class ColumnPaths {
    private ColumnPaths() {}

    /// @param into filled with the plan of the field's column
    /// @return the field's number in it, -1 if there is none
    static int find(CharSequence path, ColumnLayout into, ColumnScan scan) {
        into.setPath(path);
        int best = FieldLayout.NONE;
        int bestKey = 0;
        while (into.extendKey()) {
            boolean found = scan.findKey(into);
            while (found && (best < 0 || into.column() < best)) {
                if (into.fieldOfPath() >= 0) {
                    best = into.column();
                    bestKey = into.keyLength;
                }
                found = scan.findNext(into);
            }
        }
        into.clear();
        if (best < 0) {
            return FieldLayout.NONE;
        }
        into.keyLength = bestKey;
        boolean found = scan.findKey(into);
        while (found && into.column() < best) {
            found = scan.findNext(into);
        }
        return into.fieldOfPath();
    }
}
