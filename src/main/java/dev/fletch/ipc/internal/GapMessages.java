// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.Rule;
import dev.fletch.format.Message;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.VersionCheck;

import java.lang.foreign.MemorySegment;

/// Finds the messages between those that the blocks of a file lead to. No byte is searched twice,
/// even if a gap that begins there is searched again.
public final class GapMessages {
    /// Accepts messages of any schema.
    private record AnySchema() implements MessageRules {
        @Override
        public Rule broken(Message message) {
            return VersionCheck.broken(message.version());
        }
    }

    private final MessageFinder finder;
    // Everything before was searched.
    private long passed;

    public GapMessages(MemorySegment file) {
        finder = new MessageFinder(file, new AnySchema());
    }

    /// Finds the next message in a gap: at its start, behind zeros, or behind other bytes.
    ///
    /// @param from start of the gap; gaps come in the order of their offsets
    /// @return null if there is none that ends in the gap
    public FoundMessage next(long from, long to) {
        long position = Math.max(from, passed);
        FoundMessage found = null;
        while (position < to && found == null) {
            FoundMessage next = first(position, to);
            found = next != null && isKnown(next) && next.end() <= to ? next : null;
            position = next == null ? to : next.offset() + Long.BYTES;
        }
        passed = found == null ? Math.max(passed, to) : found.end();
        return found;
    }

    /// The first message or marker: in front of other bytes, of any writer.
    private FoundMessage first(long position, long to) {
        FoundMessage found = finder.at(position);
        long zeros = finder.zeros(position, to);
        long start = zeros - (zeros - position) % Long.BYTES;
        found = found == null ? finder.at(start) : found;
        return found == null ? finder.search(start, start, to, start) : found;
    }

    private static boolean isKnown(FoundMessage found) {
        return found.isSound()
                && found.kind() > MessageHeader.NONE
                && MessageHeader.NAMES.isKnown(found.kind());
    }
}
