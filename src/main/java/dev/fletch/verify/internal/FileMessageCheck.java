// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.internal;

import dev.fletch.Fault;
import dev.fletch.format.Footer;
import dev.fletch.format.FrameKind;
import dev.fletch.ipc.internal.BlockCheck;
import dev.fletch.ipc.internal.ContainerPart;
import dev.fletch.ipc.internal.ContainerPart.Kind;
import dev.fletch.ipc.internal.ContainerPart.State;
import dev.fletch.ipc.internal.FooterBlocks;
import dev.fletch.ipc.internal.FooterBlocks.Way;
import dev.fletch.ipc.internal.MessageVisitor;
import dev.fletch.ipc.internal.MessageWalk;
import dev.fletch.ipc.internal.Work;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Checks the messages of a file with a sound footer: those that its blocks lead to, and the gaps
/// between them; or, if not all blocks lead to one, those of the file's plan. Then the blocks that
/// lead to none are reported last.
///
/// Several blocks may refer to one message. A record batch is checked once; a dictionary batch may
/// replace another one or append to it again.
final class FileMessageCheck implements MessageVisitor {
    /// A block that leads to no message: see [MessageVisitor#block].
    private record Lost(ContainerPart block, ContainerPart there, int index) {}

    private final MemorySegment memory;
    private final MessageCheck check;
    private final CheckedFrame frame;
    private final Faults faults;
    private final Footer footer;
    private final FooterBlocks sorted;
    private final BlockCheck blocks;
    private MessageWalk walk;
    // Whether the messages are those of the file's plan, which has the gaps as parts.
    private boolean isPlanned;
    private final List<Lost> lost = new ArrayList<>();
    // What is at the offset of the last one; null if it is no message.
    private ContainerPart lastThere;
    private int index;
    // Errors of the block that was compared last, which are none of its message.
    private long blockErrors;

    /// @param footer bound to the footer
    /// @param sorted its blocks
    FileMessageCheck(
            MemorySegment memory,
            Footer footer,
            FooterBlocks sorted,
            MessageCheck check,
            CheckedFrame frame,
            Faults faults) {
        this.memory = memory;
        this.footer = footer;
        this.sorted = sorted;
        this.check = check;
        this.frame = frame;
        this.faults = faults;
        this.blocks = new BlockCheck(footer, sorted.messagesEnd(), 0, this::addToBlock);
    }

    /// @param way how the messages are found
    /// @param from end of the schema message
    /// @param before number of messages before
    void run(Way way, long from, int before) throws IOException {
        isPlanned = way == Way.PLAN;
        walk =
                isPlanned
                        ? MessageWalk.ofFile(memory, footer, sorted, frame, this)
                        : MessageWalk.ofBlocks(memory, sorted, frame, this);
        walk.beginAt(from, before);
        while (walk.next()) {
            check.complete();
            Work.reached(walk.at(), sorted.messagesEnd());
        }
        lost.forEach(this::lost);
        if (!isPlanned) {
            new GapCheck(memory, check, faults).run(sorted, from);
        }
    }

    /// Number of messages, those before included.
    int count() {
        return walk.count();
    }

    private void lost(Lost each) {
        index = each.index;
        boolean isLike = blocks.lost(memory, each.block, each.there);
        if (isLike && each.block.state() == State.REPEATED) {
            faults.accept(each.block.fault());
        }
    }

    private void addToBlock(Fault fault) {
        faults.accept(fault.inMessage(index));
    }

    // ---- for the walk

    @Override
    public void begin(long offset, int number, ContainerPart part) {
        index = number;
        if (part.block() != ContainerPart.NO_BLOCK) {
            begin(part);
        } else {
            boolean isDictionary = part.kind() == Kind.DICTIONARY;
            check.beginBlock(
                    isDictionary ? check.dictionaryBatches() : check.recordBatches(), isDictionary);
        }
    }

    private void begin(ContainerPart part) {
        blocks.bind(part.block());
        blocks.hasNumbers();
        check.beginBlock(blocks.index(), blocks.isDictionary());
    }

    @Override
    public void again(int number, ContainerPart part) {
        index = number;
        check.excuse(blockErrors);
        begin(part);
        compare();
        check.countAgain();
    }

    @Override
    public void opened(FrameKind kind) {
        if (!isPlanned) {
            compare();
            return;
        }
        ContainerPart part = walk.part();
        if (frame.kind() == FrameKind.MESSAGE
                && part.block() == ContainerPart.NO_BLOCK
                && part.kind() != Kind.GAP
                && part != lastThere) {
            long length = part.end() - part.offset();
            GapCheck.withoutBlock(faults, part.offset(), check.kindName(), length);
        }
    }

    /// Compares the block with what is at its offset.
    private void compare() {
        long before = faults.ownErrors();
        FrameKind found = frame.kind();
        if (found == null) {
            return;
        }
        blocks.hasPrefix(found, frame.prefixLength(), frame.metadataLength());
        if (found == FrameKind.MESSAGE && check.hasBodyLength()) {
            int kind = check.isSound() ? check.kind() : BlockCheck.UNKNOWN_KIND;
            blocks.hasMessage(check.bodyLength(), kind);
        }
        blockErrors = faults.ownErrors() - before;
    }

    @Override
    public void block(ContainerPart block, ContainerPart there, int number) {
        lastThere = there;
        blocks.bind(block.block());
        if (blocks.isDictionary()) {
            check.lose(blocks.index());
        }
        // More are neither listed nor counted: the report says that there are more faults.
        if (lost.size() < faults.room()) {
            lost.add(new Lost(block, there, number));
        }
    }

    @Override
    public void accept(Fault fault) {
        faults.accept(fault);
    }
}
