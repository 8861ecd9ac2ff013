// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

/// The official builder whose bytes a [FlatBufferWriter] reproduces. The builders write the same
/// bytes for the same calls, except for empty vectors.
public enum Dialect {
    /// As `FlatBufferBuilder` of flatbuffers-java: an empty vector is aligned like any other, so
    /// its element size can raise the alignment of the buffer.
    JAVA,

    /// As `FlatBufferBuilder` of the C++ library, which flatc uses: an empty vector is aligned for
    /// its length word alone, not for its elements.
    CPP
}
