// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.Rule.Severity;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.internal.BlockCheck;
import dev.fletch.ipc.internal.ContainerPart;
import dev.fletch.ipc.internal.ContainerPart.State;
import dev.fletch.ipc.internal.MessageVisitor;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Collects the damage of a file whose blocks do not lead to all messages. Bytes between messages,
/// and blocks that lead to none, are damage only if something is lost: the message may have moved.
final class FileMessages implements MessageVisitor {
    private final ArrowFile file;
    private final OpenedMessages opener;
    private final FaultSink damages;
    private final BlockCheck check;
    // The first error of the block that was checked last; null if there is none.
    private Fault error;
    // The blocks that lead to no message: the first faults, the offsets in these blocks, and the
    // number of all.
    private final List<Fault> blocks = new ArrayList<>();
    private final List<Long> blockOffsets = new ArrayList<>();
    private long blockCount;
    // The first faults of those that are inside the file, by the offset of their message.
    private final TreeMap<Long, Fault> inside = new TreeMap<>();
    // The first bytes between messages, where each may have begun, and the end of the last.
    private final List<Fault> gaps = new ArrayList<>();
    private final List<Long> gapOffsets = new ArrayList<>();
    private long gapEnd = -1;
    private long found;

    /// @param damages receives damage, in no order
    FileMessages(ArrowFile file, OpenedMessages opener, FaultSink damages) {
        this.file = file;
        this.opener = opener;
        this.damages = damages;
        this.check = new BlockCheck(file.footer(), file.footerOffset(), 0, this::addError);
    }

    @Override
    public void accept(Fault fault) {
        damages.accept(fault);
    }

    @Override
    public void between(long position, long next, Fault fault) {
        if (position != gapEnd && gaps.size() < InputDamage.MOST_PARTS) {
            gaps.add(fault == null ? opener.fault() : fault);
            gapOffsets.add(position);
        }
        gapEnd = next;
    }

    /// Counts a complete message.
    void message(long offset) {
        found++;
        inside.remove(offset);
    }

    // ---- blocks without message

    @Override
    public void block(ContainerPart block, ContainerPart there, int index) {
        if (block.state() == State.REPEATED) {
            damages.accept(block.fault());
            return;
        }
        blockCount++;
        boolean isShown = blocks.size() < InputDamage.MOST_PARTS;
        boolean isInside = inside.size() < InputDamage.MOST_PARTS && isInside(block.block());
        if (isShown || isInside) {
            Fault fault = fault(block, there).inMessage(index);
            if (isShown) {
                blocks.add(fault);
                blockOffsets.add(block.offset());
            }
            if (isInside) {
                inside.putIfAbsent(block.offset(), fault);
            }
        }
    }

    /// What is wrong with a block: its first error.
    private Fault fault(ContainerPart block, ContainerPart there) {
        error = null;
        check.lost(file.memory(), block, there);
        return error == null ? block.fault() : error;
    }

    private void addError(Fault fault) {
        if (error == null && fault.rule().severity() == Severity.ERROR) {
            error = BlockCheck.named(fault);
        }
    }

    /// Whether a block is inside the file. A damaged footer may have others, and more of them than
    /// the file has messages.
    private boolean isInside(int number) {
        check.bind(number);
        return check.isInside();
    }

    /// Number of the blocks that lead to no message.
    long lostBlocks() {
        return blockCount;
    }

    /// The faults of the first of these blocks that no damage explains.
    List<Fault> unexplained() {
        return IntStream.range(0, blocks.size())
                .filter(i -> !gapOffsets.contains(blockOffsets.get(i)))
                .mapToObj(blocks::get)
                .toList();
    }

    // ---- the end

    /// Decides what is damage, after the last message.
    ///
    /// @param hasDamage whether a message is damaged
    /// @param needsBlocks whether blocks that lead to no message are damage even if all messages
    ///     are there
    void finish(boolean hasDamage, boolean needsBlocks) {
        if (blockCount > 0 || hasDamage) {
            gaps.forEach(damages::accept);
            hasDamage |= !gaps.isEmpty();
        }
        if (!hasDamage && isAnyLost()) {
            damages.accept(inside.firstEntry().getValue());
        } else if (!hasDamage && needsBlocks) {
            blocks.forEach(damages::accept);
        }
    }

    /// Whether the message of a block is lost without a trace.
    private boolean isAnyLost() {
        return !inside.isEmpty()
                && found < IntStream.range(0, check.count()).filter(this::isInside).count();
    }
}
