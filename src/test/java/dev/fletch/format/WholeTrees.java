// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsType;
import dev.fletch.format.Verifier.Root;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.FbsValueWriter;
import dev.fletch.testdata.RandomTables;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;

/// What this package's tests know of whole flatbuffers, for tests of other packages: reading all of
/// one in every way, and making such that have a given table.
///
/// For one thread at a time.
public final class WholeTrees implements AutoCloseable {
    private static final int LEVELS_OF_FULL = 2;

    private final FullWalk walk = FullWalk.complete();
    private final FullWalk bounded = FullWalk.bounded();
    private final AccessorComparer comparer = new AccessorComparer();
    private final DamageRig rig;

    /// @param capacity bytes of the longest content
    public WholeTrees(int capacity) {
        rig = new DamageRig(capacity);
    }

    /// Takes a flatbuffer.
    @FunctionalInterface
    public interface Taker {
        void take(String name, Root root, byte[] bytes);
    }

    /// Returns a buffer in which the root and all below it, for some levels, have all their fields.
    public static byte[] full(Root root) {
        return FbsValueWriter.write(
                Flyweights.ARROW, FullTables.table(root.table(), LEVELS_OF_FULL), root.ordinal());
    }

    /// Makes buffers of each table: a root, on the way to the table only what is needed, and there
    /// random content.
    public static void randomAlongPaths(int perTable, Taker taker) {
        for (TablePath path : TablePath.all().toList()) {
            Root root = rootOf(path.root());
            for (long seed = 0; seed < perTable; seed++) {
                FbsValue.Table content = RandomTables.value(Flyweights.ARROW, path.target(), seed);
                FbsValue.Table all = withRequired(path.around(content), seed);
                byte[] bytes = FbsValueWriter.write(Flyweights.ARROW, all, seed);
                taker.take(path + " " + seed, root, bytes);
            }
        }
    }

    private static Root rootOf(String table) {
        return Arrays.stream(Root.values())
                .filter(each -> each.table().equals(table))
                .findFirst()
                .orElseThrow();
    }

    /// Fills in what a verifier asks for, in a table and those below it.
    private static FbsValue.Table withRequired(FbsValue.Table table, long seed) {
        SortedMap<String, FbsValue> random =
                RandomTables.value(Flyweights.ARROW, table.name(), seed).fields();
        SortedMap<String, FbsValue> fields = new TreeMap<>(table.fields());
        for (FieldDecl field : Flyweights.ARROW.table(table.name()).fields()) {
            String name = field.name();
            if (field.required() && !fields.containsKey(name)) {
                fields.put(name, random.get(name));
                if (field.type() instanceof FbsType.Union) {
                    fields.put(name + "_type", random.get(name + "_type"));
                }
            }
        }
        fields.replaceAll(
                (_, value) ->
                        value instanceof FbsValue.Table below ? withRequired(below, seed) : value);
        return new FbsValue.Table(table.name(), fields);
    }

    /// Reads all of a buffer that a verifier has accepted, by every accessor that allocates
    /// nothing. Nothing may be refused, and nothing lie outside.
    public void readsAll(Root root, byte[] bytes) {
        int before = walk.formatFaults() + walk.indexFaults();
        walk.root(root.table(), MemorySegment.ofArray(bytes), 0, bytes.length);
        int after = walk.formatFaults() + walk.indexFaults();
        assertEquals(before, after, "accepted, and yet not to be read");
    }

    /// Reads much of a buffer, accepted or not: what is thrown must be documented.
    public void readsWhatItCan(Root root, MemorySegment memory, long offset, long length) {
        bounded.root(root.table(), memory, offset, length);
        assertEquals(0, bounded.indexFaults(), "found by the JVM only");
    }

    /// Reads much of a buffer, accepted or not, amid others: what is seen must not depend on them,
    /// and what is thrown must be documented.
    public void readsNothingAround(Root root, byte[] bytes) {
        rig.read(root.table(), bytes, "damaged");
        assertEquals(0, rig.walk().indexFaults());
    }

    /// Reads all of a buffer by all accessors, and compares with what the generated classes read.
    public void agreesWithGenerated(Root root, byte[] bytes) {
        comparer.compare(root.table(), MemorySegment.ofArray(bytes), 0, bytes);
    }

    /// How many results of accessors were looked at by the walk.
    public long reads() {
        return walk.reads();
    }

    /// How many results of accessors were compared with the generated classes'.
    public long comparisons() {
        return comparer.calls();
    }

    @Override
    public void close() {
        rig.close();
    }
}
