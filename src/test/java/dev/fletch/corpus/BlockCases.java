// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.FileRule.BLOCK_BODY_LENGTH;
import static dev.fletch.FileRule.BLOCK_KIND;
import static dev.fletch.FileRule.BLOCK_METADATA_LENGTH;
import static dev.fletch.FileRule.BLOCK_NEGATIVE;
import static dev.fletch.FileRule.BLOCK_ORDER;
import static dev.fletch.FileRule.BLOCK_OUT_OF_FILE;
import static dev.fletch.FileRule.BLOCK_OVERLAP;
import static dev.fletch.FileRule.BLOCK_UNALIGNED;
import static dev.fletch.FileRule.BLOCK_WITHOUT_MESSAGE;
import static dev.fletch.FileRule.MESSAGE_WITHOUT_BLOCK;
import static dev.fletch.FileRule.NO_SCHEMA_MESSAGE;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.message;
import static dev.fletch.verify.messages.Meant.schema;

import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.ValueRule;
import dev.fletch.format.Block;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;
import dev.fletch.verify.messages.Meant;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Blocks of a footer that do not lead to their messages.
final class BlockCases {
    private final List<CorpusCase> cases = new ArrayList<>();

    static List<CorpusCase> all() {
        BlockCases made = new BlockCases();
        for (Base base : Base.values()) {
            made.lengths(base);
            made.places(base);
        }
        made.impossible();
        made.positions();
        made.kinds();
        made.overlaps();
        made.withoutBlock();
        made.behindZeros();
        made.inMetadata();
        return made.cases;
    }

    /// Changes the numbers of a block.
    private interface Change {
        void of(Block block);
    }

    private static Block dictionary(ArrowFile file, int index) {
        return file.footer().dictionaries(index, new Block());
    }

    private static Block batch(ArrowFile file, int index) {
        return file.footer().recordBatches(index, new Block());
    }

    private static ArrowFile opened(byte[] file) {
        return ArrowFile.of(MemorySegment.ofArray(file));
    }

    private static byte[] changed(byte[] file, int index, Change change) {
        byte[] copy = file.clone();
        change.of(batch(opened(copy), index));
        return copy;
    }

    /// Changes the last of two blocks.
    private void add(
            Rule rule, String name, String what, byte[] file, Change change, Rule... implied) {
        add(rule, name, what, file, 1, change, implied);
    }

    private void add(
            Rule rule,
            String name,
            String what,
            byte[] file,
            int index,
            Change change,
            Rule... implied) {
        cases.add(
                CorpusCase.of(rule, name, what)
                        .implies(implied)
                        .file(file, changed(file, index, change)));
    }

    private void lengths(Base base) {
        byte[] file = base.input().file();
        add(
                BLOCK_METADATA_LENGTH,
                "block-metadata-less" + base.suffix,
                "the metadata length of the last block is 8 less than that of its message",
                file,
                block -> block.set(block.offset(), block.metaDataLength() - 8, block.bodyLength()));
        // The marker of 8 bytes is room for 8 bytes more, that of 4 bytes is not.
        boolean hasRoom = base != Base.LEGACY;
        add(
                hasRoom ? BLOCK_METADATA_LENGTH : BLOCK_OUT_OF_FILE,
                "block-metadata-more" + base.suffix,
                "the metadata length of the last block is 8 more than that of its message",
                file,
                block -> block.set(block.offset(), block.metaDataLength() + 8, block.bodyLength()));
        add(
                hasRoom ? BLOCK_BODY_LENGTH : BLOCK_OUT_OF_FILE,
                "block-body-more" + base.suffix,
                "the body length of the last block is 8 more than that of its message",
                file,
                block -> block.set(block.offset(), block.metaDataLength(), block.bodyLength() + 8));
        if (base != Base.NO_COLUMNS) { // whose bodies are empty
            add(
                    BLOCK_BODY_LENGTH,
                    "block-body-less" + base.suffix,
                    "the body length of the last block is 8 less than that of its message",
                    file,
                    block ->
                            block.set(
                                    block.offset(),
                                    block.metaDataLength(),
                                    block.bodyLength() - 8));
        }
    }

