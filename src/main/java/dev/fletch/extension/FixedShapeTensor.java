// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.extension;

import dev.fletch.model.ArrowField;
import dev.fletch.model.ArrowType;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// Tensors of one shape, stored as a `fixed_size_list` of their elements in row-major order.
///
/// The list's size is the product of the shape.
///
/// @param shape size of each physical dimension
/// @param dimNames names of the physical dimensions, empty for none
/// @param permutation for each logical dimension the physical one that it is, empty where they are
///     the same
public record FixedShapeTensor(List<Long> shape, List<String> dimNames, List<Integer> permutation)
        implements ExtensionType {
    /// The type's name.
    public static final String NAME = "arrow.fixed_shape_tensor";

    /// Checks and copies the parameters.
    ///
    /// @throws InvalidExtensionException if a size is negative, there are more elements than a list
    ///     can have, there is not one name for each dimension, or the permutation is none
    public FixedShapeTensor {
        shape = List.copyOf(shape);
        dimNames = List.copyOf(dimNames);
        permutation = List.copyOf(permutation);
        product(shape);
        TensorRules.dimNames(NAME, dimNames, shape.size());
        TensorRules.permutation(NAME, permutation, shape.size());
    }

    /// Tensors whose dimensions have no names and are in their physical order.
    ///
    /// @param shape size of each dimension
    /// @return the type
    /// @throws InvalidExtensionException if a size is negative, or there are more elements than a
    ///     list can have
    public static FixedShapeTensor of(long... shape) {
        return new FixedShapeTensor(LongStream.of(shape).boxed().toList(), List.of(), List.of());
    }

    /// The same with names.
    ///
    /// @param names of the physical dimensions
    /// @return a new type
    /// @throws InvalidExtensionException if there is not one name for each dimension
    public FixedShapeTensor withDimNames(String... names) {
        return new FixedShapeTensor(shape, List.of(names), permutation);
    }

    /// The same with another order.
    ///
    /// @param physical for each logical dimension the physical one that it is
    /// @return a new type
    /// @throws InvalidExtensionException if it is none of the dimensions
    public FixedShapeTensor withPermutation(int... physical) {
        return new FixedShapeTensor(shape, dimNames, IntStream.of(physical).boxed().toList());
    }

    static FixedShapeTensor read(String metadata) {
        Set<String> keys =
                Set.of(
                        TensorRules.SHAPE,
                        TensorRules.DIM_NAMES,
                        TensorRules.PERMUTATION,
                        TensorRules.MISSPELLED_PERMUTATION);
        Parameters read = Parameters.parse(NAME, metadata, keys);
        if (!read.has(TensorRules.SHAPE)) {
            throw read.violation("must have a shape", TensorRules.SHAPE);
        }
        List<Long> shape = read.longs(TensorRules.SHAPE);
        TensorRules.stored(
                read, List.of(TensorRules.DIM_NAMES, TensorRules.PERMUTATION), shape.size());
        return new FixedShapeTensor(
                shape, read.texts(TensorRules.DIM_NAMES), read.ints(TensorRules.PERMUTATION));
    }

    /// The number of elements, which a list's size can be.
    private static int product(List<Long> shape) {
        boolean isEmpty = false;
        for (long size : shape) {
            if (size < 0) {
                throw violation("must have no negative size in its shape", shape);
            }
            isEmpty |= size == 0;
        }
        long product = isEmpty ? 0 : 1;
        for (long size : shape) {
            if (size > 0 && product > Integer.MAX_VALUE / size) {
                throw violation("must have at most " + Integer.MAX_VALUE + " elements", shape);
            }
            product *= size;
        }
        return (int) product;
    }

    private static InvalidExtensionException violation(String rule, List<Long> shape) {
        return new InvalidExtensionException(NAME, rule, null, TensorRules.SHAPE, shape);
    }

    /// {@return the number of dimensions}
    public int dimensions() {
        return shape.size();
    }

    /// {@return the number of elements of each tensor: the product of its shape}
    public int elements() {
        return product(shape);
    }

    /// {@return size of each logical dimension}
    public List<Long> logicalShape() {
        return TensorRules.logical(shape, permutation);
    }

    /// {@return names of the logical dimensions, empty for none}
    public List<String> logicalDimNames() {
        return TensorRules.logical(dimNames, permutation);
    }

    @Override
    public String extensionName() {
        return NAME;
    }

    @Override
    public String metadata() {
        ParameterWriter writer = new ParameterWriter().key(TensorRules.SHAPE).numbers(shape);
        if (!permutation.isEmpty()) {
            writer.key(TensorRules.PERMUTATION).numbers(permutation);
        }
        if (!dimNames.isEmpty()) {
            writer.key(TensorRules.DIM_NAMES).texts(dimNames);
        }
        return writer.end();
    }

    @Override
    public void checkStorage(ArrowField storage) {
        Storage field = Storage.of(this, storage);
        field.require(
                field.isPlain(ArrowType.FixedSizeList.class), "must be stored as fixed_size_list");
        field.require(
                field.isPlain(new ArrowType.FixedSizeList(elements())),
                "must be stored in lists of " + elements() + " elements, the product of " + shape);
    }
}
