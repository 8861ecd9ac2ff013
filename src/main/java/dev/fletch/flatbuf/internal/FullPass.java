// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.internal;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.Rule;
import dev.fletch.StructureRule;
import dev.fletch.wire.MemoryRange;
import dev.fletch.wire.Utf8Checker;
import dev.fletch.wire.Wire;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/// The pass of [VerifierEngine] that finds every fault. Simple and slow: it reads each vtable in
/// place, and checks a table field by field.
///
/// It visits tables depth first, in the order of the slots. A visit first checks the table's
/// position and vtable, then all its fields with their strings and vectors of numbers; then it
/// follows the offsets to other tables. It does not follow a faulty field, unless only a stricter
/// rule is broken.
///
/// Depth uses no Java stack. Offsets point forward only, so the buffer's size bounds the depth. A
/// table takes at most one step per field, so the limit of tables bounds the work.
///
/// Positions count from the buffer's first byte.
final class FullPass {
    /// Not a position.
    private static final long NOWHERE = -1;

    /// Neither a field nor a kind of table.
    private static final int NONE = -1;

    /// Exclusive limit of lengths and counts, in bytes.
    private static final long MAX_BYTES = Integer.MAX_VALUE;

    private static final int FIRST_FRAMES = 8;

    /// A table, and the progress of following its fields.
    static final class Frame {
        TableDeclaration declaration;
        long table;

        int[][] targets; // see DeclaredTables.targets

        /// For each slot, the field's distance from the table, 0 if absent. Kept because the memory
        /// may change in the meantime.
        final char[] distances = new char[Wire.SLOTS];

        /// A bit for each field left to follow, by its index in the declaration.
        int pending;

        /// Index of the field that is checked or followed, [#NONE] for the table itself.
        int field;

        /// The kind of table that the field refers to, or [#NONE].
        int child;

        // For a vector of tables: the positions of its first and next element and of its end; else
        // 0.
        long first;
        long next;
        long end;

        void leadNowhere() {
            child = NONE;
            first = 0;
            next = 0;
            end = 0;
        }

        FieldDeclaration rule() {
            return declaration.fields().get(field);
        }

        long at(FieldDeclaration declaration) {
            return table + distances[declaration.slot()];
        }
    }

    private final DeclaredTables declared;
    private final Checks options;
    private final Utf8Checker utf8;

    /// Whether the elements of vectors of tables are skipped.
    boolean isShallow;

    /// Receives the bytes that an object has. Objects that are reached several times are received
    /// as often.
    interface RangeSink {
        /// @param alignment of the bytes that the options require; 1 if none
        void add(long position, long bytes, int alignment);

        /// Receives bytes that are not those of an object, but must be in the buffer: a table whose
        /// size is checked, and the value of a union with an unknown tag.
        default void room(long position, long bytes) {}
    }

    /// Null if the bytes of objects are not needed: see [#cover].
    RangeSink covered;

    final LimitedFaults faults = new LimitedFaults();

    // Number of tables reached.
    long tables;

    private boolean stopped;

    // The fault that was found last, without a sink; null if there is none. Its path is that of the
    // frames.
    private Rule broken;
    private long brokenAt;
    private long found;

    // The tables from the root to the current one.
    private Frame[] frames = {};
    private int depth;

    private MemoryRange source;
    private long size;
    private long maxTables;

    // Position of the first element of the vector that was checked last, and its count.
    private long first;
    private long count;

    FullPass(DeclaredTables declared, Checks options, Utf8Checker utf8) {
        this.declared = declared;
        this.options = options;
        this.utf8 = utf8;
    }

    /// Clears the results of the previous verification.
    ///
    /// @param reached number of tables that another pass has reached
    void clear(long reached) {
        tables = reached;
        faults.begin();
        stopped = false;
        depth = 0;
        broken = null;
    }

