// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0

/// Reads chosen columns of a file or stream into arrow-java vectors, without copying if the file is mapped.
/// Needs `arrow-vector`, a memory module of arrow-java, and for compressed batches `arrow-compression`.
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
/// Other columns are neither read nor copied.
///
/// **In this package**: all code that depends on arrow-java.
///
/// **Not in this package**: reading columns without arrow-java: see [dev.fletch.layout].
///
/// **Threads.** A reader belongs to one thread at a time; [dev.fletch.vectors.FileVectors#share] opens
/// another reader on the same mapping.
package dev.fletch.vectors;
