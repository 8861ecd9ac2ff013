// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.format.FrameKind;

import java.io.IOException;

/// Receives what a [MessageWalk] finds.
public interface MessageVisitor extends FaultSink {
    /// Receives that a message will be opened.
    ///
    /// @param offset of the message
    /// @param index of the message
    /// @param part of the plan that it is; null as long as messages follow each other
    default void begin(long offset, int index, ContainerPart part) throws IOException {}

    /// Receives what was opened.
    ///
    /// @param kind null if it is damaged
    default void opened(FrameKind kind) throws IOException {}

    /// Receives another block that leads to the message that was opened last.
    ///
    /// @param index of the message, as often as blocks lead to it
    default void again(int index, ContainerPart part) {}

    /// Receives the end of the damage that was opened.
    ///
    /// @param offset of the damage
    /// @param next offset of the message after it, or of the end
    default void damaged(long offset, long next) {}

    /// Receives bytes between messages of a file with a footer: a message is lost there only if its
    /// block leads to none.
    ///
    /// @param fault null for what was opened there
    default void between(long offset, long next, Fault fault) {
        if (fault != null) {
            accept(fault);
        }
    }

    /// Receives that another stream begins.
    ///
    /// @param offset of its schema message
    /// @param isBehindMarker whether it follows an end-of-stream marker
    /// @return whether the walk continues with it
    default boolean nextStream(long offset, boolean isBehindMarker) {
        return false;
    }

    /// Receives a block of the footer that leads to no message. With the state
    /// [ContainerPart.State#REPEATED], it is the first one above the limit of repeated bytes.
    ///
    /// @param there what begins at its offset, damaged or with other lengths; null if nothing does
    /// @param index of what begins there; [Fault#NO_MESSAGE] if nothing does
    default void block(ContainerPart block, ContainerPart there, int index) {}
}