    /// Verifies a buffer from its root.
    boolean buffer(int root, MemoryRange memory, int minSize) {
        begin(root, memory);
        if (size < minSize) {
            report(StructureRule.BUFFER_TOO_SMALL, 0, size);
        } else if (size > options.limits().metadataBytes()) {
            report(StructureRule.BUFFER_TOO_LARGE, 0, size);
        } else {
            long table = follow(0);
            cover(0, Wire.OFFSET_BYTES, Wire.OFFSET_BYTES);
            if (table != NOWHERE) {
                enter(root, table, 0);
            }
        }
        return walk();
    }

    /// Verifies a table at a position, and all tables below it.
    boolean table(int kind, MemoryRange memory, long position) {
        begin(kind, memory);
        enter(kind, position, position);
        return walk();
    }

    private void begin(int kind, MemoryRange memory) {
        Objects.checkIndex(kind, declared.size());
        clear(0);
        source = memory;
        size = memory.end - memory.start;
        maxTables = options.limits().tables(size);
        if (utf8 != null) {
            utf8.reset(size);
        }
    }

    private boolean walk() {
        while (depth != 0 && !stopped) {
            step(frames[depth - 1]);
        }
        return faults.count() == 0;
    }

    /// Visits the next table below a table, or returns to its parent.
    private void step(Frame frame) {
        if (frame.next < frame.end) {
            long element = frame.next;
            frame.next += Wire.OFFSET_BYTES;
            enter(frame.child, element + uint32(element), element);
        } else if (frame.pending != 0) {
            frame.field = Integer.numberOfTrailingZeros(frame.pending);
            frame.pending &= frame.pending - 1;
            frame.leadNowhere();
            follow(frame, frame.rule());
        } else {
            depth--;
        }
    }

    // ---- faults

    /// Reports a fault of the current field, or of the table that is being entered.
    private void report(Rule code, long position, long value) {
        broken = code;
        brokenAt = source.offsetOf(source.start + position);
        found = value;
        if (faults.add()) {
            faults.pass(fault());
        }
        stopped |= faults.isFull() || code == StructureRule.TABLE_LIMIT;
        if (faults.hasSink()) {
            broken = null;
        }
    }

    /// {@return the fault that ended the last verification; null if there is none, or a sink has
    /// it}
    Fault fault() {
        if (broken == null) {
            return null;
        }
        StringBuilder path = new StringBuilder();
        appendFrames(path);
        return Fault.of(broken, brokenAt, found).at(path.toString());
    }

    /// Appends the names of the fields from the root to the current table or field.
    private void appendFrames(StringBuilder to) {
        String separator = "";
        for (int i = 0; i < depth && frames[i].field != NONE; i++) {
            Frame frame = frames[i];
            to.append(separator).append(frame.rule().name());
            if (frame.child != NONE && frame.rule().namesMember()) {
                String member = declared.table(frame.child).name();
                to.append('.').append(Character.toLowerCase(member.charAt(0)));
                to.append(member, 1, member.length());
            }
            if (frame.end != 0) {
                long index = (frame.next - frame.first) / Wire.OFFSET_BYTES - 1;
                to.append('[').append(index).append(']');
            }
            separator = ".";
        }
    }

    // ---- a table

    /// Visits a table.
    ///
    /// @param reference position of the offset to the table
    private void enter(int kind, long position, long reference) {
        tables++;
        if (tables > maxTables) {
            report(StructureRule.TABLE_LIMIT, reference, tables);
        } else if (depth >= options.limits().depth()) {
            report(StructureRule.DEPTH_LIMIT, reference, depth + 1);
        } else if (options.has(Check.ZERO_OFFSETS) && depth != 0 && position == reference) {
            report(StructureRule.ELEMENT_OFFSET_ZERO, reference, 0);
        } else if (misaligned(position, Integer.BYTES)) {
            report(StructureRule.TABLE_MISALIGNED, reference, position);
        } else if (position > size - Wire.OFFSET_BYTES) {
            report(StructureRule.TABLE_OUT_OF_RANGE, reference, position);
        } else {
            vtable(kind, position, position - int32(position));
        }
    }

