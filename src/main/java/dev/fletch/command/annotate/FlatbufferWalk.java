// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import dev.fletch.flatbuf.internal.DeclaredTables;
import dev.fletch.flatbuf.internal.FieldDeclaration;
import dev.fletch.flatbuf.internal.FieldDeclaration.Kind;
import dev.fletch.flatbuf.internal.InlineType;
import dev.fletch.flatbuf.internal.TableDeclaration;
import dev.fletch.format.internal.tables.ArrowRules;
import dev.fletch.ipc.internal.MessageFinder;
import dev.fletch.ipc.internal.MessagePlace;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;

/// Divides one flatbuffer into regions by the rules of its tables. Continues after damage.
///
/// Reads tables first, level by level, then strings and vectors of numbers, so a wrong length takes
/// no bytes from tables. Reads each position at most once per kind of object. A byte belongs to the
/// region that claims it first. The work is bounded by the flatbuffer's size and by [#MAX_REGIONS].
///
/// Reports no faults: the verifiers do. Overlapping objects are no fault, as verifiers accept them;
/// the offset of the second object gets a note.
final class FlatbufferWalk {
    /// The most regions of one flatbuffer; a schema of 100,000 columns has about two million.
    static final int MAX_REGIONS = 4_000_000;

    private static final DeclaredTables RULES = ArrowRules.SET;
    private static final int WORD = Wire.OFFSET_BYTES;
    private static final int HEAD = Wire.VTABLE_HEAD_BYTES;
    private static final long NOWHERE = Region.NOWHERE;

    // The most bytes of an unknown field in a table with a wrong size.
    private static final int MAX_SLOT_BYTES = Long.BYTES;
    // The most slots to compare for the end of an unknown field.
    private static final int COMPARED_SLOTS = 64;
    // Fewer zero bytes than this are padding; more only at the flatbuffer's end or in a table.
    private static final int LARGEST_ALIGNMENT = Long.BYTES;
    private static final int STEPS_PER_REGION = 4;
    private static final int MOST_BUCKETS = 1 << 22;

    // The fields that name their table, and the most bytes of a name.
    private static final Set<String> NAMES = Set.of("name", "key");
    private static final int MOST_NAME = 200;

    private final MemorySegment memory;
    private final long start;
    private final long end;
    private final int limit;

    // The objects already read. Those whose positions have the same bucket are linked. Most buffers
    // have a bucket for each word, so that neighbours stay neighbours in memory.
    private final Node[] entered;
    private final Map<Long, Node> vtables = new HashMap<>();
    private final Queue<Node> tables = new ArrayDeque<>();
    private final Queue<Node> leaves = new ArrayDeque<>();

    // The bytes that have an owner, and the regions.
    private final TreeMap<Long, Region> claimed = new TreeMap<>();
    private final Map<Long, String> overlaps = new HashMap<>();
    private final List<Region> regions = new ArrayList<>();
    private long steps;

    /// Divides a flatbuffer into [#regions].
    ///
    /// @param limit the most regions
    /// @param root name of the root table
    FlatbufferWalk(MemorySegment memory, long start, long length, int limit, String root) {
        this.memory = memory;
        this.start = start;
        this.end = start + Math.min(length, Integer.MAX_VALUE); // no offset leads further
        this.limit = limit;
        this.entered = new Node[Math.clamp(length / WORD, 1, MOST_BUCKETS)];
        if (length >= WORD) {
            long position = follow(start);
            claim(Region.offset(RegionKind.ROOT_OFFSET, start, null, null, 0, position), start);
            if (position != NOWHERE) {
                enter(Node.table(rules(root), position, null, null, Node.NO_ELEMENT, start));
            }
        }
        while (!tables.isEmpty() && !isCut()) {
            table(tables.remove());
        }
        while (!leaves.isEmpty() && !isCut()) {
            vector(leaves.remove());
        }
        cover(start + length);
    }

    /// The regions from the first byte to the last, without gaps.
    List<Region> regions() {
        return regions;
    }

    /// The end of the last byte whose meaning the format declares.
    long explainedEnd() {
        return regions.stream()
                .filter(Region::isExplained)
                .mapToLong(Region::end)
                .max()
                .orElse(start);
    }

    /// Whether a limit was reached; the remaining bytes are not examined.
    private boolean isCut() {
        return claimed.size() >= limit || steps > (long) STEPS_PER_REGION * limit;
    }

    private static TableDeclaration rules(String table) {
        return RULES.table(RULES.kind(table));
    }

