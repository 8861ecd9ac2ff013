// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.ipc.IpcRules.BLOCK_BODY_LENGTH;
import static dev.fletch.ipc.IpcRules.BLOCK_KIND;
import static dev.fletch.ipc.IpcRules.BLOCK_METADATA_LENGTH;
import static dev.fletch.ipc.IpcRules.BLOCK_NEGATIVE;
import static dev.fletch.ipc.IpcRules.BLOCK_OUT_OF_FILE;
import static dev.fletch.ipc.IpcRules.BLOCK_UNALIGNED;
import static dev.fletch.ipc.IpcRules.BLOCK_WITHOUT_MESSAGE;

import dev.fletch.Rule;
import dev.fletch.format.Block;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;

import java.lang.foreign.MemorySegment;
import java.util.Locale;

/// Opens the messages that a file's blocks lead to, and holds each against its block.
final class BlockOpener {
    private final MemorySegment memory;
    private final long end;
    private final MetadataChecks checks;

    /// @param end where the messages end: offset of the footer
    /// @param checks what each message must pass
    BlockOpener(MemorySegment memory, long end, MetadataChecks checks) {
        this.memory = memory;
        this.end = end;
        this.checks = checks;
    }

    /// Opens the message of a block.
    ///
    /// @param headerType what the block is for
    /// @param index of the block, in the footer's vector of such
    void open(Block block, int headerType, int index, EncapsulatedMessage frame, Message into) {
        final long at = block.offset();
        final int metadataBytes = block.metaDataLength();
        final long bodyBytes = block.bodyLength();
        final long all = at | metadataBytes | bodyBytes;
        if (all < 0) {
            throw wrong(block, BLOCK_NEGATIVE, headerType, index, "");
        }
        if (all % Long.BYTES != 0) {
            throw wrong(block, BLOCK_UNALIGNED, headerType, index, "");
        }
        if (at < ArrowFile.FIRST_MESSAGE_OFFSET
                || metadataBytes > end - at
                || bodyBytes > end - at - metadataBytes) {
            throw wrong(block, BLOCK_OUT_OF_FILE, headerType, index, "footer=" + end);
        }
        if (frame.prefix(memory, at, end) != FrameKind.MESSAGE) {
            throw wrong(block, BLOCK_WITHOUT_MESSAGE, headerType, index, "found=" + frame.kind());
        }
        final long found = frame.bodyOffset() - at;
        if (found != metadataBytes) {
            throw wrong(block, BLOCK_METADATA_LENGTH, headerType, index, "found=" + found);
        }
        frame.metadata(into, checks);
        checkMessage(block, headerType, index, frame, into);
    }

    private static void checkMessage(
            Block block, int headerType, int index, EncapsulatedMessage frame, Message into) {
        if (frame.bodyLength() != block.bodyLength()) {
            throw wrong(block, BLOCK_BODY_LENGTH, headerType, index, "found=" + frame.bodyLength());
        }
        if (into.headerType() != headerType) {
            final String kind = MessageHeader.NAMES.name(into.headerType());
            throw wrong(block, BLOCK_KIND, headerType, index, "found=" + kind);
        }
    }

    /// The offset of the fault is that of the block, in the footer.
    private static ArrowFormatException wrong(
            Block block, Rule fault, int headerType, int index, String more) {
        final boolean dictionary = headerType == MessageHeader.DICTIONARY_BATCH;
        final String text =
                String.format(
                        Locale.ROOT,
                        "block=%s[%d], blockOffset=%d, metaDataLength=%d, bodyLength=%d",
                        dictionary ? "dictionaries" : "recordBatches",
                        index,
                        block.offset(),
                        block.metaDataLength(),
                        block.bodyLength());
        return ArrowFormatException.of(
                fault, block.position(), more.isEmpty() ? text : text + ", " + more);
    }
}
