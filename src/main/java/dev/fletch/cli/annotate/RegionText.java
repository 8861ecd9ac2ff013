// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import dev.fletch.cli.text.Printable;
import dev.fletch.flatbuf.verify.FieldRule;
import dev.fletch.flatbuf.verify.InlineType;
import dev.fletch.flatbuf.verify.TableRules;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// Says in words what a region is.
public final class RegionText {
    private static final HexFormat HEX = HexFormat.ofDelimiter(" ");
    private static final int ALL = Integer.MAX_VALUE;

    private final MemorySegment memory;

    RegionText(MemorySegment memory) {
        this.memory = memory;
    }

    /// What it is called: a field by its name, an element by its index.
    static String name(Region region) {
        return switch (region.kind()) {
            case MAGIC -> "magic";
            case FOOTER_LENGTH -> "footer length";
            case CONTINUATION -> "continuation word";
            case METADATA_LENGTH -> "metadata length";
            case END_OF_STREAM -> "end of stream";
            case BODY -> "body";
            case ROOT_OFFSET -> "root offset";
            case VTABLE_SIZE -> "vtable size";
            case TABLE_SIZE -> "table size";
            case SLOT -> "slot " + region.index() + " " + slotName(region);
            case VTABLE_OFFSET -> "vtable offset";
            case FIELD -> region.field().name() + member(region);
            case UNKNOWN_FIELD -> "unknown field of slot " + region.index();
            case LENGTH -> "length";
            case TEXT -> "text";
            case TERMINATOR -> "terminating zero";
            case ELEMENT -> "[" + region.index() + "]" + member(region);
            case PADDING -> "padding";
            case UNREFERENCED -> "unreferenced";
            case NOT_ANNOTATED -> "not annotated";
        };
    }

    private static String member(Region region) {
        return region.member() == null ? "" : "." + region.member().name();
    }

    /// Fields of tables of several kinds that share a vtable are told apart by the table's name.
    private static String slotName(Region region) {
        List<String> names = new ArrayList<>();
        boolean isShared = region.node().kinds.size() > 1;
        for (TableRules table : region.node().kinds) {
            FieldRule field = Node.field(table, region.index());
            String name = field == null ? "unknown" : field.name();
            names.add(isShared ? table.name() + "." + name : name);
        }
        return String.join(", ", names);
    }

    /// The type as a `.fbs` file writes it; null for what has none.
    static String type(Region region) {
        return switch (region.kind()) {
            case VTABLE_SIZE, TABLE_SIZE, SLOT -> "ushort";
            case VTABLE_OFFSET, METADATA_LENGTH, FOOTER_LENGTH -> "int";
            case ROOT_OFFSET, LENGTH -> "uint";
            case FIELD -> region.type() != null ? region.type().name() : fieldType(region);
            case ELEMENT ->
                    region.type() != null
                            ? region.type().name()
                            : region.field().targets().getFirst();
            default -> null;
        };
    }

    private static String fieldType(Region region) {
        FieldRule field = region.field();
        return switch (field.kind()) {
            case STRING -> "string";
            case VECTOR -> "[" + field.type().name() + "]";
            case TABLES -> "[" + field.targets().getFirst() + "]";
            case UNION -> region.node().field(field.tagSlot()).type().name();
            default -> field.targets().getFirst();
        };
    }

    // ---- values

    /// Whether there is a number in it.
    static boolean isNumber(Region region) {
        return switch (region.kind()) {
            case VTABLE_SIZE,
                    TABLE_SIZE,
                    SLOT,
                    VTABLE_OFFSET,
                    METADATA_LENGTH,
                    FOOTER_LENGTH,
                    ROOT_OFFSET,
                    LENGTH,
                    TERMINATOR,
                    FIELD,
                    ELEMENT ->
                    true;
            default -> false;
        };
    }

