// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.Rule.Severity;
import dev.fletch.format.FrameKind;
import dev.fletch.input.Input.Salvage;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.internal.BlockCheck;
import dev.fletch.ipc.internal.ContainerPart;
import dev.fletch.ipc.internal.ContainerPart.State;
import dev.fletch.ipc.internal.FooterBlocks;
import dev.fletch.ipc.internal.FooterBlocks.Way;
import dev.fletch.ipc.internal.MessageVisitor;
import dev.fletch.ipc.internal.MessageWalk;
import dev.fletch.ipc.internal.Work;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// The messages of a file with a footer, in the order of their offsets, or of its blocks: those
/// that the blocks lead to. If these do not lead to all messages, or for salvage of messages that
/// are apart, those of the file's plan. Then bytes between messages, and blocks that lead to none,
/// are damage only if something is lost: the message may have moved.
final class FooterMessages implements MessageVisitor {
    private final ArrowFile file;
    private final boolean isSearchable;
    private final OpenedMessages opener;
    private final EncapsulatedMessage frame;
    private final FaultSink damages;
    private Salvage salvage = Salvage.NONE;
    private boolean isByBlocks;
    // Null until they are needed.
    private FooterBlocks blocks;
    // Null before the first message.
    private Way way;
    // Null before the first message, and if no message can be found.
    private MessageWalk walk;
    // What was opened last; null if it is damaged.
    private FrameKind kind;
    // Whether the current block does not lead to such a message.
    private boolean isOther;

    // Bound to the current block.
    private final BlockCheck check;
    // The first error of the block that was checked last; null if there is none.
    private Fault error;
    // The blocks that lead to no message: the first faults, the offsets in these blocks, and the
    // number of all.
    private final List<Fault> lost = new ArrayList<>();
    private final List<Long> lostOffsets = new ArrayList<>();
    private long lostBlocks;
    // The first faults of those that are inside the file, by the offset of their message.
    private final TreeMap<Long, Fault> inside = new TreeMap<>();
    // The first bytes between messages, where each may have begun, and the end of the last.
    private final List<Fault> gaps = new ArrayList<>();
    private final List<Long> gapOffsets = new ArrayList<>();
    private long gapEnd = -1;
    // Number of its complete messages.
    private long found;

    /// @param isSearchable whether messages can be searched: bodies are in memory
    /// @param opener binds `frame` to the messages of the plan
    /// @param frame bound to each message
    /// @param damages receives what is damaged, in no order
    FooterMessages(
            ArrowFile file,
            boolean isSearchable,
            OpenedMessages opener,
            EncapsulatedMessage frame,
            FaultSink damages) {
        this.file = file;
        this.isSearchable = isSearchable;
        this.opener = opener;
        this.frame = frame;
        this.damages = damages;
        this.check = new BlockCheck(file.footer(), file.footerOffset(), 0, this::addError);
    }

    /// Sets what salvage wants, before the first message.
    void salvage(Salvage what) {
        salvage = what;
    }

    /// Lets the batches follow in the order of the blocks, unless there is a plan. Call it before
    /// the first message.
    void followBlocks() {
        isByBlocks = true;
    }

    /// The blocks of the footer.
    FooterBlocks blocks() {
        if (blocks == null) {
            blocks = new FooterBlocks(file.footer(), file.footerOffset());
        }
        return blocks;
    }

    /// Moves to the next message.
    boolean next() throws IOException {
        if (way == null) {
            begin();
        }
        if (way == Way.BLOCKS && count() == 0 && file.messageCount() > blocks.count()) {
            file.message(0, frame, opener.message());
            walk.beginAt(frame.nextOffset(), 1);
            return true;
        }
        while (walk != null && walk.next()) {
            Work.reached(walk.at(), file.footerOffset());
            if (!isOther) {
                found++;
                inside.remove(frame.offset());
                return true;
            }
        }
        return false;
    }

