// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.Limits;
import dev.fletch.Rule;
import dev.fletch.ipc.walk.FileTail;
import dev.fletch.wire.MessagePrefix;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/// The two IPC formats, file and stream, detected by their first bytes.
///
/// A file begins with the magic `ARROW1`, a stream with a continuation indicator or, before Arrow
/// 0.15.0, with the metadata length of its first message. This length must be positive and precede
/// a valid root offset. If it aligns the body to 8 bytes, as the format requires, it is at most 256
/// MiB. Some old writers align to 4 bytes: such a length must be below 16 MiB, as a larger word may
/// be the magic of another format.
///
/// The rest of the input may still be invalid: an input truncated inside the magic is a file, and
/// opening it reports the fault. An empty input is rejected: it has no schema.
public enum ArrowContainer {
    /// `ARROW1`, messages, footer: see [ArrowFile].
    FILE,

    /// Messages alone: see [MessageReader] and [EncapsulatedMessage].
    STREAM;

    /// Number of bytes that [#detect] reads.
    public static final int LEADING_BYTES = 8;

    private static final int MOST_UNALIGNED = 1 << 24;

    /// Another format that a user may mistake for Arrow IPC.
    ///
    /// @param magic its first bytes, a character each
    /// @param name null if the rule names it
    private record OtherFormat(String magic, Rule rule, String name) {}

    private static final List<OtherFormat> OTHER_FORMATS =
            List.of(
                    new OtherFormat("PAR1", IpcRules.PARQUET, null),
                    new OtherFormat("PARE", IpcRules.PARQUET, null),
                    new OtherFormat("FEA1", IpcRules.FEATHER_V1, null),
                    new OtherFormat("\u001f\u008b", IpcRules.GZIP, null),
                    new OtherFormat("(\u00b5/\u00fd", IpcRules.COMPRESSED, "zstd"),
                    new OtherFormat("\u0004\"M\u0018", IpcRules.COMPRESSED, "lz4"),
                    new OtherFormat("BZh", IpcRules.COMPRESSED, "bzip2"),
                    new OtherFormat("\u00fd7zXZ", IpcRules.COMPRESSED, "xz"),
                    new OtherFormat("\u00ff\u0006\u0000\u0000sN", IpcRules.COMPRESSED, "snappy"),
                    new OtherFormat("PK\u0003\u0004", IpcRules.COMPRESSED, "zip"),
                    new OtherFormat("7z\u00bc\u00af", IpcRules.COMPRESSED, "7z"),
                    new OtherFormat("ORC", IpcRules.NOT_ARROW, "ORC"),
                    new OtherFormat("Obj\u0001", IpcRules.NOT_ARROW, "Avro"),
                    new OtherFormat("\u0089HDF", IpcRules.NOT_ARROW, "HDF5"),
                    new OtherFormat("\u0093NUMPY", IpcRules.NOT_ARROW, "NumPy"),
                    new OtherFormat("SQLite", IpcRules.NOT_ARROW, "SQLite"),
                    new OtherFormat("{", IpcRules.NOT_ARROW, "JSON"),
                    new OtherFormat("[", IpcRules.NOT_ARROW, "JSON"),
                    new OtherFormat("<", IpcRules.NOT_ARROW, "HTML or XML"));

    /// Detects the format of an input by its first bytes.
    ///
    /// @param input the input or its first bytes: at least [#LEADING_BYTES], or all if the input is
    ///     shorter
    /// @throws ArrowFormatException if the input is empty or not Arrow IPC; Parquet, Feather
    ///     V1 and compressed data have their own rules, and the message names other known formats
    public static ArrowContainer detect(MemorySegment input) {
        int bytes = (int) Math.min(input.byteSize(), LEADING_BYTES);
        requireBytes(bytes);
        byte[] leading = new byte[LEADING_BYTES];
        MemorySegment.copy(input, ValueLayout.JAVA_BYTE, 0, leading, 0, bytes);
        long words = Wire.int64(leading, 0);
        int magicBits = Math.min(FileTail.MAGIC_BYTES, bytes) * Byte.SIZE;
        if (Wire.lowBits(words, magicBits) == Wire.lowBits(FileTail.MAGIC, magicBits)) {
            return FILE;
        }
        if (MessagePrefix.isContinuation(words, bytes)
                || isLegacyStream((int) words, words >>> Integer.SIZE, bytes)) {
            return STREAM;
        }
        throw unknown(leading, bytes);
    }

    /// Throws if an input is empty.
    static void requireBytes(long bytes) {
        if (bytes == 0) {
            throw ArrowFormatException.of(IpcRules.EMPTY_INPUT, 0, "bytes=0");
        }
    }

    private static boolean isLegacyStream(int size, long root, int bytes) {
        int prefix = EncapsulatedMessage.LEGACY_PREFIX_BYTES;
        return bytes >= prefix
                && size > 0
                && size <= Limits.DEFAULT.metadataBytes()
                && (size % Long.BYTES == prefix || size % prefix == 0 && size < MOST_UNALIGNED)
                && (bytes < LEADING_BYTES || root >= Integer.BYTES && root < size);
    }

    private static ArrowFormatException unknown(byte[] leading, int bytes) {
        String hex = "firstBytes=" + HexFormat.ofDelimiter(" ").formatHex(leading, 0, bytes);
        String characters = new String(leading, 0, bytes, StandardCharsets.ISO_8859_1);
        for (OtherFormat each : OTHER_FORMATS) {
            if (characters.startsWith(each.magic)) {
                String format = each.name == null ? "" : ", format=" + each.name;
                return ArrowFormatException.of(each.rule, 0, hex + format);
            }
        }
        String format = characters.matches("[ -\\x7f\\n\\r\\t]*") ? ", format=text" : "";
        return ArrowFormatException.of(IpcRules.NOT_ARROW, 0, hex + format);
    }
}
