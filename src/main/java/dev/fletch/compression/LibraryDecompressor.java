// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.compression;

import com.github.luben.zstd.Zstd;

import dev.fletch.batch.DecompressedBuffers;
import dev.fletch.batch.Decompressor;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.ipc.ReadOptions;

import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/// Decompresses with the libraries that arrow-java uses, as far as they are present:
///
/// - LZ4 frames with `org.apache.commons:commons-compress`, which is Java only. It reads linked
///   blocks, which Arrow C++ and polars write;
/// - Zstandard with `com.github.luben:zstd-jni`, which has the C library and loads it for the first
///   buffer: `--enable-native-access=ALL-UNNAMED` avoids the JVM's warning.
///
/// **Threads.** May be used by several threads at once.
public final class LibraryDecompressor implements Decompressor {
    private static final class Lz4 {
        static final boolean IS_PRESENT =
                isPresent(() -> Objects.nonNull(FramedLZ4CompressorInputStream.class));
    }

    private static final class Zstandard {
        static final boolean IS_PRESENT = isPresent(() -> !Zstd.isError(0)); // loads the C library
    }

    private static boolean isPresent(BooleanSupplier use) {
        try {
            return use.getAsBoolean();
        } catch (LinkageError _) {
            return false;
        }
    }

    /// {@return the decompressor of some options; one with the libraries if they have none}
    public static Decompressor of(ReadOptions options) {
        return options.decompressor() == null ? new LibraryDecompressor() : options.decompressor();
    }

    /// {@return a new source of decompressed buffers, with decompressor and limit of some options}
    public static DecompressedBuffers buffers(ReadOptions options) {
        return new DecompressedBuffers(of(options), options.decompressedBytes());
    }

    /// Creates a decompressor.
    public LibraryDecompressor() {}

    @Override
    public boolean knows(int codec) {
        return switch (codec) {
            case CompressionType.LZ4_FRAME -> Lz4.IS_PRESENT;
            case CompressionType.ZSTD -> Zstandard.IS_PRESENT;
            default -> false;
        };
    }

    @Override
    public int decompress(
            int codec, MemorySegment compressed, byte[] into, int position, int length) {
        // Copied, also for native code: if a mapped file becomes shorter, this read throws, and one
        // by native code would end the JVM.
        byte[] bytes = compressed.toArray(ValueLayout.JAVA_BYTE);
        return codec == CompressionType.ZSTD
                ? zstandard(bytes, into, position, length)
                : lz4(bytes, into, position, length);
    }

    private static int zstandard(byte[] bytes, byte[] into, int position, int length) {
        long result = Zstd.decompressByteArray(into, position, length, bytes, 0, bytes.length);
        if (Zstd.isError(result)) {
            throw new IllegalArgumentException(Zstd.getErrorName(result));
        }
        return Math.toIntExact(result);
    }

    private static int lz4(byte[] bytes, byte[] into, int position, int length) {
        try (var in = new FramedLZ4CompressorInputStream(new ByteArrayInputStream(bytes))) {
            int found = in.readNBytes(into, position, length);
            if (in.read() != -1) {
                throw new IllegalArgumentException("more bytes than claimed");
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }
}
