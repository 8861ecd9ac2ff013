// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.batch.BatchBuilder;
import dev.fletch.batch.BatchLayout;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowType;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/// Random values of a field, written to a batch by code that knows the format only.
///
/// A value is null, a number, a text, a list, a map of a struct, or a [Member] of a union. Values
/// of dictionary-encoded fields are indices.
final class KnownColumn {
    /// A value of a union.
    ///
    /// @param child its number in the schema
    record Member(int child, Object value) {}

    private static final int ONE_NULL_IN = 4;
    private static final String[] TEXTS = {"", "a", "exactly 12 b", "more than twelve bytes", "ü日"};

    private final Random random;
    private final int dictionarySize;
    private final boolean hasSpare;

    /// @param dictionarySize limit of indices
    /// @param hasSpare whether lists, texts and dense unions have values around those in use
    KnownColumn(Random random, int dictionarySize, boolean hasSpare) {
        this.random = random;
        this.dictionarySize = dictionarySize;
        this.hasSpare = hasSpare;
    }

    // ---- values

    List<Object> values(ArrowField field, int count) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(value(field));
        }
        return values;
    }

    private Object value(ArrowField field) {
        if (field.isNullable() && random.nextInt(ONE_NULL_IN) == 0) {
            return null;
        }
        if (field.isDictionaryEncoded()) {
            return (long) random.nextInt(dictionarySize);
        }
        return valueOfType(field);
    }

    /// A value of a dictionary's field, null possibly.
    List<Object> dictionaryValues(ArrowField field, int count) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(
                    field.isNullable() && random.nextInt(ONE_NULL_IN) == 0
                            ? null
                            : valueOfType(field));
        }
        return values;
    }

    private Object valueOfType(ArrowField field) {
        List<ArrowField> children = field.children();
        return switch (field.type()) {
            case ArrowType.Simple.NULL -> null;
            case ArrowType.Simple.BOOL -> random.nextBoolean();
            case ArrowType.Int(int bits, boolean _) -> random.nextLong() >> (Long.SIZE - bits);
            case ArrowType.FixedSizeBinary(int width) -> text().repeat(width).substring(0, width);
            case ArrowType.FixedSizeList(int size) -> values(children.getFirst(), size);
            case ArrowType.Simple.STRUCT -> {
                Map<String, Object> struct = new LinkedHashMap<>();
                children.forEach(each -> struct.put(each.name(), value(each)));
                yield struct;
            }
            case ArrowType.Union _ -> {
                int child = random.nextInt(children.size());
                yield new Member(child, value(children.get(child)));
            }
            case ArrowType.Simple.RUN_END_ENCODED -> value(children.getLast());
            default ->
                    children.isEmpty()
                            ? TEXTS[random.nextInt(TEXTS.length)]
                            : values(children.getFirst(), random.nextInt(4));
        };
    }

    private String text() {
        return "" + (char) ('a' + random.nextInt(26));
    }

    /// A value as arrow-java's `getObject` returns it, as a text.
    static Object read(Object value) {
        return switch (value) {
            case Member(int _, Object inside) -> read(inside);
            case List<?> list -> list.stream().map(KnownColumn::read).toList();
            case Map<?, ?> map -> {
                Map<Object, Object> struct = new LinkedHashMap<>();
                map.forEach(
                        (key, each) -> {
                            if (read(each) != null) {
                                struct.put(key, read(each));
                            }
                        });
                yield struct;
            }
            case byte[] bytes -> new String(bytes, StandardCharsets.UTF_8);
            case Number number -> number.longValue();
            case Character c -> (long) c;
            case null -> null;
            default -> value.toString();
        };
    }

    // ---- buffers

    /// Gives the buffers of the values.
    ///
    /// @param at the field's number in the layout
    /// @return the number behind the field
    int put(
            BatchBuilder batch,
            BatchLayout layout,
            int at,
            ArrowField field,
            boolean isDictionary,
            List<Object> values) {
        batch.length(at, values.size());
        long nulls = values.stream().filter(Objects::isNull).count();
        if (layout.has(at, BufferRole.VALIDITY) && nulls > 0) {
            batch.nullCount(at, nulls);
            batch.buffer(
                    at, BufferRole.VALIDITY, bits(values.stream().map(Objects::nonNull).toList()));
        }
        int next = at + 1;
        if (field.isDictionaryEncoded() && !isDictionary) {
            ArrowType.Int index = field.dictionary().indexType();
            batch.buffer(at, BufferRole.DATA, numbers(index.bitWidth(), values));
            return next;
        }
        List<ArrowField> children = field.children();
        switch (field.type()) {
            case ArrowType.Simple.NULL -> {}
            case ArrowType.Simple.BOOL ->
                    batch.buffer(
                            at,
                            BufferRole.DATA,
                            bits(values.stream().map(Boolean.TRUE::equals).toList()));
            case ArrowType.Int(int bits, boolean _) ->
                    batch.buffer(at, BufferRole.DATA, numbers(bits, values));
            case ArrowType.FixedSizeBinary(int width) -> {
                StringBuilder all = new StringBuilder();
                values.forEach(each -> all.append(each == null ? "x".repeat(width) : each));
                batch.buffer(at, BufferRole.DATA, bytes(all.toString()));
            }
            case ArrowType.Simple.STRUCT -> {
                for (ArrowField child : children) {
                    List<Object> inside = new ArrayList<>();
                    for (Object each : values) {
                        inside.add(
                                each == null ? value(child) : ((Map<?, ?>) each).get(child.name()));
                    }
                    next = put(batch, layout, next, child, false, inside);
                }
            }
            case ArrowType.FixedSizeList(int size) -> {
                List<Object> inside = new ArrayList<>();
                for (Object each : values) {
                    inside.addAll(
                            each == null ? values(children.getFirst(), size) : (List<?>) each);
                }
                next = put(batch, layout, next, children.getFirst(), false, inside);
            }
            case ArrowType.Union union -> next = putUnion(batch, layout, at, field, union, values);
            case ArrowType.Simple.RUN_END_ENCODED -> {
                List<Object> ends = new ArrayList<>();
                List<Object> runs = new ArrayList<>();
                for (int i = 0; i < values.size(); i++) {
                    if (i == values.size() - 1
                            || !Objects.equals(values.get(i), values.get(i + 1))) {
                        ends.add(i + 1L);
                        runs.add(values.get(i));
                    }
                }
                next = put(batch, layout, next, children.getFirst(), false, ends);
                next = put(batch, layout, next, children.getLast(), false, runs);
            }
            case ArrowType.Simple.UTF8_VIEW -> {
                StringBuilder data = new StringBuilder();
                ByteBuffer views = little(16 * values.size());
                for (Object each : values) {
                    byte[] text =
                            each == null
                                    ? new byte[0]
                                    : each.toString().getBytes(StandardCharsets.UTF_8);
                    ByteBuffer view = little(16).putInt(text.length);
                    if (text.length <= 12) {
                        view.put(text);
                    } else {
                        view.put(text, 0, 4)
                                .putInt(0)
                                .putInt(data.toString().getBytes(StandardCharsets.UTF_8).length);
                        data.append(each);
                    }
                    views.put(view.array());
                }
                batch.buffer(at, BufferRole.VIEWS, MemorySegment.ofArray(views.array()));
                if (!data.isEmpty()) {
                    batch.buffer(at, BufferRole.VARIADIC, bytes(data.toString()));
                }
            }
            default -> {
                boolean isLarge =
                        field.type() == ArrowType.Simple.LARGE_UTF8
                                || field.type() == ArrowType.Simple.LARGE_LIST
                                || field.type() == ArrowType.Simple.LARGE_LIST_VIEW;
                boolean isView = layout.has(at, BufferRole.SIZES);
                List<Object> offsets = new ArrayList<>();
                List<Object> sizes = new ArrayList<>();
                List<Object> inside = new ArrayList<>();
                StringBuilder text = new StringBuilder();
                long end = 0;
                if (hasSpare) {
                    end = 2;
                    text.append("zz");
                    if (!children.isEmpty()) {
                        inside.addAll(values(children.getFirst(), 2));
                    }
                }
                for (Object each : values) {
                    offsets.add(end);
                    long size =
                            each == null
                                    ? 0
                                    : each instanceof List<?> list
                                            ? list.size()
                                            : each.toString()
                                                    .getBytes(StandardCharsets.UTF_8)
                                                    .length;
                    sizes.add(size);
                    end += size;
                    if (each instanceof List<?> list) {
                        inside.addAll(list);
                    } else if (each != null) {
                        text.append(each);
                    }
                }
                if (!isView) {
                    offsets.add(end);
                }
                int bits = isLarge ? Long.SIZE : Integer.SIZE;
                batch.buffer(at, BufferRole.OFFSETS, numbers(bits, offsets));
                if (isView) {
                    batch.buffer(at, BufferRole.SIZES, numbers(bits, sizes));
                }
                if (hasSpare && !children.isEmpty()) {
                    inside.addAll(values(children.getFirst(), 3));
                }
                if (children.isEmpty()) {
                    batch.buffer(at, BufferRole.DATA, bytes(text + (hasSpare ? "zzz" : "")));
                } else {
                    next = put(batch, layout, next, children.getFirst(), false, inside);
                }
            }
        }
        return next;
    }

    private int putUnion(
            BatchBuilder batch,
            BatchLayout layout,
            int at,
            ArrowField field,
            ArrowType.Union union,
            List<Object> values) {
        boolean isDense = union.isDense();
        List<List<Object>> inside = new ArrayList<>();
        field.children().forEach(_ -> inside.add(new ArrayList<>()));
        List<Object> ids = new ArrayList<>();
        List<Object> offsets = new ArrayList<>();
        for (int i = 0; i < inside.size() && hasSpare; i++) {
            inside.get(i).addAll(values(field.children().get(i), isDense ? 2 : 0));
        }
        for (Object each : values) {
            Member member = (Member) each;
            ids.add((long) union.typeIds().get(member.child));
            offsets.add((long) inside.get(member.child).size());
            for (int i = 0; i < inside.size(); i++) {
                if (i == member.child) {
                    inside.get(i).add(member.value);
                } else if (!isDense) {
                    inside.get(i).add(value(field.children().get(i)));
                }
            }
        }
        batch.buffer(at, BufferRole.TYPE_IDS, numbers(Byte.SIZE, ids));
        if (isDense) {
            batch.buffer(at, BufferRole.OFFSETS, numbers(Integer.SIZE, offsets));
        }
        int next = at + 1;
        for (int i = 0; i < inside.size(); i++) {
            next = put(batch, layout, next, field.children().get(i), false, inside.get(i));
        }
        return next;
    }

    private static MemorySegment bits(List<Boolean> values) {
        byte[] bits = new byte[Math.ceilDiv(values.size(), Byte.SIZE)];
        for (int i = 0; i < values.size(); i++) {
            bits[i / Byte.SIZE] |= (byte) (values.get(i) ? 1 << i % Byte.SIZE : 0);
        }
        return MemorySegment.ofArray(bits);
    }

    private static MemorySegment numbers(int bits, List<Object> values) {
        ByteBuffer bytes = little(values.size() * bits / Byte.SIZE + Long.BYTES);
        for (Object each : values) {
            long number = each == null ? 0 : (Long) each;
            bytes.putLong(bytes.position(), number).position(bytes.position() + bits / Byte.SIZE);
        }
        return MemorySegment.ofArray(Arrays.copyOf(bytes.array(), bytes.position()));
    }

    private static MemorySegment bytes(String text) {
        return MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
    }

    private static ByteBuffer little(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