    /// The number; of what leads somewhere the offset.
    long number(Region region) {
        long at = region.at();
        boolean isSigned =
                region.type() == null
                        ? region.kind() == RegionKind.VTABLE_OFFSET
                                || region.kind() == RegionKind.METADATA_LENGTH
                                || region.kind() == RegionKind.FOOTER_LENGTH
                        : region.type().isSigned();
        return switch ((int) region.length()) {
            case 1 -> {
                byte value = memory.get(ValueLayout.JAVA_BYTE, at);
                yield isSigned ? value : Byte.toUnsignedInt(value);
            }
            case 2 -> {
                short value = memory.get(BufferWords.SHORT, at);
                yield isSigned ? value : Short.toUnsignedInt(value);
            }
            case 4 -> {
                int value = memory.get(BufferWords.INT, at);
                yield isSigned ? value : Integer.toUnsignedLong(value);
            }
            default -> memory.get(BufferWords.LONG, at);
        };
    }

    /// The name of an enum's or a tag's value, such as `V5` or `Type(42)`; null for other regions.
    String symbol(Region region) {
        InlineType type = region.type();
        return type == null || !type.isNamed() ? null : type.symbol(number(region));
    }

    /// Whether it has a value that the format does not name.
    boolean isUnknown(Region region) {
        InlineType type = region.type();
        return region.kind() == RegionKind.UNKNOWN_FIELD
                || region.kind() == RegionKind.SLOT && slotName(region).equals("unknown")
                || type != null && type.isNamed() && !type.isKnown(number(region));
    }

    /// The text of a string, or its beginning.
    ///
    /// @param most how many bytes of it at most
    String text(Region region, int most) {
        int bytes = (int) Math.min(region.length(), most);
        byte[] text = new byte[bytes];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, region.at(), text, 0, bytes);
        return new String(text, StandardCharsets.UTF_8) + (bytes < region.length() ? "…" : "");
    }

    String hex(long at, int bytes) {
        return HEX.formatHex(memory.asSlice(at, bytes).toArray(ValueLayout.JAVA_BYTE));
    }

    // ---- for a person

    /// What it says, without its name; empty if the name is all.
    ///
    /// @param base where the flatbuffer begins that it is in
    /// @param most how many bytes of a text at most
    String meaning(Region region, long base, int most) {
        return switch (region.kind()) {
            case MAGIC -> quoted(region, most);
            case TEXT -> quoted(region, most);
            case BODY, UNREFERENCED, NOT_ANNOTATED, UNKNOWN_FIELD -> bytes(region.length());
            case PADDING -> region.length() > Long.BYTES ? bytes(region.length()) : "";
            case CONTINUATION, END_OF_STREAM -> "";
            case TERMINATOR -> number(region) == 0 ? "" : "is " + number(region);
            case SLOT -> slot(region);
            case FIELD, ELEMENT -> region.type() == null ? leading(region, base) : plain(region);
            case ROOT_OFFSET, VTABLE_OFFSET -> leading(region, base);
            default -> Long.toString(number(region));
        };
    }

    static String bytes(long count) {
        return count == 1 ? "1 byte" : count + " bytes";
    }

    private String quoted(Region region, int most) {
        return Printable.quoted(text(region, most));
    }

    private String plain(Region region) {
        String symbol = symbol(region);
        if (symbol == null) {
            return Long.toString(number(region));
        }
        return isUnknown(region) ? symbol + ", unknown" : number(region) + " " + symbol;
    }

    private String leading(Region region, long base) {
        String offset = Long.toString(number(region));
        return region.target() == Region.NOWHERE
                ? offset + " leads out of the flatbuffer"
                : offset + " → +" + (region.target() - base);
    }

    private String slot(Region region) {
        long distance = number(region);
        if (distance != 0) {
            return "at " + distance;
        }
        if (region.node().kinds.size() != 1) {
            return "absent";
        }
        FieldRule field = Node.field(region.node().kinds.iterator().next(), region.index());
        if (field == null
                || field.type() == null
                || field.type().isStruct()
                || field.kind() == FieldRule.Kind.VECTOR) {
            return "absent";
        }
        InlineType type = field.type();
        return "absent, reads as "
                + (type.isNamed() ? type.symbol(field.absent()) : field.absent());
    }

    /// The text of a string as it is.
    String text(Region region) {
        return text(region, ALL);
    }
}
