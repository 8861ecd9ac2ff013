// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.format.ids.BufferRole;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowType;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/// Which bits of a body a batch's values use, written as plainly as possible: value by value. Slow.
final class ReferenceUse {
    private final BatchCursor cursor;
    private final ByteBuffer body;
    private final boolean[] bits;

    private ReferenceUse(BatchCursor cursor, byte[] body, ByteOrder order) {
        this.cursor = cursor;
        this.body = ByteBuffer.wrap(body).order(order);
        bits = new boolean[8 * body.length];
    }

    /// {@return for each bit of the body, whether it is used}
    static boolean[] of(
            List<ArrowField> columns, BatchCursor cursor, byte[] body, ByteOrder order) {
        ReferenceUse use = new ReferenceUse(cursor, body, order);
        Set<Integer> shared = use.sharedBuffers();
        int field = 0;
        for (ArrowField column : columns) {
            use.allValues(column, field);
            use.values(column, field, 0, cursor.length(field));
            use.shared(column, field, shared);
            field = cursor.layout().end(field);
        }
        return use.bits;
    }

    /// Marks buffers with a byte that another one has, too.
    ///
    /// @return their fields
    private Set<Integer> sharedBuffers() {
        int[] owners = new int[bits.length / 8];
        eachByte((at, _) -> owners[at]++);
        Set<Integer> shared = new HashSet<>();
        eachByte((at, buffer) -> shared.addAll(owners[at] > 1 ? Set.of(buffer) : Set.of()));
        eachByte((at, buffer) -> mark(8L * at, shared.contains(buffer) ? 8 : 0));
        Set<Integer> fields = new HashSet<>();
        int number = 0;
        for (int field = 0; field < cursor.layout().fieldCount(); field++) {
            for (int i = 0; i < cursor.bufferCount(field); i++) {
                fields.addAll(shared.contains(number++) ? Set.of(field) : Set.of());
            }
        }
        return fields;
    }

    /// Marks all values of some fields.
    private void shared(ArrowField of, int field, Set<Integer> shared) {
        if (shared.contains(field)) {
            values(of, field, 0, cursor.length(field));
        }
        int child = field + 1;
        for (ArrowField each : of.isDictionaryEncoded() ? List.<ArrowField>of() : of.children()) {
            shared(each, child, shared);
            child = cursor.layout().end(child);
        }
    }

    private void eachByte(BiConsumer<Integer, Integer> action) {
        int number = 0;
        for (int field = 0; field < cursor.layout().fieldCount(); field++) {
            for (int i = 0; i < cursor.bufferCount(field); i++) {
                for (int at = 0; at < cursor.bufferLength(field, i); at++) {
                    action.accept((int) cursor.bufferOffset(field, i) + at, number);
                }
                number++;
            }
        }
    }

    private void mark(long bit, long count) {
        for (long i = bit; i < bit + count; i++) {
            bits[(int) i] = true;
        }
    }

    private long start(int field, BufferRole role) {
        return cursor.bufferOffset(field, role);
    }

    private long number(int field, BufferRole role, long row, int width) {
        int at = (int) (start(field, role) + row * width);
        return switch (width) {
            case 1 -> body.get(at);
            case 2 -> body.getShort(at);
            case 4 -> body.getInt(at);
            default -> body.getLong(at);
        };
    }

    private void mark(int field, BufferRole role, long index, long width) {
        mark(8 * (start(field, role) + index * width), 8 * width);
    }

    private static ArrowType type(ArrowField of) {
        return of.isDictionaryEncoded() ? of.dictionary().indexType() : of.type();
    }

    private static int offsetWidth(ArrowType type) {
        return switch (type) {
            case ArrowType.Simple.LARGE_BINARY,
                    ArrowType.Simple.LARGE_UTF8,
                    ArrowType.Simple.LARGE_LIST,
                    ArrowType.Simple.LARGE_LIST_VIEW ->
                    8;
            default -> 4;
        };
    }

    // ---- what keeps the batch valid, for all values

    private void allValues(ArrowField of, int field) {
        long length = cursor.length(field);
        ArrowType type = type(of);
        boolean hasValidity =
                !(type == ArrowType.Simple.NULL
                        || type instanceof ArrowType.Union
                        || type == ArrowType.Simple.RUN_END_ENCODED);
        if (hasValidity && cursor.bufferLength(field, BufferRole.VALIDITY) > 0) {
            mark(8 * start(field, BufferRole.VALIDITY), length);
        }
        switch (type) {
            case ArrowType.Simple.BINARY,
                    ArrowType.Simple.UTF8,
                    ArrowType.Simple.LARGE_BINARY,
                    ArrowType.Simple.LARGE_UTF8,
                    ArrowType.Simple.LIST,
                    ArrowType.Simple.LARGE_LIST ->
                    offsets(field, offsetWidth(type));
            case ArrowType.Map _ -> offsets(field, offsetWidth(type));
            case ArrowType.Union union -> {
                for (long i = 0; i < length; i++) {
                    mark(field, BufferRole.TYPE_IDS, i, 1);
                    if (union.isDense()) {
                        mark(field, BufferRole.OFFSETS, i, 4);
                    }
                }
            }
            case ArrowType.Simple.RUN_END_ENCODED -> {
                var ends = (ArrowType.Int) of.children().getFirst().type();
                for (long i = 0; i < cursor.length(field + 1); i++) {
                    mark(field + 1, BufferRole.DATA, i, ends.bitWidth() / 8); // also of nulls
                }
            }
            default -> {}
        }
        if (of.isDictionaryEncoded()) {
            return;
        }
        int child = field + 1;
        for (ArrowField each : of.children()) {
            allValues(each, child);
            child = cursor.layout().end(child);
        }
    }

