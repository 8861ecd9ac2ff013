// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.verify;

import dev.fletch.Rule;
import dev.fletch.cli.io.Progress;
import dev.fletch.format.Block;
import dev.fletch.format.Footer;
import dev.fletch.format.MessageHeader;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.FrameKind;
import dev.fletch.ipc.IpcRules;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.IntStream;

/// Goes through the messages of a file by its footer's blocks, in the order of their offsets, and
/// holds each block against its message and against what comes before it.
///
/// No metadata is looked into twice, whatever the blocks say: one that begins inside metadata that
/// has been read is told to overlap it, and left at that.
public final class BlocksCheck {
    private static final int START = ArrowFile.FIRST_MESSAGE_OFFSET;
    private static final int ALIGNMENT = Long.BYTES;
    private static final long UNKNOWN = -1;

    private final MemorySegment memory;
    private final long end;
    private final Footer footer;
    private final MessageCheck check;
    private final FrameCheck frame;
    private final Findings findings;

    // The block that is looked at, and the index of its message.
    private final Block block = new Block();
    private String path;
    private int index;

    // Up to where the bytes are claimed, and up to where metadata has been read.
    private long claimed = START;
    private long read = START;

    // Up to where messages are known to be: a block may claim more than its message has.
    private long known = START;
    // Where the last message ends by its block, and by what it says itself.
    private long blockEnd = UNKNOWN;
    private long messageEnd = UNKNOWN;

    /// @param end where the messages end: offset of the footer
    BlocksCheck(
            MemorySegment memory, long end, Footer footer, MessageCheck check, Findings findings) {
        this.memory = memory;
        this.end = end;
        this.footer = footer;
        this.check = check;
        this.frame = new FrameCheck(check, findings);
        this.findings = findings;
    }

    /// @param footerSchema the footer's; null if it has none that can be walked through
    /// @return how many messages there are: as many as blocks, and the schema
    int run(SchemaSide footerSchema) throws IOException {
        schema(footerSchema);
        int count = footer.dictionariesCount() + footer.recordBatchesCount();
        int[] order =
                IntStream.range(0, count)
                        .boxed()
                        .sorted(Comparator.comparingLong(number -> bind(number).offset()))
                        .mapToInt(Integer::intValue)
                        .toArray();
        GapCheck gaps = new GapCheck(memory, check, findings);
        long scanned = known;
        for (int i = 0; i < count; i++) {
            scanned = gaps.check(scanned, Math.min(bind(order[i]).offset(), end));
            index = i + 1;
            Progress.reached(i, count);
            block(order[i]);
            scanned = Math.max(scanned, known);
        }
        end(gaps, gaps.check(scanned, end));
        return count + 1;
    }

    /// @param scanned where the last message ends, be it in a block or not
    private void end(GapCheck gaps, long scanned) {
        if (scanned > known) {
            gaps.end(scanned, scanned, end);
        } else if (messageEnd != UNKNOWN || blockEnd != UNKNOWN) {
            long first = messageEnd != UNKNOWN ? messageEnd : blockEnd;
            gaps.end(first, blockEnd != UNKNOWN ? blockEnd : first, end);
        }
    }

    // ---- the schema

    private void schema(SchemaSide footerSchema) throws IOException {
        ForwardBytes bytes = ForwardBytes.of(memory, START, end);
        check.meaning().beginBlock(0);
        FrameKind kind = frame.metadata(bytes, 0);
        if (kind == null) {
            return; // which has been told
        }
        boolean isMessage = kind == FrameKind.MESSAGE;
        if (!isMessage || check.isReadable() && check.kind() != MessageHeader.SCHEMA) {
            String found = isMessage ? "kind=" + check.kindName() : "found=" + kind;
            findings.add(IpcRules.NO_LEADING_SCHEMA, 0, null, START, found);
            if (!isMessage) {
                return;
            }
        } else if (footerSchema != null && check.schema() != null) {
            SchemaSide stream =
                    SchemaSide.of(
                            check.schema(), memory, START, frame.bodyOffset(), check.broken());
            new SchemaComparison(footerSchema, stream, findings).run();
        }
        read = frame.bodyOffset();
        if (frame.body(bytes)) {
            messageEnd = bytes.offset();
        }
        claimed = bytes.offset();
        known = claimed;
    }

