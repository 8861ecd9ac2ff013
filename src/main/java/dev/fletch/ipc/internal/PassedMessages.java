// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.format.Message;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.wire.MessagePrefix;

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
    /// @param at offset of the message
    void add(MessageBytes bytes, MessageOpener opened, long at) {
        areLegacy |= opened.prefixLength() == MessagePrefix.LEGACY_BYTES;
        Message message = opened.message();
        if (message == null || message.headerType() != MessageHeader.SCHEMA) {
            return;
        }
        if (bytes.isPipe()) {
            rules = opened.rules();
            rules.useSchema(message);
        } else {
            long metadataAt = at + opened.prefixLength();
            schema = bytes.memory().asSlice(metadataAt, opened.bodyOffset() - metadataAt);
        }
    }

    /// Whether the end, a marker or a message, possibly a damaged one, is at an offset. Reads only
    /// the first words: this runs for each message.
    boolean mayFollow(MessageBytes bytes, long offset) {
        MemorySegment memory = bytes.memory();
        long end = bytes.end();
        if (end - offset < MessagePrefix.BYTES) {
            return offset == end;
        }
        int prefixBytes = MessagePrefix.length(memory, offset);
        boolean isCurrent = prefixBytes == MessagePrefix.BYTES;
        if (!isCurrent && !areLegacy) {
            return false;
        }
        long metadataAt = offset + prefixBytes;
        int length = MessagePrefix.metadataLength(memory, offset, prefixBytes);
        return length == 0 && isCurrent
                || length % Integer.BYTES == 0
                        && MessagePlace.mayHaveMetadata(
                                memory, metadataAt, prefixBytes, length, end);
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