    private void offsets(int field, int width) {
        for (long i = 0; cursor.length(field) > 0 && i <= cursor.length(field); i++) {
            mark(field, BufferRole.OFFSETS, i, width);
        }
    }

    private void list(ArrowField of, int field, long row, int width) {
        long from = number(field, BufferRole.OFFSETS, row, width);
        long to = number(field, BufferRole.OFFSETS, row + 1, width);
        ofList(of, field, from, to - from);
    }

    // ---- a value that something uses

    private void value(ArrowField of, int field, long row) {
        ArrowType type = type(of);
        switch (type) {
            case ArrowType.Simple.NULL -> {
                return;
            }
            case ArrowType.Union union -> {
                union(of, union, field, row);
                return;
            }
            case ArrowType.Simple.RUN_END_ENCODED -> {
                run(of, field, row);
                return;
            }
            default -> {}
        }
        if (cursor.bufferLength(field, BufferRole.VALIDITY) > 0) {
            int at = (int) (start(field, BufferRole.VALIDITY) + row / 8);
            if ((body.get(at) >> row % 8 & 1) == 0) {
                return;
            }
        }
        int width = offsetWidth(type);
        switch (type) {
            case ArrowType.Simple.BOOL -> mark(8 * start(field, BufferRole.DATA) + row, 1);
            case ArrowType.Int _,
                    ArrowType.FloatingPoint _,
                    ArrowType.Decimal _,
                    ArrowType.Interval _,
                    ArrowType.FixedSizeBinary _,
                    ArrowType.Timestamp _,
                    ArrowType.Duration _,
                    ArrowType.Date _,
                    ArrowType.Time _ ->
                    mark(field, BufferRole.DATA, row, RandomBatch.width(type));
            case ArrowType.Simple.BINARY,
                    ArrowType.Simple.UTF8,
                    ArrowType.Simple.LARGE_BINARY,
                    ArrowType.Simple.LARGE_UTF8 -> {
                long from = number(field, BufferRole.OFFSETS, row, width);
                long to = number(field, BufferRole.OFFSETS, row + 1, width);
                mark(8 * (start(field, BufferRole.DATA) + from), 8 * (to - from));
            }
            case ArrowType.Simple.BINARY_VIEW, ArrowType.Simple.UTF8_VIEW -> view(field, row);
            case ArrowType.Simple.LIST, ArrowType.Simple.LARGE_LIST -> list(of, field, row, width);
            case ArrowType.Map _ -> list(of, field, row, width);
            case ArrowType.Simple.LIST_VIEW, ArrowType.Simple.LARGE_LIST_VIEW -> {
                mark(field, BufferRole.OFFSETS, row, width);
                mark(field, BufferRole.SIZES, row, width);
                long from = number(field, BufferRole.OFFSETS, row, width);
                ofList(of, field, from, number(field, BufferRole.SIZES, row, width));
            }
            case ArrowType.FixedSizeList list ->
                    ofList(of, field, row * list.listSize(), list.listSize());
            case ArrowType.Simple.STRUCT -> {
                int child = field + 1;
                for (ArrowField each : of.children()) {
                    value(each, child, row);
                    child = cursor.layout().end(child);
                }
            }
            default -> throw new AssertionError(type);
        }
    }

    private void ofList(ArrowField of, int field, long from, long count) {
        values(of.children().getFirst(), field + 1, from, count);
    }

    private void values(ArrowField of, int field, long from, long count) {
        for (long i = from; i < from + count; i++) {
            value(of, field, i);
        }
    }

    private void view(int field, long row) {
        int at = (int) (start(field, BufferRole.VIEWS) + 16 * row);
        int size = body.getInt(at);
        if (size <= 12) {
            mark(8L * at, 8L * (4 + size));
            return;
        }
        mark(8L * at, 8 * 16);
        long variadic = cursor.bufferOffset(field, 2 + body.getInt(at + 8));
        mark(8 * (variadic + body.getInt(at + 12)), 8L * size);
    }

    private void union(ArrowField of, ArrowType.Union union, int field, long row) {
        int chosen = union.typeIds().indexOf((int) number(field, BufferRole.TYPE_IDS, row, 1));
        int child = field + 1;
        for (int i = 0; i < chosen; i++) {
            child = cursor.layout().end(child);
        }
        boolean isDense = union.isDense();
        long index = isDense ? number(field, BufferRole.OFFSETS, row, 4) : row;
        value(of.children().get(chosen), child, index);
    }

    private void run(ArrowField of, int field, long row) {
        ArrowType.Int ends = (ArrowType.Int) of.children().getFirst().type();
        long run = 0;
        while (number(field + 1, BufferRole.DATA, run, ends.bitWidth() / 8) <= row) {
            run++;
        }
        value(of.children().getLast(), field + 2, run);
    }
}
