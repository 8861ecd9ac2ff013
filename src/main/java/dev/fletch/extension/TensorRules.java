// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.extension;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// What the two tensors have in common: names and order of dimensions.
///
/// Dimension `i` of the logical view is dimension `permutation[i]` of the physical tensor.
final class TensorRules {
    static final String SHAPE = "shape";
    static final String DIM_NAMES = "dim_names";
    static final String PERMUTATION = "permutation";
    static final String UNIFORM_SHAPE = "uniform_shape";

    /// A spelling that is not the document's and that others have written: skipped as unknown, the
    /// tensors would silently be read in the wrong order.
    static final String MISSPELLED_PERMUTATION = "permutations";

    private TensorRules() {}

    /// Checks names that may be left out, which an empty list stands for.
    static void dimNames(String extension, List<String> names, int dimensions) {
        length(extension, DIM_NAMES, names, dimensions);
        names.forEach(name -> Parameters.checkText(extension, DIM_NAMES, name));
    }

    /// Checks a permutation that may be left out, which an empty list stands for.
    static void permutation(String extension, List<Integer> permutation, int dimensions) {
        length(extension, PERMUTATION, permutation, dimensions);
        if (permutation.isEmpty()) {
            return; // and the number of dimensions may be anything
        }
        boolean[] seen = new boolean[dimensions];
        for (int dimension : permutation) {
            if (dimension < 0 || dimension >= dimensions || seen[dimension]) {
                throw new InvalidExtensionException(
                        extension,
                        "must have each of 0 to " + (dimensions - 1) + " once in " + PERMUTATION,
                        null,
                        PERMUTATION,
                        permutation);
            }
            seen[dimension] = true;
        }
    }

    /// Checks a list that may be left out, which an empty one stands for.
    static void length(String extension, String parameter, List<?> values, int dimensions) {
        if (!values.isEmpty()) {
            length(extension, parameter, values.size(), dimensions, values);
        }
    }

    /// @param shown the values, for a message
    private static void length(
            String extension, String parameter, int length, int dimensions, Object shown) {
        if (length != dimensions) {
            String each = "must have one of " + parameter + " for each of its " + dimensions;
            throw new InvalidExtensionException(
                    extension, each + " dimensions, not " + length, null, parameter, shown);
        }
    }

    /// Checks lists as they are stored: an empty one that is there is no list left out.
    static void stored(Parameters read, List<String> keys, int dimensions) {
        if (read.has(MISSPELLED_PERMUTATION)) {
            throw read.violation(
                    "must have its permutation under the key " + PERMUTATION,
                    MISSPELLED_PERMUTATION);
        }
        for (String key : keys) {
            if (read.values().get(key) instanceof List<?> items) {
                length(read.extension(), key, items.size(), dimensions, Parameters.shown(items));
            }
        }
    }

    /// What belongs to the physical dimensions, in the order of the logical ones.
    static <T> List<T> logical(List<T> physical, List<Integer> permutation) {
        if (permutation.isEmpty() || physical.isEmpty()) {
            return physical;
        }
        List<T> logical = new ArrayList<>();
        permutation.forEach(dimension -> logical.add(physical.get(dimension)));
        return Collections.unmodifiableList(logical);
    }
}
