// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static dev.fletch.semantics.Meant.INT32;
import static dev.fletch.semantics.Meant.INT8;
import static dev.fletch.semantics.Meant.UTF8;
import static dev.fletch.semantics.Meant.batch;
import static dev.fletch.semantics.Meant.bound;
import static dev.fletch.semantics.Meant.bytes;
import static dev.fletch.semantics.Meant.encoded;
import static dev.fletch.semantics.Meant.message;
import static dev.fletch.semantics.Meant.pair;
import static dev.fletch.semantics.Meant.schema;
import static dev.fletch.semantics.Meant.struct;
import static dev.fletch.semantics.Meant.table;
import static dev.fletch.semantics.Meant.with;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.format.CompressionType;
import dev.fletch.format.Footer;
import dev.fletch.format.FormatRules;
import dev.fletch.format.rules.CompressedBuffer;
import dev.fletch.testdata.FbsValue;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// What [LimitsTest] holds of messages, where more is at hand than a message: the prefixes of
/// compressed buffers, and a file's end. The faults are listed here, in their order.
class BodyLimitsTest {

    /// Holds that a limit of n gives the first n of the faults, and no sink the first one.
    ///
    /// @param verified verifies what has the faults, with a verifier that has come so far
    static void assertTold(
            List<String> faults,
            Supplier<SemanticVerifier> before,
            Predicate<SemanticVerifier> verified) {
        for (int limit = 0; limit <= faults.size() + 1; limit++) {
            SemanticVerifier meaning = before.get();
            List<String> told = new ArrayList<>();
            if (limit > 0) {
                meaning.collect(fault -> told.add(fault.rule() + " " + fault.path()), limit);
            }
            assertFalse(verified.test(meaning));
            int kept = Math.min(limit, faults.size());
            assertEquals(faults.subList(0, kept), told);
            assertEquals(Math.min(faults.size(), limit + 1), meaning.faultCount());
            String last = meaning.fault().rule() + " " + meaning.fault().path();
            assertEquals(faults.get(Math.max(kept, 1) - 1), last);
        }
    }

    // ---- prefixes of compressed buffers

    private static final int ROOM = 16;

