// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.extension;

import dev.fletch.model.ArrowField;
import dev.fletch.model.ArrowType;

import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;

/// Tensors of as many dimensions but other shapes, stored as a struct of `data`, a list of the
/// elements in row-major order, and `shape`, a `fixed_size_list` of `int32`, in this order.
///
/// @param dimensions how many there are
/// @param dimNames names of the physical dimensions, empty for none
/// @param permutation for each logical dimension the physical one that it is, empty where they are
///     the same
/// @param uniformShape for each physical dimension the size that it has in all tensors, if it has
///     one; empty where no dimension has
public record VariableShapeTensor(
        int dimensions,
        List<String> dimNames,
        List<Integer> permutation,
        List<OptionalInt> uniformShape)
        implements ExtensionType {
    /// The type's name.
    public static final String NAME = "arrow.variable_shape_tensor";

    /// Checks and copies the parameters.
    ///
    /// @throws InvalidExtensionException if a size or the number of dimensions is negative, there
    ///     is not one name or size for each dimension, or the permutation is none
    public VariableShapeTensor {
        dimNames = List.copyOf(dimNames);
        permutation = List.copyOf(permutation);
        uniformShape = List.copyOf(uniformShape);
        if (dimensions < 0) {
            throw new InvalidExtensionException(
                    NAME, "must have no negative number of them", null, "dimensions", dimensions);
        }
        TensorRules.dimNames(NAME, dimNames, dimensions);
        TensorRules.permutation(NAME, permutation, dimensions);
        TensorRules.length(NAME, TensorRules.UNIFORM_SHAPE, uniformShape, dimensions);
        for (OptionalInt size : uniformShape) {
            if (size.orElse(0) < 0) {
                throw new InvalidExtensionException(
                        NAME,
                        "must have no negative size in " + TensorRules.UNIFORM_SHAPE,
                        null,
                        TensorRules.UNIFORM_SHAPE,
                        sizes(uniformShape));
            }
        }
    }

    /// Tensors whose dimensions have no names, no common size, and are in their physical order.
    ///
    /// @param dimensions how many there are
    /// @return the type
    /// @throws InvalidExtensionException if there is a negative number of them
    public static VariableShapeTensor of(int dimensions) {
        return new VariableShapeTensor(dimensions, List.of(), List.of(), List.of());
    }

    /// The same with names.
    ///
    /// @param names of the physical dimensions
    /// @return a new type
    /// @throws InvalidExtensionException if there is not one name for each dimension
    public VariableShapeTensor withDimNames(String... names) {
        return new VariableShapeTensor(dimensions, List.of(names), permutation, uniformShape);
    }

    /// The same with another order.
    ///
    /// @param physical for each logical dimension the physical one that it is
    /// @return a new type
    /// @throws InvalidExtensionException if it is none of the dimensions
    public VariableShapeTensor withPermutation(int... physical) {
        List<Integer> order = IntStream.of(physical).boxed().toList();
        return new VariableShapeTensor(dimensions, dimNames, order, uniformShape);
    }

    /// The same with sizes that are common to all tensors.
    ///
    /// @param sizes for each physical dimension its size, if it is the same in all tensors
    /// @return a new type
    /// @throws InvalidExtensionException if there is not one for each dimension, or one is negative
    public VariableShapeTensor withUniformShape(OptionalInt... sizes) {
        return new VariableShapeTensor(dimensions, dimNames, permutation, List.of(sizes));
    }

    static VariableShapeTensor read(ArrowField storage, String metadata) {
        int dimensions = dimensions(Storage.of(NAME, storage));
        if (metadata.isEmpty()) {
            return of(dimensions);
        }
        List<String> keys =
                List.of(TensorRules.DIM_NAMES, TensorRules.PERMUTATION, TensorRules.UNIFORM_SHAPE);
        Parameters read =
                Parameters.parse(
                        NAME,
                        metadata,
                        Set.of(
                                TensorRules.DIM_NAMES,
                                TensorRules.PERMUTATION,
                                TensorRules.UNIFORM_SHAPE,
                                TensorRules.MISSPELLED_PERMUTATION));
        TensorRules.stored(read, keys, dimensions);
        return new VariableShapeTensor(
                dimensions,
                read.texts(TensorRules.DIM_NAMES),
                read.ints(TensorRules.PERMUTATION),
                read.optionalInts(TensorRules.UNIFORM_SHAPE));
    }

    /// Checks the storage, which tells the number of dimensions.
    private static int dimensions(Storage field) {
        field.require(field.isPlain(ArrowType.Struct.class), "must be stored as struct");
        List<String> names = field.field().children().stream().map(ArrowField::name).toList();
        if (!names.equals(List.of("data", "shape"))) {
            throw field.violation(
                    "must have the children data and shape, in this order", "children", names);
        }
        Storage data = field.child(0);
        data.require(data.isPlain(ArrowType.List.class), "must have its data in a list");
        Storage shape = field.child(1);
        shape.require(
                shape.isPlain(ArrowType.FixedSizeList.class),
                "must have its shape in a fixed_size_list");
        Storage size = shape.child(0);
        size.require(
                size.isPlain(new ArrowType.Int(32, true)),
                "must have the sizes of a shape in int32");
        return ((ArrowType.FixedSizeList) shape.type()).listSize();
    }

    /// The shape of a tensor as it is viewed.
    ///
    /// @param shape size of each physical dimension
    /// @return size of each logical dimension
    /// @throws IllegalArgumentException if there is not one size for each dimension
    public List<Integer> logicalShape(List<Integer> shape) {
        if (shape.size() != dimensions) {
            throw new IllegalArgumentException(
                    "shape must have a size for each dimension: dimensions="
                            + dimensions
                            + ", shape="
                            + shape);
        }
        return TensorRules.logical(shape, permutation);
    }

    /// {@return names of the logical dimensions, empty for none}
    public List<String> logicalDimNames() {
        return TensorRules.logical(dimNames, permutation);
    }

    /// {@return for each logical dimension the size that it has in all tensors, if it has one;
    /// empty where no dimension has}
    public List<OptionalInt> logicalUniformShape() {
        return TensorRules.logical(uniformShape, permutation);
    }

    @Override
    public String extensionName() {
        return NAME;
    }

    @Override
    public String metadata() {
        ParameterWriter writer = new ParameterWriter();
        if (!permutation.isEmpty()) {
            writer.key(TensorRules.PERMUTATION).numbers(permutation);
        }
        if (!dimNames.isEmpty()) {
            writer.key(TensorRules.DIM_NAMES).texts(dimNames);
        }
        if (!uniformShape.isEmpty()) {
            writer.key(TensorRules.UNIFORM_SHAPE).numbers(sizes(uniformShape));
        }
        return writer.end();
    }

    private static List<String> sizes(List<OptionalInt> shape) {
        return shape.stream()
                .map(size -> size.isPresent() ? Integer.toString(size.getAsInt()) : "null")
                .toList();
    }

    @Override
    public void checkStorage(ArrowField storage) {
        Storage field = Storage.of(this, storage);
        int stored = dimensions(field);
        if (stored != dimensions) {
            Storage shape = field.child(1);
            shape.require(false, "must have a shape of as many sizes as dimensions, " + dimensions);
        }
    }
}
