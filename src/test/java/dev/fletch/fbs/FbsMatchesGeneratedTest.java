// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.fbs.FbsDocument.EnumDecl;
import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.StructDecl;
import dev.fletch.fbs.FbsDocument.StructField;
import dev.fletch.fbs.FbsDocument.TableDecl;
import dev.fletch.fbs.FbsDocument.UnionDecl;
import dev.fletch.fbs.FbsDocument.Value;

import org.junit.jupiter.api.Test;

import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The project's declarations say what Arrow's own say, as far as the classes show that flatc made
/// from the latter: the same names, values, accessors, slots, defaults,
/// required fields and struct layouts.
class FbsMatchesGeneratedTest {
    private static final FbsDocument ARROW = ArrowDeclarations.all();

    @Test
    void declarationsHaveTheNamesOfTheGeneratedClasses() throws Exception {
        Set<String> declared = new TreeSet<>();
        ARROW.enums().forEach(each -> declared.add(each.name()));
        ARROW.unions().forEach(each -> declared.add(each.name()));
        ARROW.structs().forEach(each -> declared.add(each.name()));
        ARROW.tables().forEach(each -> declared.add(each.name()));
        assertEquals(GeneratedClasses.names(), declared);
        System.out.printf("format/*.fbs against arrow-format: %d declarations%n", declared.size());
    }

    @Test
    void enumsAndUnionsHaveTheGeneratedValues() throws Exception {
        int values = 0;
        for (EnumDecl each : ARROW.enums()) {
            values += assertSameValues(each.name(), each.values());
        }
        int members = 0;
        for (UnionDecl each : ARROW.unions()) {
            members += assertSameValues(each.name(), each.members());
        }
        System.out.printf(
                "format/*.fbs against arrow-format: %d enums with %d values, %d unions with %d"
                        + " members%n",
                ARROW.enums().size(), values, ARROW.unions().size(), members);
    }

    private static int assertSameValues(String name, List<Value> values) throws Exception {
        Map<String, Long> declared = new TreeMap<>();
        values.forEach(each -> declared.put(each.name(), each.value()));
        assertEquals(GeneratedClasses.constants(GeneratedClasses.named(name)), declared, name);
        return declared.size();
    }

    @Test
    void fieldsHaveTheGeneratedAccessors() throws Exception {
        int accessors = 0;
        for (TableDecl table : ARROW.tables()) {
            Set<String> declared = new TreeSet<>();
            for (FieldDecl each : table.fields()) {
                declared.addAll(GeneratedClasses.expectedAccessors(each.javaName(), each.type()));
            }
            accessors += assertSameAccessors(table.name(), declared);
        }
        for (StructDecl struct : ARROW.structs()) {
            Set<String> declared = new TreeSet<>();
            for (StructField each : struct.fields()) {
                declared.addAll(GeneratedClasses.expectedAccessors(each.javaName(), each.type()));
            }
            accessors += assertSameAccessors(struct.name(), declared);
        }
        System.out.printf(
                "format/*.fbs against arrow-format: %d tables and %d structs with %d accessors%n",
                ARROW.tables().size(), ARROW.structs().size(), accessors);
    }

    private static int assertSameAccessors(String name, Set<String> declared) throws Exception {
        assertEquals(GeneratedClasses.accessors(GeneratedClasses.named(name)), declared, name);
        return declared.size();
    }

    /// With one slot stored at a time, exactly the accessor of that slot's field sees it, and every
    /// other one returns its default.
    @Test
    void fieldsHaveTheGeneratedSlotsAndDefaults() throws Exception {
        int slots = 0;
        int reads = 0;
        for (TableDecl table : ARROW.tables()) {
            Class<?> type = GeneratedClasses.named(table.name());
            for (FieldDecl present : table.fields()) {
                ByteBuffer bytes = OneSlot.bytes(table, present);
                for (FieldDecl field : table.fields()) {
                    assertEquals(
                            OneSlot.expected(field, present),
                            OneSlot.read(type, bytes, field),
                            () -> table.name() + "." + field.name() + " with " + present.name());
                    reads++;
                }
                slots++;
            }
        }
        System.out.printf(
                "format/*.fbs against arrow-format: %d slots, %d reads of slots and defaults%n",
                slots, reads);
    }

    /// The generated `endX` refuses a table that lacks a required field, and no other.
    @Test
    void requiredFieldsAreTheGeneratedOnes() throws Exception {
        int required = 0;
        for (TableDecl table : ARROW.tables()) {
            assertTrue(endAccepts(table, null), table.name());
            for (FieldDecl each : table.fields()) {
                assertEquals(
                        !each.required(),
                        endAccepts(table, each),
                        () -> table.name() + " without " + each.name());
                required += each.required() ? 1 : 0;
            }
        }
        System.out.printf("format/*.fbs against arrow-format: %d required fields%n", required);
    }

    /// Builds a table of its required fields but `omitted`, and tells whether that was enough.
    private static boolean endAccepts(TableDecl table, FieldDecl omitted) throws Exception {
        Class<?> type = GeneratedClasses.named(table.name());
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int target = builder.createString("");
        // One slot too many, and that one present: the builder cuts absent slots off the end of a
        // vtable, and its check of a required last slot then reads what lies behind.
        builder.startTable(table.slotCount() + 1);
        builder.addOffset(table.slotCount(), target, 0);
        for (FieldDecl each : table.fields()) {
            if (each.required() && !each.equals(omitted)) {
                builder.addOffset(each.slot(), target, 0);
            }
        }
        try {
            type.getMethod("end" + table.name(), FlatBufferBuilder.class).invoke(null, builder);
            return true;
        } catch (InvocationTargetException e) {
            assertInstanceOf(AssertionError.class, e.getCause());
            return false;
        }
    }

    @Test
    void structsHaveTheGeneratedLayout() throws Exception {
        for (StructDecl struct : ARROW.structs()) {
            Class<?> type = GeneratedClasses.named(struct.name());
            for (StructField present : struct.fields()) {
                ByteBuffer bytes =
                        ByteBuffer.allocate(struct.sizeBytes()).order(ByteOrder.LITTLE_ENDIAN);
                bytes.put(present.offsetBytes(), (byte) 7);
                for (StructField field : struct.fields()) {
                    assertEquals(
                            field.equals(present) ? 7 : 0,
                            OneSlot.readStruct(type, bytes, field.javaName()),
                            () -> struct.name() + "." + field.name());
                }
            }
        }
    }
}
