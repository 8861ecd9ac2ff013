// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import static dev.fletch.schema.extension.Extensions.BINARY;
import static dev.fletch.schema.extension.Extensions.STRUCT;
import static dev.fletch.schema.extension.Extensions.UTF8;
import static dev.fletch.schema.extension.Extensions.encoded;
import static dev.fletch.schema.extension.Extensions.field;
import static dev.fletch.schema.extension.Extensions.fromBytes;
import static dev.fletch.schema.extension.Extensions.marked;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.FieldPath;
import dev.fletch.schema.InvalidSchemaException;
import dev.fletch.schema.Metadata;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// What belongs to no type: names, pairs of metadata, types of an application.
class ExtensionRegistryTest {
    /// A type of an application: points of some dimensions, in bytes.
    private record Point(int dimensions) implements ExtensionType {
        @Override
        public String extensionName() {
            return "test.point";
        }

        @Override
        public String metadata() {
            return Integer.toString(dimensions);
        }

        @Override
        public void checkStorage(ArrowField storage) {
            if (storage.type() != ArrowType.Simple.BINARY) {
                throw InvalidSchemaException.ofExtension(
                        "test.point", "must be binary", null, "type", storage.typeText());
            }
        }
    }

    private static Point point(ArrowField storage, String metadata) {
        Point point = new Point(Integer.parseInt(metadata));
        point.checkStorage(storage);
        return point;
    }

    private static final ExtensionRegistry POINTS =
            ExtensionRegistry.CANONICAL.with("test.point", ExtensionRegistryTest::point);

    @Test
    void fieldWithoutExtensionNameHasNoExtension() {
        ArrowField plain = field("a", UTF8).withMetadata(Metadata.of("k", "v"));
        assertEquals(Optional.empty(), ExtensionType.of(plain));
        ArrowField withoutName = plain.withMetadata(Metadata.of(ExtensionType.METADATA_KEY, "{}"));
        assertEquals(Optional.empty(), ExtensionType.of(withoutName));
    }

    @Test
    void extensionKeysAreFoundInAnyOrder() {
        ArrowField id = field("id", new ArrowType.FixedSizeBinary(16));
        String name = ExtensionType.NAME_KEY;
        String metadata = ExtensionType.METADATA_KEY;
        for (ArrowField each :
                List.of(
                        id.withMetadata(Metadata.of(name, "arrow.uuid", "k", "v", metadata, "")),
                        id.withMetadata(Metadata.of(metadata, "", name, "arrow.uuid", "k", "v")),
                        id.withMetadata(Metadata.of(metadata, null, name, "arrow.uuid")),
                        id.withMetadata(Metadata.of("k", "v", name, "arrow.uuid")))) {
            assertEquals(Optional.of(SimpleType.UUID), ExtensionType.of(each));
            assertEquals(Optional.of(SimpleType.UUID), ExtensionType.of(fromBytes(each)));
        }
    }

    /// The order in which Arrow C++ writes them, behind what the application has.
    @Test
    void appliedExtensionKeysComeLastAsInArrowCpp() {
        ArrowField id =
                field("id", new ArrowType.FixedSizeBinary(16))
                        .withMetadata(Metadata.of(ExtensionType.NAME_KEY, "other", "k", "v"));
        assertEquals(
                Metadata.of(
                        "k",
                        "v",
                        ExtensionType.METADATA_KEY,
                        "",
                        ExtensionType.NAME_KEY,
                        "arrow.uuid"),
                SimpleType.UUID.applyTo(id).metadata());
        assertThrows(
                InvalidSchemaException.class, () -> SimpleType.UUID.applyTo(field("id", UTF8)));
    }

    @Test
    void repeatedExtensionKeyIsRefused() {
        ArrowField id = field("id", new ArrowType.FixedSizeBinary(16));
        String name = ExtensionType.NAME_KEY;
        for (String second : List.of("arrow.uuid", "other")) {
            ArrowField twice = id.withMetadata(Metadata.of(name, "arrow.uuid", name, second));
            assertEquals(
                    "arrow.uuid must have the metadata key once, not 2 times: field=id,"
                            + " ARROW:extension:name=[arrow.uuid, "
                            + second
                            + "]",
                    assertThrows(InvalidSchemaException.class, () -> ExtensionType.of(twice))
                            .getMessage());
        }
        String metadata = ExtensionType.METADATA_KEY;
        ArrowField twice =
                id.withMetadata(Metadata.of(name, "arrow.uuid", metadata, "", metadata, ""));
        assertEquals(
                metadata,
                assertThrows(InvalidSchemaException.class, () -> ExtensionType.of(twice))
                        .parameter());
        ArrowField nameless = id.withMetadata(Metadata.of(name, ""));
        assertEquals(
                "extension type must have a name: field=id, ARROW:extension:name=\"\"",
                assertThrows(InvalidSchemaException.class, () -> ExtensionType.of(nameless))
                        .getMessage());
    }

