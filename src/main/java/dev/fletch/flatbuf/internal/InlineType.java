// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.internal;

import java.util.ArrayList;
import java.util.List;

/// The type of a value stored inline in a table or vector: a number, whose values may have names,
/// or a struct of numbers. Immutable.
///
/// @param name as in the `.fbs` file, such as `long`, `MetadataVersion` or `Buffer`
/// @param bytes size in bytes
/// @param alignment in bytes, a power of two
/// @param isSigned whether the number is signed
/// @param symbols names of the values 0, 1, 2 and so on; empty for a plain number or a struct
/// @param members of a struct, in their order; empty for a number
public record InlineType(
        String name,
        int bytes,
        int alignment,
        boolean isSigned,
        List<String> symbols,
        List<Member> members) {
    /// A number in a struct.
    ///
    /// @param name the member's name
    /// @param type a number
    /// @param offset distance in bytes from the struct's start
    public record Member(String name, InlineType type, int offset) {}

    /// {@return the type of a signed number}
    public static InlineType number(String name, int bytes) {
        return symbols(name, bytes, List.of());
    }

    /// {@return the type of a signed number whose values have names: an enum or a boolean}
    public static InlineType symbols(String name, int bytes, List<String> symbols) {
        return new InlineType(name, bytes, bytes, true, symbols, List.of());
    }

    /// {@return the type of a union's tag: an unsigned byte; the first symbol is NONE}
    public static InlineType tag(String union, List<String> symbols) {
        return new InlineType(union, Byte.BYTES, Byte.BYTES, false, symbols, List.of());
    }

    /// {@return the type of a struct: each number is aligned to its size, the struct to the
    /// largest}
    ///
    /// @param names of the numbers
    /// @param types of the numbers
    public static InlineType struct(String name, List<String> names, InlineType... types) {
        List<Member> members = new ArrayList<>();
        int alignment = 1;
        int end = 0;
        for (int i = 0; i < types.length; i++) {
            int bytes = types[i].bytes();
            int offset = aligned(end, bytes);
            members.add(new Member(names.get(i), types[i], offset));
            alignment = Math.max(alignment, bytes);
            end = offset + bytes;
        }
        int size = aligned(end, alignment);
        return new InlineType(name, size, alignment, false, List.of(), List.copyOf(members));
    }

    private static int aligned(int offset, int alignment) {
        return Math.ceilDiv(offset, alignment) * alignment;
    }

    /// {@return whether this is a struct}
    public boolean isStruct() {
        return !members.isEmpty();
    }

    /// {@return a mask of the bits in use: all except a struct's padding}
    ///
    /// @param unit index of a part that has the size of the alignment
    public long mask(int unit) {
        if (members.isEmpty()) {
            return -1;
        }
        long mask = 0;
        for (int i = 0; i < members.size(); i++) {
            int position = members.get(i).offset() - unit * alignment;
            if (position >= 0 && position < alignment) {
                int bits = members.get(i).type().bytes() * Byte.SIZE;
                mask |= -1L >>> Long.SIZE - bits << position * Byte.SIZE;
            }
        }
        return mask;
    }

    /// {@return whether values have names}
    public boolean isNamed() {
        return !symbols.isEmpty();
    }

    /// {@return whether a value has a name}
    public boolean isKnown(long value) {
        return value >= 0 && value < symbols.size();
    }

    /// {@return a value's name; else, allocated, the type's name and the number: `Type(42)`}
    public String symbol(long value) {
        return isKnown(value) ? symbols.get((int) value) : name + "(" + value + ")";
    }
}
