// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import com.github.luben.zstd.Zstd;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;

/// Bytes of buffers.
final class Bodies {
    static final byte[] NONE = {};

    private static final int VIEW_BYTES = 16;
    private static final int LZ4_STORED = 1 << 31;
    private static final int ZSTD_LAST_BLOCK = 1;

    private Bodies() {}

    /// Little-endian numbers.
    ///
    /// @param bits of each: 8, 16, 32 or 64
    static byte[] numbers(int bits, long... values) {
        ByteBuffer bytes = buffer(values.length * bits / Byte.SIZE);
        for (long each : values) {
            switch (bits) {
                case Byte.SIZE -> bytes.put((byte) each);
                case Short.SIZE -> bytes.putShort((short) each);
                case Integer.SIZE -> bytes.putInt((int) each);
                default -> bytes.putLong(each);
            }
        }
        return bytes.array();
    }

    static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    static byte[] text(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        Arrays.stream(parts).forEach(all::writeBytes);
        return all.toByteArray();
    }

    static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---- views

    /// A view of a short value.
    static byte[] view(String value) {
        return view(value.length(), value);
    }

    /// @param inline the bytes behind the length
    static byte[] view(int length, String inline) {
        return buffer(VIEW_BYTES).putInt(length).put(text(inline)).array();
    }

    static byte[] view(int length, String prefix, int variadic, int offset) {
        return buffer(VIEW_BYTES)
                .putInt(length)
                .put(text(prefix))
                .putInt(variadic)
                .putInt(offset)
                .array();
    }

    // ---- compressed buffers: the length and a frame with one block that is not compressed

    static byte[] lz4(byte[] bytes) {
        ByteBuffer block = buffer(2 * Integer.BYTES + bytes.length);
        block.putInt(LZ4_STORED | bytes.length).put(bytes).putInt(0);
        return joined(length(bytes.length), hex("04224d18 60 40 82"), block.array());
    }

    /// More than 255 bytes are really compressed.
    static byte[] zstd(byte[] bytes) {
        if (bytes.length > 255) {
            return joined(length(bytes.length), Zstd.compress(bytes, 3));
        }
        byte[] head = {0x20, (byte) bytes.length}; // one segment
        byte[] block = Arrays.copyOf(numbers(Integer.SIZE, bytes.length << 3 | ZSTD_LAST_BLOCK), 3);
        return joined(length(bytes.length), hex("28b52ffd"), head, block, bytes);
    }

    /// Bytes behind the length -1: they are not compressed.
    static byte[] stored(byte[] bytes) {
        return joined(length(-1), bytes);
    }

    private static byte[] length(long bytes) {
        return numbers(Long.SIZE, bytes);
    }
}