    /// Checks a table's vtable, then its fields.
    private void vtable(int kind, long table, long position) {
        long room = size - position;
        boolean isInside = position >= 0 && room >= Short.BYTES;
        int bytes = isInside ? uint16(position) : 0;
        if (misaligned(position, Short.BYTES)) {
            report(StructureRule.VTABLE_MISALIGNED, table, table - position);
        } else if (!isInside) {
            report(StructureRule.VTABLE_OUT_OF_RANGE, table, table - position);
        } else if ((bytes & 1) != 0) {
            report(StructureRule.VTABLE_SIZE_ODD, position, bytes);
        } else if (bytes > room || bytes >= size) {
            report(StructureRule.VTABLE_SIZE_OUT_OF_RANGE, position, bytes);
        } else {
            if (options.has(Check.VTABLE_SIZE) && bytes < Wire.VTABLE_HEAD_BYTES) {
                report(
                        StructureRule.VTABLE_TOO_SMALL,
                        position,
                        bytes); // a stricter rule: no slots
            }
            fields(kind, table, position, bytes);
        }
    }

    /// Checks the fields of a table, and makes this table the current one.
    private void fields(int kind, long table, long vtable, int vtableBytes) {
        int tableSize = Integer.MAX_VALUE;
        if (options.has(Check.TABLE_SIZE) && vtableBytes >= Wire.VTABLE_HEAD_BYTES) {
            long sizeAt = vtable + Short.BYTES;
            tableSize = uint16(sizeAt);
            if (tableSize < Wire.OFFSET_BYTES) {
                report(StructureRule.TABLE_SIZE_TOO_SMALL, sizeAt, tableSize);
            } else if (tableSize > size - table) {
                report(StructureRule.TABLE_SIZE_OUT_OF_RANGE, sizeAt, tableSize);
            }
        }
        Frame frame = push(kind, table);
        if (covered != null) {
            coverTable(table, vtable, vtableBytes, frame.declaration.fields().size());
            covered.room(table, tableSize == Integer.MAX_VALUE ? 0 : tableSize);
        }
        int faulty = 0; // a bit for each slot
        for (int i = 0; i < frame.declaration.fields().size() && !stopped; i++) {
            frame.field = i;
            FieldDeclaration field = frame.rule();
            int inVtable = Wire.VTABLE_HEAD_BYTES + Short.BYTES * field.slot();
            long slotAt = vtable + inVtable;
            int distance = inVtable < vtableBytes ? uint16(slotAt) : 0;
            frame.distances[field.slot()] = (char) distance;
            if (!field(field, table, distance, slotAt, tableSize)
                    || field.isUnion() && (faulty >>> field.tagSlot() & 1) != 0) {
                faulty |= 1 << field.slot();
            } else if (field.isUnion() || distance != 0 && field.leadsToTables()) {
                frame.pending |= 1 << i;
            }
        }
    }

    /// Checks a field in its table; a string or a vector of numbers completely.
    ///
    /// @param slotAt position of the field's slot
    /// @return whether the field's value can be read
    private boolean field(
            FieldDeclaration field, long table, int distance, long slotAt, int tableSize) {
        long position = table + distance;
        if (distance == 0) {
            if (field.required()) {
                report(StructureRule.REQUIRED_FIELD_ABSENT, table, field.slot());
            }
            return !field.required();
        }
        if (misaligned(position, field.inlineAlignment())) {
            report(field.misaligned(), slotAt, distance);
            return false;
        }
        if (field.inlineBytes() > size - position) {
            report(field.outOfRange(), slotAt, distance);
            return false;
        }
        cover(position, field.inlineBytes(), field.inlineAlignment());
        if (distance + field.inlineBytes() > tableSize) {
            report(StructureRule.FIELD_OUTSIDE_TABLE, slotAt, distance);
        }
        if (!stopped && field.kind() == FieldDeclaration.Kind.STRING) {
            string(position);
        } else if (!stopped && field.kind() == FieldDeclaration.Kind.VECTOR) {
            vector(field, position);
        }
        return true;
    }

