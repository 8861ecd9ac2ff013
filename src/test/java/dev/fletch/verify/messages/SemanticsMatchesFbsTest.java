// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static dev.fletch.verify.messages.Meant.INT32;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.field;
import static dev.fletch.verify.messages.Meant.integer;
import static dev.fletch.verify.messages.Meant.message;
import static dev.fletch.verify.messages.Meant.required;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.struct;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.FaultSink;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.Value;
import dev.fletch.fbs.FbsType;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.RandomTables;
import dev.fletch.testdata.TypeVariants;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/// No type that `format/` declares is without rules: how many children it has, and what each of its
/// parameters may say. What a new type demands has to be written down here before this is green
/// again; what each rule tells is in the corpus.
class SemanticsMatchesFbsTest {
    /// Types that are right without children, and with nothing said of any parameter.
    private static final List<String> LEAVES =
            List.of(
                    "Null",
                    "Binary",
                    "Utf8",
                    "Bool",
                    "LargeBinary",
                    "LargeUtf8",
                    "BinaryView",
                    "Utf8View",
                    "FloatingPoint",
                    "Date",
                    "Timestamp",
                    "Interval",
                    "Duration");

    /// Right ones of all other types: parameters and children.
    private static final Map<String, List<FbsValue.Table>> RIGHT =
            Map.ofEntries(
                    right(table("Int", "bitWidth", 16)),
                    right(table("Decimal", "precision", 5, "bitWidth", 64)),
                    right(table("Time", "unit", 2, "bitWidth", 64)),
                    right(table("FixedSizeBinary", "byteWidth", 3)),
                    right(table("List"), INT8),
                    right(table("LargeList"), INT8),
                    right(table("ListView"), INT8),
                    right(table("LargeListView"), INT8),
                    right(table("FixedSizeList", "listSize", 2), INT8),
                    right(table("Map"), required(struct(required(UTF8), INT32))),
                    right(table("RunEndEncoded"), required(integer("run_ends", 32)), UTF8),
                    right(table("Struct_"), INT8, UTF8),
                    right(table("Union"), INT8, UTF8));

    /// Types that may have any number of children.
    private static final Set<String> ANY_CHILDREN = Set.of("Struct_", "Union");

    /// Values that a parameter may not have beside those of [#RIGHT]; where it is an enum's, those
    /// that the enum does not have are tried, and none stand here.
    private static final Map<String, List<?>> WRONG =
            Map.of(
                    "Int.bitWidth", List.of(0, 1, 24, 128),
                    "Decimal.precision", List.of(-1, 0, 19),
                    "Decimal.bitWidth", List.of(0, 16, 512),
                    "Time.bitWidth", List.of(0, 32, 128),
                    "FixedSizeBinary.byteWidth", List.of(-1, Integer.MIN_VALUE),
                    "FixedSizeList.listSize", List.of(-1, Integer.MIN_VALUE),
                    "Union.typeIds", List.of(List.of(1), List.of(1, 1), List.of(1, 128)));

    /// Parameters that may say anything, and what they may say.
    private static final Map<String, List<?>> ANYTHING =
            Map.of(
                    "Int.is_signed", List.of(0, 1),
                    "Decimal.scale", List.of(Integer.MIN_VALUE, 0, Integer.MAX_VALUE),
                    "Map.keysSorted", List.of(0, 1),
                    "Timestamp.timezone", List.of("", "UTC", "nowhere"));

    private static Map.Entry<String, List<FbsValue.Table>> right(
            FbsValue.Table type, FbsValue.Table... children) {
        List<FbsValue.Table> all = new ArrayList<>(List.of(children));
        all.addFirst(type);
        return Map.entry(type.name(), all);
    }

    private static List<FbsValue.Table> rightOf(Value type) {
        String name = type.name();
        List<FbsValue.Table> right = LEAVES.contains(name) ? List.of(table(name)) : RIGHT.get(name);
        assertNotNull(right, () -> name + " is neither in LEAVES nor in RIGHT");
        return right;
    }

    private static FbsValue.Table rightColumn(Value type) {
        List<FbsValue.Table> right = rightOf(type);
        return typed(type, right.getFirst(), right.subList(1, right.size()));
    }

    /// The field of a type with these children.
    private static FbsValue.Table typed(
            Value type, FbsValue.Table parameters, List<FbsValue.Table> children) {
        FbsValue.Table[] all = children.toArray(FbsValue.Table[]::new);
        return field(type.name(), (int) type.value(), parameters, all);
    }

