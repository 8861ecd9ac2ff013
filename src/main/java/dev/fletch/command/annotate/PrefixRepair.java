// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import dev.fletch.ipc.walk.MessagePlace;
import dev.fletch.ipc.walk.MessageSearch;

import java.lang.foreign.MemorySegment;

/// Repairs a wrong continuation word, or a wrong metadata length, which it computes from the
/// objects of the metadata.
///
/// @param memory the input
/// @param search counts the work
record PrefixRepair(MemorySegment memory, MessageSearch search) {
    private static final int ALIGNMENT = Long.BYTES;

    // The longest metadata to repair, in bytes.
    private static final int REPAIRED_BYTES = 1 << 20;
    private static final int MAX_REGIONS = 1 << 18;
    private static final int COST = 1 << 14;

    /// Returns the repaired place.
    ///
    /// @param end the end of the input's messages
    /// @return the same place if it is valid or cannot be repaired
    MessagePlace repaired(MessagePlace place, long end) {
        if (search.isFollowed(place, end) && place.hasTable(place.bodyAt())) {
            return place;
        }
        if (!place.isCurrent()) {
            MessagePlace behind = MessagePlace.ofCurrent(memory, place.at(), end);
            if (search.isSound(behind)) {
                return behind;
            }
        }
        long at = place.metadataAt();
        long room = Math.min(end - at, REPAIRED_BYTES);
        if (place.isEnd() || !place.hasTable(at + Math.max(0, room)) || !search.spend(0)) {
            return place;
        }
        FlatbufferWalk tree = new FlatbufferWalk(memory, at, room, MAX_REGIONS, "Message");
        search.spend(COST + tree.explainedBytes());
        long length = tree.explainedEnd() - at;
        length += Math.floorMod(-(place.prefixBytes() + length), ALIGNMENT);
        if (length > room || length == place.metadataLength()) {
            return place;
        }
        // The computed length is accepted if another message follows then.
        MessagePlace other = place.withLength((int) length);
        return search.isFollowed(other, end) ? other : place;
    }
}
