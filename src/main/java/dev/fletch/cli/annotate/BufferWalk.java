// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import dev.fletch.flatbuf.StructureRules;
import dev.fletch.flatbuf.verify.FieldRule;
import dev.fletch.flatbuf.verify.FieldRule.Kind;
import dev.fletch.flatbuf.verify.RuleSet;
import dev.fletch.flatbuf.verify.TableRules;
import dev.fletch.format.rules.ArrowRules;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/// Takes one flatbuffer apart, by the same rules that verifiers go by, and goes on behind whatever
/// is wrong.
///
/// Tables come first, level by level, then strings and vectors of numbers: a length that is too
/// large then takes nothing from what offsets lead to. Each position is entered once as each kind
/// of object, and each byte has one owner, so the work is bounded by the flatbuffer's size, and
/// besides by [BufferClaims#MAX_REGIONS].
public final class BufferWalk extends BufferObjects {
    private static final RuleSet RULES = ArrowRules.SET;
    private static final int MAX_SLOT_BYTES = Long.BYTES;

    /// A place that was entered, and as what.
    private record Entry(long at, String as) {}

    /// What is left for later: a string or a vector of numbers.
    private record Leaf(Node node, FieldRule field, long reference) {}

    private final Map<Entry, Node> entered = new HashMap<>();
    private final Map<Long, Node> vtables = new HashMap<>();
    private final Queue<Node> tables = new ArrayDeque<>();
    // For the tables in the queue: position of the word that has led there.
    private final Queue<Long> references = new ArrayDeque<>();
    private final List<Leaf> leaves = new ArrayList<>();
    private final Node buffer;

    BufferWalk(MemorySegment memory, long start, long length, Problems problems) {
        this(memory, start, length, problems, BufferClaims.MAX_REGIONS);
    }

    /// @param limit how many regions there may be
    BufferWalk(MemorySegment memory, long start, long length, Problems problems, int limit) {
        super(memory, start, length, problems, limit);
        this.buffer = Node.buffer(start);
    }

    /// Takes the flatbuffer apart.
    ///
    /// @param root the root's table
    /// @return regions in their order, from the first byte to the last
    List<Region> run(String root) {
        if (end - start >= WORD) {
            long at = follow(start, null, null);
            claims.claim(Region.leading(RegionKind.ROOT_OFFSET, start, buffer, at), start);
            if (at != NOWHERE) {
                enter(Node.root(at, rules(root)), start);
            }
        }
        while (!tables.isEmpty() && !claims.isFull()) {
            table(tables.remove(), references.remove());
        }
        for (Leaf each : leaves) {
            if (claims.isFull()) {
                break;
            }
            if (each.field.kind() == Kind.STRING) {
                string(each.node, each.reference);
            } else {
                vector(each.node, each.field, each.reference);
            }
        }
        return claims.covered();
    }

    /// Whether not all could be taken apart.
    boolean isCut() {
        return claims.isFull();
    }

    String note(Region region) {
        boolean isOdd =
                region.kind() == RegionKind.PADDING
                        && !BufferClaims.isZero(memory, region.at(), region.end());
        return isOdd ? "padding is not zero" : claims.note(region);
    }

    private static TableRules rules(String table) {
        return RULES.table(RULES.kind(table));
    }

    private boolean isNew(Node node, String as) {
        Node before = entered.putIfAbsent(new Entry(node.at, as), node);
        if (before != null) {
            before.references++;
        }
        return before == null;
    }

    private void enter(Node table, long reference) {
        if (isNew(table, table.rules.name())) {
            tables.add(table);
            references.add(reference);
        }
    }

    // ---- tables

    private void table(Node node, long reference) {
        if (end - node.at < WORD) {
            problem(StructureRules.TABLE_OUT_OF_RANGE, reference, node.at - start, node, null);
            return;
        }
        long at = node.at - int32(node.at);
        boolean isInside = at >= start && end - at >= Short.BYTES;
        claims.claim(
                Region.leading(RegionKind.VTABLE_OFFSET, node.at, node, isInside ? at : NOWHERE),
                reference);
        if (!isInside) {
            problem(StructureRules.VTABLE_OUT_OF_RANGE, node.at, node.at - at, node, null);
            return;
        }
        Node vtable = vtables.get(at);
        if (vtable == null) {
            vtable = vtable(at, node);
        } else {
            vtable.usedBy(node);
        }
        int tableBytes = vtable.end - at >= VTABLE_HEAD ? uint16(at + Short.BYTES) : 0;
        node.end = tableBytes <= end - node.at ? node.at + tableBytes : node.at;
        boolean isSound = vtable.slots >= 0;
        int slots = isSound ? vtable.slots : slotsOfDamaged(node, vtable, tableBytes);
        fields(node, vtable, slots);
        for (FieldRule each : node.rules.fields()) {
            if (each.required() && slot(vtable, slots, each.slot()) == 0) {
                problem(StructureRules.REQUIRED_FIELD_ABSENT, node.at, each.slot(), node, each);
            }
        }
    }

