// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.house;

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
import java.util.Collection;
import java.util.List;
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

    /// Classes that load a rule to recognize it in faults of other classes.
    private static final Set<String> LOOKS =
            Set.of(
                    // Ignores faults of the semantic verifier that other checks of a file report.
                    "body-unaligned: check.MessageCheck",
                    "header-kind: check.MessageCheck",
                    "schema-with-body: check.MessageCheck",
                    // Ignores a fault of the file check that does not apply to a single message.
                    "metadata-unaligned: command.annotate.AnnotateFaults");

    /// The rules that several classes still raise. Entries may only be removed.
    private static final String SEVERAL =
            """
            block-body-length: check.FileCheck, ipc.FileIndex
            block-kind: check.FileCheck, ipc.FileIndex
            block-metadata-length: check.FileCheck, ipc.FileIndex
            block-negative: check.FileCheck, ipc.FileIndex
            block-out-of-file: check.FileCheck, ipc.FileIndex
            block-without-message: check.FileCheck, ipc.FileIndex
            body-out-of-input: check.FrameCheck, ipc.EncapsulatedMessage
            body-unaligned: check.FrameCheck, semantics.SemanticVerifier
            buffer-count: layout.BatchCursor, semantics.BatchCheck
            buffer-out-of-body: layout.BatchCursor, semantics.BufferCheck, vectors.BatchParts
            buffer-too-large: check.InputCheck, flatbuf.verify.FullPass
            buffer-too-short: layout.BatchCursor, vectors.FieldPart
            bytes-behind-end: check.GapCheck, check.StreamCheck
            compressed-too-short: layout.BatchCursor, semantics.BatchCheck, vectors.Decompressor
            delta-without-dictionary: layout.Dictionaries, semantics.DictionaryStates, vectors.VectorReader
            dictionary-replaced: layout.Dictionaries, semantics.DictionaryStates, vectors.VectorReader
            dictionary-undefined: layout.ColumnValues, semantics.DictionaryStates, vectors.VectorReader
            empty-input: ipc.ArrowContainer, ipc.FileIndex, ipc.ParquetSchema
            file-too-short: check.FileCheck, ipc.FileIndex
            footer-length: check.FileCheck, ipc.FileIndex
            footer-without-schema: layout.BatchLayout, semantics.SemanticVerifier, vectors.FileVectors
            foreign-endianness: ipc.MetadataChecks, semantics.SchemaCheck
            header-kind: semantics.SemanticVerifier, vectors.StreamVectors
            metadata-out-of-input: check.FrameCheck, ipc.EncapsulatedMessage
            metadata-over-limit: ipc.EncapsulatedMessage, ipc.ParquetSchema
            negative-body-length: check.MessageCheck, ipc.EncapsulatedMessage, semantics.SemanticVerifier
            negative-length: layout.BatchCursor, layout.ColumnValues, semantics.BatchCheck
            negative-metadata-length: check.FrameCheck, ipc.EncapsulatedMessage
            no-column: layout.FieldLayout, vectors.ColumnPlan
            no-header: ipc.ParquetSchema, semantics.SemanticVerifier
            no-leading-magic: check.FileCheck, ipc.FileIndex
            no-leading-schema: check.StreamCheck, ipc.ArrowFile, ipc.ParquetSchema
            no-trailing-magic: check.FileCheck, ipc.FileIndex
            node-count: layout.BatchCursor, semantics.BatchCheck
            not-base64: check.InputCheck, command.annotate.AnnotateFaults, ipc.ParquetSchema
            other-schema: layout.BatchLayout, layout.ColumnLayout
            schema-too-deep: layout.ColumnScan, layout.FieldTable, layout.LayoutCompiler, semantics.SchemaCheck
            schema-too-large: format.SchemaTooLargeException, semantics.SchemaCheck
            schema-with-body: check.FrameCheck, semantics.SemanticVerifier
            too-many-fields: layout.ColumnScan, layout.FieldTable, layout.LayoutCompiler
            truncated-prefix: check.FrameCheck, ipc.EncapsulatedMessage
            uncompressed-length: layout.BatchCursor, semantics.BatchCheck, vectors.Decompressor
            unknown-endianness: ipc.MetadataChecks, semantics.rules.TypeCheck
            unknown-type: layout.BatchCursor, semantics.rules.TypeCheck
            unsupported-version: ipc.SupportedVersions, layout.FieldTable, semantics.SemanticVerifier
            unused-dictionary: layout.Dictionaries, semantics.SemanticVerifier
            variadic-count-range: layout.BatchCursor, semantics.BatchCheck
            variadic-counts: layout.BatchCursor, semantics.BatchCheck
            vector-batch-parts: vectors.BatchParts, vectors.VectorReader
            vector-node-numbers: vectors.FieldPart, vectors.VectorReader
            vector-unsupported: vectors.ColumnPlan, vectors.Decompressor, vectors.FieldPart, vectors.VectorReader
            """;

    @Test
    void eachRuleIsRaisedByOneClass() throws ReflectiveOperationException {
        SortedMap<String, SortedSet<String>> classes = classesByRule();
        assertTrue(classes.size() > 100, classes::toString);
        for (String look : LOOKS) {
            String[] parts = look.split(": ");
            assertTrue(classes.get(parts[0]).remove(parts[1]), look);
        }
        Set<String> several = new TreeSet<>();
        classes.forEach(
                (rule, raising) -> {
                    if (raising.size() > 1) {
                        several.add(rule + ": " + String.join(", ", raising));
                    }
                });
        List<String> listed = SEVERAL.lines().toList();
        assertEquals(listed.stream().sorted().distinct().toList(), listed, "sorted by rule");
        assertEquals(Set.of(), without(several, listed), "raised by several classes");
        assertEquals(Set.of(), without(listed, several), "remove these entries");
    }

    private static Set<String> without(Collection<String> all, Collection<String> removed) {
        Set<String> rest = new TreeSet<>(all);
        rest.removeAll(removed);
        return rest;
    }

    /// The outer classes that raise each rule, by the rule's id.
    private static SortedMap<String, SortedSet<String>> classesByRule()
            throws ReflectiveOperationException {
        SortedMap<String, SortedSet<String>> classes = new TreeMap<>();
        for (ClassModel model : House.classes()) {
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
        Class<?> owner = Class.forName(constant.owner().asInternalName().replace('/', '.'));
        var field = owner.getDeclaredField(constant.name().stringValue());
        field.setAccessible(true);
        return ((Rule) field.get(null)).id();
    }

    private static String outerName(ClassModel model) {
        String name = House.nameOf(model).substring("dev.fletch.".length());
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }
}
