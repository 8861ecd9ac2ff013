// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.Fault;

/// A part of a file or stream, as [ContainerPlan] divides it.
///
/// @param offset in the input
/// @param prefixLength of a message: 8; 4 without continuation word; 0 for a schema message without
///     prefix, and for what is no message
/// @param metadataLength bytes of the metadata, by the prefix
/// @param bodyLength bytes of the body, by the metadata; of what is no message, all its bytes
/// @param nextOffset where the next part begins: a message that has lost bytes ends before its own
///     end
/// @param block number of the footer's block that refers to it, dictionaries first; or [#NO_BLOCK]
/// @param fault why it is not [State#WHOLE]. Null if it is, for a block that is [State#REPEATED]
///     within the limit, and for a footer whose length or magic is damaged
public record ContainerPart(
        Kind kind,
        long offset,
        int prefixLength,
        int metadataLength,
        long bodyLength,
        long nextOffset,
        int block,
        State state,
        Fault fault) {
    /// No block refers to the part.
    public static final int NO_BLOCK = -1;

    /// What a part is.
    public enum Kind {
        /// Magic and padding at the start of a file.
        HEAD,
        SCHEMA,
        DICTIONARY,
        BATCH,
        /// Another message, such as a tensor.
        MESSAGE,
        /// Zeros between messages.
        PADDING,
        /// End-of-stream markers.
        MARKER,
        /// Bytes that are no part of a message; or a block without message, which has the lengths
        /// of the message that is there instead.
        GAP,
        FOOTER,
        /// The footer's length, and magic.
        TAIL
    }

    /// Whether a part is sound.
    public enum State {
        /// Has all its bytes, as far as the bytes behind it can tell.
        WHOLE,
        /// Followed by bytes that may be a damaged message, or that end where all messages do:
        /// either these, or bytes of this message are damaged.
        UNDECIDED,
        /// Followed by bytes that belong to nothing: it has probably gained bytes.
        DOUBTFUL,
        /// Has lost bytes: another message begins inside.
        OVERLAPPED,
        /// The messages end inside.
        CUT_OFF,
        /// Breaks a rule.
        INVALID,
        /// Another block refers to the same message.
        REPEATED
    }

    /// The end, by its own lengths.
    public long end() {
        return offset + prefixLength + metadataLength + bodyLength;
    }

    public long metadataOffset() {
        return offset + prefixLength;
    }
}
