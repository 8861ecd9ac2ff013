// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.FaultSink;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.BatchCounts;

/// Checks that the first message of a stream is a schema message, if a batch follows. Tensors have
/// no place in the order of messages, and a damaged message may be the schema message.
public final class LeadingSchema {
    private boolean isDecided;

    /// Checks the next message.
    ///
    /// @param position offset of the message
    /// @param index of the message
    /// @param message bound to it; null if it is damaged, or the stream has ended
    public boolean check(long position, int index, Message message, FaultSink sink) {
        if (isDecided) {
            return true;
        }
        int kind = message == null ? MessageHeader.NONE : message.headerType();
        isDecided = kind != MessageHeader.TENSOR && kind != MessageHeader.SPARSE_TENSOR;
        return !BatchCounts.isBatch(kind)
                || FrameCheck.leadingSchema(
                        position,
                        FrameKind.MESSAGE,
                        message,
                        fault -> sink.accept(fault.inMessage(index)));
    }
}