    private Node vtable(long at, Node user) {
        Node vtable = Node.vtable(at);
        vtable.usedBy(user);
        vtables.put(at, vtable);
        int bytes = uint16(at);
        long room = end - at;
        claims.claim(number(RegionKind.VTABLE_SIZE, at, Short.BYTES, vtable, 0), user.at);
        boolean isSound = bytes % Short.BYTES == 0 && bytes <= room && bytes < end - start;
        if (bytes % Short.BYTES != 0) {
            problem(StructureRules.VTABLE_SIZE_ODD, at, bytes, user, null);
        } else if (!isSound) {
            problem(StructureRules.VTABLE_SIZE_OUT_OF_RANGE, at, bytes, user, null);
        }
        vtable.end = at + Short.BYTES;
        if (room >= VTABLE_HEAD && (bytes >= VTABLE_HEAD || !isSound)) {
            long second = at + Short.BYTES;
            claims.claim(number(RegionKind.TABLE_SIZE, second, Short.BYTES, vtable, 0), user.at);
            vtable.end = at + VTABLE_HEAD;
        }
        if (!isSound) {
            vtable.slots = -1;
            return vtable;
        }
        vtable.slots = Math.max(0, bytes - VTABLE_HEAD) / Short.BYTES;
        claimSlots(vtable, vtable.slots, user.at);
        return vtable;
    }

    private void claimSlots(Node vtable, int slots, long reference) {
        for (int i = 0; i < slots && !claims.isFull(); i++) {
            long at = vtable.at + VTABLE_HEAD + (long) i * Short.BYTES;
            claims.claim(number(RegionKind.SLOT, at, Short.BYTES, vtable, i), reference);
        }
        if (slots > 0) {
            vtable.end = vtable.at + VTABLE_HEAD + (long) slots * Short.BYTES;
        }
    }

    /// Of a vtable whose size is wrong: the slots of known fields that lie in the table.
    private int slotsOfDamaged(Node node, Node vtable, int tableBytes) {
        if (node.end == node.at || node.rules.fields().isEmpty()) {
            return 0;
        }
        int slots = 0;
        for (FieldRule each : node.rules.fields()) {
            long at = vtable.at + VTABLE_HEAD + (long) each.slot() * Short.BYTES;
            int distance = end - at < Short.BYTES ? -1 : uint16(at);
            boolean fits =
                    distance == 0
                            || distance >= WORD && each.inlineBytes() <= tableBytes - distance;
            if (!fits) {
                break;
            }
            slots = each.slot() + 1;
        }
        claimSlots(vtable, slots, node.at);
        return slots;
    }

    private int slot(Node vtable, int slots, int slot) {
        return slot < slots ? uint16(slotAt(vtable, slot)) : 0;
    }

    private static long slotAt(Node vtable, int slot) {
        return vtable.at + VTABLE_HEAD + (long) slot * Short.BYTES;
    }

    private void fields(Node node, Node vtable, int slots) {
        for (FieldRule each : node.rules.fields()) {
            int distance = slot(vtable, slots, each.slot());
            if (distance != 0) {
                field(node, vtable, slots, each, distance);
            }
        }
        int known = node.rules.fields().isEmpty() ? 0 : node.rules.fields().getLast().slot() + 1;
        for (int i = known; i < slots && !claims.isFull(); i++) {
            int distance = slot(vtable, slots, i);
            if (distance != 0) {
                unknown(node, vtable, slots, i, distance);
            }
        }
    }

    private void field(Node node, Node vtable, int slots, FieldRule rule, int distance) {
        long slotAt = slotAt(vtable, rule.slot());
        long at = node.at + distance;
        if (end - at < rule.inlineBytes()) {
            problem(rule.outOfRange(), slotAt, distance, node, rule);
        } else if (!rule.isOffset()) {
            value(RegionKind.FIELD, at, node, rule, 0, slotAt);
        } else {
            long target = follow(at, node, rule);
            claims.claim(
                    new Region(RegionKind.FIELD, at, WORD, node, rule, null, 0, null, target),
                    slotAt);
            if (target != NOWHERE) {
                int tagDistance = rule.tagSlot() < 0 ? 0 : slot(vtable, slots, rule.tagSlot());
                lead(node, rule, at, target, tagDistance);
            }
        }
    }