    // ---- the blocks

    private Block bind(int number) {
        int dictionaries = footer.dictionariesCount();
        return number < dictionaries
                ? footer.dictionaries(number, block)
                : footer.recordBatches(number - dictionaries, block);
    }

    private void block(int number) throws IOException {
        int dictionaries = footer.dictionariesCount();
        boolean isDictionary = number < dictionaries;
        path =
                isDictionary
                        ? "dictionaries[" + number + "]"
                        : "recordBatches[" + (number - dictionaries) + "]";
        long at = bind(number).offset();
        boolean isInside = numbers();
        if (at < START || at > end) {
            return;
        }
        if (at < claimed) {
            add(InputRules.BLOCK_OVERLAP, ", claimed=" + claimed);
        }
        if (isInside) {
            claimed = Math.max(claimed, at + block.metaDataLength() + block.bodyLength());
        }
        if (at < read) {
            return;
        }
        long claim = at + block.metaDataLength() + block.bodyLength();
        blockEnd = isInside ? claim : UNKNOWN;
        messageEnd = UNKNOWN;
        ForwardBytes bytes = ForwardBytes.of(memory, at, end);
        check.meaning().beginBlock(isDictionary ? number : number - dictionaries);
        FrameKind kind = frame.metadata(bytes, index);
        if (kind == FrameKind.MESSAGE) {
            read = frame.bodyOffset();
            message(isDictionary ? MessageHeader.DICTIONARY_BATCH : MessageHeader.RECORD_BATCH);
            if (frame.body(bytes)) {
                messageEnd = bytes.offset();
                claimed = isInside ? claimed : Math.max(claimed, messageEnd);
            }
        } else if (kind != null) {
            add(IpcRules.BLOCK_WITHOUT_MESSAGE, ", found=" + kind);
        }
        known = Math.max(known, messageEnd != UNKNOWN ? messageEnd : blockEnd);
    }

    /// Looks at what a block says.
    ///
    /// @return whether that is inside of what the messages have
    private boolean numbers() {
        long at = block.offset();
        int metadataBytes = block.metaDataLength();
        long bodyBytes = block.bodyLength();
        long all = at | metadataBytes | bodyBytes;
        if (all < 0) {
            add(IpcRules.BLOCK_NEGATIVE, "");
            return false;
        }
        if (all % ALIGNMENT != 0) {
            add(IpcRules.BLOCK_UNALIGNED, "");
        }
        if (at < START || metadataBytes > end - at || bodyBytes > end - at - metadataBytes) {
            add(IpcRules.BLOCK_OUT_OF_FILE, ", footer=" + end);
            return false;
        }
        return true;
    }

    /// Holds a block against its message.
    private void message(int kind) {
        long metadataBytes = frame.bodyOffset() - frame.offset();
        if (metadataBytes != block.metaDataLength()) {
            add(IpcRules.BLOCK_METADATA_LENGTH, ", found=" + metadataBytes);
        }
        if (check.hasBodyLength() && check.bodyLength() != block.bodyLength()) {
            add(IpcRules.BLOCK_BODY_LENGTH, ", found=" + check.bodyLength());
        }
        if (check.isReadable() && check.kind() != kind) {
            add(IpcRules.BLOCK_KIND, ", found=" + check.kindName());
        }
    }

    private void add(Rule fault, String more) {
        findings.add(fault, index, path, block.position(), numbersText() + more);
    }

    private String numbersText() {
        return String.format(
                Locale.ROOT,
                "blockOffset=%d, metaDataLength=%d, bodyLength=%d",
                block.offset(),
                block.metaDataLength(),
                block.bodyLength());
    }
}
