// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.Fault;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.internal.ContainerPart;
import dev.fletch.ipc.internal.ContainerPart.State;
import dev.fletch.ipc.internal.MessageWalk;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Collects the damage of a file whose blocks do not lead to all messages. Bytes between messages are
/// damage only if something is lost.
final class FileMessages implements MessageWalk.Visitor {
    private final OpenedMessages opener;
    private final Consumer<Fault> damages;
    private final LostBlocks blocks;
    // The first bytes between messages, where each may have begun, and the end of the last.
    private final List<Fault> gaps = new ArrayList<>();
    private final List<Long> gapOffsets = new ArrayList<>();
    private long gapEnd = -1;
    private long found;

    /// @param damages receives damage, in no order
    FileMessages(ArrowFile file, OpenedMessages opener, Consumer<Fault> damages) {
        this.opener = opener;
        this.damages = damages;
        this.blocks = new LostBlocks(file);
    }

    @Override
    public void accept(Fault fault) {
        damages.accept(fault);
    }

    @Override
    public void begin(long at, int index, ContainerPart part) {
        blocks.message(at, index);
    }

    @Override
    public void block(ContainerPart block) {
        if (block.state() == State.REPEATED) {
            damages.accept(block.fault());
        } else {
            blocks.add(block);
        }
    }

    @Override
    public void between(long at, long next, Fault fault) {
        if (at != gapEnd && gaps.size() < Input.MOST_DAMAGES) {
            gaps.add(fault == null ? opener.fault() : fault);
            gapOffsets.add(at);
        }
        gapEnd = next;
    }

    /// Counts a complete message.
    void message(long offset) {
        found++;
        blocks.found(offset);
    }

    /// Decides what is damage, after the last message.
    ///
    /// @param hasDamage whether a message is damaged
    /// @param needsBlocks whether blocks that lead to no message are damage even if all messages are
    ///     there
    void finish(boolean hasDamage, boolean needsBlocks) {
        if (!blocks.isEmpty() || hasDamage) {
            gaps.forEach(damages);
            hasDamage |= !gaps.isEmpty();
        }
        Fault lost = hasDamage ? null : blocks.lost(found);
        if (lost != null) {
            damages.accept(lost);
        } else if (!hasDamage && needsBlocks) {
            blocks.first().forEach(damages);
        }
    }

    /// The blocks that lead to no message.
    LostBlocks blocks() {
        return blocks;
    }

    /// The faults of these blocks that no damage explains.
    List<Fault> unexplained() {
        return blocks.notAt(gapOffsets);
    }
}
