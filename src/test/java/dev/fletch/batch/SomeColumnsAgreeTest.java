// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static dev.fletch.format.ids.MetadataVersion.V4;
import static dev.fletch.format.ids.MetadataVersion.V5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.Union;
import dev.fletch.format.ids.Type;
import dev.fletch.format.ids.UnionMode;
import dev.fletch.format.internal.FieldWalk;
import dev.fletch.format.internal.tables.BufferShape;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FieldNames;
import dev.fletch.testdata.LargeSchemas;
import dev.fletch.verify.messages.Meant;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// A layout of some columns says what a walk says that steps to each field: the same columns in the
/// same places, or the same fault, of damaged bytes and under any limit. Only where the walk
/// refuses a part of a field that the compiler does not read, or does not read what that refuses,
/// one of them may go on. `RandomLayoutTest` has sound schemas.
class SomeColumnsAgreeTest {
    private static final int DAMAGED = CaseCount.of(1_000, 12_000);

    private static final String LONG = "sensor_%03d_temperature_celsius";
    private static final Tree LEAF = Tree.of("leaf", Type.INT);

    /// Names that end alike and begin alike, one at the very end of the buffer, none, twice the
    /// same; children with and without their own, views, unions, dictionaries, unknown types.
    private static final Tree[] ALL = {
        Tree.of("f0", Type.INT),
        Tree.of("b", Type.UTF8),
        Tree.of("l", Type.LIST, LEAF),
        Tree.of("s", Type.STRUCT_, LEAF, LEAF, LEAF),
        Tree.of("d", Type.STRUCT_, LEAF, Tree.of("s", Type.STRUCT_, LEAF, LEAF), LEAF),
        Tree.of(LONG.formatted(1), Type.FLOATING_POINT),
        Tree.of(LONG.formatted(2), Type.UTF8_VIEW),
        Tree.of("dictionary", Type.UTF8).encoded(4),
        Tree.of(LONG.formatted(3), Type.BINARY_VIEW),
        Tree.of("f0", Type.BOOL),
        Tree.of("", Type.INT),
        Tree.of("m", Type.LIST, Tree.of("below", Type.LIST, LEAF).encoded(5)),
        Tree.of(null, Type.INT),
        Tree.union("u", 1, Tree.of("x", Type.UTF8_VIEW), LEAF),
        Tree.of("exactly8", Type.DATE),
        Tree.of("nothing", Type.NULL, LEAF),
        Tree.of("unknown", 77),
        Tree.of("f0", Type.LARGE_LIST, Tree.of("same", Type.LIST, Tree.of("leaf", Type.LIST))),
        Tree.of("last", Type.DECIMAL),
    };

    private static final String[] NAMES = {
        "f0",
        "b",
        "l",
        "d",
        "",
        "u",
        "m",
        "exactly8",
        "nothing",
        "last",
        "dictionary",
        "none",
        LONG.formatted(1),
        LONG.formatted(3),
        LONG.formatted(4),
        "x".repeat(300)
    };

    private final Random random = new Random(17);
    private int found;
    private int refused;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void layoutAgreesWithEveryLimit(boolean isNative) {
        byte[] bytes = Tree.message(ALL);
        byte[] hostile = Meant.schemaMessage(Meant.doubled(40));
        for (int fields = 1; fields < 60; fields++) {
            for (int depth = 1; depth < 5; depth++) {
                Limits limits = Limits.DEFAULT.withDepth(depth).withFields(fields);
                refused += compare(bytes, V5, limits, isNative, NAMES);
                compare(hostile, V5, limits, isNative, "x", "y");
            }
        }
        assertTrue(found > 500 && refused > 500, found + " found, " + refused + " refused");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void layoutAgreesOnDamagedBytes(boolean isNative) {
        byte[][] whole = {
            Tree.message(ALL),
            Tree.message(Arrays.copyOfRange(ALL, 0, 7)),
            LargeSchemas.schemaMessage(12)
        };
        String[] large = {"column_0", "column_7", "column_11", "none"};
        for (int round = 0; round < DAMAGED; round++) {
            byte[] bytes = whole[round % whole.length].clone();
            LayoutDamageTest.damage(bytes, random);
            String[] names =
                    round % whole.length == 2
                            ? large
                            : new String[] {"f0", NAMES[random.nextInt(NAMES.length)], "last"};
            int version = random.nextBoolean() ? V4 : V5;
            refused += compare(bytes, version, Limits.DEFAULT, isNative, names);
        }
        assertTrue(
                found > DAMAGED * 2 / 5 && refused > DAMAGED * 2 / 5,
                found + " found, " + refused + " refused");
    }

    /// Every word of a small schema, with numbers that lead to its ends and past them.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void layoutAgreesOnEveryChangedWord(boolean isNative) {
        byte[] whole = Tree.message(Arrays.copyOfRange(ALL, 0, 6));
        String[] names = {"f0", "d", LONG.formatted(1), "none"};
        for (int at = 0; at < whole.length; at++) {
            for (int add : new int[] {-8, -4, -1, 1, 4, 8}) {
                refused += compareAt(whole, at, whole[at] + add, 1, isNative, names);
            }
            for (int size = -9; size <= 0 && at <= whole.length - 4; size++) {
                int toEnd = whole.length - at + size;
                refused += compareAt(whole, at, toEnd, Integer.BYTES, isNative, names);
            }
        }
        assertTrue(found > 500 && refused > 500, found + " found, " + refused + " refused");
    }