    private void places(Base base) {
        byte[] file = base.input().file();
        add(
                BLOCK_OUT_OF_FILE,
                "block-past" + base.suffix,
                "the offset of the last block is the greatest multiple of 8",
                file,
                block -> block.set(Long.MAX_VALUE - 7, block.metaDataLength(), block.bodyLength()),
                MESSAGE_WITHOUT_BLOCK);
        add(
                BLOCK_NEGATIVE,
                "block-offset-negative" + base.suffix,
                "the offset of the first block is -8",
                file,
                0,
                block -> block.set(-8, block.metaDataLength(), block.bodyLength()),
                MESSAGE_WITHOUT_BLOCK);
    }

    private void impossible() {
        byte[] file = Base.TEXTS.input().file();
        add(
                BLOCK_NEGATIVE,
                "block-metadata-negative",
                "the metadata length of the last block is -8",
                file,
                block -> block.set(block.offset(), -8, block.bodyLength()));
        add(
                BLOCK_NEGATIVE,
                "block-body-negative",
                "the body length of the last block is -8",
                file,
                block -> block.set(block.offset(), block.metaDataLength(), -8));
        add(
                BLOCK_NEGATIVE,
                "block-body-lowest",
                "the body length of the last block is -2^63",
                file,
                block -> block.set(block.offset(), block.metaDataLength(), Long.MIN_VALUE));
        add(
                BLOCK_OUT_OF_FILE,
                "block-metadata-past",
                "the metadata length of the last block is greater than the file",
                file,
                block -> block.set(block.offset(), 1 << 30, block.bodyLength()));
        add(
                BLOCK_OUT_OF_FILE,
                "block-body-past",
                "the body length of the last block is greater than the file",
                file,
                block -> block.set(block.offset(), block.metaDataLength(), 1L << 40));
        add(
                BLOCK_OUT_OF_FILE,
                "block-body-overflows",
                "the end of the last block is greater than the greatest number of 64 bits",
                file,
                block -> block.set(block.offset(), block.metaDataLength(), Long.MAX_VALUE - 7));
        add(
                BLOCK_OUT_OF_FILE,
                "block-at-start",
                "the offset of the first block is 0, that of the magic",
                file,
                0,
                block -> block.set(0, block.metaDataLength(), block.bodyLength()),
                MESSAGE_WITHOUT_BLOCK);
        int footer = (int) opened(file).footerOffset();
        add(
                BLOCK_OUT_OF_FILE,
                "block-in-footer",
                "the last block leads 8 bytes behind the footer's start, and has no bytes",
                file,
                block -> block.set(footer + 8, 0, 0),
                MESSAGE_WITHOUT_BLOCK);
        byte[] far = file.clone();
        Block lowest = batch(opened(far), 1);
        lowest.set(Long.MIN_VALUE, lowest.metaDataLength(), lowest.bodyLength());
        cases.add(
                CorpusCase.of(
                                BLOCK_NEGATIVE,
                                "block-offset-lowest",
                                "the offset of the last block is -2^63, and the schema message has"
                                        + " 2^20 bytes, as its prefix says")
                        .implies(BLOCK_ORDER, MESSAGE_WITHOUT_BLOCK, NO_SCHEMA_MESSAGE)
                        .file(file, Bodies.put(far, 12, 0, 0, 16, 0)));
    }

