// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Loads chosen columns of a file or stream as arrow-java's vectors; those of a mapped file without
/// a copy. Needs `arrow-vector`, with a memory module of arrow-java's, and for compressed batches
/// `arrow-compression`.
///
/// ```java
/// try (var allocator = new RootAllocator();
///         var vectors = VectorReader.open(Path.of(args[0]), allocator, args[1])) {
///     long sum = 0;
///     while (vectors.loadNext()) {
///         var sizes = (BigIntVector) vectors.root().getVector(args[1]);
///         for (int i = 0; i < sizes.getValueCount(); i++) {
///             sum += sizes.isNull(i) ? 0 : sizes.get(i);
///         }
///     }
///     System.out.println(sum);
/// }
/// ```
///
/// Other columns are neither read nor copied: the cost follows the columns that are chosen. For the
/// nodes and buffers themselves use [dev.fletch.batch].
///
/// Pages in the sources: `docs/how-to/arrow-java.md`.
///
/// **Threads.** A reader belongs to one thread at a time; [dev.fletch.vectors.VectorReader#share]
/// makes another one over the same mapping.
package dev.fletch.vectors;