    /// Pushes a table.
    private Frame push(int kind, long table) {
        if (depth == frames.length) {
            frames = Arrays.copyOf(frames, Math.max(FIRST_FRAMES, 2 * depth));
        }
        if (frames[depth] == null) {
            frames[depth] = new Frame();
        }
        Frame frame = frames[depth++];
        frame.declaration = declared.table(kind);
        frame.targets = declared.targets(kind);
        frame.table = table;
        frame.pending = 0;
        frame.field = NONE;
        frame.leadNowhere();
        return frame;
    }

    // ---- below a table

    /// Follows a field to the tables it refers to.
    private void follow(Frame frame, FieldDeclaration field) {
        int[] targets = frame.targets[field.slot()];
        switch (field.kind()) {
            case TABLE -> follow(frame, frame.at(field), targets[0]);
            case TABLES -> elements(frame, field, targets[0]);
            default -> union(frame, field, targets);
        }
    }

    /// Visits the table that an offset refers to.
    ///
    /// @param kind of table; [#NONE] to check the offset only
    private void follow(Frame frame, long reference, int kind) {
        long table = follow(reference);
        if (table != NOWHERE && kind != NONE) {
            frame.child = kind;
            enter(kind, table, reference);
        } else if (table != NOWHERE && covered != null) {
            covered.room(table, 1);
        }
    }

    private void elements(Frame frame, FieldDeclaration field, int kind) {
        vector(field, frame.at(field));
        if (count != 0 && !stopped && !isShallow) {
            frame.child = kind;
            frame.first = first;
            frame.next = first;
            frame.end = first + count * Wire.OFFSET_BYTES;
        }
    }

    private void union(Frame frame, FieldDeclaration field, int[] members) {
        int distance = frame.distances[field.slot()];
        int tagDistance = frame.distances[field.tagSlot()];
        long tagAt = frame.table + tagDistance;
        int tag = tagDistance == 0 ? 0 : int8(tagAt) & 0xFF;
        if (options.has(Check.UNION_PAIRS) && distance == 0 && tag != 0) {
            report(StructureRule.UNION_TAG_WITHOUT_VALUE, tagAt, tag);
        }
        if (options.has(Check.UNION_PAIRS) && distance != 0 && tag == 0) {
            report(StructureRule.UNION_VALUE_WITHOUT_TAG, frame.at(field), distance);
        }
        boolean isKnown = tag != 0 && tag <= members.length;
        if (distance != 0 && !stopped) {
            follow(frame, frame.at(field), isKnown ? members[tag - 1] : NONE);
        }
    }

    // ---- offsets, strings, vectors, numbers

    /// Follows an offset inside the buffer.
    ///
    /// @return the target's position, or [#NOWHERE]
    private long follow(long position) {
        int offset = int32(position);
        if (offset > 0 && offset < size - position) {
            return position + offset;
        }
        Rule code =
                offset > 0
                        ? StructureRule.OFFSET_TARGET_OUT_OF_RANGE
                        : offset == 0 ? StructureRule.OFFSET_ZERO : StructureRule.OFFSET_TOO_LARGE;
        report(code, position, offset & 0xFFFF_FFFFL);
        return NOWHERE;
    }

    private void string(long offsetAt) {
        long position = follow(offsetAt);
        if (position == NOWHERE) {
            return;
        }
        long chars = position + Wire.OFFSET_BYTES;
        long room = size - chars;
        long length = room < 0 ? 0 : uint32(position);
        if (misaligned(position, Integer.BYTES)) {
            report(StructureRule.STRING_MISALIGNED, offsetAt, position);
        } else if (room < 0) {
            report(StructureRule.STRING_OUT_OF_RANGE, offsetAt, position);
        } else if (length >= MAX_BYTES) {
            report(StructureRule.STRING_TOO_LONG, position, length);
        } else if (length > room) {
            report(StructureRule.STRING_LENGTH_OUT_OF_RANGE, position, length);
        } else if (length == room) {
            report(StructureRule.STRING_UNTERMINATED, position, -1);
        } else if (int8(chars + length) != 0) {
            int behind = int8(chars + length) & 0xFF;
            report(StructureRule.STRING_UNTERMINATED, chars + length, behind);
        } else if (options.has(Check.UTF8)
                && !utf8.isUtf8(source.array, source.segment(), source.start, chars, length)) {
            report(StructureRule.STRING_NOT_UTF8, chars, length);
        } else {
            cover(position, chars + length + 1 - position, Wire.OFFSET_BYTES);
        }
    }

