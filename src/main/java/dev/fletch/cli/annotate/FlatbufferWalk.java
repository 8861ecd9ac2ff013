// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import dev.fletch.flatbuf.verify.FieldRule;
import dev.fletch.flatbuf.verify.FieldRule.Kind;
import dev.fletch.flatbuf.verify.InlineType;
import dev.fletch.flatbuf.verify.RuleSet;
import dev.fletch.flatbuf.verify.TableRules;
import dev.fletch.format.rules.ArrowRules;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;

/// Divides one flatbuffer into regions, by the rules of its tables, and continues behind damage.
///
/// Tables come first, level by level, then strings and vectors of numbers. So a wrong length takes no
/// bytes from the tables. Each position is read once as each kind of object, and each byte belongs to
/// the region that claims it first. The work is bounded by the flatbuffer's size and by
/// [#MAX_REGIONS].
///
/// Faults are not reported: the verifiers do that. A second claim is no fault, as verifiers accept
/// objects that overlap; the word that leads to such an object gets a note.
final class FlatbufferWalk {
    /// The most regions of one flatbuffer; a schema of 100,000 columns has about two million.
    static final int MAX_REGIONS = 4_000_000;

    private static final RuleSet RULES = ArrowRules.SET;
    private static final int WORD = Wire.OFFSET_BYTES;
    private static final int HEAD = Wire.VTABLE_HEAD_BYTES;
    private static final long MAX_BYTES = Integer.MAX_VALUE;
    private static final long LARGEST_BUFFER = MAX_BYTES - Long.BYTES;
    private static final long NOWHERE = Region.NOWHERE;

    // The largest unknown field of a table whose size is wrong.
    private static final int MAX_SLOT_BYTES = Long.BYTES;
    // The most slots that are compared to find the end of an unknown field.
    private static final int COMPARED_SLOTS = 64;
    // As many zeros or more are no padding, except at the flatbuffer's end.
    private static final int LARGEST_ALIGNMENT = Long.BYTES;
    private static final int STEPS_PER_REGION = 4;

    /// A position that was read, and as what kind of object.
    private record Entry(long at, String as) {}

    /// An object that overlaps others, and its first byte that has an owner.
    private record Overlap(Node what, long at) {}

    private final MemorySegment memory;
    private final long start;
    private final long end;
    private final int limit;

    private final Map<Entry, Node> entered = new HashMap<>();
    private final Map<Long, Node> vtables = new HashMap<>();
    private final Queue<Node> tables = new ArrayDeque<>();
    private final List<Node> leaves = new ArrayList<>();

    private final BitSet taken = new BitSet();
    private final List<Region> regions = new ArrayList<>();
    private final Map<Long, Overlap> overlaps = new HashMap<>();
    private List<Region> covered;
    private long steps;

    /// Divides a flatbuffer into [#regions].
    ///
    /// @param limit the most regions
    /// @param root name of the root's table
    FlatbufferWalk(MemorySegment memory, long start, long length, int limit, String root) {
        this.memory = memory;
        this.start = start;
        this.end = start + length;
        this.limit = limit;
        if (length > LARGEST_BUFFER) {
            covered = List.of(Region.of(RegionKind.NOT_ANNOTATED, start, length, null, 0));
            return;
        }
        if (length >= WORD) {
            long at = follow(start);
            Node buffer = Node.of(Node.Kind.BUFFER, start, null, null, start);
            claim(Region.offset(RegionKind.ROOT_OFFSET, start, buffer, null, 0, at));
            if (at != NOWHERE) {
                enter(Node.table(at, null, null, Node.NO_ELEMENT, rules(root), start));
            }
        }
        while (!tables.isEmpty() && !isCut()) {
            table(tables.remove());
        }
        for (Node each : leaves) {
            if (isCut()) {
                break;
            }
            if (each.kind == Node.Kind.STRING) {
                string(each);
            } else {
                vector(each);
            }
        }
        cover();
    }

    /// Regions from the first byte to the last, without gaps.
    List<Region> regions() {
        return covered;
    }

    /// Whether the limit was reached, so that bytes are left that were not examined.
    private boolean isCut() {
        return regions.size() >= limit || steps > (long) STEPS_PER_REGION * limit;
    }

    private static TableRules rules(String table) {
        return RULES.table(RULES.kind(table));
    }

    private void enter(Node table) {
        if (isNew(table, table.rules.name())) {
            tables.add(table);
        }
    }

    private boolean isNew(Node node, String as) {
        Node before = entered.putIfAbsent(new Entry(node.at, as), node);
        if (before != null) {
            before.references++;
        }
        return before == null;
    }

    // ---- words

    private int uint16(long at) {
        return Short.toUnsignedInt(Wire.int16(memory, at));
    }

