// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsType;
import dev.fletch.testdata.FbsValue;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;

/// Tables in which every field is present, with numbers that are not the defaults.
public final class FullTables {
    static final String TEXT = "text";
    static final int ELEMENTS = 3;

    private FullTables() {}

    /// Returns a table with all its fields, and all of theirs for so many levels.
    public static FbsValue.Table table(String name, int levels) {
        SortedMap<String, FbsValue> fields = new TreeMap<>();
        for (FieldDecl field : Flyweights.ARROW.table(name).fields()) {
            if (field.type() instanceof FbsType.Union(String union)) {
                String member = member(union);
                fields.put(field.name() + "_type", TablePath.tag(union, member));
                fields.put(field.name(), levels == 0 ? empty(member) : table(member, levels - 1));
            } else if (!(field.type() instanceof FbsType.UnionTag)) {
                fields.put(field.name(), value(field, levels));
            }
        }
        return new FbsValue.Table(name, fields);
    }

    private static FbsValue.Table empty(String name) {
        return new FbsValue.Table(name, new TreeMap<>());
    }

    /// The member that the full table has.
    static String member(String union) {
        return Flyweights.members(union).getFirst().name();
    }

    /// Returns a value for a field that is no union, other than its default.
    static FbsValue value(FieldDecl field, int levels) {
        return field.type().isScalar()
                ? new FbsValue.Number(field.defaultValue() == 0 ? 1 : 0)
                : value(field.type(), levels, 11);
    }

    private static FbsValue value(FbsType type, int levels, long number) {
        return switch (type) {
            case FbsType.Text _ -> new FbsValue.Text(TEXT);
            case FbsType.Table(String name) -> levels == 0 ? empty(name) : table(name, levels - 1);
            case FbsType.Struct(String name, _, _) -> {
                int numbers = Flyweights.ARROW.struct(name).fields().size();
                yield new FbsValue.Struct(
                        LongStream.range(number, number + numbers).boxed().toList());
            }
            case FbsType.Vector(FbsType element) ->
                    new FbsValue.Vector(
                            List.of(
                                    value(element, levels, 20),
                                    value(element, levels, 30),
                                    value(element, levels, 40)));
            default -> new FbsValue.Number(number);
        };
    }
}
