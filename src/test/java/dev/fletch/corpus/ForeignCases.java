// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.FileRule.COMPRESSED;
import static dev.fletch.FileRule.FEATHER_V1;
import static dev.fletch.FileRule.GZIP;
import static dev.fletch.FileRule.NOT_ARROW;
import static dev.fletch.FileRule.NOT_BASE64;
import static dev.fletch.FileRule.PARQUET;
import static dev.fletch.corpus.Bodies.hex;
import static dev.fletch.corpus.Bodies.joined;
import static dev.fletch.corpus.Bodies.numbers;
import static dev.fletch.testdata.HandmadeInput.text;

import dev.fletch.Rule;
import dev.fletch.corpus.CorpusCase.Container;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/// What is taken for Arrow, but is not. The sound twin is the Arrow file or stream that it could
/// have been: for compressed inputs, it is what they hold.
final class ForeignCases {
    private static final int TAR_MAGIC_AT = 257;
    private static final int LFS_DIGITS = 64;

    private final byte[] stream = Base.NO_COLUMNS.input().stream();
    private final byte[] file = Base.NO_COLUMNS.input().file();
    private final List<CorpusCase> cases = new ArrayList<>();

    static List<CorpusCase> all() {
        ForeignCases made = new ForeignCases();
        made.formats();
        made.gzip();
        made.compressed();
        made.archives();
        made.others();
        made.behindOtherBytes();
        made.base64();
        return made.cases;
    }

    private void add(Rule rule, String name, String what, byte[] sound, byte[] broken) {
        cases.add(CorpusCase.of(rule, name, what).in(Container.OTHER, sound, broken));
    }

    // ---- Parquet and Feather

    private void formats() {
        // Thrift: version 1, a schema without columns, no rows and no row groups.
        byte[] footer = hex("1502 191c 4806" + "736368656d61" + "1500 00 1600 190c 00");
        for (String magic : List.of("PAR1", "PARE")) {
            add(
                    PARQUET,
                    magic.equals("PAR1") ? "parquet" : "parquet-encrypted",
                    "a Parquet file" + (magic.equals("PAR1") ? "" : " with an encrypted footer"),
                    file,
                    ended(text(magic), footer));
        }
        // CTable: version 2, no rows, no columns.
        byte[] table = hex("10000000 0c000c000000000004000800 0c000000 00000000 00000000");
        add(FEATHER_V1, "feather-v1", "a Feather V1 file", file, ended(text("FEA1"), table));
    }

    /// Magic, footer, its length, and the magic again.
    private static byte[] ended(byte[] magic, byte[] footer) {
        return joined(magic, footer, numbers(Integer.SIZE, footer.length), magic);
    }

    // ---- compressed, with blocks that are stored

    private static byte[] sum(Checksum kind, byte[] bytes) {
        kind.update(bytes);
        return numbers(Integer.SIZE, kind.getValue());
    }

    /// A block of deflate that is stored.
    private static byte[] deflated(byte[] bytes) {
        int length = bytes.length;
        return joined(new byte[] {1}, numbers(Short.SIZE, length, ~length), bytes);
    }

