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
import dev.fletch.ipc.internal.MessageVisitor;
import dev.fletch.ipc.internal.MessageWalk;
import dev.fletch.ipc.internal.Work;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Checks the messages of a file whose blocks do not lead to all of them: by the file's plan.
/// Blocks that lead to no message are reported last.
final class PlannedFileCheck implements MessageVisitor {
    /// A block that leads to no message: see [MessageVisitor#block].
    private record Lost(ContainerPart block, ContainerPart there, int index) {}

    private final MemorySegment memory;
    private final MessageCheck check;
    private final Faults faults;
    private final long end;
    private final BlockCheck blocks;
    private final MessageWalk walk;
    private final List<Lost> lost = new ArrayList<>();
    private int index;

    /// @param footer bound to the footer
    /// @param end offset of the footer
    PlannedFileCheck(
            MemorySegment memory,
            Footer footer,
            long end,
            MessageCheck check,
            CheckedFrame frame,
            Faults faults) {
        this.memory = memory;
        this.end = end;
        this.check = check;
        this.faults = faults;
        this.blocks = new BlockCheck(footer, end, 0, this::addToBlock);
        this.walk = MessageWalk.ofFile(memory, frame, this);
    }

    /// @param from end of the schema message
    /// @param count number of messages before
    /// @return number of all messages
    int run(long from, int count) throws IOException {
        walk.beginAt(from, count);
        while (walk.next()) {
            check.complete();
            Work.reached(walk.at(), end);
        }
        lost.forEach(this::lost);
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
    public void begin(long at, int number, ContainerPart part) {
        index = number;
        if (part == null) {
            return; // the end, if the plan has no footer because that has no schema
        }
        if (part.block() != ContainerPart.NO_BLOCK) {
            blocks.bind(part.block());
            blocks.hasNumbers();
            check.beginBlock(blocks.index());
        } else {
            boolean isDictionary = part.kind() == Kind.DICTIONARY;
            check.beginBlock(isDictionary ? check.dictionaryBatches() : check.recordBatches());
        }
    }

    @Override
    public void opened(FrameKind found) {
        ContainerPart part = walk.part();
        boolean hasLostBlock = !lost.isEmpty() && lost.getLast().there == part;
        if (found == FrameKind.MESSAGE
                && part.block() == ContainerPart.NO_BLOCK
                && part.kind() != Kind.GAP
                && !hasLostBlock) {
            long length = part.end() - part.offset();
            GapCheck.withoutBlock(faults, part.offset(), check.kindName(), length);
        }
    }

    @Override
    public void block(ContainerPart block, ContainerPart there, int number) {
        lost.add(new Lost(block, there, number));
    }

    @Override
    public void accept(Fault fault) {
        faults.accept(fault);
    }
}
