// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import dev.fletch.format.TypeWidths;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/// What the parameters of types have to keep to.
final class TypeRules {
    /// Ids are stored as signed bytes beside the values, and a negative one stands for nothing.
    static final int MAX_TYPE_ID = 127;

    private TypeRules() {}

    static void oneOf(String rule, int bitWidth, int... allowed) {
        if (IntStream.of(allowed).noneMatch(width -> width == bitWidth)) {
            throw new InvalidSchemaException(rule, null, "bitWidth", bitWidth);
        }
    }

    static void notNegative(String parameter, int value) {
        if (value < 0) {
            throw new InvalidSchemaException("size must not be negative", null, parameter, value);
        }
    }

    static void decimal(int precision, int bitWidth) {
        int max = TypeWidths.maxDecimalPrecision(bitWidth);
        if (max == 0) {
            throw new InvalidSchemaException(
                    "decimal must have 32, 64, 128 or 256 bits", null, "bitWidth", bitWidth);
        }
        if (precision < 1 || precision > max) {
            throw new InvalidSchemaException(
                    "decimal of " + bitWidth + " bits must have 1 to " + max + " digits",
                    null,
                    "precision",
                    precision);
        }
    }

    static int timeWidth(TimeUnit unit) {
        return TypeWidths.timeBits(unit.id());
    }

    static void time(TimeUnit unit, int bitWidth) {
        Objects.requireNonNull(unit, "unit");
        int width = timeWidth(unit);
        oneOf("time in " + TypeText.unit(unit) + "s must have " + width + " bits", bitWidth, width);
    }

    static void unionSize(int children) {
        if (children < 0 || children > MAX_TYPE_ID + 1) {
            throw new InvalidSchemaException(
                    "union must have at most " + (MAX_TYPE_ID + 1) + " children",
                    null,
                    "children",
                    children);
        }
    }

    static void union(List<Integer> typeIds, boolean implicit) {
        unionSize(typeIds.size());
        boolean[] seen = new boolean[MAX_TYPE_ID + 1];
        for (int i = 0; i < typeIds.size(); i++) {
            int id = typeIds.get(i);
            if (id < 0 || id > MAX_TYPE_ID) {
                throw new InvalidSchemaException(
                        "type id must be 0 to " + MAX_TYPE_ID, null, "typeIds", typeIds);
            }
            if (seen[id]) {
                throw new InvalidSchemaException(
                        "type id must stand for one child", null, "typeIds", typeIds);
            }
            seen[id] = true;
            if (implicit && id != i) {
                throw new InvalidSchemaException(
                        "type ids that are left out must count up from 0",
                        null,
                        "typeIds",
                        typeIds);
            }
        }
    }
}
