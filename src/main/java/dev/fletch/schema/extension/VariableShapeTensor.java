// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.InvalidSchemaException;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/// Tensors of different shapes with the same number of dimensions, stored as a struct of, in this
/// order, `data`, a list of the elements in row-major order, and `shape`, a `fixed_size_list` of
/// `int32`.
///
/// @param dimensions number of dimensions
/// @param dimNames names of the physical dimensions; empty for none
/// @param permutation for each logical dimension, the physical one; empty if they are the same
/// @param uniformShape for each physical dimension, its size if it is the same in all tensors;
///     empty if there is no such dimension
public record VariableShapeTensor(
        int dimensions,
        List<String> dimNames,
        List<Integer> permutation,
        List<OptionalInt> uniformShape)
        implements ExtensionType {
    /// The type's name.
    public static final String NAME = "arrow.variable_shape_tensor";

    private static final String UNIFORM_SHAPE = "uniform_shape";

    /// Checks and copies the parameters.
    ///
    /// @throws InvalidSchemaException if a size or the number of dimensions is negative, the
    ///     number of names or sizes is wrong, or the permutation is invalid
    public VariableShapeTensor {
        dimNames = List.copyOf(dimNames);
        permutation = List.copyOf(permutation);
        uniformShape = List.copyOf(uniformShape);
        if (dimensions < 0) {
            throw InvalidSchemaException.ofExtension(
                    NAME, "must have at least 0 dimensions", null, "dimensions", dimensions);
        }
        TensorRules.checkDimNames(NAME, dimNames, dimensions);
        TensorRules.checkPermutation(NAME, permutation, dimensions);
        TensorRules.checkCount(NAME, UNIFORM_SHAPE, uniformShape, dimensions);
        if (uniformShape.stream().anyMatch(size -> size.orElse(0) < 0)) {
            throw InvalidSchemaException.ofExtension(
                    NAME,
                    "must have no negative size in " + UNIFORM_SHAPE,
                    null,
                    UNIFORM_SHAPE,
                    uniformShape.stream().map(ParameterText::of).toList());
        }
    }

    static VariableShapeTensor read(ArrowField storage, String metadata) {
        int dimensions = dimensions(new Storage(NAME, storage));
        if (metadata.isEmpty()) {
            return new VariableShapeTensor(dimensions, List.of(), List.of(), List.of());
        }
        Parameters read = TensorRules.parse(NAME, metadata, UNIFORM_SHAPE);
        return new VariableShapeTensor(
                dimensions,
                read.texts(TensorRules.DIM_NAMES, dimensions),
                read.ints(TensorRules.PERMUTATION, dimensions),
                read.optionalInts(UNIFORM_SHAPE, dimensions));
    }

    /// Checks the storage, and returns its number of dimensions.
    private static int dimensions(Storage field) {
        field.require(field.isPlain(ArrowType.Simple.STRUCT), "must be stored as struct");
        field.requireChildren("data", "shape");
        Storage data = field.child(0);
        data.require(data.isPlain(ArrowType.Simple.LIST), "must have its data in a list");
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

    /// {@return values of the physical dimensions, such as [#dimNames] or the shape of a tensor, in
    /// the order of the logical dimensions: see [FixedShapeTensor#logical]}
    public <T> List<T> logical(List<T> physical) {
        return TensorRules.logical(physical, permutation, dimensions);
    }

    @Override
    public String extensionName() {
        return NAME;
    }

    @Override
    public String metadata() {
        Map<String, List<?>> parameters = new LinkedHashMap<>();
        TensorRules.put(parameters, TensorRules.PERMUTATION, permutation);
        TensorRules.put(parameters, TensorRules.DIM_NAMES, dimNames);
        TensorRules.put(parameters, UNIFORM_SHAPE, uniformShape);
        return ParameterText.of(parameters);
    }

    @Override
    public void checkStorage(ArrowField storage) {
        Storage field = new Storage(NAME, storage);
        boolean fits = dimensions(field) == dimensions;
        field.child(1).require(fits, "must have a shape of " + dimensions + " sizes");
    }
}
