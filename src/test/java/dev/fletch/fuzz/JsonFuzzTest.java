// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.fletch.Limits;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.InvalidSchemaException;
import dev.fletch.schema.Metadata;
import dev.fletch.schema.SchemaJson;
import dev.fletch.schema.extension.ExtensionRegistry;
import dev.fletch.schema.extension.ExtensionType;
import dev.fletch.schema.extension.ExtensionUse;
import dev.fletch.schema.internal.JsonFault;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/// Reads any bytes as JSON: a schema is refused as documented or survives being written, and
/// metadata of an extension type is.
class JsonFuzzTest {
    private static final Pattern PLACE = Pattern.compile(": line=[1-9]\\d*, column=[1-9]");

    @FuzzTest
    void schemas(byte[] input) throws IOException {
        ArrowSchema schema;
        try {
            schema = SchemaJson.read(new ByteArrayInputStream(input), Limits.DEFAULT);
        } catch (JsonFault e) {
            assertTrue(PLACE.matcher(e.getMessage()).find(), e::getMessage);
            assertTrue(e.getMessage().lines().count() == 1, e::getMessage);
            return;
        }
        String text = SchemaJson.text(schema);
        ArrowSchema again = SchemaJson.parse(text);
        assertTrue(schema.semanticallyEquals(again), () -> schema.diff(again).toString());
        assertEquals(text, SchemaJson.text(again));
        ExtensionRegistry.CANONICAL.list(schema);
    }

    /// The storage of each type whose metadata is JSON, so that it comes to be parsed.
    private static final List<ArrowField> STORAGES =
            List.of(
                    extension(
                            "arrow.fixed_shape_tensor",
                            new ArrowType.FixedSizeList(6),
                            ArrowField.of("item", new ArrowType.Int(8, true))),
                    extension(
                            "arrow.variable_shape_tensor",
                            ArrowType.Simple.STRUCT,
                            ArrowField.of(
                                    "data",
                                    ArrowType.Simple.LIST,
                                    ArrowField.of("item", ArrowType.Date.DAY)),
                            ArrowField.of(
                                    "shape",
                                    new ArrowType.FixedSizeList(2),
                                    ArrowField.of("item", new ArrowType.Int(32, true)))),
                    extension("arrow.json", ArrowType.Simple.UTF8),
                    extension("arrow.opaque", ArrowType.Simple.NULL));

    private static ArrowField extension(String name, ArrowType storage, ArrowField... children) {
        return ArrowField.of("f", storage, children)
                .withMetadata(Metadata.of(ExtensionType.NAME_KEY, name));
    }

    @FuzzTest
    void extensionMetadata(byte[] input) {
        String metadata = new String(input, StandardCharsets.UTF_8);
        for (ArrowField storage : STORAGES) {
            ArrowField field =
                    storage.withMetadata(
                            storage.metadata().with(ExtensionType.METADATA_KEY, metadata));
            ExtensionType type;
            try {
                type = ExtensionType.of(field).orElseThrow();
            } catch (InvalidSchemaException e) {
                assertTrue(e.getMessage().lines().count() == 1, e::getMessage);
                continue;
            }
            // What it is written as is read as the same.
            ArrowField written =
                    storage.withMetadata(
                            storage.metadata().with(ExtensionType.METADATA_KEY, type.metadata()));
            assertEquals(type, ExtensionType.of(written).orElseThrow());
            List<ExtensionUse> uses = ExtensionRegistry.CANONICAL.list(ArrowSchema.of(field));
            assertTrue(uses.getFirst().isOk());
        }
    }
}
