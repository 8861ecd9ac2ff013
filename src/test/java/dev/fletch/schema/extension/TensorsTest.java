// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import static dev.fletch.schema.extension.Extensions.INT32;
import static dev.fletch.schema.extension.Extensions.LIST;
import static dev.fletch.schema.extension.Extensions.STRUCT;
import static dev.fletch.schema.extension.Extensions.fault;
import static dev.fletch.schema.extension.Extensions.field;
import static dev.fletch.schema.extension.Extensions.marked;
import static dev.fletch.schema.extension.Extensions.valid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.InvalidSchemaException;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.OptionalInt;

/// The two tensors: the document's examples, how they are written, and storage of any size.
class TensorsTest {
    private static final String FIXED = "arrow.fixed_shape_tensor";
    private static final String VARIABLE = "arrow.variable_shape_tensor";
    private static final ArrowType FLOAT = ArrowType.FloatingPoint.SINGLE;
    private static final OptionalInt NONE = OptionalInt.empty();

    // ---- fixed

    private static ArrowField fixed(int listSize) {
        return field("f", new ArrowType.FixedSizeList(listSize), field("item", FLOAT));
    }

    private static FixedShapeTensor fixed(int listSize, String metadata) {
        return valid(FixedShapeTensor.class, fixed(listSize), FIXED, metadata);
    }

    private static FixedShapeTensor fixed(
            List<Long> shape, List<String> dimNames, List<Integer> permutation) {
        return new FixedShapeTensor(shape, dimNames, permutation);
    }

    @Test
    void documentedFixedShapeTensorsAreRead() {
        FixedShapeTensor plain = fixed(10, "{ \"shape\": [2, 5]}");
        assertEquals(FixedShapeTensor.of(2, 5), plain);
        assertEquals(List.of(2L, 5L), plain.logical(plain.shape()));
        assertEquals(List.of(), plain.logical(plain.dimNames()));
        FixedShapeTensor named =
                fixed(
                        10_000_000,
                        "{ \"shape\": [100, 200, 500], \"dim_names\": [\"C\", \"H\", \"W\"]}");
        assertEquals(fixed(List.of(100L, 200L, 500L), List.of("C", "H", "W"), List.of()), named);
        assertEquals(List.of("C", "H", "W"), named.logical(named.dimNames()));
        assertEquals(10_000_000, named.elements());
        FixedShapeTensor permuted =
                fixed(10_000_000, "{ \"shape\": [100, 200, 500], \"permutation\": [2, 0, 1]}");
        assertEquals(fixed(List.of(100L, 200L, 500L), List.of(), List.of(2, 0, 1)), permuted);
        assertEquals(List.of(500L, 100L, 200L), permuted.logical(permuted.shape()));
        assertEquals(List.of("W", "C", "H"), permuted.logical(List.of("C", "H", "W")));
    }

    /// Key order and spacing of Arrow C++.
    @Test
    void fixedShapeIsWrittenAsInArrowCpp() {
        assertEquals("{\"shape\":[2,5]}", FixedShapeTensor.of(2, 5).metadata());
        assertEquals("{\"shape\":[]}", FixedShapeTensor.of().metadata());
        assertEquals(
                "{\"shape\":[3,4,7],\"permutation\":[1,0,2],\"dim_names\":[\"x\",\"y\",\"\\\"\"]}",
                fixed(List.of(3L, 4L, 7L), List.of("x", "y", "\""), List.of(1, 0, 2)).metadata());
    }

    // ---- variable

    private static ArrowField variable(int dimensions) {
        ArrowField data = field("data", LIST, field("item", FLOAT));
        ArrowType shapes = new ArrowType.FixedSizeList(dimensions);
        return field("v", STRUCT, data, field("shape", shapes, field("item", INT32)));
    }

    private static VariableShapeTensor unnamed(int dimensions) {
        return new VariableShapeTensor(dimensions, List.of(), List.of(), List.of());
    }

    private static VariableShapeTensor variable(int dimensions, String metadata) {
        return valid(VariableShapeTensor.class, variable(dimensions), VARIABLE, metadata);
    }

