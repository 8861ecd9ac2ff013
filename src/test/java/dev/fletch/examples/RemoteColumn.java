// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.arrow.Arrow;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.remote.RangeSource;

/// Sums a column of a file behind a link. Of the bodies, only this column is read. Arguments: the
/// link, and the name of a column of integers.
public class RemoteColumn {
    public static void main(String[] args) throws Exception {
        long sum = 0;
        try (var reader = Arrow.open(RangeSource.http(args[0]), ReadOptions.UNTRUSTED)) {
            var column = reader.column(args[1]);
            while (reader.next()) {
                for (long row = 0; row < column.length(); row++) {
                    sum += column.isNull(row) ? 0 : column.integer(row);
                }
            }
        }
        System.out.println(sum);
    }
}
