// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.FileRule.FOOTER_LENGTH;
import static dev.fletch.FileRule.NO_LEADING_MAGIC;
import static dev.fletch.FileRule.NO_LEADING_SCHEMA;
import static dev.fletch.FileRule.NO_TRAILING_MAGIC;
import static dev.fletch.FileRule.REPEATED_SCHEMA;
import static dev.fletch.FrameRule.END_BETWEEN_MESSAGES;
import static dev.fletch.StructureRule.OFFSET_TARGET_OUT_OF_RANGE;
import static dev.fletch.StructureRule.OFFSET_ZERO;
import static dev.fletch.StructureRule.STRING_UNTERMINATED;

import dev.fletch.Rule;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Inputs with faults in several places: none hides another.
final class SeveralPlacesCases {
    private static final byte[] FILE = Base.TEXTS.input().file();
    private static final byte[] STREAM = Base.TEXTS.input().stream();
    private static final int TAIL_BYTES = 10;

    private final List<CorpusCase> cases = new ArrayList<>();

    static List<CorpusCase> all() {
        SeveralPlacesCases made = new SeveralPlacesCases();
        made.messages();
        made.endsOfFiles();
        made.footers();
        return made.cases;
    }

    /// Bytes with more and more faults.
    private record Damaged(byte[] bytes, OracleFile listing) {
        static Damaged of(byte[] sound) {
            return new Damaged(sound.clone(), OracleListing.list(sound));
        }

        Damaged word(long at, int value) {
            ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt((int) at, value);
            return this;
        }

        Damaged put(int at, char value) {
            bytes[at] = (byte) value;
            return this;
        }

        /// Sets the offset of a message's header.
        Damaged header(int message, int offset) {
            OracleMessage of = listing.messages().get(message);
            int from = (int) of.metadataOffset();
            byte[] metadata = Arrays.copyOfRange(bytes, from, (int) of.bodyOffset());
            int header = new EditedFlatbuffer(metadata, "Message").field("header");
            return word(from + header, offset);
        }

        /// Sets the root offset of a message.
        Damaged root(int message, int offset) {
            return word(listing.messages().get(message).metadataOffset(), offset);
        }

        Damaged metadataLength(int message, int length) {
            return word(listing.messages().get(message).metadataOffset() - 4, length);
        }

        int footer() {
            return (int) listing.footer().offset();
        }
    }

    private void file(Rule rule, String name, String what, Damaged damaged, Rule... implied) {
        cases.add(CorpusCase.of(rule, name, what).implies(implied).file(FILE, damaged.bytes));
    }

    private void stream(
            Rule rule, String name, String what, byte[] sound, byte[] damaged, Rule... implied) {
        cases.add(CorpusCase.of(rule, name, what).implies(implied).stream(sound, damaged));
    }

    private void messages() {
        file(
                OFFSET_ZERO,
                "two-headers-of-file",
                "the offsets of the headers of both batches are 0",
                Damaged.of(FILE).header(1, 0).header(2, 0));
        stream(
                OFFSET_ZERO,
                "two-headers-of-stream",
                "the offsets of the headers of both batches are 0",
                STREAM,
                Damaged.of(STREAM).header(1, 0).header(2, 0).bytes);
        stream(
                OFFSET_ZERO,
                "header-and-root-of-stream",
                "the offset of a batch's header is 0, and the root of the next batch is outside",
                STREAM,
                Damaged.of(STREAM).header(1, 0).root(2, 1 << 30).bytes,
                OFFSET_TARGET_OUT_OF_RANGE);
        file(
                OFFSET_ZERO,
                "offset-zero-root-batch",
                "the root offset of the first of two batches is 0",
                Damaged.of(FILE).root(1, 0));
        byte[] schema = Base.NO_COLUMNS.input().stream();
        byte[] batch = Base.NO_COLUMNS.input().schemaMessage(null).marker().stream();
        stream(
                NO_LEADING_SCHEMA,
                "schema-behind-batches",
                "the stream begins with batches, and its schema follows",
                schema,
                Bodies.joined(batch, schema),
                REPEATED_SCHEMA);
    }

    // ---- with what makes a file

    private void endsOfFiles() {
        file(
                NO_LEADING_MAGIC,
                "no-leading-magic-and-header",
                "the file begins with ARROW2, and the offset of a batch's header is 0",
                Damaged.of(FILE).put(5, '2').header(2, 0),
                OFFSET_ZERO);
        file(
                NO_TRAILING_MAGIC,
                "no-trailing-magic-and-header",
                "the file ends with ARROW2, and the offset of a batch's header is 0",
                Damaged.of(FILE).put(FILE.length - 1, '2').header(2, 0),
                OFFSET_ZERO);
        file(
                FOOTER_LENGTH,
                "footer-length-and-header",
                "the footer length is -5, and the offset of a batch's header is 0",
                Damaged.of(FILE).word(FILE.length - TAIL_BYTES, -5).header(2, 0),
                OFFSET_ZERO);
    }

    private void footers() {
        Damaged named = Damaged.of(FILE).header(1, 0);
        String text = new String(FILE, StandardCharsets.ISO_8859_1);
        file(
                STRING_UNTERMINATED,
                "name-of-footer-and-header",
                "no NUL follows the name of the footer's column, and the offset of a batch's"
                        + " header is 0",
                named.put(text.lastIndexOf("utf8\0") + 4, 'x'),
                OFFSET_ZERO);
        Damaged root = Damaged.of(FILE).header(1, 0);
        file(
                OFFSET_TARGET_OUT_OF_RANGE,
                "root-of-footer-and-header",
                "the root of the footer is outside, and the offset of a batch's header is 0",
                root.word(root.footer(), 1 << 20),
                OFFSET_ZERO);
        Damaged marked = Damaged.of(FILE).metadataLength(1, 0);
        file(
                END_BETWEEN_MESSAGES,
                "root-of-footer-and-metadata-length-0",
                "the root offset of the footer is 0, and the metadata length of the first of two"
                        + " batches, too",
                marked.word(marked.footer(), 0),
                OFFSET_ZERO);
    }
}
