// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.Fault;

import java.util.ArrayDeque;
import java.util.Queue;

/// The blocks of a footer that lead to no message. They wait until it is known what is at their
/// offset.
final class LostBlocks {
    private final MessageVisitor visitor;
    private final Queue<ContainerPart> blocks = new ArrayDeque<>();
    private boolean isTooOften;

    LostBlocks(MessageVisitor visitor) {
        this.visitor = visitor;
    }

    /// Adds a block. Of those that lead too often to the same bytes, only the first counts.
    void add(ContainerPart block) {
        boolean isAgain = isTooOften && block.state() == ContainerPart.State.REPEATED;
        isTooOften |= block.state() == ContainerPart.State.REPEATED;
        if (!isAgain) {
            blocks.add(block);
        }
    }

    /// Passes all blocks so far to the visitor.
    ///
    /// @param there what is opened behind them; null at the end
    /// @param index of what is opened
    void pass(ContainerPart there, int index) {
        for (ContainerPart each; (each = blocks.poll()) != null; ) {
            boolean isThere = there != null && there.offset() == each.offset();
            visitor.block(each, isThere ? there : null, isThere ? index : Fault.NO_MESSAGE);
        }
    }
}