    @Test
    void unknownTypeKeepsItsMetadata() {
        for (String name : List.of("geoarrow.point", "arrow.future", "ARROW.UUID", "arrow.uuid ")) {
            ArrowField field = marked(encoded(field("a", UTF8)), name, "{not json");
            UnknownType unknown = new UnknownType(name, "{not json");
            assertEquals(Optional.of(unknown), ExtensionType.of(field));
            assertEquals(Optional.of(unknown), ExtensionType.of(fromBytes(field)));
            assertEquals(Optional.of(unknown), ExtensionType.of(unknown.applyTo(field("a", UTF8))));
        }
        assertEquals(
                Optional.of(new UnknownType("x", "")),
                ExtensionType.of(marked(field("a", UTF8), "x", null)));
    }

    @Test
    void registeredTypeOfAnApplicationIsRead() {
        ArrowField field = marked(field("p", BINARY), "test.point", "3");
        assertEquals(Optional.of(new Point(3)), POINTS.read(field));
        assertEquals(Optional.of(new Point(3)), POINTS.read(new Point(3).applyTo(field)));
        assertEquals(Optional.of(new UnknownType("test.point", "3")), ExtensionType.of(field));
        ArrowField text = marked(field("p", UTF8), "test.point", "3");
        assertEquals(
                "test.point must be binary: field=p, type=utf8",
                assertThrows(InvalidSchemaException.class, () -> POINTS.read(text)).getMessage());
    }

    /// Whatever an application's parser throws, a caller has one kind to expect.
    @Test
    void exceptionsOfAnApplicationsReaderAreWrapped() {
        ArrowField field = marked(field("p", BINARY), "test.point", "x");
        var fault = assertThrows(InvalidSchemaException.class, () -> POINTS.read(field));
        assertEquals(
                "test.point could not be read, NumberFormatException: field=p, metadata=x",
                fault.getMessage());
        assertTrue(fault.getCause() instanceof NumberFormatException);
        assertEquals("metadata", fault.parameter());
        assertEquals("p", fault.path());
        var error = new StackOverflowError();
        ExtensionRegistry overflows =
                registry(
                        "test.point",
                        () -> {
                            throw error;
                        });
        var wrapped = assertThrows(InvalidSchemaException.class, () -> overflows.read(field));
        assertSame(error, wrapped.getCause());
    }

    @Test
    void registeredNameIsRefused() {
        for (String name : List.of("test.point", "", "arrow.uuid", "arrow.", "arrow.foo")) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> POINTS.with(name, ExtensionRegistryTest::point));
        }
        POINTS.with("arrowx", ExtensionRegistryTest::point);
    }

    @Test
    void listsTheExtensionsOfASchema() {
        ArrowField id = marked(field("id", new ArrowType.FixedSizeBinary(16)), "arrow.uuid", null);
        ArrowField wrong = marked(field("wrong", UTF8), "arrow.uuid", "");
        ArrowField point = marked(field("p", STRUCT, id, field("x", UTF8)), "point", "2");
        ArrowSchema schema = ArrowSchema.of(field("s", STRUCT, wrong, point), id);
        List<ExtensionUse> uses = ExtensionRegistry.CANONICAL.list(schema);
        assertEquals(
                List.of("s.wrong", "s.p", "s.p.id", "id"),
                uses.stream().map(ExtensionUse::path).toList());
        assertEquals(
                List.of(false, true, true, true), uses.stream().map(ExtensionUse::isOk).toList());
        assertEquals(
                List.of(true, false, true, true),
                uses.stream().map(ExtensionUse::isCanonical).toList());
        assertEquals(
                "arrow.uuid must be stored as fixed_size_binary(16): field=s.wrong, type=utf8",
                uses.getFirst().fault().orElseThrow().getMessage());
        assertFalse(uses.getFirst().type().isPresent());
        assertEquals(Optional.empty(), uses.getLast().metadata());
        assertEquals(Optional.of("2"), uses.get(1).metadata());
    }

    /// As one text each their paths would be some 16 GB.
    @Test
    void longParentNameDoesNotMultiplyThePaths() {
        String name = "n".repeat(1_000_000);
        List<ArrowField> children = new ArrayList<>();
        for (int i = 0; i < 8_000; i++) {
            children.add(marked(field("a" + i, UTF8), SimpleType.JSON.extensionName(), ""));
            children.add(marked(field("b" + i, UTF8), SimpleType.UUID.extensionName(), ""));
        }
        ArrowSchema schema = ArrowSchema.of(field(name, STRUCT).withChildren(children));
        List<ExtensionUse> uses = ExtensionRegistry.CANONICAL.list(schema);
        assertEquals(16_000, uses.size());
        ExtensionUse last = uses.getLast();
        assertEquals(name + ".b7999", last.path());
        assertEquals(last.path(), last.fault().orElseThrow().path());
        assertTrue(last.fault().orElseThrow().getMessage().contains(".b7999, type=utf8"));
    }

    // ---- readers of an application: one field does not end the listing of the others

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
