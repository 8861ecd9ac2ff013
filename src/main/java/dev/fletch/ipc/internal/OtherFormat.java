// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.FletchException;
import dev.fletch.Rule;
import dev.fletch.format.Verifier;
import dev.fletch.format.Verifier.Root;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/// Names what a user may mistake for Arrow IPC, by its first bytes.
///
/// @param start its first bytes, a character each
/// @param name null if the rule names it
public record OtherFormat(Pattern start, Rule rule, String name) {
    // As many bytes as the format needs whose magic comes last.
    private static final int EXAMINED_BYTES = 512;
    private static final int SHOWN_BYTES = 8;

    private static final List<OtherFormat> ALL =
            List.of(
                    of("PAR[1E]", FileRule.PARQUET, null),
                    of("FEA1", FileRule.FEATHER_V1, null),
                    of("\\x1f\\x8b", FileRule.GZIP, null),
                    of("\\(\\xb5/\\xfd|[P-_]\\*M\\x18", FileRule.COMPRESSED, "zstd"),
                    of("\\x04\"M\\x18|\\x02!L\\x18", FileRule.COMPRESSED, "lz4"),
                    of("BZh", FileRule.COMPRESSED, "bzip2"),
                    of("\\xfd7zXZ", FileRule.COMPRESSED, "xz"),
                    of("\\xff\\x06\\x00\\x00sN", FileRule.COMPRESSED, "snappy"),
                    of("PK(\\x03\\x04|\\x05\\x06)", FileRule.COMPRESSED, "zip"),
                    of("7z\\xbc\\xaf", FileRule.COMPRESSED, "7z"),
                    of("Rar!\\x1a", FileRule.COMPRESSED, "rar"),
                    of("LZIP\\x01", FileRule.COMPRESSED, "lzip"),
                    of("\\x1f[\\x9d\\xa0]", FileRule.COMPRESSED, "compress"),
                    of("x[\\x01\\x9c\\xda]", FileRule.COMPRESSED, "zlib"),
                    other(".{257}ustar", "tar archive"),
                    other("!<arch>", "ar archive"),
                    other("07070[127]|\\xc7\\x71", "cpio archive"),
                    other(
                            "version https://(git-lfs|hawser)\\.",
                            "Git LFS pointer, which 'git lfs pull' replaces by the file"),
                    other("HTTP/\\d", "HTTP response"),
                    other("[A-Z]{3,7} \\S+ HTTP/\\d", "HTTP request"),
                    other("ORC", "ORC"),
                    other("Obj\\x01", "Avro"),
                    other("\\xc3\\x01.{8}", "Avro"),
                    other("SEQ[\\x04-\\x06]", "Hadoop sequence file"),
                    other("\\x89HDF", "HDF5"),
                    other("CDF[\\x01\\x02\\x05]", "netCDF"),
                    other("\\x93NUMPY", "NumPy"),
                    other("\\x80[\\x02-\\x05][}\\]\\x95c(]", "Python pickle"),
                    other("RD[AX][23]\\n|[XA]\\n\\x00\\x00\\x00[\\x02\\x03]", "R data"),
                    other("MATLAB 5", "MATLAB"),
                    other("SQLite", "SQLite"),
                    other(".{8}DUCK", "DuckDB"),
                    other("VTXF", "Vortex"),
                    other("%PDF", "PDF"),
                    other("\\xd0\\xcf\\x11\\xe0", "Microsoft Office"),
                    other("\\xff\\xfe[^\\x00]\\x00|\\xfe\\xff\\x00[^\\x00]", "UTF-16 text"),
                    other("(\\xef\\xbb\\xbf)?\\s*[{\\[]", "JSON"),
                    other("(\\xef\\xbb\\xbf)?\\s*<", "HTML or XML"));

    private static OtherFormat of(String start, Rule rule, String name) {
        return new OtherFormat(Pattern.compile(start, Pattern.DOTALL), rule, name);
    }

    private static OtherFormat other(String start, String name) {
        return of(start, FileRule.NOT_ARROW, name);
    }