    /// Where the only fault of a schema of this column is, below the column; empty if there is
    /// none.
    private static String faults(FbsValue.Table column) {
        String found = found(column);
        return found.substring(found.indexOf(' ') + 1);
    }

    /// Rule and place of the only fault of a schema of this column, or nothing.
    private static String found(FbsValue.Table column) {
        List<String> found = new ArrayList<>();
        FaultSink sink = fault -> found.add(fault.rule() + " " + fault.path());
        new SemanticVerifier(Checks.DEFAULT, sink)
                .message(Meant.bound(Meant.bytes(message(schema(column), 0))));
        assertTrue(found.size() <= 1, found::toString);
        return found.isEmpty() ? "" : found.getFirst().replace("header.schema.fields[0].", "");
    }

    private static List<FieldDecl> parameters(Value type) {
        return RandomTables.ARROW.table(type.name()).fields();
    }

    @Test
    void everyTypeHasAValidExample() {
        Set<String> known = new TreeSet<>(RIGHT.keySet());
        known.addAll(LEAVES);
        Set<String> declared = TypeVariants.types().map(Value::name).collect(Collectors.toSet());
        assertEquals(new TreeSet<>(declared), known);
        TypeVariants.types().forEach(type -> assertEquals("", faults(rightColumn(type))));
    }

    @Test
    void wrongNumberOfChildrenIsAFaultOfEveryType() {
        for (Value type : TypeVariants.types().toList()) {
            List<FbsValue.Table> right = rightOf(type);
            int children = right.size() - 1;
            for (int count = 0; count <= 4; count++) {
                List<FbsValue.Table> some =
                        new ArrayList<>(right.subList(1, 1 + Math.min(count, children)));
                some.addAll(Collections.nCopies(count - some.size(), INT8));
                boolean isRight = count == children || ANY_CHILDREN.contains(type.name());
                assertEquals(
                        isRight ? "" : "children",
                        faults(typed(type, right.getFirst(), some)),
                        count + " children of " + type.name());
            }
        }
    }

    @Test
    void missingTableIsAFaultOfEveryType() {
        for (Value type : TypeVariants.types().toList()) {
            Rule rule =
                    parameters(type).isEmpty()
                            ? MeaningRule.NO_EMPTY_TYPE_TABLE
                            : MeaningRule.NO_TYPE_TABLE;
            assertEquals(rule + " type", found(with(rightColumn(type), "type", null)));
        }
    }

    @Test
    void wrongParameterIsAFaultOfEveryType() {
        Map<String, List<?>> wrong = new HashMap<>(WRONG);
        Set<String> untold = new TreeSet<>();
        Set<String> told = new HashSet<>(WRONG.keySet());
        told.addAll(ANYTHING.keySet());
        for (Value type : TypeVariants.types().toList()) {
            for (FieldDecl each : parameters(type)) {
                String name = type.name() + "." + each.name();
                if (each.type() instanceof FbsType.Enumeration(String kind, _)) {
                    wrong.put(name, notIn(kind));
                } else if (!told.remove(name)) {
                    untold.add(name);
                }
                tryAll(type, each, wrong.getOrDefault(name, List.of()), true);
                tryAll(type, each, ANYTHING.getOrDefault(name, List.of()), false);
            }
        }
        assertEquals(Set.of(), untold, "neither in WRONG nor in ANYTHING");
        assertEquals(Set.of(), told, "declared no more, or an enum's");
    }

    /// Numbers on either side of those that an enum has.
    private static List<Long> notIn(String enumeration) {
        List<Long> known =
                RandomTables.ARROW.enumeration(enumeration).values().stream()
                        .map(Value::value)
                        .toList();
        long low = Collections.min(known) - 1;
        long high = Collections.max(known) + 1;
        return LongStream.rangeClosed(low, high).boxed().filter(n -> !known.contains(n)).toList();
    }

    private static void tryAll(Value type, FieldDecl parameter, List<?> values, boolean wrong) {
        List<FbsValue.Table> right = rightOf(type);
        for (Object value : values) {
            FbsValue.Table other = with(right.getFirst(), parameter.name(), value);
            String found = faults(typed(type, other, right.subList(1, right.size())));
            String at = found.endsWith("]") ? found.substring(0, found.indexOf('[')) : found;
            assertEquals(wrong ? "type." + parameter.javaName() : "", at, () -> type + " " + other);
        }
    }
}
