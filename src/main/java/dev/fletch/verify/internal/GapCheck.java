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
        this.messages = new GapMessages(memory, check.limits());
    }

    /// Checks the bytes that no block claims.
    ///
    /// @param from end of the schema message, or of the head
    void run(FooterBlocks blocks, long from) {
        blocks.gaps(
                from,
                (at, to, isLast) -> {
                    if (isLast) {
                        end(at, to);
                    } else {
                        gap(at, to);
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
        long at = from;
        for (FoundMessage each; (each = messages.next(at, to)) != null; at = each.end()) {
            long bytes = each.end() - each.offset();
            withoutBlock(faults, each.offset(), MessageHeader.NAMES.name(each.kind()), bytes);
            between.add(memory, at, each.offset());
            end = between.count() == 0 ? each.end() : end;
        }
        between.add(memory, at, to);
        return end;
    }

    /// Reports a message without a block.
    static void withoutBlock(Faults faults, long at, String kind, long bytes) {
        String found = "kind=" + kind + ", bytes=" + bytes;
        faults.add(FileRule.MESSAGE_WITHOUT_BLOCK, at, found);
    }

    /// Checks the bytes between the last block's message and the footer: messages, then an
    /// end-of-stream marker with padding, or nothing.
    private void end(long from, long footer) {
        long at = messages(from, footer, new NonzeroBytes());
        if (at >= footer) {
            return; // some writers omit the marker
        }
        int bytes = MessagePlace.markerBytes(memory, at, footer);
        if (bytes == 0) {
            faults.add(FileRule.NO_END_OF_STREAM, at, "bytes=" + (footer - at));
            return;
        }
        unreferenced(at + bytes, footer);
    }

    /// Reports bytes after the end-of-stream marker. Zeros are padding.
    void unreferenced(long from, long to) {
        long at = from;
        while (MessagePlace.markerBytes(memory, at, to) == MessagePrefix.BYTES) {
            at += MessagePrefix.BYTES;
        }
        if (at > from) {
            String count = "times=" + (1 + (at - from) / MessagePrefix.BYTES);
            faults.add(FileRule.REPEATED_END, from, count);
        }
        if (!MessageFinder.areZeros(memory, at, to)) {
            behindEnd(faults, at, to);
        }
    }

    /// Reports bytes after an end-of-stream marker, if there are any.
    static void behindEnd(Faults faults, long from, long to) {
        if (from < to) {
            faults.add(FileRule.BYTES_BEHIND_END, from, "bytes=" + (to - from));
        }
    }
}
