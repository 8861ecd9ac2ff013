// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.vectors.VectorReader;

import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;

import java.nio.file.Path;

/// Sums a column of a mapped file as arrow-java's vector. Arguments: the file, and the name of an
/// `int64` column.
public class VectorSum {
    public static void main(String[] args) throws Exception {
        try (var allocator = new RootAllocator();
                var vectors = VectorReader.open(Path.of(args[0]), allocator, args[1])) {
            long sum = 0;
            while (vectors.loadNext()) {
                var sizes = (BigIntVector) vectors.root().getVector(args[1]);
                for (int i = 0; i < sizes.getValueCount(); i++) {
                    sum += sizes.isNull(i) ? 0 : sizes.get(i);
                }
            }
            System.out.println(sum);
        }
    }
}