    /// Schedules an object, or reads a vector of tables now; once per position and type.
    ///
    /// @return the object that was entered first
    private Node enter(Node node) {
        int bucket = (int) ((node.at - start) / WORD % entered.length);
        Node before = entered[bucket];
        while (before != null && !before.isSameObject(node)) {
            before = before.other;
        }
        if (before != null) {
            before.references++;
            return before;
        }
        node.other = entered[bucket];
        entered[bucket] = node;
        if (node.kind == Node.Kind.TABLE) {
            tables.add(node);
        } else if (isOfTables(node)) {
            vector(node);
        } else {
            leaves.add(node);
        }
        return node;
    }

    // ---- words

    private int uint16(long position) {
        return Short.toUnsignedInt(Wire.int16(memory, position));
    }

    /// The target of the offset at a position; [#NOWHERE] if it is outside the flatbuffer.
    private long follow(long position) {
        int offset = Wire.int32(memory, position);
        return offset > 0 && offset < end - position ? position + offset : NOWHERE;
    }

    // ---- tables

    private void table(Node node) {
        if (end - node.at < WORD) {
            return;
        }
        long position = node.at - Wire.int32(memory, node.at);
        boolean isInside = position >= start && end - position >= Short.BYTES;
        long target = isInside ? position : NOWHERE;
        claim(Region.offset(RegionKind.VTABLE_OFFSET, node.at, node, null, 0, target));
        if (!isInside) {
            return;
        }
        Node vtable = vtables.get(position);
        if (vtable == null) {
            vtable = vtable(position, node);
            vtables.put(position, vtable);
        }
        vtable.usedBy(node);
        int tableBytes = vtable.end - position >= HEAD ? uint16(position + Short.BYTES) : 0;
        node.end = tableBytes <= end - node.at ? node.at + tableBytes : node.at;
        node.vtable = position;
        node.slots = vtable.slots >= 0 ? vtable.slots : slotsOfDamaged(node, vtable);
        for (FieldDeclaration each : node.rules.fields()) {
            field(node, each);
        }
        for (int i = node.rules.fields().size(); i < node.slots && !isCut(); i++) {
            if (distance(node, i) != 0) {
                unknownField(node, i, node.at + distance(node, i));
            }
        }
    }

    private Node vtable(long position, Node user) {
        Node vtable = Node.of(Node.Kind.VTABLE, position, null, null, user.at);
        vtable.references = 0; // table() counts the user
        vtable.kinds.add(user.rules);
        int bytes = uint16(position);
        long room = end - position;
        claim(Region.of(RegionKind.VTABLE_SIZE, position, Short.BYTES, vtable, 0));
        boolean isSound = bytes % Short.BYTES == 0 && bytes <= room && bytes < end - start;
        vtable.end = position + Short.BYTES;
        if (room >= HEAD && (bytes >= HEAD || !isSound)) {
            claim(Region.of(RegionKind.TABLE_SIZE, vtable.end, Short.BYTES, vtable, 0));
            vtable.end = position + HEAD;
        }
        vtable.slots = isSound ? Math.max(0, bytes - HEAD) / Short.BYTES : -1;
        claimSlots(vtable, vtable.slots);
        return vtable;
    }

    private void claimSlots(Node vtable, int slots) {
        for (int i = 0; i < slots && !isCut(); i++) {
            claim(Region.of(RegionKind.SLOT, slotAt(vtable.at, i), Short.BYTES, vtable, i));
        }
    }

    /// The number of slots of a vtable with a wrong size: those of known fields that fit into the
    /// table.
    private int slotsOfDamaged(Node node, Node vtable) {
        int slots = 0;
        for (FieldDeclaration each : node.rules.fields()) {
            long position = slotAt(vtable.at, each.slot());
            int distance = end - position < Short.BYTES ? -1 : uint16(position);
            boolean fits = distance >= WORD && each.inlineBytes() <= node.end - node.at - distance;
            if (node.end == node.at || distance != 0 && !fits) {
                break;
            }
            slots = each.slot() + 1;
        }
        claimSlots(vtable, slots);
        return slots;
    }

    private static long slotAt(long vtable, int slot) {
        return vtable + HEAD + (long) slot * Short.BYTES;
    }

    /// The value of a slot: distance in bytes of the field from its table; 0 if absent.
    private int distance(Node table, int slot) {
        return slot < table.slots ? uint16(slotAt(table.vtable, slot)) : 0;
    }

