// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;

import java.io.IOException;

/// Opens the messages of a [MessageWalk], one after the other, and reports what is wrong with each.
public interface MessageOpener {
    /// Opens the message at the next byte: takes prefix and metadata.
    ///
    /// @param unframed length of the metadata of a schema message without prefix; 0 for others
    /// @param index of the message
    /// @return what is there; null if it is damaged
    FrameKind open(MessageBytes bytes, int unframed, int index) throws IOException;

    /// Called for a damaged message, after [#open]: reports the damage, as far as [#open] has not
    /// reported it.
    void damaged(MessageBytes bytes) throws IOException;

    /// The opened message.
    Message message();

    /// Length of the opened message's prefix in bytes: 4 without continuation word.
    int prefixLength();

    /// Offset of the opened message's body.
    long bodyOffset();

    /// Skips the opened message's body.
    ///
    /// @return whether it is complete; else it is reported
    boolean skipBody(MessageBytes bytes) throws IOException;

    /// New rules for the messages behind damage, without a schema.
    MessageRules rules();
}
