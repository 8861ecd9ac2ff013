// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import java.lang.foreign.MemorySegment;

/// Decompresses buffers by a library: `dev.fletch.compression.LibraryDecompressor`, or the caller's
/// own.
///
/// **Threads.** May be used by several threads at once.
public interface Decompressor {
    /// Knows no codec: values of compressed buffers are not read.
    Decompressor NONE =
            new Decompressor() {
                @Override
                public boolean knows(int codec) {
                    return false;
                }

                @Override
                public int decompress(
                        int codec,
                        MemorySegment compressed,
                        byte[] into,
                        int position,
                        int length) {
                    throw new IllegalArgumentException("codec is not known: codec=" + codec);
                }
            };

    /// {@return whether it can decompress a codec's buffers}
    ///
    /// @param codec one of [dev.fletch.format.ids.CompressionType], or an unknown number
    boolean knows(int codec);

    /// Decompresses a buffer.
    ///
    /// @param codec a known one
    /// @param compressed all bytes, untrusted, in any kind of memory; may be read-only. Those of
    ///     LZ4 are checked to have no bytes before or behind the frame
    /// @param into memory for the decompressed bytes
    /// @param position index of the first one
    /// @param length number of bytes that the prefix of the buffer claims
    /// @return number of bytes that were decompressed
    /// @throws RuntimeException if the bytes are malformed, or more than claimed
    int decompress(int codec, MemorySegment compressed, byte[] into, int position, int length);
}
