// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.Value;
import dev.fletch.fbs.FbsType;
import dev.fletch.testdata.FbsValue.Number;
import dev.fletch.testdata.FbsValue.Table;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// A field for each type that `format/` declares, and for each of its parameters at least one more
/// that differs in that one alone: what tells types apart has to tell these apart.
///
/// @param what type and parameter, for a message
/// @param type number of the type
/// @param field of table `Field`
public record TypeVariants(String what, int type, Table field) {
    private static final List<Number> NUMBERS = List.of(new Number(32), new Number(64));

    /// Returns those of all types.
    public static List<TypeVariants> all() {
        return types().flatMap(each -> of(each).stream()).toList();
    }

    /// Returns all types but the one that stands for none.
    public static Stream<Value> types() {
        return RandomTables.ARROW.union("Type").members().stream()
                .filter(each -> each.value() != 0);
    }

    /// Returns those of a type; the first has the first value of each parameter.
    public static List<TypeVariants> of(Value type) {
        List<FieldDecl> parameters = RandomTables.ARROW.table(type.name()).fields();
        SortedMap<String, FbsValue> usual = new TreeMap<>();
        parameters.forEach(each -> usual.put(each.name(), values(each.type()).getFirst()));
        List<TypeVariants> variants = new ArrayList<>();
        variants.add(of(type, "", usual));
        for (FieldDecl each : parameters) {
            List<? extends FbsValue> values = values(each.type());
            for (FbsValue value : values.subList(1, values.size())) {
                SortedMap<String, FbsValue> other = new TreeMap<>(usual);
                other.put(each.name(), value);
                variants.add(of(type, "." + each.name() + "=" + value, other));
            }
        }
        return variants;
    }

    private static TypeVariants of(
            Value type, String what, SortedMap<String, FbsValue> parameters) {
        SortedMap<String, FbsValue> field = new TreeMap<>();
        field.put("name", new FbsValue.Text("f"));
        field.put("type_type", new Number(type.value()));
        field.put("type", new Table(type.name(), parameters));
        // As many as a union has ids, which else would say nothing.
        parameters.values().stream()
                .filter(FbsValue.Vector.class::isInstance)
                .forEach(
                        ids -> {
                            int children = ((FbsValue.Vector) ids).elements().size();
                            field.put(
                                    "children",
                                    new FbsValue.Vector(Collections.nCopies(children, child())));
                        });
        return new TypeVariants(type.name() + what, (int) type.value(), new Table("Field", field));
    }

    private static FbsValue child() {
        return new Table(
                "Field",
                new TreeMap<>(
                        Map.of(
                                "type_type",
                                new Number(1),
                                "type",
                                new Table("Null", new TreeMap<>()))));
    }

    /// At least two values that a parameter can have: all, where they have names.
    private static List<? extends FbsValue> values(FbsType parameter) {
        return switch (parameter) {
            case FbsType.Enumeration(String name, _) ->
                    RandomTables.ARROW.enumeration(name).values().stream()
                            .map(each -> new Number(each.value()))
                            .toList();
            case FbsType.Scalar scalar ->
                    scalar.spelling().equals("bool")
                            ? List.of(new Number(0), new Number(1))
                            : NUMBERS;
            case FbsType.Text _ -> List.of(new FbsValue.Text("UTC"), new FbsValue.Text("+01:00"));
            case FbsType.Vector _ ->
                    List.of(
                            new FbsValue.Vector(List.of(new Number(5), new Number(7))),
                            new FbsValue.Vector(List.of(new Number(7), new Number(5))));
            default -> throw new AssertionError("no values for a parameter of type " + parameter);
        };
    }
}
