// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import static dev.fletch.schema.extension.Extensions.INT32;
import static dev.fletch.schema.extension.Extensions.INT8;
import static dev.fletch.schema.extension.Extensions.LIST;
import static dev.fletch.schema.extension.Extensions.STRUCT;
import static dev.fletch.schema.extension.Extensions.UTF8;
import static dev.fletch.schema.extension.Extensions.field;
import static dev.fletch.schema.extension.Extensions.marked;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.InvalidSchemaException;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/// Storage of any size, below names of any length: nothing is allocated by it.
class HostileStorageTest {
    private static final int MOST = Integer.MAX_VALUE;

    private static ArrowField lists(int size) {
        return field("t", new ArrowType.FixedSizeList(size), field("item", INT8));
    }

    private static ArrowField tensors(int dimensions) {
        ArrowType sizes = new ArrowType.FixedSizeList(dimensions);
        return field(
                "t",
                STRUCT,
                field("data", LIST, field("item", INT8)),
                field("shape", sizes, field("item", INT32)));
    }

    @Test
    void tensorOfTheMostDimensionsIsRead() {
        for (String metadata : new String[] {null, "", "{}"}) {
            ArrowField field = marked(tensors(MOST), VariableShapeTensor.NAME, metadata);
            assertEquals(
                    new VariableShapeTensor(MOST, List.of(), List.of(), List.of()),
                    ExtensionType.of(field).orElseThrow());
        }
        for (String key : new String[] {"permutation", "dim_names", "uniform_shape"}) {
            String metadata = "{\"" + key + "\":[]}";
            ArrowField field = marked(tensors(MOST), VariableShapeTensor.NAME, metadata);
            var fault = assertThrows(InvalidSchemaException.class, () -> ExtensionType.of(field));
            assertTrue(fault.getMessage().contains("2147483647 dimensions, not 0"));
        }
        assertTrue(
                new VariableShapeTensor(MOST, List.of(), List.of(), List.of())
                        .logical(List.of())
                        .isEmpty());
    }

    @Test
    void largestStorageIsCheckedForEveryType() {
        for (String name :
                new String[] {
                    FixedShapeTensor.NAME,
                    VariableShapeTensor.NAME,
                    SimpleType.JSON.extensionName(),
                    SimpleType.UUID.extensionName(),
                    Opaque.NAME,
                    SimpleType.BOOL8.extensionName(),
                    SimpleType.PARQUET_VARIANT.extensionName(),
                    SimpleType.TIMESTAMP_WITH_OFFSET.extensionName()
                }) {
            for (ArrowField storage :
                    List.of(
                            lists(MOST),
                            tensors(MOST),
                            field("t", new ArrowType.FixedSizeBinary(MOST)))) {
                for (String metadata : new String[] {"", "{\"shape\":[2147483647]}"}) {
                    ArrowField field = marked(storage, name, metadata);
                    try {
                        assertTrue(ExtensionType.of(field).isPresent());
                    } catch (InvalidSchemaException e) {
                        assertTrue(e.getMessage().length() < 600);
                    }
                }
            }
        }
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
}