    private void field(Node node, FieldDeclaration rule) {
        int distance = distance(node, rule.slot());
        long slotAt = slotAt(node.vtable, rule.slot());
        long position = node.at + distance;
        if (distance == 0 || end - position < rule.inlineBytes()) {
            return;
        }
        if (!rule.isOffset()) {
            value(RegionKind.FIELD, position, node, rule, 0, slotAt);
            return;
        }
        long target = follow(position);
        claim(Region.offset(RegionKind.FIELD, position, node, rule, 0, target), slotAt);
        if (target != NOWHERE) {
            object(node, rule, position, target);
        }
    }

    /// Claims a field that this version does not know. It extends to the next field.
    private void unknownField(Node node, int slot, long position) {
        long to = node.end > position ? node.end : Math.min(end, position + MAX_SLOT_BYTES);
        for (int i = 0; i < Math.min(node.slots, COMPARED_SLOTS); i++) {
            long other = node.at + distance(node, i);
            to = other > position ? Math.min(to, other) : to;
        }
        to = freeEnd(position, to);
        Region region = Region.of(RegionKind.UNKNOWN_FIELD, position, to - position, node, slot);
        claim(region, slotAt(node.vtable, slot));
    }

    // ---- targets of offsets

    /// Enters the target of a field's offset.
    private void object(Node node, FieldDeclaration rule, long position, long target) {
        switch (rule.kind()) {
            case STRING -> {
                enter(Node.of(Node.Kind.STRING, target, node, rule, position));
                if (NAMES.contains(rule.name())) {
                    name(node, target);
                }
            }
            case VECTOR, TABLES -> enter(Node.of(Node.Kind.VECTOR, target, node, rule, position));
            default -> {
                TableDeclaration table = rules(node, rule, target);
                if (table != null) {
                    enter(Node.table(table, target, node, rule, Node.NO_ELEMENT, position));
                }
            }
        }
    }

    /// Takes the name of a table, if that is inside the flatbuffer.
    private void name(Node table, long position) {
        long text = position + WORD;
        long count = end < text ? 0 : Wire.uint32(memory, position);
        if (end - text >= count) {
            table.nameAt = text;
            table.nameLength = (int) Math.min(count, MOST_NAME);
        }
    }

    /// The rules of a field's table; null if the tag of its union does not name one.
    private TableDeclaration rules(Node node, FieldDeclaration rule, long target) {
        if (rule.kind() == Kind.TABLE) {
            return rules(rule.targets().getFirst());
        }
        long tagAt = node.at + distance(node, rule.tagSlot());
        int tag = tagAt == node.at || tagAt >= end ? 0 : Wire.int8(memory, tagAt) & 0xFF;
        if (tag > 0 && tag <= rule.targets().size()) {
            return rules(rule.targets().get(tag - 1));
        }
        // A union member of a newer version is also a table.
        return tag > 0 && MessagePlace.isPlausibleTable(memory, start, end, target)
                ? TableDeclaration.of(Node.field(node.rules, rule.tagSlot()).type().symbol(tag))
                : null;
    }

    /// Reads a string or a vector.
    private void vector(Node node) {
        long elements = node.at + WORD;
        if (elements > end) {
            return;
        }
        claim(Region.of(RegionKind.LENGTH, node.at, WORD, node, 0));
        long count = Wire.uint32(memory, node.at);
        boolean fits = count * node.field.bytes() <= end - elements;
        if (node.kind == Node.Kind.STRING && fits && count <= Integer.MAX_VALUE) {
            text(node, elements, elements + count);
        } else if (node.kind == Node.Kind.VECTOR && (fits || isOfTables(node))) {
            elements(node, elements, count, fits);
        }
    }

    private static boolean isOfTables(Node vector) {
        return vector.field.kind() == Kind.TABLES;
    }

    private void text(Node node, long text, long terminator) {
        // The bytes after `free`, if any, have another owner; claiming them only adds a note.
        long free = freeEnd(text, terminator);
        claim(Region.of(RegionKind.TEXT, text, free - text, node, 0));
        claim(Region.of(RegionKind.TEXT, free, terminator - free, node, 0));
        claim(Region.of(RegionKind.TERMINATOR, terminator, Math.min(1, end - terminator), node, 0));
    }

