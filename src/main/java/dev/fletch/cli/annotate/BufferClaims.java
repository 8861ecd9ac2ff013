// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Who owns which byte of one flatbuffer: whoever claims it first.
///
/// What is claimed again stays with its owner, and the word that has led there is told so. That is
/// no fault: verifiers do not look at how objects overlap.
public final class BufferClaims {
    /// How many regions a flatbuffer is taken apart into at most; one with 100,000 columns has
    /// about two million.
    static final int MAX_REGIONS = 4_000_000;

    // Zeros of so many bytes or more are no padding, but at the flatbuffer's end.
    private static final int LARGEST_ALIGNMENT = Long.BYTES;
    private static final int STEPS_PER_REGION = 4;

    /// What was claimed again.
    ///
    /// @param what what would lie there
    /// @param at the first byte that has an owner
    private record Overlap(Node what, long at) {}

    private final MemorySegment memory;
    private final long start;
    private final long end;
    private final int limit;
    private final BitSet taken;
    private final List<Region> regions = new ArrayList<>();
    private final Map<Long, Overlap> overlaps = new HashMap<>();
    private List<Region> covered;
    private long steps;

    BufferClaims(MemorySegment memory, long start, long length, int limit) {
        this.memory = memory;
        this.start = start;
        this.end = start + length;
        this.limit = limit;
        this.taken = new BitSet((int) length);
    }

    /// Whether the limit is reached, and nothing more will be claimed.
    boolean isFull() {
        return regions.size() >= limit || steps > (long) STEPS_PER_REGION * limit;
    }

    /// Claims bytes if nobody has.
    ///
    /// @param reference position of the word that has led there
    /// @return whether they were free
    boolean claim(Region region, long reference) {
        steps++;
        long free = freeEnd(region.at());
        if (free < region.end()) {
            overlaps.putIfAbsent(reference, new Overlap(region.node(), free));
            return false;
        }
        if (isFull()) {
            return false;
        }
        taken.set((int) (region.at() - start), (int) (region.end() - start));
        regions.add(region);
        return true;
    }

    /// Where bytes that are free end.
    long freeEnd(long at) {
        int next = taken.nextSetBit((int) (at - start));
        return next < 0 ? end : start + next;
    }

    /// All regions in their order, with what nobody has claimed in between.
    List<Region> covered() {
        regions.sort(Comparator.comparingLong(Region::at));
        covered = new ArrayList<>(regions.size() + 16);
        long at = start;
        Node before = null;
        for (Region each : regions) {
            rest(at, each.at(), before);
            covered.add(each);
            at = each.end();
            before = each.node();
        }
        rest(at, end, before);
        return covered;
    }

    /// What lies in a table's range is the table's.
    private void rest(long from, long to, Node before) {
        long at = from;
        if (before != null && before.kind == Node.Kind.TABLE && before.end > from) {
            at = Math.min(before.end, to);
            gap(from, at, before);
        }
        gap(at, to, null);
    }

    private void gap(long from, long to, Node owner) {
        if (from == to) {
            return;
        }
        boolean mayBePadding = to - from < LARGEST_ALIGNMENT || to == end || owner != null;
        RegionKind kind =
                isFull()
                        ? RegionKind.NOT_ANNOTATED
                        : mayBePadding && isZero(memory, from, to)
                                ? RegionKind.PADDING
                                : RegionKind.UNREFERENCED;
        covered.add(Region.plain(kind, from, to - from, owner));
    }

    static boolean isZero(MemorySegment memory, long from, long to) {
        for (long at = from; at < to; at++) {
            if (memory.get(ValueLayout.JAVA_BYTE, at) != 0) {
                return false;
            }
        }
        return true;
    }

    /// What to tell of a region besides what it is; null if there is nothing. Only behind
    /// [#covered].
    String note(Region region) {
        if (overlaps.isEmpty()) {
            return null;
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
            if (covered.get(middle).at() <= at) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return covered.get(low).node();
    }
}
