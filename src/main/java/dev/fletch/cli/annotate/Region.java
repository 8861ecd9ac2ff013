// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import dev.fletch.flatbuf.verify.FieldRule;
import dev.fletch.flatbuf.verify.InlineType;

/// Bytes that have one owner and one meaning. [RegionText] says in words what it is.
///
/// @param at offset in the input
/// @param node the object that owns it; null for what is around flatbuffers
/// @param field the field that it is or belongs to; null if there is none
/// @param type of the number that it is; null if it is none
/// @param index of the slot or element; 0 if it is neither
/// @param member null if it is no member of a struct
/// @param target offset in the input that it leads to; [#NOWHERE] if it leads nowhere
public record Region(
        RegionKind kind,
        long at,
        long length,
        Node node,
        FieldRule field,
        InlineType type,
        int index,
        InlineType.Member member,
        long target) {
    static final long NOWHERE = -1;

    /// Bytes that are no number and lead nowhere.
    static Region plain(RegionKind kind, long at, long length, Node node) {
        return new Region(kind, at, length, node, null, null, 0, null, NOWHERE);
    }

    /// A word that leads somewhere.
    static Region leading(RegionKind kind, long at, Node node, long target) {
        return new Region(kind, at, Integer.BYTES, node, null, null, 0, null, target);
    }

    long end() {
        return at + length;
    }
}
