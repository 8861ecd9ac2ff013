// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import dev.fletch.command.text.Numbers;
import dev.fletch.flatbuf.internal.FieldDeclaration;
import dev.fletch.flatbuf.internal.InlineType;
import dev.fletch.flatbuf.internal.TableDeclaration;
import dev.fletch.wire.Escaper;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/// Bytes with one owner and one meaning.
///
/// @param at offset in the input
/// @param length length in bytes
/// @param node the object that owns the bytes; null outside flatbuffers
/// @param field for a field or element: its field; otherwise null
/// @param index index of the slot or element; otherwise 0
/// @param member the member of a struct; null outside structs
/// @param target for an offset: its target in the input; [#NOWHERE] if there is none
record Region(
        RegionKind kind,
        long at,
        long length,
        Node node,
        FieldDeclaration field,
        int index,
        InlineType.Member member,
        long target) {
    static final long NOWHERE = -1;

    private static final int MOST_TEXT = 2_000;

    /// Creates a region that is no field, element or offset.
    static Region of(RegionKind kind, long position, long length, Node node, int index) {
        return new Region(kind, position, length, node, null, index, null, NOWHERE);
    }

    /// Creates an offset.
    static Region offset(
            RegionKind kind,
            long position,
            Node node,
            FieldDeclaration field,
            int index,
            long target) {
        return new Region(kind, position, Integer.BYTES, node, field, index, null, target);
    }

    long end() {
        return at + length;
    }

    /// The name: that of a field, or the index of an element.
    String name() {
        String ofMember = member == null ? "" : "." + member.name();
        return switch (kind) {
            case SLOT -> "slot " + index + " " + slotName();
            case FIELD -> field.name() + ofMember;
            case UNKNOWN_FIELD -> kind.title + " " + index;
            case ELEMENT -> "[" + index + "]" + ofMember;
            default -> kind.title;
        };
    }

    /// The name of the field or key that an element refers to; empty for other regions.
    String elementName(MemorySegment memory) {
        Node table =
                kind == RegionKind.ELEMENT && index < node.elements.size()
                        ? node.elements.get(index)
                        : null;
        if (table == null || table.at != target || table.nameLength == 0) {
            return "";
        }
        MemorySegment text = memory.asSlice(table.nameAt, table.nameLength);
        return new String(text.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    /// The field's name; with the table's name if several kinds of tables share the vtable.
    private String slotName() {
        boolean isShared = node.kinds.size() > 1;
        return node.kinds.stream()
                .map(table -> (isShared ? table.name() + "." : "") + fieldName(table))
                .collect(Collectors.joining(", "));
    }

    private String fieldName(TableDeclaration table) {
        FieldDeclaration declaration = Node.field(table, index);
        return declaration == null ? "unknown" : declaration.name();
    }

    /// The declared type of a number; null for other regions, such as offsets and lengths.
    InlineType type() {
        if (member != null) {
            return member.type();
        }
        return field == null || kind == RegionKind.FIELD && field.isOffset() ? null : field.type();
    }

    /// The type in `.fbs` syntax; null for bytes without a type.
    String typeName() {
        if (field == null || type() != null) {
            return field == null ? kind.type : type().name();
        }
        return switch (field.kind()) {
            case TABLES ->
                    kind == RegionKind.ELEMENT ? field.targets().getFirst() : typeName(field);
            case UNION -> Node.field(node.rules, field.tagSlot()).type().name();
            default -> typeName(field);
        };
    }

    /// The type of a field other than a union, in `.fbs` syntax.
    static String typeName(FieldDeclaration field) {
        return switch (field.kind()) {
            case STRING -> "string";
            case VECTOR -> "[" + field.type().name() + "]";
            case TABLES -> "[" + field.targets().getFirst() + "]";
            default -> field.targets().getFirst();
        };
    }

    // ---- values

    /// Whether it is a number.
    boolean isNumber() {
        return kind == RegionKind.TERMINATOR || typeName() != null;
    }

    /// The value of the number, which is relative for an offset.
    long number(MemorySegment memory) {
        InlineType type = type();
        boolean isSigned = type == null ? "int".equals(kind.type) : type.isSigned();
        long value =
                switch ((int) length) {
                    case 1 -> Wire.int8(memory, at);
                    case 2 -> Wire.int16(memory, at);
                    case 4 -> Wire.int32(memory, at);
                    default -> Wire.int64(memory, at);
                };
        boolean isWide = length == Long.BYTES;
        return isSigned || isWide ? value : value & (1L << length * Byte.SIZE) - 1;
    }

    /// The name of an enum's or a tag's value, such as `V5` or `Type(42)`; null for other regions.
    String symbol(MemorySegment memory) {
        return type() == null || !type().isNamed() ? null : type().symbol(number(memory));
    }

    /// Whether the format does not declare the field or value.
    boolean isUnknown(MemorySegment memory) {
        return kind == RegionKind.UNKNOWN_FIELD
                || isUnknownSlot()
                || symbol(memory) != null && !type().isKnown(number(memory));
    }

    private boolean isUnknownSlot() {
        return kind == RegionKind.SLOT && slotName().equals("unknown");
    }

    /// Whether this version of the format declares the meaning of the bytes.
    boolean isExplained() {
        return switch (kind) {
            case UNREFERENCED, NOT_ANNOTATED, PADDING, UNKNOWN_FIELD, BODY -> false;
            default -> !isUnknownSlot();
        };
    }

    /// The first bytes.
    byte[] bytes(MemorySegment memory, int limit) {
        return memory.asSlice(at, Math.min(length, limit)).toArray(ValueLayout.JAVA_BYTE);
    }

    // ---- text

    /// The value as text, without the name; may be empty.
    ///
    /// @param base offset of the flatbuffer in the input
    String meaning(MemorySegment memory, long base) {
        return switch (kind) {
            case MAGIC, TEXT -> {
                String text = new String(bytes(memory, MOST_TEXT), StandardCharsets.UTF_8);
                yield Escaper.quoted(length > MOST_TEXT ? text + "…" : text);
            }
            case BODY, UNREFERENCED, NOT_ANNOTATED, UNKNOWN_FIELD -> Numbers.bytes(length);
            case PADDING -> length > Long.BYTES ? Numbers.bytes(length) : "";
            case CONTINUATION, END_OF_STREAM -> "";
            case TERMINATOR -> number(memory) == 0 ? "" : "is " + number(memory);
            case SLOT -> slot(number(memory));
            case FIELD, ELEMENT -> type() == null ? leading(memory, base) : value(memory);
            case ROOT_OFFSET, VTABLE_OFFSET -> leading(memory, base);
            default -> Long.toString(number(memory));
        };
    }

    private String value(MemorySegment memory) {
        long number = number(memory);
        String symbol = symbol(memory);
        if (symbol == null) {
            return Long.toString(number);
        }
        return type().isKnown(number) ? number + " " + symbol : symbol + ", unknown";
    }

    private String leading(MemorySegment memory, long base) {
        return number(memory)
                + (target == NOWHERE ? " points outside the flatbuffer" : " → +" + (target - base));
    }

    private String slot(long distance) {
        if (distance != 0) {
            return "at " + distance;
        }
        FieldDeclaration declaration =
                node.kinds.size() == 1 ? Node.field(node.kinds.getFirst(), index) : null;
        if (declaration == null || declaration.isOffset() || declaration.type().isStruct()) {
            return "absent";
        }
        InlineType type = declaration.type();
        return "absent, default "
                + (type.isNamed() ? type.symbol(declaration.absent()) : declaration.absent());
    }
}
