// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The type of a value that is in a table or vector itself, without an offset to it: a number, whose
/// values may have names, or a struct of numbers. Immutable.
///
/// @param name as a `.fbs` file spells it, such as `long`, `MetadataVersion` or `Buffer`
/// @param bytes its size
/// @param alignment its alignment
/// @param isSigned whether the number has a sign
/// @param symbols names of the values 0, 1, 2 and so on; empty for a plain number or a struct
/// @param members what a struct has in it, in their order; empty for a number
public record InlineType(
        String name,
        int bytes,
        int alignment,
        boolean isSigned,
        List<String> symbols,
        List<Member> members) {
    /// A number in a struct.
    ///
    /// @param name the name
    /// @param type a number
    /// @param offset its distance in bytes from the struct's first byte
    public record Member(String name, InlineType type, int offset) {}

    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException if it has no size, or an alignment that is no power of two
    public InlineType {
        symbols = List.copyOf(symbols);
        members = List.copyOf(members);
        if (bytes < 1 || Integer.bitCount(alignment) != 1) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT,
                            "no such type: name=%s, bytes=%d, alignment=%d",
                            name,
                            bytes,
                            alignment));
        }
    }

    /// {@return the type of a number with a sign}
    public static InlineType number(String name, int bytes) {
        return symbols(name, bytes, List.of());
    }

    /// {@return the type of a number with a sign whose values have names: an enum, or a boolean}
    public static InlineType symbols(String name, int bytes, List<String> symbols) {
        return new InlineType(name, bytes, bytes, true, symbols, List.of());
    }

    /// {@return the type of the tag of a union: a byte without a sign}
    public static InlineType tag(String union, List<String> members) {
        final List<String> symbols = new ArrayList<>(members);
        symbols.addFirst("NONE");
        return new InlineType(union, Byte.BYTES, Byte.BYTES, false, symbols, List.of());
    }

    /// {@return the type of a struct}
    public static InlineType struct(String name, int bytes, int alignment, Member... members) {
        return new InlineType(name, bytes, alignment, false, List.of(), List.of(members));
    }

    /// {@return whether this is a struct}
    public boolean isStruct() {
        return !members.isEmpty();
    }

    /// {@return ones for the bits that are in use, which are all but a struct's padding}
    ///
    /// @param unit index of a part that is as long as the alignment
    public long mask(int unit) {
        if (members.isEmpty()) {
            return -1;
        }
        long mask = 0;
        for (int i = 0; i < members.size(); i++) {
            final int at = members.get(i).offset() - unit * alignment;
            if (at >= 0 && at < alignment) {
                final int bits = members.get(i).type().bytes() * Byte.SIZE;
                mask |= -1L >>> Long.SIZE - bits << at * Byte.SIZE;
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

    /// {@return a value's name, or this type's name and the number, such as `Type(42)`, which allocates}
    public String symbol(long value) {
        return isKnown(value) ? symbols.get((int) value) : name + "(" + value + ")";
    }
}