    private int compareAt(
            byte[] whole, int at, int value, int bytes, boolean isNative, String... names) {
        byte[] changed = whole.clone();
        for (int i = 0; i < bytes; i++) {
            changed[at + i] = (byte) (value >> (i << 3));
        }
        return compare(changed, V5, Limits.DEFAULT, isNative, names);
    }

    /// Compares all that is found under names.
    ///
    /// @return how often there was a fault
    private int compare(
            byte[] bytes, int version, Limits limits, boolean isNative, String... names) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory =
                    isNative
                            ? arena.allocate(bytes.length, 8).copyFrom(MemorySegment.ofArray(bytes))
                            : MemorySegment.ofArray(bytes);
            Schema schema = new Schema();
            try {
                if (!new Message().wrap(memory).header(schema)) {
                    return 0;
                }
            } catch (FletchException e) {
                return 0;
            }
            int faults = 0;
            for (String name : names) {
                List<String> expected = walked(schema, version, limits, name);
                List<String> seen = laidOut(schema, version, limits, name);
                boolean isRefused = isMalformed(expected) || isMalformed(seen);
                if (isRefused && !expected.equals(seen)) {
                    assertTrue(isMalformed(laidOut(schema, version, limits, null)), name);
                } else {
                    assertEquals(expected, seen, () -> "name=" + name);
                }
                found += expected.size() - 1;
                faults += expected.getLast().equals("end") ? 0 : 1;
            }
            return faults;
        }
    }

    private static boolean isMalformed(List<String> seen) {
        return seen.getLast().startsWith(FletchException.class.getName());
    }

    /// @param name null for all columns
    private static List<String> laidOut(Schema schema, int version, Limits limits, String name) {
        List<String> seen = new ArrayList<>();
        try {
            Columns columns = name == null ? Columns.all() : Columns.named(name);
            BatchLayout layout = BatchLayout.compile(schema, version, limits, columns);
            for (int c = 0; c < layout.columnCount(); c++) {
                int field = layout.columnField(c);
                int end = layout.end(field);
                int unknown = layout.firstUnknown();
                int last = end - 1;
                seen.add(
                        text(
                                layout.schemaColumn(c),
                                layout.nodeIndex(field),
                                layout.bufferIndex(field),
                                layout.viewIndex(field),
                                unknown >= 0 && unknown < end,
                                end - field,
                                layout.bufferIndex(last) + layout.bufferCount(last),
                                layout.nodeIndex(last)));
            }
            seen.add("end");
        } catch (FletchException e) {
            seen.add(e.rule() == MeaningRule.NO_COLUMN ? "end" : e.toString());
        }
        return seen;
    }

    /// The same by a walk alone.
    private static List<String> walked(Schema schema, int version, Limits limits, String name) {
        try {
            List<String> seen = new SlowWalk(schema, version, limits).find(name);
            seen.add("end");
            return seen;
        } catch (FletchException e) {
            return List.of(e.toString());
        }
    }

    private static String text(Object... numbers) {
        return Arrays.toString(numbers);
    }

    /// Steps through all columns, field by field.
    private static final class SlowWalk {
        private final int version;
        private final Limits limits;
        private final FieldWalk walk;
        private final Union union = new Union();
        private final int columns;
        private int nodes;
        private int buffers;
        private int views;
        private boolean unknown;

        SlowWalk(Schema schema, int version, Limits limits) {
            this.version = version;
            this.limits = limits;
            this.walk = new FieldWalk().wrap(schema);
            columns = schema.fieldsCount();
            check(columns > limits.fields(), MeaningRule.TOO_MANY_FIELDS, true);
        }

        List<String> find(String name) {
            byte[] key = name.getBytes(StandardCharsets.UTF_8);
            List<String> seen = new ArrayList<>();
            if (walk.find(key) < 0) { // no column is laid out
                return seen;
            }
            for (int column = 0; column < columns; column++) {
                walk.column(column);
                boolean isNamed = FieldNames.is(walk.field(), key);
                int node = nodes;
                int buffer = buffers;
                int view = views;
                weighOne();
                if (isNamed) {
                    int fields = nodes - node;
                    seen.add(text(column, node, buffer, view, unknown, fields, buffers, nodes - 1));
                }
            }
            return seen;
        }

        private void weighOne() {
            do {
                check(walk.depth() >= limits.depth(), MeaningRule.SCHEMA_TOO_DEEP, false);
                check(nodes >= limits.fields(), MeaningRule.TOO_MANY_FIELDS, false);
                nodes++;
                boolean indexes = walk.isDictionaryEncoded();
                int mode = walk.field().type(union) ? union.mode() : UnionMode.SPARSE;
                BufferShape shape =
                        indexes
                                ? BufferShape.FIXED_WIDTH
                                : TypeFacts.of(walk.field().typeType()).shape(mode, version);
                unknown |= shape == BufferShape.UNKNOWN;
                buffers += shape.count();
                views += shape == BufferShape.VIEW ? 1 : 0;
                if (indexes) {
                    walk.skipChildren();
                }
            } while (walk.nextBelow(0));
        }

        private void check(boolean isBroken, Rule rule, boolean isOfColumns) {
            if (isBroken) {
                int limit = rule == MeaningRule.SCHEMA_TOO_DEEP ? limits.depth() : limits.fields();
                String found = isOfColumns ? "columns=" + columns : "column=" + walk.column();
                throw FletchException.of(rule, found + ", limit=" + limit);
            }
        }
    }
}