    private static byte[] reversed(byte[] bytes) {
        byte[] reversed = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            reversed[bytes.length - 1 - i] = bytes[i];
        }
        return reversed;
    }

    private void gzip() {
        for (byte[] each : List.of(file, stream)) {
            byte[] ofAll =
                    joined(
                            hex("1f8b 08 00 00000000 00ff"),
                            deflated(each),
                            sum(new CRC32(), each),
                            numbers(Integer.SIZE, each.length));
            boolean isFile = each == file;
            add(
                    GZIP,
                    isFile ? "gzip-of-file" : "gzip-of-stream",
                    "a gzip file that holds an Arrow " + (isFile ? "file" : "stream"),
                    each,
                    ofAll);
        }
        add(GZIP, "gzip-magic", "only the magic of a gzip file", stream, hex("1f8b"));
    }

    private void compressed() {
        compressed("lz4", "an LZ4 frame", Bodies.lz4Frame(stream));
        compressed("zstd", "a Zstandard frame", zstd(stream));
        compressed(
                "zstd-skippable",
                "a Zstandard frame behind one that is skipped",
                joined(hex("502a4d18 04000000 00000000"), zstd(stream)));
        byte[] adler = reversed(sum(new Adler32(), stream));
        compressed("zlib", "a zlib stream", joined(hex("7801"), deflated(stream), adler));
        compressed("snappy", "a stream of framed Snappy", snappy(stream));
        compressed("bzip2", "a bzip2 file, which is empty", hex("425a6839177245385090 00000000"));
        compressed(
                "xz",
                "an xz file, which is empty",
                hex("fd377a585a000004e6d6b44600000000 1cdf44211fb6f37d010000000004595a"));
        compressed(
                "7z",
                "a 7z archive, which is empty",
                hex("377abcaf271c0004 8d9bd50f 0000000000000000 0000000000000000 00000000"));
        compressed(
                "zip-empty",
                "a zip archive, which is empty",
                joined(hex("504b0506"), new byte[18]));
        compressed("zip", "a zip archive", zip(stream));
        compressed("rar", "the start of a RAR archive", hex("526172211a07 0100"));
        compressed("lz4-legacy", "an LZ4 frame of the old form", hex("02214c18 01000000 00"));
    }

    private void compressed(String name, String what, byte[] bytes) {
        add(COMPRESSED, name, what, stream, bytes);
    }

    /// One segment with a size of two bytes, which is 256 more than its number, and a raw block.
    private static byte[] zstd(byte[] bytes) {
        if (bytes.length < 256) {
            return Bodies.zstdFrame(bytes);
        }
        return joined(
                hex("28b52ffd 60"),
                numbers(Short.SIZE, bytes.length - 256),
                Arrays.copyOf(numbers(Integer.SIZE, bytes.length << 3 | 1), 3),
                bytes);
    }

    private static byte[] snappy(byte[] bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        int masked = Integer.rotateRight((int) sum.getValue(), 15) + 0xA282EAD8;
        return joined(
                hex("ff060000"),
                text("sNaPpY"),
                numbers(Integer.SIZE, 1 | bytes.length + 4 << 8),
                numbers(Integer.SIZE, masked),
                bytes);
    }

    /// An archive with a stored entry `a`.
    private static byte[] zip(byte[] bytes) {
        byte[] entry =
                joined(
                        hex("0a00 0000 0000 0000 2100"), // version 1.0, stored, 1980-01-01
                        sum(new CRC32(), bytes),
                        numbers(Integer.SIZE, bytes.length, bytes.length),
                        numbers(Short.SIZE, 1, 0));
        byte[] local = joined(hex("504b0304"), entry, text("a"), bytes);
        byte[] central = joined(hex("504b0102 0a00"), entry, new byte[14], text("a"));
        return joined(
                local,
                central,
                hex("504b0506 0000 0000 0100 0100"),
                numbers(Integer.SIZE, central.length, local.length),
                new byte[2]);
    }

    private void archives() {
        byte[] head = new byte[512];
        System.arraycopy(text("a.arrow"), 0, head, 0, 7);
        System.arraycopy(text("ustar"), 0, head, TAR_MAGIC_AT, 5);
        other("tar", "a tar archive", head);
        other("ar", "an ar archive", text("!<arch>\n"));
    }

    // ---- what is no Arrow at all

    private void other(String name, String what, byte[] bytes) {
        add(NOT_ARROW, "not-arrow-" + name, what, file, bytes);
    }

    private void others() {
        other("csv", "a CSV text", text("a,b\n1,2\n"));
        other("json", "a JSON text", text("{\"schema\": {\"fields\": []}}\n"));
        other("html", "an HTML page", text("<!DOCTYPE html>\n<title>404</title>\n"));
        other("utf-16", "a text in UTF-16", hex("fffe 6100 2c00 6200 0a00"));
        other("orc", "an ORC file", joined(text("ORC"), hex("0000 00"), text("ORC"), hex("04")));
        other("avro", "an Avro file", joined(text("Obj"), hex("01 00"), new byte[16]));
        other("hdf5", "an HDF5 file", joined(hex("89"), text("HDF\r\n\u001a\n"), new byte[8]));
        other("numpy", "a NumPy file", joined(hex("93"), text("NUMPY"), hex("0100 7600")));
        other("sqlite", "an SQLite database", text("SQLite format 3\0"));
        other("duckdb", "a DuckDB database", joined(new byte[8], text("DUCK"), new byte[8]));
        other("pickle", "a Python pickle", hex("80 04 95 02 00 00 00 00 00 00 00 7d 2e"));
        other("pdf", "a PDF document", text("%PDF-1.7\n%%EOF\n"));
        other(
                "lfs",
                "a Git LFS pointer instead of its file",
                text(
                        "version https://git-lfs.github.com/spec/v1\noid sha256:"
                                + "0".repeat(LFS_DIGITS)
                                + "\nsize 0\n"));
        other("zeros", "64 zeros", new byte[64]);
        other("http", "an HTTP response without a body", text("HTTP/1.1 404 Not Found\r\n\r\n"));
    }

    /// Arrow behind other bytes: a reader that does not expect these finds none.
    private void behindOtherBytes() {
        byte[][] starts = {
            numbers(Long.SIZE, stream.length),
            reversed(numbers(Integer.SIZE, stream.length)),
            joined(hex("00"), reversed(numbers(Integer.SIZE, stream.length))),
            text("HTTP/1.1 200 OK\r\nContent-Type: application/vnd.apache.arrow.stream\r\n\r\n"),
            text("\n"),
            new byte[64]
        };
        String[] names = {"length-8", "length-4", "grpc", "http-head", "line-break", "zeros-64"};
        String[] what = {
            "its length in 8 bytes, little-endian",
            "its length in 4 bytes, big-endian",
            "the head of a gRPC message",
            "the head of an HTTP response",
            "a line break",
            "64 zeros"
        };
        for (int i = 0; i < starts.length; i++) {
            add(
                    NOT_ARROW,
                    "stream-behind-" + names[i],
                    "a stream behind " + what[i],
                    stream,
                    joined(starts[i], stream));
        }
        add(
                NOT_ARROW,
                "stream-in-chunk",
                "a stream in a chunk of HTTP",
                stream,
                joined(
                        text(Integer.toHexString(stream.length) + "\r\n"),
                        stream,
                        text("\r\n0\r\n\r\n")));
    }

    // ---- base64

    private void base64() {
        byte[] schema = Arrays.copyOf(stream, 8 + length(stream));
        String[] forms = {"stream", "file", "schema"};
        byte[][] inputs = {stream, file, schema};
        for (int i = 0; i < forms.length; i++) {
            String text = Base64.getEncoder().encodeToString(inputs[i]);
            // A digit of zeros: the bytes stay the same.
            int at = text.indexOf("AAAA", 24) + 1;
            wrong(forms[i], "character", "a character is an exclamation mark", text, at, '!');
            String padded = text + "==";
            int last = padded.length() - 1;
            wrong(forms[i], "digit", "a digit is behind an equals sign", padded, last, 'A');
        }
        String text = Base64.getEncoder().encodeToString(schema);
        String key = "ARROW:schema=";
        int at = text.indexOf("AAAA", 24) + 1;
        wrong("key", "character", "a character is a dot", key + text, key.length() + at, '.');
    }

    private static int length(byte[] message) {
        return ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN).getInt(Integer.BYTES);
    }

    private void wrong(String form, String name, String what, String text, int at, char by) {
        byte[] sound = text.getBytes(StandardCharsets.US_ASCII);
        cases.add(
                CorpusCase.of(NOT_BASE64, "base64-" + name + "-" + form, "in base64, " + what)
                        .in(Container.TEXT, sound, Bodies.put(sound, at, by)));
    }
}
