// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.fbs.FbsDocument;
import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.TableDecl;
import dev.fletch.fbs.FbsDocument.Value;
import dev.fletch.fbs.FbsType;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.write.TableEncoder;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/// Writes a JSON document as flatc does, through the encoders: walks it in the order of its keys
/// and calls them. Nothing but the order of the calls is decided here.
final class FlatcEncoding {
    private static final int STRUCT_ALIGNMENT = 8;

    private final FbsDocument declarations;
    private final FlatBufferWriter writer = new FlatBufferWriter();

    FlatcEncoding(FbsDocument declarations) {
        this.declarations = declarations;
    }

    byte[] write(FlatcDocument document, boolean forced) {
        writer.reset().forceDefaults(forced);
        writer.finish(table(document.root(), document.content()));
        return writer.toByteArray();
    }

    private int table(String name, Map<String, Object> object) {
        TableDecl declaration = declarations.table(name);
        Map<String, Integer> places = new HashMap<>();
        List<FieldDecl> present = new ArrayList<>();
        for (Map.Entry<String, Object> entry : object.entrySet()) {
            FieldDecl field = declaration.field(entry.getKey());
            present.add(field);
            below(declaration, field, object).ifPresent(place -> places.put(field.name(), place));
        }
        if (declaration.fields().isEmpty()) {
            return TableEncoder.createEmpty(writer);
        }
        present.sort(
                Comparator.comparingInt(FlatcEncoding::size)
                        .thenComparingInt(FieldDecl::slot)
                        .reversed());
        writer.startTable();
        for (FieldDecl field : present) {
            add(field, object.get(field.name()), places.get(field.name()));
        }
        return writer.endTable();
    }

    private static int size(FieldDecl field) {
        return Math.min(
                field.type().inlineBytes(),
                field.type() instanceof FbsType.Struct ? FbsType.OFFSET_BYTES : Long.BYTES);
    }

    /// Writes what lies below a field.
    private OptionalInt below(TableDecl declaration, FieldDecl field, Map<String, Object> object) {
        Object value = object.get(field.name());
        String table = FlatcDocument.tableOf(declarations, declaration, field, object);
        return switch (field.type()) {
            case FbsType.Text _ -> OptionalInt.of(writer.createString((String) value));
            case FbsType.Table _, FbsType.Union _ ->
                    OptionalInt.of(table(table, FlatcDocument.map(value)));
            case FbsType.Vector(FbsType element) ->
                    OptionalInt.of(vector(element, table, (List<?>) value));
            case FbsType.Struct _ -> {
                writer.align(STRUCT_ALIGNMENT);
                yield OptionalInt.empty();
            }
            default -> OptionalInt.empty();
        };
    }

    private int vector(FbsType element, String table, List<?> values) {
        if (table != null) {
            int[] places =
                    values.stream()
                            .mapToInt(each -> table(table, FlatcDocument.map(each)))
                            .toArray();
            return writer.createOffsetVector(places, 0, places.length);
        }
        if (element instanceof FbsType.Struct(String struct, _, _)) {
            return structs(struct, values);
        }
        long[] numbers = values.stream().mapToLong(each -> number(element, each)).toArray();
        if (element.inlineBytes() == Long.BYTES) {
            return writer.createVector(numbers, 0, numbers.length, 1);
        }
        return writer.createVector(
                Arrays.stream(numbers).mapToInt(Math::toIntExact).toArray(), 0, numbers.length);
    }

    private int structs(String struct, List<?> values) {
        long[] numbers =
                values.stream()
                        .flatMap(each -> FlatcDocument.map(each).values().stream())
                        .mapToLong(each -> (Long) each)
                        .toArray();
        return switch (struct) {
            case "Buffer", "FieldNode" -> writer.createVector(numbers, 0, values.size(), 2);
            case "Block" -> TableEncoder.createBlockVector(writer, numbers, 0, values.size());
            default -> throw new IllegalArgumentException("no encoder: struct=" + struct);
        };
    }

    private void add(FieldDecl field, Object value, Integer place) {
        int slot = field.slot();
        if (place != null) {
            writer.addOffset(slot, place);
            return;
        }
        if (field.type() instanceof FbsType.Struct) {
            Map<String, Object> buffer = FlatcDocument.map(value);
            writer.startStruct(Buffer.BYTES, STRUCT_ALIGNMENT);
            writer.pushNumber(Long.BYTES, (Long) buffer.get("length"));
            writer.pushNumber(Long.BYTES, (Long) buffer.get("offset"));
            writer.endStruct(slot);
            return;
        }
        long number = number(field.type(), value);
        writer.addNumber(slot, field.type().inlineBytes(), number, field.defaultValue());
    }

    private long number(FbsType type, Object value) {
        return switch (value) {
            case Long number -> number;
            case Boolean truth -> truth ? 1 : 0;
            case String name -> named(type, name);
            default -> throw new IllegalArgumentException("no number: " + value);
        };
    }

    private long named(FbsType type, String name) {
        List<Value> values =
                switch (type) {
                    case FbsType.Enumeration(String enumeration, _) ->
                            declarations.enumeration(enumeration).values();
                    case FbsType.UnionTag(String union) -> declarations.union(union).members();
                    default -> throw new IllegalArgumentException("no name: " + name);
                };
        return values.stream()
                .filter(each -> each.name().equals(name))
                .mapToLong(Value::value)
                .findFirst()
                .orElse(0); // NONE of a union
    }
}
