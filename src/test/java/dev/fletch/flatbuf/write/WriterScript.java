// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

import dev.fletch.flatbuf.Table;
import dev.fletch.wire.Shape;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// A sequence of calls that builds a flatbuffer, for any builder to replay. Any part of one is one
/// too: a reference is taken modulo the number of objects there are, and left out where there are
/// none.
///
/// @param root a reference to the root, which is a table: an empty one where there is none
record WriterScript(boolean forceDefaults, int root, List<Step> steps) {

    /// A call, or the calls that make an object.
    sealed interface Step {}

    record Text(String value) implements Step {}

    /// A vector of numbers of 1, 2, 4 or 8 bytes.
    record Numbers(int bytes, List<Long> values) implements Step {}

    /// A vector of structs; an element is seed of its numbers.
    record Structs(Shape shape, List<Long> seeds) implements Step {}

    record Offsets(List<Integer> references) implements Step {}

    record Align(int alignment) implements Step {}

    record Table(List<Field> fields) implements Step {}

    /// Fields are in the order of the calls.
    sealed interface Field {
        int slot();
    }

    /// A number of 1, 2, 4 or 8 bytes with a default.
    record Scalar(int slot, int bytes, long value, long absent) implements Field {}

    /// A number that is always written.
    record Forced(int slot, int bytes, long value) implements Field {}

    record Reference(int slot, int reference) implements Field {}

    /// An absent reference.
    record Nothing(int slot) implements Field {}

    record Inline(int slot, Shape shape, long seed) implements Field {}

    /// A struct by its parts, from its end to its start: a number of so many bytes, or padding
    /// where negative.
    enum Shape {
        PAIR(8, 8, 8),
        BLOCK(8, 8, -4, 4, 8),
        HALVES(4, 2, 2, 4),
        TRIPLE(1, 1, 1, 1),
        WIDE(16, 8, 8, 8, 8);

        final int alignment;
        final int bytes;
        final List<Integer> parts;

        Shape(int alignment, Integer... parts) {
            this.alignment = alignment;
            this.parts = List.of(parts);
            this.bytes = this.parts.stream().mapToInt(Math::abs).sum();
        }

        /// Bytes of a struct as they lie, from its end to its start part by part.
        long number(long seed, int part) {
            return seed * 0x9E3779B97F4A7C15L + part * 0xD1B54A32D192ED03L;
        }
    }

    /// Returns a shorter script that fails as well and of which nothing can be left out.
    static WriterScript shrink(WriterScript failing, Predicate<WriterScript> fails) {
        WriterScript smallest = failing;
        for (boolean smaller = true; smaller; ) {
            smaller = false;
            for (WriterScript each : smallest.parts()) {
                if (fails.test(each)) {
                    smallest = each;
                    smaller = true;
                    break;
                }
            }
        }
        return smallest;
    }

    /// Returns what is left when one thing is left out.
    private List<WriterScript> parts() {
        List<WriterScript> parts = new ArrayList<>();
        if (forceDefaults) {
            parts.add(new WriterScript(false, root, steps));
        }
        for (int i = 0; i < steps.size(); i++) {
            parts.add(with(without(steps, i)));
        }
        for (int i = 0; i < steps.size(); i++) {
            for (Step step : partsOf(steps.get(i))) {
                List<Step> changed = new ArrayList<>(steps);
                changed.set(i, step);
                parts.add(with(changed));
            }
        }
        return parts;
    }

    private WriterScript with(List<Step> others) {
        return new WriterScript(forceDefaults, root, others);
    }

    private static <T> List<T> without(List<T> list, int index) {
        List<T> rest = new ArrayList<>(list);
        rest.remove(index);
        return rest;
    }

    private static List<Step> partsOf(Step step) {
        List<Step> parts = new ArrayList<>();
        switch (step) {
            case Text(String value) when !value.isEmpty() -> parts.add(new Text(""));
            case Numbers(int bytes, List<Long> values) when !values.isEmpty() ->
                    parts.add(new Numbers(bytes, without(values, 0)));
            case Structs(Shape shape, List<Long> seeds) when !seeds.isEmpty() ->
                    parts.add(new Structs(shape, without(seeds, 0)));
            case Offsets(List<Integer> references) when !references.isEmpty() ->
                    parts.add(new Offsets(without(references, 0)));
            case Table(List<Field> fields) -> {
                for (int i = 0; i < fields.size(); i++) {
                    parts.add(new Table(without(fields, i)));
                }
            }
            default -> {}
        }
        return parts;
    }
}