    /// Checks a vector without its elements, and sets [#first] and [#count]; the count of a faulty
    /// vector is 0.
    private void vector(FieldDeclaration field, long offsetAt) {
        count = 0;
        long position = follow(offsetAt);
        if (position == NOWHERE) {
            return;
        }
        first = position + Wire.OFFSET_BYTES;
        long elements = first > size ? 0 : uint32(position);
        if (misaligned(position, Integer.BYTES)) {
            report(StructureRule.VECTOR_MISALIGNED, offsetAt, position);
        } else if (first > size) {
            report(StructureRule.VECTOR_OUT_OF_RANGE, offsetAt, position);
        } else if (elements >= MAX_BYTES / field.bytes()) {
            report(StructureRule.VECTOR_TOO_LONG, position, elements);
        } else if (elements * field.bytes() > size - first) {
            report(StructureRule.VECTOR_COUNT_OUT_OF_RANGE, position, elements);
        } else {
            count = elements;
            if (covered != null) {
                coverVector(field, position);
            }
            if (!options.allowVector(position, count, field.alignment())) {
                report(StructureRule.ELEMENTS_MISALIGNED, offsetAt, first); // a stricter rule
            }
        }
    }

    // ---- bytes that objects have

    /// Covers bytes that an object has, in a sound buffer.
    private void cover(long position, long bytes, int alignment) {
        if (covered != null) {
            covered.add(position, bytes, alignment);
        }
    }

    /// Covers a vtable, and the offset to it. A table with fields that are not declared, those of a
    /// newer version, has all its bytes: their size is not known.
    ///
    /// @param fields number of the declared fields
    private void coverTable(long table, long vtable, int vtableBytes, int fields) {
        cover(vtable, Math.max(Short.BYTES, vtableBytes), Short.BYTES);
        cover(table, Wire.OFFSET_BYTES, Wire.OFFSET_BYTES);
        boolean hasMore = false;
        int declaredBytes = Wire.VTABLE_HEAD_BYTES + Short.BYTES * fields;
        for (int position = declaredBytes;
                position < vtableBytes && !hasMore;
                position += Short.BYTES) {
            hasMore = uint16(vtable + position) != 0;
        }
        if (hasMore) {
            cover(table, Math.min(uint16(vtable + Short.BYTES), size - table), 1);
        }
    }

    /// Covers the vector that was checked last, but for padding inside structs.
    private void coverVector(FieldDeclaration field, long position) {
        List<InlineType.Member> members = field.type() == null ? List.of() : field.type().members();
        boolean hasPadding =
                members.stream().mapToInt(each -> each.type().bytes()).sum() < field.bytes();
        boolean isAligned =
                options.has(Check.VECTOR_ALIGNMENT) || options.has(Check.EMPTY_VECTOR_ALIGNMENT);
        cover(position, Wire.OFFSET_BYTES, isAligned ? field.alignment() : Wire.OFFSET_BYTES);
        if (members.isEmpty() || !hasPadding) {
            cover(first, count * field.bytes(), 1);
            return;
        }
        for (long i = 0; i < count; i++) {
            for (InlineType.Member each : members) {
                cover(first + i * field.bytes() + each.offset(), each.type().bytes(), 1);
            }
        }
    }

    private boolean misaligned(long position, int alignment) {
        return options.has(Check.ALIGNMENT) && (position & (alignment - 1)) != 0;
    }

    private int int8(long position) {
        return Wire.int8(source.array, source.segment(), source.start + position);
    }

    private int uint16(long position) {
        return Wire.int16(source.array, source.segment(), source.start + position) & 0xFFFF;
    }

    private int int32(long position) {
        return Wire.int32(source.array, source.segment(), source.start + position);
    }

    private long uint32(long position) {
        return Wire.uint32(source.array, source.segment(), source.start + position);
    }
}
