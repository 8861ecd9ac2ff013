// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import static dev.fletch.schema.extension.Extensions.INT32;
import static dev.fletch.schema.extension.Extensions.LIST;
import static dev.fletch.schema.extension.Extensions.STRUCT;
import static dev.fletch.schema.extension.Extensions.UTF8;
import static dev.fletch.schema.extension.Extensions.encoded;
import static dev.fletch.schema.extension.Extensions.fault;
import static dev.fletch.schema.extension.Extensions.field;
import static dev.fletch.schema.extension.Extensions.refused;
import static dev.fletch.schema.extension.Extensions.valid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.InvalidSchemaException;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.OptionalInt;

/// The two tensors: the document's examples, and each of its rules kept and broken.
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

    @Test
    void fixedShapeTensorsAtTheLimitsAreAccepted() {
        fixed(1, "{\"shape\": []}");
        fixed(0, "{\"shape\": [0]}");
        fixed(Integer.MAX_VALUE, "{\"shape\": [2147483647, 1]}");
        // The product is nothing, in whatever order the sizes come.
        fixed(0, "{\"shape\": [9223372036854775807, 9223372036854775807, 0]}");
        // What is left out may be written as null, as arrow-rs does.
        assertEquals(
                FixedShapeTensor.of(2),
                fixed(2, "{\"shape\":[2],\"dim_names\":null,\"permutations\":null}"));
        assertEquals(FixedShapeTensor.of(2), fixed(2, "{\"future\":{},\"shape\":[2]}"));
        ArrowField nested = field("f", new ArrowType.FixedSizeList(2), fixed(3));
        valid(nested, FIXED, "{\"shape\":[2]}");
    }

    private static void fixedRefused(String message, int listSize, String metadata) {
        refused(FIXED + " " + message, fixed(listSize), FIXED, metadata);
    }

    @Test
    void invalidFixedShapeTensorsAreRefused() {
        refused(
                FIXED + " must be stored as fixed_size_list: field=f, type=list",
                field("f", LIST, field("item", FLOAT)),
                FIXED,
                "{\"shape\":[2]}");
        refused(
                FIXED
                        + " must be stored as fixed_size_list: field=f,"
                        + " type=fixed_size_list(2), dictionary 1 (int8)",
                encoded(fixed(2)),
                FIXED,
                "{\"shape\":[2]}");
        fixedRefused(
                "must be stored in lists of 10 elements, the product of [2, 5]: field=f,"
                        + " type=fixed_size_list(9)",
                9,
                "{\"shape\":[2,5]}");
        fixedRefused("must have a shape: field=f, shape=absent", 2, "{}");
        fixedRefused("must have a shape: field=f, shape=absent", 2, "{\"shape\":null}");
        fixedRefused("must have an array as shape: field=f, shape=2", 2, "{\"shape\":2}");
        for (String shape : List.of("[2.0]", "[2e0]", "[\"2\"]", "[null]", "[true]")) {
            fixedRefused(
                    "must have integers of 64 bits in shape: field=f, shape=" + shape,
                    2,
                    "{\"shape\":" + shape + "}");
        }
        fixedRefused(
                "must have integers of 64 bits in shape: field=f, shape=[9223372036854775808]",
                2,
                "{\"shape\":[9223372036854775808]}");
        fixedRefused(
                "must have no negative size in its shape: field=f, shape=[-1, -2]",
                2,
                "{\"shape\":[-1,-2]}");
        for (String shape :
                List.of("[2147483647, 2]", "[65536, 65536, 4294967296]", "[2147483648]")) {
            fixedRefused(
                    "must have at most 2147483647 elements: field=f, shape=" + shape,
                    0,
                    "{\"shape\":" + shape + "}");
        }
    }

    @Test
    void invalidNamesAndPermutationsAreRefused() {
        fixedRefused(
                "must have one element of dim_names for each of its 2 dimensions, not 1:"
                        + " field=f, dim_names=[\"x\"]",
                10,
                "{\"shape\":[2,5],\"dim_names\":[\"x\"]}");
        fixedRefused(
                "must have one element of dim_names for each of its 2 dimensions, not 0:"
                        + " field=f, dim_names=[]",
                10,
                "{\"shape\":[2,5],\"dim_names\":[]}");
        fixedRefused(
                "must have strings in dim_names: field=f, dim_names=[\"x\", 2]",
                10,
                "{\"shape\":[2,5],\"dim_names\":[\"x\",2]}");
        fixedRefused(
                "must have an array as dim_names: field=f, dim_names=an object",
                10,
                "{\"shape\":[2,5],\"dim_names\":{\"x\":[]}}");
        fixedRefused(
                "must have one element of permutation for each of its 2 dimensions, not 3:"
                        + " field=f, permutation=[0, 1, 2]",
                10,
                "{\"shape\":[2,5],\"permutation\":[0,1,2]}");
        for (String order : List.of("[0, 0]", "[1, 2]", "[-1, 0]", "[0, 2147483647]")) {
            fixedRefused(
                    "must have each of 0 to 1 once in permutation: field=f, permutation=" + order,
                    10,
                    "{\"shape\":[2,5],\"permutation\":" + order + "}");
        }
        fixedRefused(
                "must have integers of 32 bits in permutation: field=f,"
                        + " permutation=[0, 4294967297]",
                10,
                "{\"shape\":[2,5],\"permutation\":[0,4294967297]}");
        fixedRefused(
                "must have its permutation under the key permutation: field=f,"
                        + " permutations=[1, 0]",
                10,
                "{\"shape\":[2,5],\"permutations\":[1,0]}");
        assertThrows(
                InvalidSchemaException.class,
                () -> fixed(List.of(1L), List.of("\udc00"), List.of()));
        var loneSurrogate = fault(fixed(1), FIXED, "{\"shape\":[1],\"dim_names\":[\"\\udc00\"]}");
        assertEquals("dim_names", loneSurrogate.parameter());
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

    private static void variableRefused(String message, ArrowField storage) {
        refused(VARIABLE + " " + message, storage, VARIABLE, "");
    }

    @Test
    void invalidStorageOfVariableShapeIsRefused() {
        variableRefused("must be stored as struct: field=v, type=utf8", field("v", UTF8));
        ArrowField data = variable(2).children().get(0);
        ArrowField shape = variable(2).children().get(1);
        String children =
                "must have the children data and shape, in this order: field=v, children=";
        variableRefused(children + "[shape, data]", field("v", STRUCT, shape, data));
        variableRefused(children + "[data]", field("v", STRUCT, data));
        variableRefused(
                children + "[data, shape, x]", field("v", STRUCT, data, shape, field("x", UTF8)));
        variableRefused(
                children + "[Data, shape]", field("v", STRUCT, data.withName("Data"), shape));
        variableRefused(
                "must have its data in a list: field=v.data, type=large_list",
                field(
                        "v",
                        STRUCT,
                        data.withType(ArrowType.Simple.LARGE_LIST, field("item", FLOAT)),
                        shape));
        variableRefused(
                "must have its data in a list: field=v.data, type=list, dictionary 1 (int8)",
                field("v", STRUCT, encoded(data), shape));
        variableRefused(
                "must have its shape in a fixed_size_list: field=v.shape, type=list",
                field("v", STRUCT, data, shape.withType(LIST, field("item", INT32))));
        variableRefused(
                "must have the sizes of a shape in int32: field=v.shape.item, type=int64",
                field(
                        "v",
                        STRUCT,
                        data,
                        shape.withChildren(List.of(field("item", new ArrowType.Int(64, true))))));
        assertEquals(
                VARIABLE
                        + " must have a shape of 3 sizes:"
                        + " field=v.shape, type=fixed_size_list(2)",
                assertThrows(InvalidSchemaException.class, () -> unnamed(3).applyTo(variable(2)))
                        .getMessage());
    }

    private static void parameterRefused(String message, String metadata) {
        refused(VARIABLE + " " + message, variable(2), VARIABLE, metadata);
    }

    @Test
    void invalidParametersOfVariableShapeAreRefused() {
        parameterRefused(
                "must have one element of dim_names for each of its 2 dimensions, not 3: field=v,"
                        + " dim_names=[\"a\", \"b\", \"c\"]",
                "{\"dim_names\":[\"a\",\"b\",\"c\"]}");
        parameterRefused(
                "must have one element of uniform_shape for each of its 2 dimensions, not 1:"
                        + " field=v, uniform_shape=[null]",
                "{\"uniform_shape\":[null]}");
        parameterRefused(
                "must have no negative size in uniform_shape: field=v, uniform_shape=[-1, null]",
                "{\"uniform_shape\":[-1,null]}");
        for (String shape : List.of("[2147483648, null]", "[1.5, 2]", "[\"a\", 2]")) {
            parameterRefused(
                    "must have integers of 32 bits, or nulls, in uniform_shape: field=v,"
                            + " uniform_shape="
                            + shape,
                    "{\"uniform_shape\":" + shape + "}");
        }
        parameterRefused(
                "must have each of 0 to 1 once in permutation: field=v, permutation=[1, 1]",
                "{\"permutation\":[1,1]}");
        parameterRefused(
                "must have one element of permutation for each of its 2 dimensions, not 1: field=v,"
                        + " permutation=[0]",
                "{\"permutation\":[0]}");
        parameterRefused("must have a JSON object as its metadata: field=v, metadata=[]", "[]");
        assertThrows(InvalidSchemaException.class, () -> unnamed(-1));
    }
}