    private void begin() {
        way = blocks().way(file.memory(), file.footer(), isSearchable, opener.rules());
        if (way == Way.NONE) {
            damages.accept(blocks.repeated());
        } else if (way == Way.BLOCKS
                && salvage != Salvage.NONE
                && isSearchable
                && blocks.areApart()) {
            way = Way.PLAN;
        }
        if (way == Way.PLAN) {
            walk = MessageWalk.ofFile(file.memory(), file.footer(), blocks, opener, this);
            if (salvage == Salvage.DOUBTFUL) {
                walk.keepDoubtful();
            }
        } else if (way == Way.BLOCKS) {
            walk = MessageWalk.ofBlocks(file.memory(), blocks, opener, this);
            if (isByBlocks) {
                walk.followBlocks();
            }
        }
    }

    /// Number of messages so far, complete or damaged.
    int count() {
        return walk == null ? 0 : walk.count();
    }

    /// Index of the current message in the input; -1 before the first one.
    int index() {
        return walk == null ? -1 : walk.index();
    }

    /// Whether the messages are those of the file's plan.
    boolean isPlanned() {
        return way == Way.PLAN;
    }

    /// The part of the plan that the current message is; null if there is no plan.
    ContainerPart part() {
        return isPlanned() ? walk.part() : null;
    }

    /// Number of the block that leads to the current message, dictionaries first;
    /// [ContainerPart#NO_BLOCK] if there is none.
    int blockNumber() {
        return walk == null || walk.part() == null ? ContainerPart.NO_BLOCK : walk.part().block();
    }

    // ---- messages of blocks

    @Override
    public void begin(long offset, int index, ContainerPart part) {
        if (way == Way.BLOCKS) {
            error = null;
            isOther = !isInside(part.block());
            if (part.state() == State.INVALID) {
                addDamage(index);
            }
        }
    }

    @Override
    public void opened(FrameKind found) {
        kind = found;
        if (way == Way.BLOCKS) {
            isOther = isOther || kind != null && !isLikeBlock();
            addDamage(index());
        }
    }

    @Override
    public void again(int index, ContainerPart part) {
        begin(part.offset(), index, part);
        if (part.state() != State.INVALID) {
            opened(kind);
        }
    }

    /// Compares the block with what was opened. Nothing more is said of a body that is not complete.
    private boolean isLikeBlock() {
        return check.hasPrefix(kind, frame.prefixLength(), frame.metadataLength())
                && (!frame.isBodyComplete()
                        || check.hasMessage(frame.bodyLength(), opener.message().headerType()));
    }

    /// Adds what is wrong with the current block.
    private void addDamage(int index) {
        if (error != null) {
            damages.accept(error.inMessage(index));
        }
    }

    // ---- damage of the plan

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

    @Override
    public void block(ContainerPart block, ContainerPart there, int index) {
        if (block.state() == State.REPEATED) {
            damages.accept(block.fault());
            return;
        }
        lostBlocks++;
        boolean isShown = lost.size() < InputDamage.MOST_PARTS;
        boolean isInside = inside.size() < InputDamage.MOST_PARTS && isInside(block.block());
        if (isShown || isInside) {
            Fault fault = fault(block, there).inMessage(index);
            if (isShown) {
                lost.add(fault);
                lostOffsets.add(block.offset());
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

    /// Number of blocks that lead to no message of the plan.
    long lostBlocks() {
        return lostBlocks;
    }

    /// The faults of the first of these blocks that no damage explains, after the last message.
    List<Fault> unexplainedBlocks() {
        return IntStream.range(0, lost.size())
                .filter(i -> !gapOffsets.contains(lostOffsets.get(i)))
                .mapToObj(lost::get)
                .toList();
    }

    // ---- the end

    /// Decides what is damage, after the last message of the plan.
    ///
    /// @param hasDamage whether a message is damaged
    void finish(boolean hasDamage) {
        if (lostBlocks > 0 || hasDamage) {
            gaps.forEach(damages::accept);
            hasDamage |= !gaps.isEmpty();
        }
        if (!hasDamage && isAnyLost()) {
            damages.accept(inside.firstEntry().getValue());
        } else if (!hasDamage && salvage == Salvage.NONE) { // else all messages are there
            lost.forEach(damages::accept);
        }
    }

    /// Whether the message of a block is lost without a trace.
    private boolean isAnyLost() {
        return !inside.isEmpty()
                && found < IntStream.range(0, check.count()).filter(this::isInside).count();
    }
}
