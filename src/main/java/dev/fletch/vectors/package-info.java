// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Some columns of a file or stream as arrow-java's vectors, without copying where the file is mapped. Needs
/// `arrow-vector`, with a memory module of arrow-java's, and for compressed batches `arrow-compression`.
///
/// ```java
/// double sum = 0;
/// try (var allocator = new RootAllocator();
///         var vectors = FileVectors.open(path, allocator, "price")) {
///     while (vectors.loadNext()) {
///         var prices = (Float8Vector) vectors.root().getVector("price");
///         for (int i = 0; i < prices.getValueCount(); i++) {
///             sum += prices.isNull(i) ? 0 : prices.get(i);
///         }
///     }
/// }
/// ```
///
/// Other columns are neither read nor copied: the cost follows the columns that are chosen.
///
/// **Belongs here**: all that knows arrow-java's classes.
///
/// **Does not**: nodes and buffers as they are in the file, which is for [dev.fletch.layout].
///
/// **Threads.** A reader belongs to one thread at a time; [dev.fletch.vectors.FileVectors#share] makes another one
/// over the same mapping.
package dev.fletch.vectors;