    private void positions() {
        byte[] gap = Base.TEXTS.input().gap(new byte[8]).file();
        add(
                BLOCK_WITHOUT_MESSAGE,
                "block-of-zeros",
                "the first block begins 8 bytes early, at zeros",
                gap,
                0,
                block -> block.set(block.offset() - 8, block.metaDataLength(), block.bodyLength()),
                MESSAGE_WITHOUT_BLOCK);
        byte[] file = Base.TEXTS.input().file();
        add(
                BLOCK_WITHOUT_MESSAGE,
                "block-of-marker",
                "the last block leads to the end-of-stream marker",
                file,
                block -> {
                    long end = block.offset() + block.metaDataLength() + block.bodyLength();
                    block.set(end, 8, 0);
                },
                MESSAGE_WITHOUT_BLOCK);
        add(
                BLOCK_WITHOUT_MESSAGE,
                "block-of-footer",
                "the last block leads to the footer, and has no bytes",
                file,
                block -> block.set(opened(file).footerOffset(), 0, 0),
                MESSAGE_WITHOUT_BLOCK);
        add(
                BLOCK_UNALIGNED,
                "block-4-bytes-late",
                "the offset of the last block is 4 more than that of its message",
                file,
                block -> block.set(block.offset() + 4, block.metaDataLength(), block.bodyLength()),
                BLOCK_METADATA_LENGTH,
                MESSAGE_WITHOUT_BLOCK);
        for (Base base : List.of(Base.TEXTS, Base.DICTIONARIES)) {
            cases.add(
                    CorpusCase.of(
                                    BLOCK_UNALIGNED,
                                    "blocks-unaligned" + base.suffix,
                                    "4 zeros are behind the schema message, so no block is at a"
                                            + " multiple of 8")
                            .file(base.input(), base.input().gap(new byte[4])));
        }
    }

    private void kinds() {
        byte[] sound = Base.DICTIONARIES.input().file();
        byte[] schema = Base.TEXTS.input().file();
        cases.add(
                CorpusCase.of(
                                BLOCK_KIND,
                                "block-of-schema",
                                "the first block leads to the schema message")
                        .implies(NO_SCHEMA_MESSAGE, MESSAGE_WITHOUT_BLOCK)
                        .file(
                                schema,
                                changed(
                                        schema,
                                        0,
                                        block -> block.set(8, (int) block.offset() - 8, 0))));
        byte[] swapped = sound.clone();
        Block one = dictionary(opened(swapped), 1);
        Block other = batch(opened(swapped), 0);
        long[] numbers = {one.offset(), one.metaDataLength(), one.bodyLength()};
        one.set(other.offset(), other.metaDataLength(), other.bodyLength());
        other.set(numbers[0], (int) numbers[1], numbers[2]);
        cases.add(
                CorpusCase.of(
                                BLOCK_KIND,
                                "blocks-of-two-kinds-swapped",
                                "the block of a delta leads to a record batch, and that of a record"
                                        + " batch to the delta")
                        .file(sound, swapped));
    }

    private void overlaps() {
        HandmadeInput texts = Base.TEXTS.input();
        HandmadeInput dictionaries = Base.DICTIONARIES.input();
        overlap(BLOCK_OVERLAP, "block-repeated", "the last block is there twice", texts, 0, 1, 1);
        overlap(BLOCK_ORDER, "blocks-reversed", "the first block is the last", texts, 1, 0);
        byte[] file = texts.file();
        add(
                BLOCK_BODY_LENGTH,
                "block-body-more-first",
                "the body length of the first of two blocks is 8 more than that of its message",
                file,
                0,
                block -> block.set(block.offset(), block.metaDataLength(), block.bodyLength() + 8));
        long first = batch(opened(file), 0).offset();
        add(
                BLOCK_METADATA_LENGTH,
                "block-inside-metadata",
                "the last block leads to the metadata of the message before its own",
                file,
                block -> block.set(first + 8, block.metaDataLength(), block.bodyLength()),
                MESSAGE_WITHOUT_BLOCK);
        overlap(
                BLOCK_ORDER,
                "blocks-reversed-dictionaries",
                "the block of the last record batch is before that of the first",
                dictionaries,
                0,
                1,
                3,
                2);
        cases.add(
                CorpusCase.of(
                                MESSAGE_WITHOUT_BLOCK,
                                "message-without-block-dictionaries",
                                "dictionary and delta have no blocks")
                        .implies(MeaningRule.DICTIONARY_UNDEFINED, ValueRule.VALUES_UNCHECKED)
                        .reader(CorpusCase.Reader.MUST_REFUSE)
                        .file(dictionaries.file(), dictionaries.file(2, 3)));
    }

