// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.format.Message;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.input.Input.Salvage;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.internal.ContainerPart;
import dev.fletch.ipc.internal.FooterBlocks;
import dev.fletch.ipc.internal.FooterBlocks.Way;
import dev.fletch.ipc.internal.MessageWalk;
import dev.fletch.ipc.internal.Work;

import java.io.IOException;
import java.util.List;

/// The messages of a file with a footer, in the order of their offsets, or of its blocks: those
/// that the blocks lead to. If these do not lead to all messages, or for salvage of messages that
/// are apart, those of the file's plan.
final class FooterMessages {
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
    // Of the plan; both null if the blocks lead to the messages.
    private MessageWalk walk;
    private FileMessages planned;
    // The indices of the messages in the order in which they are opened; null if that is their own.
    private int[] order;
    // Number of messages that were complete or damaged.
    private int count;

    /// @param isSearchable whether messages can be searched: bodies are in memory
    /// @param opener binds `frame` to the messages of the plan
    /// @param frame bound to each message
    /// @param damages receives what is damaged
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
        return switch (way) {
            case BLOCKS -> block();
            case PLAN -> planned();
            case NONE -> false;
        };
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
            planned = new FileMessages(file, opener, damages);
            walk = MessageWalk.ofFile(file.memory(), file.footer(), opener, planned);
            if (salvage == Salvage.DOUBTFUL) {
                walk.keepDoubtful();
            }
        } else if (way == Way.BLOCKS && isByBlocks) {
            order = orderOfBlocks();
        }
    }

    /// The schema message, if there is one, then the messages of the blocks.
    private int[] orderOfBlocks() {
        int first = file.messageCount() - blocks.count();
        int[] indices = new int[file.messageCount()];
        for (int i = 0; i < blocks.count(); i++) {
            indices[first + blocks.number(i)] = first + i;
        }
        return indices;
    }

    private boolean block() {
        while (count < file.messageCount()) {
            Work.reached(count, file.messageCount());
            count++;
            try {
                file.message(index(), frame, opener.message());
                return true;
            } catch (RuntimeException e) {
                damages.accept(InputFaults.ofMessage(e, frame, index()));
            }
        }
        return false;
    }

    private boolean planned() throws IOException {
        Work.reached(walk.at(), file.footerOffset());
        boolean isMessage = walk.next();
        count = walk.count();
        if (isMessage) {
            planned.message(frame.offset());
        }
        return isMessage;
    }

    /// Decides what is damage, after the last message of the plan.
    ///
    /// @param hasDamage whether a message is damaged
    void finish(boolean hasDamage) {
        planned.finish(hasDamage, salvage == Salvage.NONE);
    }

    /// Number of messages so far, complete or damaged.
    int count() {
        return count;
    }

    /// Index of the current message in the input; -1 before the first one.
    int index() {
        return order == null || count == 0 ? count - 1 : order[count - 1];
    }

    /// Whether the messages are those of the file's plan.
    boolean isPlanned() {
        return planned != null;
    }

    /// The part of the plan that the current message is; null if there is no plan.
    ContainerPart part() {
        return walk == null ? null : walk.part();
    }

    /// Number of the block that leads to the current message, dictionaries first;
    /// [ContainerPart#NO_BLOCK] if there is none.
    int blockNumber() {
        if (walk != null) {
            return walk.part() == null ? ContainerPart.NO_BLOCK : walk.part().block();
        }
        Message message = opener.message();
        int index = blocks.count() - (file.messageCount() - index());
        return message.headerType() == MessageHeader.SCHEMA
                ? ContainerPart.NO_BLOCK
                : blocks.number(index);
    }

    /// Number of blocks that lead to no message of the plan.
    long lostBlocks() {
        return planned == null ? 0 : planned.lostBlocks();
    }

    /// The faults of the first of these blocks that no damage explains, after the last message.
    List<Fault> unexplainedBlocks() {
        return planned == null ? List.of() : planned.unexplained();
    }
}
