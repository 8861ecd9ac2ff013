// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsType;
import dev.fletch.format.AccessorComparer;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.GeneratedReader;
import dev.fletch.testdata.RandomTables;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;

/// Whatever is written again holds what the source holds, in each order: as flatc's generated
/// classes read it, and as the flyweights do.
class RewriteContentTest {
    private static final int SEEDS = CaseCount.of(80, 1_500);

    private final Map<EmissionOrder, RewriteRig> rigs = new EnumMap<>(EmissionOrder.class);

    RewriteContentTest() {
        for (EmissionOrder order : EmissionOrder.values()) {
            rigs.put(order, new RewriteRig(order));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Message", "Footer", "Schema", "Tensor", "SparseTensor"})
    void rewritingKeepsTheContent(String root) {
        int written = 0;
        int refused = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            byte[] source = RandomTables.bytes(root, seed);
            FbsValue.Table value = RandomTables.value(RandomTables.ARROW, root, seed);
            if (holdsUnknown(value)) {
                assertRefused(root, source, seed);
                refused++;
            } else {
                assertWritten(root, source, root + ", seed " + seed);
                written++;
            }
        }
        System.out.printf("Written again, %s: %d, refused: %d%n", root, written, refused);
        assertTrue(written > SEEDS / 4, "written: " + written);
        assertTrue(refused > 0, "refused: " + refused);
    }

    private void assertWritten(String root, byte[] source, String what) {
        FbsValue.Table expected = read(root, source);
        byte[] canonical = rigs.get(EmissionOrder.FLATC).root(root, source);
        rigs.forEach(
                (order, rig) -> {
                    byte[] written = rig.root(root, source);
                    assertEquals(expected, read(root, written), () -> what + ", " + order);
                    new AccessorComparer()
                            .compare(root, MemorySegment.ofArray(written), 0, written);
                    assertArrayEquals(
                            written, rig.root(root, written), () -> what + ", twice, " + order);
                    // What is present and what is absent is so in all orders.
                    assertArrayEquals(
                            canonical,
                            rigs.get(EmissionOrder.FLATC).root(root, written),
                            () -> what + ", back from " + order);
                });
    }

    private void assertRefused(String root, byte[] source, long seed) {
        rigs.forEach(
                (order, rig) ->
                        assertThrows(
                                FletchException.class,
                                () -> rig.root(root, source),
                                () -> root + ", seed " + seed + ", " + order));
    }

    private static FbsValue.Table read(String root, byte[] bytes) {
        return GeneratedReader.read(RandomTables.ARROW, root, ByteBuffer.wrap(bytes));
    }

    /// Tells whether there is a union's member anywhere that no version of the format has.
    private static boolean holdsUnknown(FbsValue value) {
        return switch (value) {
            case FbsValue.Vector vector ->
                    vector.elements().stream().anyMatch(RewriteContentTest::holdsUnknown);
            case FbsValue.Table table ->
                    table.fields().values().stream().anyMatch(RewriteContentTest::holdsUnknown)
                            || RandomTables.ARROW.table(table.name()).fields().stream()
                                    .anyMatch(field -> isUnknown(table, field));
            default -> false;
        };
    }

    private static boolean isUnknown(FbsValue.Table table, FieldDecl field) {
        if (!(field.type() instanceof FbsType.Union(String union))
                || !table.fields().containsKey(field.name())) {
            return false;
        }
        FbsValue.Number tag = (FbsValue.Number) table.fields().get(field.name() + "_type");
        return RandomTables.ARROW.union(union).members().stream()
                .noneMatch(each -> each.value() == tag.value());
    }
}
