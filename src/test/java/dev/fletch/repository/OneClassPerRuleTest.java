// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.Rule;

import org.junit.jupiter.api.Test;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Each rule is raised by one class, which reports to a sink: so readers and checkers agree.
///
/// A class raises a rule if it loads the rule's constant, unless it only compares the constant.
class OneClassPerRuleTest {
    private static final Map<String, Rule> CONSTANTS =
            Rule.all().stream().collect(Collectors.toMap(OneClassPerRuleTest::name, rule -> rule));

    private static final String VALUES = "batch.ColumnValues";
    private static final String FIELDS = "verify.messages.ValueCheck";

    // Rules of a value: the check of all values of a batch is a loop of its own, which C2 can
    // vectorize, and a reader of one value has no batch to check. arrow-java decompresses by
    // itself. Decompressed buffers and dictionaries take memory apart from each other.
    private static final Map<String, Set<String>> TWO_WAYS =
            Map.ofEntries(
                    entry("value-child-length", "batch.NestedValues", FIELDS),
                    entry("value-offset-order", "batch.BatchCursor", FIELDS),
                    entry(
                            "value-offset-range",
                            "batch.BatchCursor",
                            "batch.NestedValues",
                            "batch.UnusedBytes",
                            FIELDS),
                    entry("value-size-range", "batch.NestedValues", FIELDS),
                    entry("value-not-utf8", "scan.internal.ValueWriter", FIELDS),
                    entry("value-type-id", "batch.NestedValues", FIELDS),
                    entry("value-union-offset", "batch.NestedValues", FIELDS),
                    entry("value-run-end-range", "batch.NestedValues", FIELDS),
                    entry("value-dictionary-index", VALUES, FIELDS),
                    entry("decompression", "batch.DecompressedBuffers", "vectors.VectorCodec"),
                    entry(
                            "too-much-memory",
                            "batch.DecompressedBuffers",
                            "format.internal.DictionaryMemory"));

    private static Map.Entry<String, Set<String>> entry(String rule, String... classes) {
        return Map.entry(rule, Set.of(classes));
    }

    // Options name rules, and raise none.
    private static final Set<String> NAMING = Set.of("ipc.ReadOptions");

    @Test
    void eachRuleIsRaisedByOneClass() {
        SortedMap<String, SortedSet<String>> classes = classesByRule();
        SortedMap<String, SortedSet<String>> several = new TreeMap<>(classes);
        several.values().removeIf(raising -> raising.size() == 1);
        System.out.printf(
                "Rules: %d, raised by one class each but for %d%n",
                classes.size(), TWO_WAYS.size());
        assertEquals(TWO_WAYS, several);
    }

    @Test
    void eachRuleIsRaised() {
        SortedSet<String> silent = new TreeSet<>();
        Rule.all().forEach(rule -> silent.add(rule.id()));
        silent.removeAll(classesByRule().keySet());
        assertEquals(Set.of(), silent);
    }

    /// The outer classes that raise each rule, by the rule's id.
    private static SortedMap<String, SortedSet<String>> classesByRule() {
        SortedMap<String, SortedSet<String>> classes = new TreeMap<>();
        for (ClassModel model : Repository.classes()) {
            if (isEnumOfRules(model) || NAMING.contains(outerName(model))) {
                continue;
            }
            for (Rule rule : raised(model)) {
                classes.computeIfAbsent(rule.id(), _ -> new TreeSet<>()).add(outerName(model));
            }
        }
        return classes;
    }

    /// An enum loads its own constants for `values()`.
    private static boolean isEnumOfRules(ClassModel model) {
        return model.interfaces().stream()
                .anyMatch(each -> each.asInternalName().equals("dev/fletch/Rule"));
    }

    private static List<Rule> raised(ClassModel model) {
        return model.methods().stream()
                .flatMap(method -> method.code().stream())
                .flatMap(code -> raised(code.elementList()).stream())
                .toList();
    }

    private static List<Rule> raised(List<CodeElement> code) {
        List<Instruction> instructions =
                code.stream()
                        .filter(Instruction.class::isInstance)
                        .map(Instruction.class::cast)
                        .toList();
        List<Rule> raised = new ArrayList<>();
        for (int i = 0; i < instructions.size(); i++) {
            Rule loaded = CONSTANTS.get(constant(instructions.get(i)));
            if (loaded != null && !isComparison(instructions.get(i + 1))) {
                raised.add(loaded);
            }
        }
        return raised;
    }

    private static String name(Rule rule) {
        return rule.getClass().getName().replace('.', '/') + "." + rule.name();
    }

    /// The constant that an instruction loads, as `Owner.NAME`; "" if it loads none.
    private static String constant(Instruction instruction) {
        return instruction instanceof FieldInstruction field && field.opcode() == Opcode.GETSTATIC
                ? field.owner().asInternalName() + "." + field.name().stringValue()
                : "";
    }

    private static boolean isComparison(Instruction next) {
        return next.opcode() == Opcode.IF_ACMPEQ || next.opcode() == Opcode.IF_ACMPNE;
    }

    private static String outerName(ClassModel model) {
        String name = Repository.nameOf(model).substring("dev.fletch.".length());
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }
}