    /// The exception for bytes that are empty or not Arrow IPC.
    ///
    /// @param input the input or its first bytes
    public static FletchException exception(MemorySegment input) {
        FrameCheck.hasBytes(input.byteSize(), FletchException::raiseInInput);
        int bytes = (int) Math.min(input.byteSize(), EXAMINED_BYTES);
        byte[] first = input.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE);
        int shown = Math.min(bytes, SHOWN_BYTES);
        String hex = "firstBytes=" + HexFormat.ofDelimiter(" ").formatHex(first, 0, shown);
        String flight = flight(input);
        OtherFormat known = flight == null ? known(new String(first, ISO_8859_1)) : null;
        Rule rule = known == null ? FileRule.NOT_ARROW : known.rule;
        String name = known == null ? flight : known.name;
        long position = LeadingBytes.count(input);
        String kind = position < 0 ? "" : FileHead.hasMagic(input, position) ? "file" : "stream";
        if (name == null && rule == FileRule.NOT_ARROW) {
            name =
                    position >= 0
                            ? "Arrow " + kind + " behind other bytes"
                            : isText(first) ? "text" : null;
        }
        String format = name == null ? "" : ", format=" + name;
        String place = position < 0 ? "" : ", " + kind + "Offset=" + position;
        return FletchException.inInput(Fault.of(rule, 0, 0).because(hex + format + place));
    }

    private static OtherFormat known(String characters) {
        return ALL.stream()
                .filter(each -> each.start.matcher(characters).lookingAt())
                .findFirst()
                .orElse(null);
    }

    /// Whether bytes are UTF-8 without control characters; the last character may be incomplete.
    private static boolean isText(byte[] bytes) {
        String text = new String(bytes, UTF_8);
        return text.matches("[^\\x00-\\x08\\x0e-\\x1f\\ufffd]*\\ufffd?");
    }

    // ---- Arrow Flight

    /// The name of the protobuf message of Arrow Flight that an input is; null if it is none. It
    /// may be in a frame of gRPC.
    private static String flight(MemorySegment input) {
        Verifier verifier = new Verifier();
        long size = input.byteSize();
        boolean isFramed =
                size > 5
                        && Wire.int8(input, 0) == 0
                        && Integer.reverseBytes(Wire.int32(input, 1)) == size - 5;
        boolean hasOther = false;
        boolean hasSchema = false;
        boolean hasHeader = false;
        int seen = 0;
        Varint next = new Varint(input, isFramed ? 5 : 0);
        while (next.offset < size) {
            long tag = next.read();
            int field = (int) (tag >>> 3);
            long length =
                    switch ((int) tag & 7) {
                        case 0 -> next.read() & 0;
                        case 2 -> next.read();
                        default -> -1;
                    };
            if (tag < 8 || length < 0 || length > size - next.offset) {
                return null;
            }
            long end = next.offset + length;
            // Of fields that occur once, only the first is verified.
            boolean isFirst = (field == 1 || field == 2) && (seen & field) == 0;
            seen |= isFirst ? field : 0;
            hasSchema |= isFirst && field == 1 && LeadingBytes.isSchema(input, next.offset, end);
            hasHeader |=
                    isFirst
                            && field == 2
                            && length > Long.BYTES
                            && verifier.verify(Root.MESSAGE, input, next.offset, length);
            hasOther |= field != 1;
            next.offset = end;
        }
        return hasHeader
                ? "Flight FlightData"
                : hasSchema ? hasOther ? "Flight FlightInfo" : "Flight SchemaResult" : null;
    }

    /// Reads numbers of protobuf.
    private static final class Varint {
        private final MemorySegment memory;
        private long offset;

        Varint(MemorySegment memory, long position) {
            this.memory = memory;
            this.offset = position;
        }

        /// Returns the next number; -1 if the bytes end inside.
        long read() {
            long number = 0;
            for (int shift = 0; shift <= Long.SIZE && offset < memory.byteSize(); shift += 7) {
                byte each = Wire.int8(memory, offset++);
                number |= (each & 0x7FL) << shift;
                if (each >= 0) {
                    return number;
                }
            }
            return -1;
        }
    }
}