    @Test
    void documentedVariableShapeTensorsAreRead() {
        for (String metadata : new String[] {null, "", "{}"}) {
            assertEquals(unnamed(3), variable(3, metadata));
        }
        assertEquals(
                new VariableShapeTensor(3, List.of("C", "H", "W"), List.of(), List.of()),
                variable(3, "{ \"dim_names\": [\"C\", \"H\", \"W\"] }"));
        VariableShapeTensor images =
                variable(
                        3,
                        "{ \"dim_names\": [\"H\", \"W\", \"C\"],"
                                + " \"uniform_shape\": [400, null, 3] }");
        List<OptionalInt> sizes = List.of(OptionalInt.of(400), NONE, OptionalInt.of(3));
        assertEquals(sizes, images.uniformShape());
        assertEquals(sizes, images.logical(images.uniformShape()));
        VariableShapeTensor permuted = variable(3, "{ \"permutation\": [2, 0, 1] }");
        assertEquals(List.of(500, 100, 200), permuted.logical(List.of(100, 200, 500)));
        VariableShapeTensor named =
                new VariableShapeTensor(
                        3, List.of("x", "y", "z"), permuted.permutation(), List.of());
        assertEquals(List.of("z", "x", "y"), named.logical(named.dimNames()));
        assertEquals(List.of(30, 10, 20), named.logical(List.of(10, 20, 30)));
        assertEquals(
                List.of(OptionalInt.of(3), OptionalInt.of(400), NONE),
                named.logical(List.of(OptionalInt.of(400), NONE, OptionalInt.of(3))));
        assertThrows(IllegalArgumentException.class, () -> named.logical(List.of(1, 2)));
    }

    @Test
    void variableShapeIsWrittenAsInArrowCpp() {
        assertEquals("{}", unnamed(3).metadata());
        assertEquals(
                "{\"permutation\":[1,0],\"dim_names\":[\"x\",\"y\"],\"uniform_shape\":[null,7]}",
                new VariableShapeTensor(
                                2,
                                List.of("x", "y"),
                                List.of(1, 0),
                                List.of(NONE, OptionalInt.of(7)))
                        .metadata());
    }

    @Test
    void valuesThatNoFieldCanHaveAreRefused() {
        assertThrows(
                InvalidSchemaException.class,
                () -> fixed(List.of(1L), List.of("\udc00"), List.of()));
        var loneSurrogate = fault(fixed(1), FIXED, "{\"shape\":[1],\"dim_names\":[\"\\udc00\"]}");
        assertEquals("dim_names", loneSurrogate.parameter());
        assertThrows(InvalidSchemaException.class, () -> unnamed(-1));
        assertEquals(
                VARIABLE
                        + " must have a shape of 3 sizes:"
                        + " field=v.shape, type=fixed_size_list(2)",
                assertThrows(InvalidSchemaException.class, () -> unnamed(3).applyTo(variable(2)))
                        .getMessage());
    }

    // ---- storage of any size: nothing is allocated by it

    private static final int MOST = Integer.MAX_VALUE;

    @Test
    void tensorOfTheMostDimensionsIsRead() {
        for (String metadata : new String[] {null, "", "{}"}) {
            ArrowField field = marked(variable(MOST), VARIABLE, metadata);
            assertEquals(unnamed(MOST), ExtensionType.of(field).orElseThrow());
        }
        for (String key : new String[] {"permutation", "dim_names", "uniform_shape"}) {
            String metadata = "{\"" + key + "\":[]}";
            ArrowField field = marked(variable(MOST), VARIABLE, metadata);
            var fault = assertThrows(InvalidSchemaException.class, () -> ExtensionType.of(field));
            assertTrue(fault.getMessage().contains("2147483647 dimensions, not 0"));
        }
        assertTrue(unnamed(MOST).logical(List.of()).isEmpty());
    }

    @Test
    void largestStorageIsCheckedForEveryType() {
        for (String name :
                new String[] {
                    FIXED,
                    VARIABLE,
                    SimpleType.JSON.extensionName(),
                    SimpleType.UUID.extensionName(),
                    Opaque.NAME,
                    SimpleType.BOOL8.extensionName(),
                    SimpleType.PARQUET_VARIANT.extensionName(),
                    SimpleType.TIMESTAMP_WITH_OFFSET.extensionName()
                }) {
            for (ArrowField storage :
                    List.of(
                            fixed(MOST),
                            variable(MOST),
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
}
