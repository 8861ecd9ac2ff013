// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify;

import dev.fletch.batch.DecompressedBuffers;
import dev.fletch.batch.Decompressor;

/// How compressed values are decompressed to verify them. Immutable.
///
/// @param decompressor decompresses; null if the values of compressed buffers are not checked
/// @param mostBytes maximum memory for the decompressed buffers of one field; the values of a field
///     that needs more are not checked
public record Decompression(Decompressor decompressor, long mostBytes) {
    /// Decompresses nothing.
    public static final Decompression NONE = new Decompression(null, 0);

    /// {@return new buffers for one thread; null if nothing is decompressed}
    public DecompressedBuffers buffers() {
        return decompressor == null ? null : new DecompressedBuffers(decompressor, mostBytes);
    }

    /// {@return whether the buffers of a codec are decompressed}
    ///
    /// @param codec one of [dev.fletch.format.ids.CompressionType], or an unknown number
    public boolean knows(int codec) {
        return decompressor != null && decompressor.knows(codec);
    }
}