    /// Returns the target of the offset at a position, or [#NOWHERE] if it leads out of the flatbuffer.
    private long follow(long at) {
        int offset = Wire.int32(memory, at);
        return offset > 0 && offset < end - at ? at + offset : NOWHERE;
    }

    /// Whether bytes look like a flatbuffer: their first word leads to a table.
    static boolean hasRoot(MemorySegment memory, long start, long end) {
        return end - start >= 2 * WORD
                && isPlausibleTable(memory, start, end, start + Wire.uint32(memory, start));
    }

    /// Whether a table may begin at a position that no rule leads to.
    private static boolean isPlausibleTable(MemorySegment memory, long start, long end, long at) {
        if (at < start || end - at < WORD || (at - start) % WORD != 0) {
            return false;
        }
        long vtable = at - Wire.int32(memory, at);
        if (vtable < start || end - vtable < HEAD || (vtable - start) % Short.BYTES != 0) {
            return false;
        }
        int bytes = Short.toUnsignedInt(Wire.int16(memory, vtable));
        int tableBytes = Short.toUnsignedInt(Wire.int16(memory, vtable + Short.BYTES));
        return bytes >= HEAD
                && bytes % Short.BYTES == 0
                && bytes <= end - vtable
                && tableBytes >= WORD
                && tableBytes <= end - at;
    }

    static boolean isZero(MemorySegment memory, long from, long to) {
        for (long at = from; at < to; at++) {
            if (Wire.int8(memory, at) != 0) {
                return false;
            }
        }
        return true;
    }

    // ---- tables

    private void table(Node node) {
        if (end - node.at < WORD) {
            return;
        }
        long at = node.at - Wire.int32(memory, node.at);
        boolean isInside = at >= start && end - at >= Short.BYTES;
        long target = isInside ? at : NOWHERE;
        claim(Region.offset(RegionKind.VTABLE_OFFSET, node.at, node, null, 0, target));
        if (!isInside) {
            return;
        }
        Node vtable = vtables.computeIfAbsent(at, _ -> vtable(at, node));
        vtable.usedBy(node);
        int tableBytes = vtable.end - at >= HEAD ? uint16(at + Short.BYTES) : 0;
        node.end = tableBytes <= end - node.at ? node.at + tableBytes : node.at;
        node.vtable = at;
        node.slots = vtable.slots >= 0 ? vtable.slots : slotsOfDamaged(node, vtable, tableBytes);
        int known = 0;
        for (FieldRule each : node.rules.fields()) {
            field(node, each);
            known = each.slot() + 1;
        }
        for (int i = known; i < node.slots && !isCut(); i++) {
            if (distance(node, i) != 0) {
                unknownField(node, i, node.at + distance(node, i));
            }
        }
    }

    private Node vtable(long at, Node user) {
        Node vtable = Node.of(Node.Kind.VTABLE, at, null, null, user.at);
        vtable.references = 0;
        int bytes = uint16(at);
        long room = end - at;
        claim(Region.of(RegionKind.VTABLE_SIZE, at, Short.BYTES, vtable, 0));
        boolean isSound = bytes % Short.BYTES == 0 && bytes <= room && bytes < end - start;
        vtable.end = at + Short.BYTES;
        if (room >= HEAD && (bytes >= HEAD || !isSound)) {
            claim(Region.of(RegionKind.TABLE_SIZE, vtable.end, Short.BYTES, vtable, 0));
            vtable.end = at + HEAD;
        }
        vtable.slots = isSound ? Math.max(0, bytes - HEAD) / Short.BYTES : -1;
        claimSlots(vtable, vtable.slots);
        return vtable;
    }

    private void claimSlots(Node vtable, int slots) {
        for (int i = 0; i < slots && !isCut(); i++) {
            claim(Region.of(RegionKind.SLOT, slotAt(vtable.at, i), Short.BYTES, vtable, i));
        }
        if (slots > 0) {
            vtable.end = slotAt(vtable.at, slots);
        }
    }

