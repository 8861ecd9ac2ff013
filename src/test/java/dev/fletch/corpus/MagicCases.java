// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.FileRule.EMPTY_INPUT;
import static dev.fletch.FileRule.FILE_TOO_SHORT;
import static dev.fletch.FileRule.FOOTER_LENGTH;
import static dev.fletch.FileRule.MAGIC_PADDING;
import static dev.fletch.FileRule.NO_LEADING_MAGIC;
import static dev.fletch.FileRule.NO_TRAILING_MAGIC;
import static dev.fletch.FrameRule.NEGATIVE_METADATA_LENGTH;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.schema;

import dev.fletch.FileRule;
import dev.fletch.Rule;
import dev.fletch.testdata.HandmadeInput;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Files without a magic, with a wrong footer length, or cut off.
final class MagicCases {
    private static final int TAIL_BYTES = 10;
    private static final int SHORTEST_FILE = 19;

    private final List<CorpusCase> cases = new ArrayList<>();

    static List<CorpusCase> all() {
        MagicCases made = new MagicCases();
        for (Base base : Base.values()) {
            made.magic(base);
        }
        made.footerLengths();
        made.magicOfOtherBytes();
        made.ends();
        made.heads();
        made.shortFiles();
        return made.cases;
    }

    private void magic(Base base) {
        byte[] file = base.input().file();
        int end = file.length;
        cases.add(
                CorpusCase.of(
                                NO_LEADING_MAGIC,
                                "no-leading-magic" + base.suffix,
                                "the file begins with ARROW2")
                        .file(file, Bodies.put(file, 5, '2')));
        cases.add(
                CorpusCase.of(
                                NO_TRAILING_MAGIC,
                                "no-trailing-magic" + base.suffix,
                                "the file ends with ARROW2")
                        .file(file, Bodies.put(file, end - 1, '2')));
        cases.add(
                CorpusCase.of(
                                NO_TRAILING_MAGIC,
                                "last-byte-lost" + base.suffix,
                                "the file lacks its last byte")
                        .file(file, Arrays.copyOf(file, end - 1)));
        cases.add(
                CorpusCase.of(
                                FOOTER_LENGTH,
                                "footer-length-past" + base.suffix,
                                "the footer, if it had this length, began one byte before the"
                                        + " first message")
                        .file(file, withLength(file, end - TAIL_BYTES - 7)));
    }

    private static byte[] withLength(byte[] file, int length) {
        byte[] changed = file.clone();
        ByteBuffer.wrap(changed)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(file.length - TAIL_BYTES, length);
        return changed;
    }

    private void footerLengths() {
        byte[] file = Base.TEXTS.input().file();
        int[] lengths = {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE};
        String[] names = {"zero", "negative", "lowest", "greatest"};
        String[] what = {"0", "-1", "-2^31", "2^31 - 1"};
        for (int i = 0; i < lengths.length; i++) {
            cases.add(
                    CorpusCase.of(
                                    FOOTER_LENGTH,
                                    "footer-length-" + names[i],
                                    "the footer length is " + what[i])
                            .file(file, withLength(file, lengths[i])));
        }
    }

    private void magicOfOtherBytes() {
        byte[] file = Base.TEXTS.input().file();
        int[] values = {0, 0xFF, 'A'};
        for (int value : values) {
            byte[] other = file.clone();
            Rule[] padding = value == 0 ? new Rule[0] : new Rule[] {MAGIC_PADDING};
            Arrays.fill(other, 0, 8, (byte) value);
            cases.add(
                    CorpusCase.of(
                                    NO_LEADING_MAGIC,
                                    "leading-bytes-" + value,
                                    "the first 8 bytes of the file are " + value)
                            .implies(padding)
                            .file(file, other));
        }
    }

    /// No marker is before the footer, as old writers leave it: what remains of the footer is no
    /// message.
    private void ends() {
        byte[] file = Base.TEXTS.input().marker().file();
        int end = file.length;
        int footer = Base.TEXTS.input().marker().stream().length + 8;
        int[] cuts = {6, TAIL_BYTES, (end - footer) / 2, end - footer};
        for (int cut : cuts) {
            cases.add(
                    CorpusCase.of(
                                    NO_TRAILING_MAGIC,
                                    "end-lost-" + cut,
                                    "the file lacks its last bytes: " + cut)
                            .file(file, Arrays.copyOf(file, end - cut)));
        }
        byte[] magic = Bodies.put(file, end - 1, '2');
        for (int at : new int[] {end - TAIL_BYTES, end - 7}) {
            cases.add(
                    CorpusCase.of(
                                    NO_TRAILING_MAGIC,
                                    "trailing-magic-and-length-" + (end - at),
                                    "magic and footer length are wrong at the end of the file")
                            .file(file, Bodies.put(magic, at, file[at] ^ 1)));
        }
        int batch = new HandmadeInput(schema(UTF8)).marker().stream().length + 8;
        byte[] continuation = Bodies.put(Arrays.copyOf(file, end - 6), batch, 0);
        cases.add(
                CorpusCase.of(
                                NO_TRAILING_MAGIC,
                                "end-lost-and-continuation",
                                "the file lacks its magic, and a continuation word is FFFFFF00")
                        .implies(NEGATIVE_METADATA_LENGTH)
                        .file(file, continuation));
    }

    private void heads() {
        byte[] file = Base.TEXTS.input().file();
        for (int at = 6; at < 8; at++) {
            cases.add(
                    CorpusCase.of(
                                    MAGIC_PADDING,
                                    "magic-padding-" + at,
                                    "byte " + at + ", behind the magic, is not 0")
                            .file(file, Bodies.put(file, at, 1)));
        }
        for (int head : new int[] {16, 64, 512}) {
            Base base = head == 16 ? Base.DICTIONARIES : Base.TEXTS;
            cases.add(
                    CorpusCase.of(
                                    FileRule.HEAD_LENGTH,
                                    "head-" + head,
                                    "the first message is at offset " + head)
                            .file(
                                    base.input(),
                                    base.input().head(Arrays.copyOf(Bodies.MAGIC, head))));
        }
    }

    private void shortFiles() {
        HandmadeInput none = Base.NO_COLUMNS.input();
        byte[] file = none.file();
        byte[] stream = none.stream();
        byte[] tail = Arrays.copyOfRange(file, file.length - TAIL_BYTES, file.length);
        cases.add(
                CorpusCase.of(
                                FILE_TOO_SHORT,
                                "file-of-magic",
                                "the file is only the magic at its start")
                        .file(file, Arrays.copyOf(file, 6)));
        cases.add(
                CorpusCase.of(
                                FILE_TOO_SHORT,
                                "file-of-padded-magic",
                                "the file is only the magic at its start, padded to 8 bytes")
                        .file(file, Arrays.copyOf(file, 8)));
        byte[] ends = Bodies.joined(Arrays.copyOf(file, 8), tail);
        cases.add(
                CorpusCase.of(
                                FILE_TOO_SHORT,
                                "file-without-footer",
                                "the file has no byte between the magic and the footer length: "
                                        + ends.length
                                        + " bytes, one less than the shortest file")
                        .file(file, ends));
        if (ends.length != SHORTEST_FILE - 1) {
            throw new IllegalStateException("bytes=" + ends.length);
        }
        cases.add(
                CorpusCase.of(EMPTY_INPUT, "empty-file", "the file has no bytes")
                        .file(file, Bodies.NONE));
        cases.add(
                CorpusCase.of(EMPTY_INPUT, "empty-stream", "the stream has no bytes").stream(
                        stream, Bodies.NONE));
    }
}
