// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import dev.fletch.Rule;
import dev.fletch.flatbuf.StructureRules;
import dev.fletch.flatbuf.verify.FieldRule;
import dev.fletch.flatbuf.verify.InlineType;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What leads nowhere in a flatbuffer: numbers, structs, strings.
public abstract class BufferObjects extends BufferWords {
    static final long MAX_BYTES = Integer.MAX_VALUE;

    final BufferClaims claims;

    BufferObjects(MemorySegment memory, long start, long length, Problems problems, int limit) {
        super(memory, start, length, problems);
        this.claims = new BufferClaims(memory, start, length, limit);
    }

    final int uint8(long at) {
        return Byte.toUnsignedInt(memory.get(ValueLayout.JAVA_BYTE, at));
    }

    static Region number(RegionKind kind, long at, int bytes, Node node, int index) {
        return new Region(kind, at, bytes, node, null, null, index, null, NOWHERE);
    }

    final void string(Node node, long reference) {
        long at = node.at;
        long room = end - at - WORD;
        if (room < 0) {
            problem(StructureRules.STRING_OUT_OF_RANGE, reference, at - start, node, null);
            return;
        }
        long length = uint32(at);
        claims.claim(number(RegionKind.LENGTH, at, WORD, node, 0), reference);
        node.end = at + WORD;
        if (length >= MAX_BYTES || length > room) {
            boolean isLong = length >= MAX_BYTES;
            Rule code =
                    isLong
                            ? StructureRules.STRING_TOO_LONG
                            : StructureRules.STRING_LENGTH_OUT_OF_RANGE;
            problem(code, at, length, node, null);
            return;
        }
        long text = at + WORD;
        node.end = text + length;
        long free = length == 0 ? text : Math.min(claims.freeEnd(text), text + length);
        if (free > text) {
            claims.claim(Region.plain(RegionKind.TEXT, text, free - text, node), reference);
        }
        if (free < text + length) {
            long rest = text + length - free; // which is noted, as it has another owner
            claims.claim(Region.plain(RegionKind.TEXT, free, rest, node), reference);
        }
        if (length == room) {
            problem(StructureRules.STRING_UNTERMINATED, at, -1, node, null);
            return;
        }
        long behind = text + length;
        claims.claim(number(RegionKind.TERMINATOR, behind, 1, node, 0), reference);
        if (uint8(behind) != 0) {
            problem(StructureRules.STRING_UNTERMINATED, behind, uint8(behind), node, null);
        }
    }

    /// Claims a number, or the members of a struct.
    ///
    /// @return false if some of it has an owner
    final boolean value(
            RegionKind kind, long at, Node node, FieldRule rule, int index, long reference) {
        InlineType type = rule.type();
        if (!type.isStruct()) {
            return claims.claim(
                    new Region(kind, at, type.bytes(), node, rule, type, index, null, NOWHERE),
                    reference);
        }
        boolean isFree = true;
        long behind = at;
        for (InlineType.Member each : type.members()) {
            long from = at + each.offset();
            if (from > behind) {
                claims.claim(
                        Region.plain(RegionKind.PADDING, behind, from - behind, node), reference);
            }
            int bytes = each.type().bytes();
            isFree &=
                    claims.claim(
                            new Region(
                                    kind,
                                    from,
                                    bytes,
                                    node,
                                    rule,
                                    each.type(),
                                    index,
                                    each,
                                    NOWHERE),
                            reference);
            behind = from + bytes;
        }
        return isFree;
    }
}
