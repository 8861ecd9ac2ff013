// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.InvalidSchemaException;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/// Tensors of equal shape, stored as a `fixed_size_list` of their elements in row-major order. The
/// list's size is the product of the shape.
///
/// @param shape size of each physical dimension
/// @param dimNames names of the physical dimensions; empty for none
/// @param permutation for each logical dimension, the physical one; empty if they are the same
public record FixedShapeTensor(List<Long> shape, List<String> dimNames, List<Integer> permutation)
        implements ExtensionType {
    /// The type's name.
    public static final String NAME = "arrow.fixed_shape_tensor";

    private static final String SHAPE = "shape";

    /// Checks and copies the parameters.
    ///
    /// @throws InvalidSchemaException if a size is negative, the shape has more elements than a
    ///     list can have, the number of names is wrong, or the permutation is invalid
    public FixedShapeTensor {
        shape = List.copyOf(shape);
        dimNames = List.copyOf(dimNames);
        permutation = List.copyOf(permutation);
        product(shape);
        TensorRules.checkDimNames(NAME, dimNames, shape.size());
        TensorRules.checkPermutation(NAME, permutation, shape.size());
    }

    /// {@return a type without names and permutation}
    ///
    /// @param shape size of each dimension
    /// @throws InvalidSchemaException if a size is negative, or the shape has more elements than
    ///     a list can have
    public static FixedShapeTensor of(long... shape) {
        return new FixedShapeTensor(LongStream.of(shape).boxed().toList(), List.of(), List.of());
    }

    static FixedShapeTensor read(String metadata) {
        Parameters read = TensorRules.parse(NAME, metadata, SHAPE);
        if (!read.has(SHAPE)) {
            throw read.violation("must have a shape", SHAPE);
        }
        List<Long> shape = read.longs(SHAPE);
        return new FixedShapeTensor(
                shape,
                read.texts(TensorRules.DIM_NAMES, shape.size()),
                read.ints(TensorRules.PERMUTATION, shape.size()));
    }

    private static int product(List<Long> shape) {
        if (shape.stream().anyMatch(size -> size < 0)) {
            throw violation("must have no negative size in its shape", shape);
        }
        long product = shape.contains(0L) ? 0 : 1;
        for (long size : shape) {
            if (size > 0 && product > Integer.MAX_VALUE / size) {
                throw violation("must have at most " + Integer.MAX_VALUE + " elements", shape);
            }
            product *= size;
        }
        return (int) product;
    }

    private static InvalidSchemaException violation(String rule, List<Long> shape) {
        return InvalidSchemaException.ofExtension(NAME, rule, null, SHAPE, shape);
    }

    /// {@return the number of elements of each tensor: the product of its shape}
    public int elements() {
        return product(shape);
    }

    /// {@return values of the physical dimensions, such as [#shape] or [#dimNames], in the order of
    /// the logical dimensions}
    ///
    /// @param <T> type of the values
    /// @param physical a value for each dimension; may be empty
    /// @throws IllegalArgumentException if the number of values is wrong
    public <T> List<T> logical(List<T> physical) {
        return TensorRules.logical(physical, permutation, shape.size());
    }

    @Override
    public String extensionName() {
        return NAME;
    }

    @Override
    public String metadata() {
        Map<String, List<?>> parameters = new LinkedHashMap<>();
        parameters.put(SHAPE, shape);
        TensorRules.put(parameters, TensorRules.PERMUTATION, permutation);
        TensorRules.put(parameters, TensorRules.DIM_NAMES, dimNames);
        return ParameterText.of(parameters);
    }

    @Override
    public void checkStorage(ArrowField storage) {
        Storage field = new Storage(NAME, storage);
        field.require(
                field.isPlain(ArrowType.FixedSizeList.class), "must be stored as fixed_size_list");
        field.require(
                field.isPlain(new ArrowType.FixedSizeList(elements())),
                "must be stored in lists of " + elements() + " elements, the product of " + shape);
    }
}
