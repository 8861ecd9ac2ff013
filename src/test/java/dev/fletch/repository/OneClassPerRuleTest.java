// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Rule;

import org.junit.jupiter.api.Test;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Each rule is raised by one class, which reports to a sink: so readers and checkers agree.
///
/// A class raises a rule if it loads the rule's constant, unless it only compares the constant.
class OneClassPerRuleTest {
    private static final String RULE = "Ldev/fletch/Rule;";

    // Rules of a value: the check of all values of a batch is a loop of its own, which C2 can
    // vectorize, and a reader of one value has no batch to check. arrow-java decompresses by
    // itself.
    private static final Map<String, Set<String>> TWO_WAYS =
            Map.of(
                    "value-offset-order", Set.of("layout.ColumnValues", "values.FieldCheck"),
                    "value-offset-range", Set.of("layout.ColumnValues", "values.FieldCheck"),
                    "value-view-length", Set.of("layout.ColumnValues", "values.ViewCheck"),
                    "value-view-buffer", Set.of("layout.ColumnValues", "values.ViewCheck"),
                    "value-view-range", Set.of("layout.ColumnValues", "values.ViewCheck"),
                    "value-dictionary-index", Set.of("layout.ColumnValues", "values.FieldCheck"),
                    "decompression", Set.of("layout.DecompressedBuffers", "vectors.Decompressor"));

    @Test
    void eachRuleIsRaisedByOneClass() throws ReflectiveOperationException {
        SortedMap<String, SortedSet<String>> classes = classesByRule();
        SortedMap<String, SortedSet<String>> several = new TreeMap<>(classes);
        several.values().removeIf(raising -> raising.size() == 1);
        System.out.printf(
                "Rules: %d, raised by one class each but for %d%n",
                classes.size(), TWO_WAYS.size());
        assertTrue(classes.size() > 200, classes::toString);
        assertEquals(TWO_WAYS, several);
    }

    @Test
    void eachDeclaredRuleIsRaised() throws ReflectiveOperationException {
        SortedSet<String> declared = new TreeSet<>();
        for (ClassModel model : Repository.classes()) {
            if (outerName(model).endsWith("Rules") && declaresRules(model)) {
                for (var field : Class.forName(Repository.nameOf(model)).getDeclaredFields()) {
                    if (field.getType() == Rule.class) {
                        field.setAccessible(true);
                        declared.add(((Rule) field.get(null)).id());
                    }
                }
            }
        }
        assertTrue(declared.size() > 200, declared::toString);
        declared.removeAll(classesByRule().keySet());
        assertEquals(Set.of(), declared);
    }

    /// The outer classes that raise each rule, by the rule's id.
    private static SortedMap<String, SortedSet<String>> classesByRule()
            throws ReflectiveOperationException {
        SortedMap<String, SortedSet<String>> classes = new TreeMap<>();
        for (ClassModel model : Repository.classes()) {
            if (outerName(model).endsWith("Rules") && declaresRules(model)) {
                continue;
            }
            for (FieldInstruction constant : raised(model)) {
                classes.computeIfAbsent(id(constant), _ -> new TreeSet<>()).add(outerName(model));
            }
        }
        return classes;
    }

    private static boolean declaresRules(ClassModel model) {
        return model.fields().stream()
                .anyMatch(
                        each ->
                                each.flags().has(AccessFlag.STATIC)
                                        && each.fieldType().equalsString(RULE));
    }

    private static List<FieldInstruction> raised(ClassModel model) {
        return model.methods().stream()
                .flatMap(method -> method.code().stream())
                .flatMap(code -> raised(code.elementList()).stream())
                .toList();
    }

    private static List<FieldInstruction> raised(List<CodeElement> code) {
        List<Instruction> instructions =
                code.stream()
                        .filter(Instruction.class::isInstance)
                        .map(Instruction.class::cast)
                        .toList();
        List<FieldInstruction> raised = new ArrayList<>();
        for (int i = 0; i < instructions.size(); i++) {
            if (instructions.get(i) instanceof FieldInstruction field
                    && field.opcode() == Opcode.GETSTATIC
                    && field.type().equalsString(RULE)
                    && !isComparison(instructions.get(i + 1))) {
                raised.add(field);
            }
        }
        return raised;
    }

    private static boolean isComparison(Instruction next) {
        return next.opcode() == Opcode.IF_ACMPEQ || next.opcode() == Opcode.IF_ACMPNE;
    }

    /// Several constants may have the same rule.
    private static String id(FieldInstruction constant) throws ReflectiveOperationException {
        String name = constant.name().stringValue();
        Class<?> owner = Class.forName(constant.owner().asInternalName().replace('/', '.'));
        while (Arrays.stream(owner.getDeclaredFields()).noneMatch(f -> f.getName().equals(name))) {
            owner = owner.getSuperclass();
        }
        var field = owner.getDeclaredField(name);
        field.setAccessible(true);
        return ((Rule) field.get(null)).id();
    }

    private static String outerName(ClassModel model) {
        String name = Repository.nameOf(model).substring("dev.fletch.".length());
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }
}
