// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import dev.fletch.schema.InvalidSchemaException;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/// The parameters of both tensor types: names and permutation of the dimensions.
///
/// Dimension `i` of the logical view is dimension `permutation[i]` of the physical tensor.
final class TensorRules {
    static final String DIM_NAMES = "dim_names";
    static final String PERMUTATION = "permutation";

    /// A wrong key of some writers. If it were ignored as unknown, the tensors would be read in the
    /// wrong order.
    private static final String MISSPELLED_PERMUTATION = "permutations";

    private TensorRules() {}

    /// @param ownKey the additional key of one tensor type
    static Parameters parse(String extension, String metadata, String ownKey) {
        Set<String> keys = Set.of(ownKey, DIM_NAMES, PERMUTATION, MISSPELLED_PERMUTATION);
        Parameters read = Parameters.parse(extension, metadata, keys);
        if (read.has(MISSPELLED_PERMUTATION)) {
            throw read.violation(
                    "must have its permutation under the key " + PERMUTATION,
                    MISSPELLED_PERMUTATION);
        }
        return read;
    }

    static void checkDimNames(String extension, List<String> names, int dimensions) {
        checkCount(extension, DIM_NAMES, names, dimensions);
        names.forEach(name -> Storage.requireUtf8(extension, DIM_NAMES, name));
    }

    static void checkPermutation(String extension, List<Integer> permutation, int dimensions) {
        checkCount(extension, PERMUTATION, permutation, dimensions);
        List<Integer> all = IntStream.range(0, permutation.size()).boxed().toList();
        if (!permutation.stream().sorted().toList().equals(all)) {
            throw InvalidSchemaException.ofExtension(
                    extension,
                    "must have each of 0 to " + (dimensions - 1) + " once in " + PERMUTATION,
                    null,
                    PERMUTATION,
                    permutation);
        }
    }

    /// Checks a list with an element for each dimension. An empty list means none.
    static void checkCount(String extension, String parameter, List<?> values, int dimensions) {
        if (!values.isEmpty() && values.size() != dimensions) {
            throw InvalidSchemaException.ofExtension(
                    extension,
                    countRule(parameter, values.size(), dimensions),
                    null,
                    parameter,
                    values);
        }
    }

    static String countRule(String parameter, int found, int dimensions) {
        return "must have one element of "
                + parameter
                + " for each of its "
                + dimensions
                + " dimensions, not "
                + found;
    }

    static <T> List<T> logical(List<T> physical, List<Integer> permutation, int dimensions) {
        if (!physical.isEmpty() && physical.size() != dimensions) {
            throw new IllegalArgumentException(
                    "wrong number of values: dimensions=" + dimensions + ", values=" + physical);
        }
        return permutation.isEmpty() || physical.isEmpty()
                ? List.copyOf(physical)
                : permutation.stream().<T>map(physical::get).toList();
    }

    /// Adds a list, unless it is empty.
    static void put(Map<String, List<?>> parameters, String key, List<?> values) {
        if (!values.isEmpty()) {
            parameters.put(key, values);
        }
    }
}
