// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.arrow.Arrow;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.remote.RangeSource;

/// Prints the rows of each batch of a file behind a link. Only the footer and the headers of the
/// batches are read.
public class RemoteHeaders {
    public static void main(String[] args) throws Exception {
        try (var reader = Arrow.open(RangeSource.http(args[0]), ReadOptions.DEFAULT)) {
            while (reader.nextHeader()) {
                System.out.println(reader.rowCount() + " rows");
            }
        }
    }
}