    /// Reads elements up to the first one whose bytes have an owner.
    ///
    /// @param isSound whether the vector fits; if not, it ends at the first implausible table
    private void elements(Node node, long elements, long count, boolean isSound) {
        FieldDeclaration rule = node.field;
        int bytes = rule.bytes();
        boolean isOwn = true;
        for (int i = 0; i < count && isOwn && !isCut(); i++) {
            long position = elements + (long) i * bytes;
            if (!isOfTables(node)) {
                isOwn = value(RegionKind.ELEMENT, position, node, rule, i, node.reference);
                continue;
            }
            long target = end - position < WORD ? end : position + Wire.uint32(memory, position);
            if (!isSound && !MessagePlace.isPlausibleTable(memory, start, end, target)) {
                return;
            }
            long shown = target < end ? target : NOWHERE;
            isOwn = claim(Region.offset(RegionKind.ELEMENT, position, node, rule, i, shown));
            if (shown != NOWHERE && isOwn) {
                TableDeclaration of = rules(rule.targets().getFirst());
                node.elements.add(enter(Node.table(of, target, node.from, rule, i, position)));
            }
        }
    }

    /// Claims a number, or the members of a struct.
    ///
    /// @return false if some bytes have an owner
    private boolean value(
            RegionKind kind,
            long position,
            Node node,
            FieldDeclaration rule,
            int index,
            long reference) {
        InlineType type = rule.type();
        if (!type.isStruct()) {
            return claim(
                    new Region(kind, position, type.bytes(), node, rule, index, null, NOWHERE),
                    reference);
        }
        boolean isFree = true;
        long behind = position;
        for (InlineType.Member each : type.members()) {
            long from = position + each.offset();
            claim(Region.of(RegionKind.PADDING, behind, from - behind, node, 0), reference);
            int bytes = each.type().bytes();
            Region member = new Region(kind, from, bytes, node, rule, index, each, NOWHERE);
            isFree &= claim(member, reference);
            behind = member.end();
        }
        return isFree;
    }

    // ---- owners of bytes

    private boolean claim(Region region) {
        return claim(region, region.node().reference);
    }

    /// Claims bytes, if there are any and all of them are free.
    ///
    /// @param reference position of the offset that points to the region
    /// @return whether they were free
    private boolean claim(Region region, long reference) {
        if (region.length() <= 0) {
            return true;
        }
        steps++;
        long free = freeEnd(region.at(), region.end());
        if (free < region.end()) {
            overlaps.computeIfAbsent(reference, _ -> overlap(region.node(), free));
            return false;
        }
        if (isCut()) {
            return false;
        }
        claimed.put(region.at(), region);
        return true;
    }

    private String overlap(Node node, long position) {
        Map.Entry<Long, Region> before = claimed.floorEntry(position);
        if (before == null) {
            return "";
        }
        Node owner = before.getValue().node();
        String first = owner == null ? "flatbuffer at +0" : owner.place(start);
        return "second reference: " + node.place(start) + " overlaps " + first;
    }

    /// The end of the free bytes of a range; its start if that has an owner.
    private long freeEnd(long from, long to) {
        Map.Entry<Long, Region> before = claimed.floorEntry(from);
        if (before != null && before.getValue().end() > from) {
            return from;
        }
        Long next = claimed.higherKey(from);
        return Math.min(to, next == null ? end : Math.min(next, end));
    }

    /// Fills the gaps between regions. Bytes inside a table belong to the table, other bytes to no
    /// object.
    private void cover(long to) {
        long position = start;
        Node before = null;
        for (Region each : claimed.values()) {
            gap(position, each.at(), before);
            regions.add(each);
            position = each.end();
            before = each.node();
        }
        gap(position, to, before);
    }

    private void gap(long from, long to, Node before) {
        boolean isInTable = before != null && before.kind == Node.Kind.TABLE;
        long inside = isInTable ? Math.clamp(before.end, from, to) : from;
        fill(from, inside, before);
        fill(inside, to, null);
    }

    private void fill(long from, long to, Node owner) {
        if (from == to) {
            return;
        }
        boolean mayBePadding = to - from < LARGEST_ALIGNMENT || to >= end || owner != null;
        RegionKind kind =
                isCut()
                        ? RegionKind.NOT_ANNOTATED
                        : mayBePadding && MessageFinder.areZeros(memory, from, to)
                                ? RegionKind.PADDING
                                : RegionKind.UNREFERENCED;
        regions.add(Region.of(kind, from, to - from, owner, 0));
    }

    /// The note about a region; null if there is none.
    String note(Region region) {
        return switch (region.kind()) {
            case PADDING ->
                    MessageFinder.areZeros(memory, region.at(), region.end())
                            ? null
                            : "padding is not zero";
            case NOT_ANNOTATED -> "limit reached: regions=" + limit;
            default -> overlaps.get(region.at());
        };
    }
}
