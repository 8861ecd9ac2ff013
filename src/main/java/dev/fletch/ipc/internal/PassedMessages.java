// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.format.Message;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.wire.MessagePrefix;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;

/// What a walk knows by the messages that it has passed: their schema, and whether they lack the
/// continuation word. Later messages are compared with it, where they do not follow each other.
final class PassedMessages {
    private boolean areLegacy;
    // The schema of a pipe, in rules; of memory, its message's metadata. Null before the schema.
    private MessageRules rules;
    private MemorySegment schema;

    /// Adds a message.
    ///
    /// @param opened has opened the message
    /// @param position offset of the message
    void add(MessageBytes bytes, MessageOpener opened, long position) {
        areLegacy |= opened.prefixLength() == MessagePrefix.LEGACY_BYTES;
        Message message = opened.message();
        if (message.headerType() != MessageHeader.SCHEMA) {
            return;
        }
        if (bytes.isPipe()) {
            rules = opened.rules();
            rules.useSchema(message);
        } else {
            long metadataAt = position + opened.prefixLength();
            schema = bytes.memory().asSlice(metadataAt, opened.bodyOffset() - metadataAt);
        }
    }

    /// Whether a schema message was added.
    boolean hasSchema() {
        return rules != null || schema != null;
    }

    /// Whether the end, a marker or a message, possibly a damaged one, is at an offset. Reads only
    /// the first words: this runs for each message.
    boolean mayFollow(MessageBytes bytes, long offset) {
        MemorySegment memory = bytes.memory();
        long end = bytes.end();
        if (end - offset < MessagePrefix.BYTES) {
            return offset == end;
        }
        long prefix = MessagePrefix.read(memory, offset, end - offset);
        if (!MessagePrefix.isCurrent(prefix) && !areLegacy) {
            return false;
        }
        return prefix == MessagePrefix.MARKER
                || MessagePrefix.metadataLength(prefix) % Integer.BYTES == 0
                        && MessagePlace.mayBeMessage(memory, offset, prefix, end);
    }

    /// Whether the last bytes begin like a damaged or truncated message, which a footer does not.
    /// The prefix may be lost.
    boolean mayBeDamaged(MemorySegment memory, long position, long end) {
        return areLegacy && mayBeCutOff(memory, position, end)
                || MessagePrefix.mayBeContinuation(memory, position)
                || MessagePlace.at(memory, position, end).hasTable(end)
                || MessagePlace.ofCurrent(memory, position, end).hasTable(end);
    }

    /// Whether the first words of a message without continuation word may be at an offset, and its
    /// prefix or metadata does not fit.
    private static boolean mayBeCutOff(MemorySegment memory, long position, long end) {
        long prefix = MessagePrefix.read(memory, position, end - position);
        boolean isLonger =
                position + MessagePrefix.bytes(prefix) + MessagePrefix.metadataLength(prefix) > end;
        return prefix == MessagePrefix.CUT_OFF
                || isLonger
                        && (end - position < MessagePrefix.BYTES
                                || MessageFinder.mayBeLegacy(Wire.int64(memory, position)));
    }

    /// The plan of the rest of a container.
    ///
    /// @param opener has rules without a schema
    /// @param from offset of a message, a marker or damage
    ContainerPlan rest(MessageBytes bytes, MessageOpener opener, long from, boolean isFile) {
        MessageRules known = rules == null ? opener.rules() : rules;
        if (schema != null) {
            known.useSchema(new Message().wrap(schema));
        }
        MemorySegment memory = bytes.memory().asSlice(0, bytes.end());
        return ContainerPlan.ofRest(memory, from, isFile, areLegacy, known);
    }
}
