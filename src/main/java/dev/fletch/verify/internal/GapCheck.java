// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.internal;

import dev.fletch.FileRule;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.internal.FooterBlocks;
import dev.fletch.ipc.internal.FoundMessage;
import dev.fletch.ipc.internal.GapMessages;
import dev.fletch.ipc.internal.MessageFinder;
import dev.fletch.ipc.internal.MessagePlace;
import dev.fletch.ipc.internal.NonzeroBytes;
import dev.fletch.wire.MessagePrefix;

import java.lang.foreign.MemorySegment;

/// Checks the bytes of a file that belong to no block of the footer. Readers of files skip them,
/// but a reader of the file as a stream finds messages there.
final class GapCheck {
    private final MemorySegment memory;
    private final MessageCheck check;
    private final Faults faults;
    private final GapMessages messages;

    GapCheck(MemorySegment memory, MessageCheck check, Faults faults) {
        this.memory = memory;
        this.check = check;
        this.faults = faults;
        this.messages = new GapMessages(memory);
    }

    /// Checks the bytes that no block claims.
    ///
    /// @param from end of the schema message, or of the head
    void run(FooterBlocks blocks, long from) {
        blocks.gaps(
                from,
                (position, to, isLast) -> {
                    if (isLast) {
                        end(position, to);
                    } else {
                        gap(position, to);
                    }
                });
    }

    /// Reports the messages in a gap, and if unused bytes are checked those between them that are
    /// not 0.
    private void gap(long from, long to) {
        NonzeroBytes unused = new NonzeroBytes();
        messages(from, to, unused);
        if (check.checksUnused()) {
            unused.report(FileRule.UNUSED_GAP, faults);
        }
    }

    /// @param between receives the bytes in front of, between and behind the messages
    /// @return end of the last message that only messages and zeros precede
    private long messages(long from, long to, NonzeroBytes between) {
        long end = from;
        long position = from;
        for (FoundMessage each;
                (each = messages.next(position, to)) != null;
                position = each.end()) {
            long bytes = each.end() - each.offset();
            withoutBlock(faults, each.offset(), MessageHeader.NAMES.name(each.kind()), bytes);
            between.add(memory, position, each.offset());
            end = between.count() == 0 ? each.end() : end;
        }
        between.add(memory, position, to);
        return end;
    }

    /// Reports a message without a block.
    static void withoutBlock(Faults faults, long position, String kind, long bytes) {
        String found = "kind=" + kind + ", bytes=" + bytes;
        faults.add(FileRule.MESSAGE_WITHOUT_BLOCK, position, found);
    }

    /// Checks the bytes between the last block's message and the footer: messages, then an
    /// end-of-stream marker with padding, or nothing.
    private void end(long from, long footer) {
        long position = messages(from, footer, new NonzeroBytes());
        if (position >= footer) {
            return; // some writers omit the marker
        }
        int bytes = MessagePlace.markerBytes(memory, position, footer);
        if (bytes == 0) {
            faults.add(FileRule.NO_END_OF_STREAM, position, "bytes=" + (footer - position));
            return;
        }
        unreferenced(position + bytes, footer);
    }

    /// Reports bytes after the end-of-stream marker. Zeros are padding.
    void unreferenced(long from, long to) {
        long position = from;
        while (MessagePlace.markerBytes(memory, position, to) == MessagePrefix.BYTES) {
            position += MessagePrefix.BYTES;
        }
        if (position > from) {
            String count = "times=" + (1 + (position - from) / MessagePrefix.BYTES);
            faults.add(FileRule.REPEATED_END, from, count);
        }
        if (!MessageFinder.areZeros(memory, position, to)) {
            behindEnd(faults, position, to);
        }
    }

    /// Reports bytes after an end-of-stream marker, if there are any.
    static void behindEnd(Faults faults, long from, long to) {
        if (from < to) {
            faults.add(FileRule.BYTES_BEHIND_END, from, "bytes=" + (to - from));
        }
    }
}
