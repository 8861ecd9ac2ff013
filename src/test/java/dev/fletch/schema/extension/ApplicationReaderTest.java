// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import static dev.fletch.schema.extension.Extensions.STRUCT;
import static dev.fletch.schema.extension.Extensions.UTF8;
import static dev.fletch.schema.extension.Extensions.field;
import static dev.fletch.schema.extension.Extensions.marked;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.FieldPath;
import dev.fletch.schema.InvalidSchemaException;
import dev.fletch.schema.Metadata;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.function.Supplier;

/// Whatever a reader of an application does: one field does not end the listing of the others.
class ApplicationReaderTest {
    private static final ArrowField FIELD = marked(field("column", UTF8), "app.x", "");
    private static final ArrowSchema SCHEMA =
            ArrowSchema.of(
                    field("s", STRUCT, FIELD),
                    marked(field("j", UTF8), SimpleType.JSON.extensionName(), ""));

    private static ExtensionRegistry registry(String name, Supplier<ExtensionType> result) {
        return ExtensionRegistry.CANONICAL.with(name, (_, _) -> result.get());
    }

    private static InvalidSchemaException fault(Supplier<ExtensionType> result) {
        ExtensionRegistry registry = registry("app.x", result);
        List<ExtensionUse> uses = registry.list(SCHEMA);
        assertEquals(List.of(false, true), uses.stream().map(ExtensionUse::isOk).toList());
        var listed = uses.getFirst().fault().orElseThrow();
        var read = assertThrows(InvalidSchemaException.class, () -> registry.read(FIELD));
        assertEquals("s." + read.path(), listed.path());
        return listed;
    }

    @ParameterizedTest
    @CsvSource({", s.column", "column, s.column", "column.x, s.column.x", "other.x, s.column.x"})
    void pathOfAnApplicationsFaultStartsWithTheField(String path, String expected) {
        FieldPath at = path == null ? null : FieldPath.of("column");
        if (path != null && path.contains(".")) {
            at = at.child(path.substring(path.indexOf('.') + 1));
        }
        FieldPath thrown = at;
        var fault =
                fault(
                        () -> {
                            throw InvalidSchemaException.ofExtension(
                                    "app.x", "must be y", thrown, "p", 1);
                        });
        assertEquals(expected, fault.path());
        assertTrue(fault.getMessage().startsWith("app.x must be y: field=s.column"));
        assertTrue(fault.getMessage().endsWith(", p=1"));
    }

    @Test
    void readerThatReturnsNullIsAFault() {
        assertEquals(
                "app.x reader must not return null: field=s.column, metadata=",
                fault(() -> null).getMessage());
    }

    @Test
    void errorOfAnApplicationsReaderIsThrown() {
        ExtensionRegistry registry =
                registry(
                        "app.x",
                        () -> {
                            throw new AssertionError("bug");
                        });
        assertThrows(AssertionError.class, () -> registry.list(SCHEMA));
    }

    @Test
    void repeatedMetadataOfAnUnknownTypeIsAccepted() {
        String key = ExtensionType.METADATA_KEY;
        ArrowField twice =
                field("c", UTF8)
                        .withMetadata(Metadata.of(ExtensionType.NAME_KEY, "x", key, "1", key, "2"));
        assertEquals(new UnknownType("x", "1"), ExtensionType.of(twice).orElseThrow());
    }
}