    /// A body with a prefix for each buffer: the uncompressed length that it claims.
    private static MemorySegment body(long... claims) {
        ByteBuffer words = ByteBuffer.allocate(ROOM * claims.length).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < claims.length; i++) {
            words.putLong(ROOM * i, claims[i]);
        }
        return MemorySegment.ofArray(words.array());
    }

    private static FbsValue.Table compressed(int columns, int bytes) {
        List<long[]> buffers = new ArrayList<>();
        for (int i = 0; i < 2 * columns; i++) {
            buffers.add(pair(i * ROOM, bytes));
        }
        FbsValue.Table batch = batch(Collections.nCopies(columns, pair(3, 1)), buffers);
        return message(with(batch, "compression", table("BodyCompression")), 2L * columns * ROOM);
    }

    private static void assertPrefixes(List<String> faults, int bytes, long... claims) {
        FbsValue.Table of = message(schema(INT32, INT32, INT8), 0);
        byte[] batch = bytes(compressed(3, bytes));
        assertTold(
                faults,
                () -> {
                    SemanticVerifier meaning = new SemanticVerifier(SemanticOptions.STRICT);
                    assertTrue(meaning.message(bound(bytes(of))));
                    return meaning;
                },
                meaning -> meaning.message(bound(batch), body(claims), 0));
    }

    @Test
    void negativeUncompressedLengthsAreReportedUpToTheLimit() {
        String buffers = "uncompressed-length header.recordBatch.buffers";
        assertPrefixes(
                List.of(buffers + "[0]", buffers + "[2]", buffers + "[3]", buffers + "[5]"),
                ROOM,
                -2,
                12,
                Long.MIN_VALUE,
                -7,
                1,
                -2);
    }

    @Test
    void compressedBuffersShorterThanTheirPrefixAreReportedUpToTheLimit() {
        List<String> faults = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            faults.add("compressed-too-short header.recordBatch.buffers[" + i + "].length");
        }
        assertPrefixes(faults, 7, 1, 12, 1, 12, 1, 3);
    }

    @Test
    void tooSmallUncompressedLengthsAreReportedUpToTheLimit() {
        assertPrefixes(
                List.of(
                        "validity-size header.recordBatch.buffers[0].length",
                        "data-size header.recordBatch.buffers[1].length",
                        "uncompressed-length header.recordBatch.buffers[2]",
                        "data-size header.recordBatch.buffers[3].length",
                        "data-size header.recordBatch.buffers[5].length"),
                ROOM,
                0,
                11,
                -3,
                0,
                1,
                2);
    }

    /// Stored as they are, they have eight bytes less.
    @Test
    void sizeOfABufferStoredWithoutCompressionExcludesItsPrefix() {
        FbsValue.Table of = message(schema(INT32), 0);
        for (int length : new int[] {8 + 11, 8 + 12}) {
            SemanticVerifier meaning = new SemanticVerifier(SemanticOptions.STRICT);
            assertTrue(meaning.message(bound(bytes(of))));
            List<long[]> buffers = List.of(pair(0, 9), pair(16, length));
            FbsValue.Table batch =
                    with(
                            batch(List.of(pair(3, 1)), buffers),
                            "compression",
                            table("BodyCompression"));
            byte[] bytes = bytes(message(batch, 40));
            boolean right = meaning.message(bound(bytes), body(-1, -1, 0), 0);
            assertEquals(length == 20, right, meaning.fault()::toString);
        }
    }

    /// As many bytes as the codec can store, and one more; with and without the strict checks.
    @Test
    void uncompressedLengthIsLimitedByTheCodec() {
        FbsValue.Table of = message(schema(INT32), 0);
        long[][] codecs = {{CompressionType.LZ4_FRAME, 256}, {CompressionType.ZSTD, 32_768}};
        int cases = 0;
        for (long[] codec : codecs) {
            for (int length : new int[] {8, 9, 16, 24}) {
                long limit = codec[1] * (length - 8);
                long[] claims = {-1, 0, limit, limit + 1, 1L << 62, Long.MAX_VALUE};
                for (long claim : claims) {
                    List<long[]> buffers = List.of(pair(0, 0), pair(0, length));
                    FbsValue.Table batch =
                            with(
                                    batch(List.of(pair(3, 0)), buffers),
                                    "compression",
                                    table("BodyCompression", "codec", codec[0]));
                    byte[] bytes = bytes(message(batch, 24));
                    SemanticVerifier meaning = new SemanticVerifier(SemanticOptions.ARROW_CPP);
                    assertTrue(meaning.message(bound(bytes(of))));
                    boolean right = meaning.message(bound(bytes), body(claim, 0), 0);
                    assertEquals(claim <= limit, right, meaning.fault()::toString);
                    if (!right) {
                        assertEquals(FormatRules.UNCOMPRESSED_LENGTH, meaning.fault().rule());
                        assertEquals(
                                "length=" + length + ", uncompressed=" + claim + ", limit=" + limit,
                                meaning.fault().details());
                        assertEquals("int32", meaning.fault().column());
                    }
                    cases++;
                }
            }
        }
        assertEquals(48, cases);
        // Without a known codec there is no limit.
        assertEquals(Long.MAX_VALUE, CompressedBuffer.limit(2, 8));
        assertEquals(Long.MAX_VALUE, CompressedBuffer.limit(1, Long.MAX_VALUE));
    }

    // ---- a file's end

    /// Five dictionaries, one of them of two columns; the last column's is not used.
    private static final byte[] FOOTER =
            bytes(
                    table(
                            "Footer",
                            "schema",
                            schema(
                                    encoded(UTF8, 7),
                                    struct(encoded(UTF8, 8), encoded(UTF8, 9)),
                                    INT8,
                                    encoded(UTF8, 7),
                                    encoded(UTF8, 10),
                                    encoded(UTF8, 11)),
                            "dictionaries",
                            Collections.nCopies(4, new long[] {8, 16, 24})));

    private static Footer footer() {
        return new Footer().wrap(MemorySegment.ofArray(FOOTER));
    }

    private static void block(SemanticVerifier meaning, FbsValue.Table message, int at) {
        assertTrue(meaning.block(bound(bytes(message)), at), meaning.fault()::toString);
    }

    /// A file of one batch, which uses all dictionaries but the one whose column is null.
    ///
    /// @param ids of the dictionaries that its blocks give, in their order; negative for a delta
    private static SemanticVerifier file(int... ids) {
        SemanticVerifier meaning = new SemanticVerifier();
        assertTrue(meaning.footer(footer()));
        FbsValue.Table values =
                batch(List.of(pair(3, 0)), List.of(pair(0, 0), pair(0, 16), pair(16, 8)));
        for (int i = 0; i < ids.length; i++) {
            FbsValue.Table dictionary =
                    table(
                            "DictionaryBatch",
                            "id",
                            Math.abs(ids[i]),
                            "data",
                            values,
                            "isDelta",
                            ids[i] < 0 ? 1 : 0);
            block(meaning, message(dictionary, 24), i);
        }
        List<long[]> nodes = new ArrayList<>(Collections.nCopies(8, pair(3, 0)));
        nodes.set(7, pair(3, 3));
        List<long[]> buffers = Collections.nCopies(15, pair(0, 3));
        block(meaning, message(batch(nodes, buffers), 8), 0);
        return meaning;
    }

    private static void assertEnd(List<String> faults, int... ids) {
        assertTold(faults, () -> file(ids), meaning -> meaning.endFile(footer()));
    }

    private static String undefined(String path) {
        return "dictionary-undefined schema." + path + ".dictionary.id";
    }

    @Test
    void undefinedDictionariesOfAFileAreReportedUpToTheLimit() {
        assertEnd(
                List.of(
                        undefined("fields[0]"),
                        undefined("fields[1].children[0]"),
                        undefined("fields[1].children[1]"),
                        undefined("fields[4]")));
        assertEnd(List.of(undefined("fields[1].children[0]"), undefined("fields[4]")), 7, 9, 11);
        assertTrue(file(7, 8, 9, 10).endFile(footer()));
    }

    /// What is wrong with a block's batch is told beside what is wrong with its place.
    @Test
    void dictionariesOfAFileWithInvalidBatchesAreReported() {
        String length = "header.dictionaryBatch.data.buffers[1].length";
        FbsValue.Table values =
                batch(List.of(pair(3, 0)), List.of(pair(0, 0), pair(0, -1), pair(16, 8)));
        FbsValue.Table whole = table("DictionaryBatch", "id", 7, "data", values);
        byte[] again = bytes(message(whole, 24));
        byte[] delta = bytes(message(with(whole, "isDelta", 1), 24));
        assertTold(
                List.of(
                        "dictionary-replaced header.dictionaryBatch.id",
                        "negative-buffer-length " + length),
                () -> file(7),
                meaning -> meaning.block(bound(again), 1));
        assertTold(
                List.of("negative-buffer-length " + length),
                () -> file(7),
                meaning -> meaning.block(bound(delta), 1));
    }

    /// A footer has four; of a fifth there is no block to be told.
    @Test
    void dictionariesWithoutABlockInTheFooterAreReported() {
        assertTrue(file(7, 8, 9, 10, -11).endFile(footer()));
    }

    @Test
    void deltasWithoutTheirDictionaryAreReported() {
        assertEnd(
                List.of(
                        "delta-without-dictionary dictionaries[0]",
                        "delta-without-dictionary dictionaries[2]",
                        undefined("fields[1].children[0]"),
                        undefined("fields[1].children[1]")),
                -7,
                10,
                -8,
                7);
    }
}