    /// A field of a newer writer: up to the next one it is its own.
    private void unknown(Node node, Node vtable, int slots, int slot, int distance) {
        long at = node.at + distance;
        if (at >= end) {
            return;
        }
        long limit = node.end > at ? node.end : Math.min(end, at + MAX_SLOT_BYTES);
        limit = Math.min(limit, claims.freeEnd(at));
        int others = Math.min(slots, 64);
        for (int i = 0; i < others; i++) {
            long other = node.at + slot(vtable, slots, i);
            limit = other > at ? Math.min(limit, other) : limit;
        }
        if (limit > at) {
            claims.claim(
                    new Region(
                            RegionKind.UNKNOWN_FIELD,
                            at,
                            limit - at,
                            node,
                            null,
                            null,
                            slot,
                            null,
                            NOWHERE),
                    slotAt(vtable, slot));
        }
    }

    // ---- where offsets lead

    private void lead(Node node, FieldRule rule, long at, long target, int tagDistance) {
        switch (rule.kind()) {
            case STRING -> leaf(Node.string(target, node, rule), "string", rule, at);
            case VECTOR -> leaf(Node.vector(target, node, rule), rule.type().name(), rule, at);
            case TABLE -> {
                TableRules rules = rules(rule.targets().getFirst());
                enter(Node.table(target, node, rule, rules), at);
            }
            case TABLES -> {
                Node vector = Node.vector(target, node, rule);
                if (isNew(vector, "tables " + rule.targets().getFirst())) {
                    vector(vector, rule, at);
                }
            }
            case UNION -> member(node, rule, at, target, tagDistance);
            default -> throw new IllegalStateException("not led to: " + rule.kind());
        }
    }

    private void leaf(Node node, String as, FieldRule rule, long reference) {
        if (isNew(node, as)) {
            leaves.add(new Leaf(node, rule, reference));
        }
    }

    /// A member that is not known is a table all the same, if it looks like one.
    private void member(Node node, FieldRule rule, long at, long target, int tagDistance) {
        long tagAt = node.at + tagDistance;
        int tag = tagDistance == 0 || tagAt >= end ? 0 : uint8(tagAt);
        if (tag > 0 && tag <= rule.targets().size()) {
            enter(Node.table(target, node, rule, rules(rule.targets().get(tag - 1))), at);
        } else if (tag > 0 && isPlausibleTable(target)) {
            String name = node.field(rule.tagSlot()).type().symbol(tag);
            enter(Node.table(target, node, rule, TableRules.of(name)), at);
        }
    }

    private void vector(Node node, FieldRule rule, long reference) {
        long at = node.at;
        long room = end - at - WORD;
        if (room < 0) {
            problem(StructureRules.VECTOR_OUT_OF_RANGE, reference, at - start, node, null);
            return;
        }
        long count = uint32(at);
        int bytes = rule.bytes();
        claims.claim(number(RegionKind.LENGTH, at, WORD, node, 0), reference);
        boolean fits = count * bytes <= room;
        if (!fits) {
            boolean isLong = count >= MAX_BYTES / bytes;
            problem(
                    isLong
                            ? StructureRules.VECTOR_TOO_LONG
                            : StructureRules.VECTOR_COUNT_OUT_OF_RANGE,
                    at,
                    count,
                    node,
                    null);
        }
        boolean hasTables = rule.kind() == Kind.TABLES;
        long most = Math.min(count, room / bytes);
        for (int i = 0; i < most && !claims.isFull(); i++) {
            long elementAt = at + WORD + (long) i * bytes;
            boolean isOwn =
                    hasTables
                            ? element(node, rule, i, elementAt, fits, reference)
                            : fits
                                    && value(
                                            RegionKind.ELEMENT,
                                            elementAt,
                                            node,
                                            rule,
                                            i,
                                            reference);
            if (!isOwn) {
                break; // one that leads on, where others lie, is not to be trusted
            }
        }
    }

    /// Claims an offset to a table, and follows it.
    ///
    /// @param isSound whether the vector's length is right; if not, all has to look like a table
    private boolean element(
            Node vector, FieldRule rule, int index, long at, boolean isSound, long reference) {
        long target = at + uint32(at);
        boolean isInside = target < end;
        if (!isSound && !isPlausibleTable(target)) {
            return false;
        }
        boolean isOwn =
                claims.claim(
                        new Region(
                                RegionKind.ELEMENT,
                                at,
                                WORD,
                                vector,
                                rule,
                                null,
                                index,
                                null,
                                isInside ? target : NOWHERE),
                        reference);
        TableRules rules = rules(rule.targets().getFirst());
        Node table = Node.element(target, vector.from, rule, index, rules);
        if (!isInside) {
            problem(StructureRules.TABLE_OUT_OF_RANGE, at, target - start, table, null);
        } else if (isOwn) {
            enter(table, at);
        }
        return isOwn;
    }
}
