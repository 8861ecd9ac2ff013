// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.format.Schema;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.DictionaryInfo;
import dev.fletch.schema.InvalidSchemaException;
import dev.fletch.schema.Metadata;
import dev.fletch.testdata.ModelTables;

import java.lang.foreign.MemorySegment;

/// Fields with extension types, read in both ways: as they are made, and out of bytes.
final class Extensions {
    static final ArrowType INT8 = new ArrowType.Int(8, true);
    static final ArrowType INT32 = new ArrowType.Int(32, true);
    static final ArrowType UTF8 = ArrowType.Simple.UTF8;
    static final ArrowType BINARY = ArrowType.Simple.BINARY;
    static final ArrowType STRUCT = ArrowType.Simple.STRUCT;
    static final ArrowType LIST = ArrowType.Simple.LIST;

    private Extensions() {}

    static ArrowField field(String name, ArrowType type, ArrowField... children) {
        return ArrowField.of(name, type, children);
    }

    static ArrowField encoded(ArrowField field) {
        return field.withDictionary(DictionaryInfo.of(1, new ArrowType.Int(8, true)));
    }

    /// @param metadata null for none
    static ArrowField marked(ArrowField storage, String name, String metadata) {
        return metadata == null
                ? storage.withMetadata(Metadata.of(ExtensionType.NAME_KEY, name))
                : storage.withMetadata(
                        Metadata.of(
                                ExtensionType.NAME_KEY,
                                name,
                                ExtensionType.METADATA_KEY,
                                metadata));
    }

    static ArrowField fromBytes(ArrowField field) {
        byte[] bytes = ModelTables.bytes(ArrowSchema.of(field), 5);
        ArrowSchema read = ArrowSchema.of(new Schema().wrap(MemorySegment.ofArray(bytes)));
        return read.fields().getFirst();
    }

    static ExtensionType read(ArrowField field) {
        ExtensionType type = ExtensionType.of(field).orElseThrow();
        assertEquals(type, ExtensionType.of(fromBytes(field)).orElseThrow());
        return type;
    }

    /// Reads a field that keeps to all rules, and writes it again.
    static ExtensionType valid(ArrowField storage, String name, String metadata) {
        ExtensionType type = read(marked(storage, name, metadata));
        assertEquals(name, type.extensionName());
        ArrowField written = type.applyTo(storage);
        assertEquals(type, read(written));
        assertEquals(type, read(type.applyTo(written)));
        assertEquals(2, written.metadata().entries().size());
        return type;
    }

    static <T extends ExtensionType> T valid(
            Class<T> type, ArrowField storage, String name, String metadata) {
        return assertInstanceOf(type, valid(storage, name, metadata));
    }

    /// The message that a field is refused with, the same in both ways.
    static InvalidSchemaException fault(ArrowField storage, String name, String metadata) {
        ArrowField field = marked(storage, name, metadata);
        var fault = assertThrows(InvalidSchemaException.class, () -> ExtensionType.of(field));
        var again =
                assertThrows(
                        InvalidSchemaException.class, () -> ExtensionType.of(fromBytes(field)));
        assertEquals(fault.getMessage(), again.getMessage());
        assertTrue(fault.getMessage().length() < 600, fault::getMessage);
        assertTrue(fault.getMessage().chars().noneMatch(Character::isISOControl));
        assertTrue(fault.path().startsWith(storage.name()), fault::path);
        return fault;
    }

    static void refused(String message, ArrowField storage, String name, String metadata) {
        assertEquals(message, fault(storage, name, metadata).getMessage());
    }
}
