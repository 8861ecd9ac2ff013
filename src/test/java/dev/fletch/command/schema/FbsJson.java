// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.schema;

import dev.fletch.command.JsonTree;
import dev.fletch.fbs.FbsDocument;
import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.Value;
import dev.fletch.fbs.FbsType;
import dev.fletch.testdata.FbsValue;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Reads JSON in the words of the declarations as flatc does: an enum's value by its name or
/// number, a union's tag before its value. Whatever is not declared is an error.
final class FbsJson {
    private final FbsDocument document;

    FbsJson(FbsDocument document) {
        this.document = document;
    }

    FbsValue.Table table(String name, Object json) {
        SortedMap<String, FbsValue> fields = new TreeMap<>();
        List<FieldDecl> declared = document.table(name).fields();
        for (Map.Entry<String, Object> entry : JsonTree.object(json).entrySet()) {
            FieldDecl field =
                    declared.stream()
                            .filter(each -> each.name().equals(entry.getKey()))
                            .findFirst()
                            .orElseThrow(() -> new IllegalArgumentException(name + "." + entry));
            fields.put(field.name(), value(field.name(), field.type(), entry.getValue(), fields));
        }
        return new FbsValue.Table(name, fields);
    }

    private FbsValue value(
            String name, FbsType type, Object json, SortedMap<String, FbsValue> before) {
        return switch (type) {
            case FbsType.Text _ -> new FbsValue.Text((String) json);
            case FbsType.Table(String table) -> table(table, json);
            case FbsType.Vector(FbsType element) ->
                    new FbsValue.Vector(
                            JsonTree.array(json).stream()
                                    .map(each -> value(name, element, each, before))
                                    .toList());
            case FbsType.Union(String union) -> {
                long tag = ((FbsValue.Number) before.get(name + "_type")).value();
                yield table(member(union, tag), json);
            }
            default -> new FbsValue.Number(number(type, json));
        };
    }

    private String member(String union, long tag) {
        return document.union(union).members().stream()
                .filter(each -> each.value() == tag)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(union + " " + tag))
                .name();
    }

    private long number(FbsType type, Object json) {
        return switch (json) {
            case Long number -> number;
            case Boolean bool -> bool ? 1 : 0;
            case String symbol ->
                    symbols(type).stream()
                            .filter(each -> each.name().equals(symbol))
                            .findFirst()
                            .orElseThrow(() -> new IllegalArgumentException(type + " " + symbol))
                            .value();
            default -> throw new IllegalArgumentException(type + " " + json);
        };
    }

    private List<Value> symbols(FbsType type) {
        return switch (type) {
            case FbsType.Enumeration(String name, _) -> document.enumeration(name).values();
            case FbsType.UnionTag(String union) -> document.union(union).members();
            default -> List.of();
        };
    }
}
