// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.compression.internal;

import com.github.luben.zstd.Zstd;

import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.format.ids.CompressionType;

import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/// Compresses with the libraries of [LibraryDecompressor].
///
/// **Threads.** May be used by several threads at once.
public final class LibraryCompressor {
    private LibraryCompressor() {}

    /// Compresses a buffer.
    ///
    /// @param codec one that [LibraryDecompressor#knows]
    /// @return one frame, without a prefix
    /// @throws IllegalArgumentException if the codec is not known
    public static byte[] compress(int codec, byte[] bytes) {
        if (!new LibraryDecompressor().knows(codec)) {
            String name = CompressionType.NAMES.name(codec);
            throw new IllegalArgumentException("codec is not known: codec=" + name);
        }
        return codec == CompressionType.ZSTD ? Zstd.compress(bytes) : lz4(bytes);
    }

    private static byte[] lz4(byte[] bytes) {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        try (var out = new FramedLZ4CompressorOutputStream(frame)) {
            out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return frame.toByteArray();
    }
}