    /// Messages that readers of files do not find: the sound twin does not have them.
    private void withoutBlock() {
        HandmadeInput texts = Base.TEXTS.input();
        HandmadeInput one = new HandmadeInput(schema(UTF8)).batch(Base.texts(new Batch(2)));
        HandmadeInput dictionaries = Base.DICTIONARIES.input();
        HandmadeInput[] sound = {one, one, Base.withoutDelta()};
        byte[][] broken = {texts.file(0), texts.file(1), dictionaries.file(0, 2, 3)};
        String[] messages = {"last record batch", "first record batch", "delta"};
        String[] names = {"last", "first", "delta"};
        for (int i = 0; i < names.length; i++) {
            cases.add(
                    CorpusCase.of(
                                    MESSAGE_WITHOUT_BLOCK,
                                    "message-without-block-" + names[i],
                                    "the " + messages[i] + " has no block")
                            .file(sound[i].file(), broken[i]));
        }
    }

    private void behindZeros() {
        HandmadeInput one = new HandmadeInput(schema(UTF8)).batch(Base.texts(new Batch(2)));
        byte[] file = one.gap(new byte[8]).file();
        byte[] broken = file.clone();
        int count = (int) batch(opened(broken), 0).position() - Integer.BYTES;
        cases.add(
                CorpusCase.of(
                                MESSAGE_WITHOUT_BLOCK,
                                "message-without-block-behind-zeros",
                                "the footer has no block for a record batch that is behind zeros")
                        .file(file, Bodies.put(broken, count, 0, 0, 0, 0)));
    }

    private void overlap(Rule rule, String name, String what, HandmadeInput of, int... order) {
        cases.add(CorpusCase.of(rule, name, what).file(of.file(), of.file(order)));
    }

    /// The metadata of a message ends with a table that is also that of other messages: each begins
    /// inside the metadata of the one before it.
    private void inMetadata() {
        int inner = 12;
        byte[] table = Meant.bytes(message(new Batch(0).table(), 0));
        ByteBuffer metadata = Bodies.buffer(16 * inner + 8 + (table.length + 7 & -8));
        int length = metadata.capacity();
        int tableAt = 16 * inner + 8;
        int root = ByteBuffer.wrap(table).order(metadata.order()).getInt(0);
        for (int i = 0; i <= inner; i++) {
            int at = 16 * i;
            metadata.putInt(at, tableAt + root - at);
            if (i < inner) {
                metadata.putInt(at + 8, -1).putInt(at + 12, length - at - 16);
            }
        }
        metadata.put(tableAt, table);
        byte[] message = metadata.array();
        HandmadeInput input = new HandmadeInput(schema());
        byte[] framed = Bodies.joined(Bodies.numbers(32, -1, length), message);
        List<FbsValue> blocks = new ArrayList<>();
        byte[] before = input.stream();
        long first = before.length; // behind the magic, and without the marker
        for (int i = 0; i <= inner; i++) {
            blocks.add(new FbsValue.Struct(List.of(first + 16L * i, 8L + length - 16 * i, 0L)));
        }
        byte[] file =
                input.gap(framed)
                        .footer(
                                footer ->
                                        Meant.with(
                                                footer,
                                                "recordBatches",
                                                new FbsValue.Vector(blocks)))
                        .file();
        byte[] sound = file.clone();
        int count = (int) batch(opened(sound), 0).position() - Integer.BYTES;
        System.arraycopy(Bodies.numbers(32, 1), 0, sound, count, Integer.BYTES);
        cases.add(
                CorpusCase.of(
                                BLOCK_OVERLAP,
                                "blocks-in-metadata",
                                "each block leads into the metadata of the one before it")
                        .file(sound, file));
    }
}