    /// Counts slots of a vtable whose size is wrong: those of known fields that are in the table.
    private int slotsOfDamaged(Node node, Node vtable, int tableBytes) {
        if (node.end == node.at) {
            return 0;
        }
        int slots = 0;
        for (FieldRule each : node.rules.fields()) {
            long at = slotAt(vtable.at, each.slot());
            int distance = end - at < Short.BYTES ? -1 : uint16(at);
            boolean fits = distance >= WORD && each.inlineBytes() <= tableBytes - distance;
            if (distance != 0 && !fits) {
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

    /// The value of a table's slot: distance of the field from the table, 0 if it is absent.
    private int distance(Node table, int slot) {
        return slot < table.slots ? uint16(slotAt(table.vtable, slot)) : 0;
    }

    private void field(Node node, FieldRule rule) {
        int distance = distance(node, rule.slot());
        long slotAt = slotAt(node.vtable, rule.slot());
        long at = node.at + distance;
        if (distance == 0 || end - at < rule.inlineBytes()) {
            return;
        }
        if (!rule.isOffset()) {
            value(RegionKind.FIELD, at, node, rule, 0, slotAt);
            return;
        }
        long target = follow(at);
        claim(Region.offset(RegionKind.FIELD, at, node, rule, 0, target), slotAt);
        if (target != NOWHERE) {
            object(node, rule, at, target);
        }
    }

    /// Claims a field of a newer writer: it extends to the next field.
    private void unknownField(Node node, int slot, long at) {
        if (at >= end) {
            return;
        }
        long to = node.end > at ? node.end : Math.min(end, at + MAX_SLOT_BYTES);
        to = Math.min(to, freeEnd(at));
        for (int i = 0; i < Math.min(node.slots, COMPARED_SLOTS); i++) {
            long other = node.at + distance(node, i);
            to = other > at ? Math.min(to, other) : to;
        }
        if (to > at) {
            Region region = Region.of(RegionKind.UNKNOWN_FIELD, at, to - at, node, slot);
            claim(region, slotAt(node.vtable, slot));
        }
    }

    // ---- what offsets lead to

    /// Reads the object that a field's offset leads to, now or later.
    private void object(Node node, FieldRule rule, long at, long target) {
        switch (rule.kind()) {
            case STRING -> leaf(Node.of(Node.Kind.STRING, target, node, rule, at), "string");
            case VECTOR ->
                    leaf(Node.of(Node.Kind.VECTOR, target, node, rule, at), rule.type().name());
            case TABLES -> {
                Node vector = Node.of(Node.Kind.VECTOR, target, node, rule, at);
                if (isNew(vector, "tables " + rule.targets().getFirst())) {
                    vector(vector);
                }
            }
            case TABLE, UNION -> {
                TableRules of =
                        rule.kind() == Kind.UNION
                                ? member(node, rule, target)
                                : rules(rule.targets().getFirst());
                if (of != null) {
                    enter(Node.table(target, node, rule, Node.NO_ELEMENT, of, at));
                }
            }
            default -> throw new IllegalStateException("no offset: kind=" + rule.kind());
        }
    }

    private void leaf(Node node, String as) {
        if (isNew(node, as)) {
            leaves.add(node);
        }
    }

    /// The table of a union's value; null if the tag does not tell.
    private TableRules member(Node node, FieldRule rule, long target) {
        long tagAt = node.at + distance(node, rule.tagSlot());
        int tag = tagAt == node.at || tagAt >= end ? 0 : Wire.int8(memory, tagAt) & 0xFF;
        if (tag > 0 && tag <= rule.targets().size()) {
            return rules(rule.targets().get(tag - 1));
        }
        // A member of a newer version is a table, too.
        return tag > 0 && isPlausibleTable(memory, start, end, target)
                ? TableRules.of(Node.field(node.rules, rule.tagSlot()).type().symbol(tag))
                : null;
    }

    private void string(Node node) {
        long text = node.at + WORD;
        long room = end - text;
        if (room < 0) {
            return;
        }
        long length = Wire.uint32(memory, node.at);
        claim(Region.of(RegionKind.LENGTH, node.at, WORD, node, 0));
        node.end = text;
        if (length >= MAX_BYTES || length > room) {
            return;
        }
        long terminator = text + length;
        node.end = terminator;
        // The second part, if any, belongs to another object and only adds a note.
        long free = length == 0 ? text : Math.min(freeEnd(text), terminator);
        if (free > text) {
            claim(Region.of(RegionKind.TEXT, text, free - text, node, 0));
        }
        if (free < terminator) {
            claim(Region.of(RegionKind.TEXT, free, terminator - free, node, 0));
        }
        if (length < room) {
            claim(Region.of(RegionKind.TERMINATOR, terminator, 1, node, 0));
        }
    }

    private void vector(Node node) {
        FieldRule rule = node.field;
        long elements = node.at + WORD;
        long room = end - elements;
        if (room < 0) {
            return;
        }
        long count = Wire.uint32(memory, node.at);
        int bytes = rule.bytes();
        claim(Region.of(RegionKind.LENGTH, node.at, WORD, node, 0));
        boolean fits = count * bytes <= room;
        if (!fits && rule.kind() != Kind.TABLES) {
            return;
        }
        // An element whose bytes have an owner ends the vector: the rest cannot be trusted.
        boolean isOwn = true;
        for (int i = 0; i < Math.min(count, room / bytes) && isOwn && !isCut(); i++) {
            long at = elements + (long) i * bytes;
            isOwn =
                    rule.kind() == Kind.TABLES
                            ? tableElement(node, i, at, fits)
                            : value(RegionKind.ELEMENT, at, node, rule, i, node.reference);
        }
    }

    /// Claims an offset to a table, and follows it.
    ///
    /// @param isSound whether the vector's length is right; if not, the target must look like a table
    /// @return whether the offset's bytes were free
    private boolean tableElement(Node vector, int index, long at, boolean isSound) {
        FieldRule rule = vector.field;
        long target = at + Wire.uint32(memory, at);
        if (!isSound && !isPlausibleTable(memory, start, end, target)) {
            return false;
        }
        boolean isInside = target < end;
        long shown = isInside ? target : NOWHERE;
        boolean isOwn = claim(Region.offset(RegionKind.ELEMENT, at, vector, rule, index, shown));
        if (isInside && isOwn) {
            TableRules rules = rules(rule.targets().getFirst());
            enter(Node.table(target, vector.from, rule, index, rules, at));
        }
        return isOwn;
    }

    /// Claims a number, or the members of a struct.
    ///
    /// @return false if some of its bytes have an owner
    private boolean value(
            RegionKind kind, long at, Node node, FieldRule rule, int index, long reference) {
        InlineType type = rule.type();
        if (!type.isStruct()) {
            return claim(Region.value(kind, at, node, rule, type, index, null), reference);
        }
        boolean isFree = true;
        long behind = at;
        for (InlineType.Member each : type.members()) {
            long from = at + each.offset();
            if (from > behind) {
                claim(Region.of(RegionKind.PADDING, behind, from - behind, node, 0), reference);
            }
            Region member = Region.value(kind, from, node, rule, each.type(), index, each);
            isFree &= claim(member, reference);
            behind = member.end();
        }
        return isFree;
    }

    // ---- who owns which byte

    private boolean claim(Region region) {
        return claim(region, region.node().reference);
    }

    /// Claims bytes if all of them are free.
    ///
    /// @param reference position of the word that leads to the region
    /// @return whether they were free
    private boolean claim(Region region, long reference) {
        steps++;
        long free = freeEnd(region.at());
        if (free < region.end()) {
            overlaps.putIfAbsent(reference, new Overlap(region.node(), free));
            return false;
        }
        if (isCut()) {
            return false;
        }
        taken.set((int) (region.at() - start), (int) (region.end() - start));
        regions.add(region);
        return true;
    }

    /// The end of the free bytes that begin at a position.
    private long freeEnd(long at) {
        int next = taken.nextSetBit((int) (at - start));
        return next < 0 ? end : start + next;
    }

    /// Sorts the regions, and fills the gaps between them.
    private void cover() {
        regions.sort(Comparator.comparingLong(Region::at));
        covered = new ArrayList<>(regions.size() + 16);
        long at = start;
        Node before = null;
        for (Region each : regions) {
            gap(at, each.at(), before);
            covered.add(each);
            at = each.end();
            before = each.node();
        }
        gap(at, end, before);
    }

    /// Bytes inside a table belong to it; those behind it to no object.
    private void gap(long from, long to, Node before) {
        long at = from;
        if (before != null && before.kind == Node.Kind.TABLE && before.end > from) {
            at = Math.min(before.end, to);
            fill(from, at, before);
        }
        fill(at, to, null);
    }

    private void fill(long from, long to, Node owner) {
        if (from == to) {
            return;
        }
        boolean mayBePadding = to - from < LARGEST_ALIGNMENT || to == end || owner != null;
        RegionKind kind =
                isCut()
                        ? RegionKind.NOT_ANNOTATED
                        : mayBePadding && isZero(memory, from, to)
                                ? RegionKind.PADDING
                                : RegionKind.UNREFERENCED;
        covered.add(Region.of(kind, from, to - from, owner, 0));
    }

    /// Returns a note about a region, or null.
    String note(Region region) {
        if (region.kind() == RegionKind.PADDING && !isZero(memory, region.at(), region.end())) {
            return "padding is not zero";
        }
        if (region.kind() == RegionKind.NOT_ANNOTATED) {
            return isCut() ? "limit reached: regions=" + limit : "larger than 2^31 bytes";
        }
        Overlap found = overlaps.get(region.at());
        if (found == null) {
            return null;
        }
        Node owner = ownerOf(found.at);
        return String.format(
                Locale.ROOT,
                "second reference: %s at +%d lies in %s",
                found.what.title(),
                found.what.at - start,
                owner == null ? "what others own" : owner.title() + " at +" + (owner.at - start));
    }

    private Node ownerOf(long at) {
        int low = 0;
        int high = covered.size() - 1;
        while (low < high) {
            int middle = low + high + 1 >>> 1;
            boolean isBehind = covered.get(middle).at() > at;
            low = isBehind ? low : middle;
            high = isBehind ? middle - 1 : high;
        }
        return covered.get(low).node();
    }
}
