// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.command.JsonTree;
import dev.fletch.fbs.FbsDocument;
import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.TableDecl;
import dev.fletch.fbs.FbsType;
import dev.fletch.testdata.Goldens;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A JSON document of `src/test/resources/flatc`, its keys in the order in which they stand there,
/// and what flatc made of it.
///
/// @param title folder and name
/// @param root the table that it is
/// @param content objects as maps, arrays as lists, texts, whole numbers and booleans
public record FlatcDocument(String title, String root, Path json, Map<String, Object> content) {
    static final Path FOLDER = Goldens.repositoryRoot().resolve("src/test/resources/flatc");

    private static final Map<String, String> ROOTS =
            Map.of(
                    "schema", "Schema",
                    "message", "Message",
                    "footer", "Footer",
                    "tensor", "Tensor",
                    "sparse_tensor", "SparseTensor");

    static final Path COMPILED_FILE = FOLDER.resolve("compiled.txt");
    private static final Map<String, byte[]> COMPILED = compiled(COMPILED_FILE);

    public static List<FlatcDocument> all() {
        try (Stream<Path> files = Files.walk(FOLDER)) {
            return files.filter(each -> each.toString().endsWith(".json"))
                    .sorted()
                    .map(FlatcDocument::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FlatcDocument read(Path json) {
        String folder = json.getParent().getFileName().toString();
        try {
            return new FlatcDocument(
                    folder + "/" + json.getFileName(),
                    ROOTS.get(folder),
                    json,
                    JsonTree.object(JsonTree.parse(Files.readString(json))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns what `flatc -b` made of it, without or with `--force-defaults`.
    public byte[] compiled(boolean forced) {
        return COMPILED.get(title + (forced ? " forced" : " plain")).clone();
    }

    /// Reads a file that `make.sh` made: a line per buffer with the document's title, `plain` or
    /// `forced`, and the bytes in base 64. It also has lines for the declarations.
    static Map<String, byte[]> compiled(Path file) {
        Map<String, byte[]> compiled = new HashMap<>();
        try {
            for (String line : Files.readAllLines(file)) {
                int at = line.lastIndexOf(' ');
                byte[] bytes = Base64.getDecoder().decode(line.substring(at + 1));
                compiled.put(line.substring(0, at), bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return compiled;
    }

    /// Tells whether all keys stand in the order of declaration.
    boolean isInOrder(FbsDocument declarations) {
        return isInOrder(declarations, root, content);
    }

    /// @param table null if the value is no table
    private static boolean isInOrder(FbsDocument declarations, String table, Object value) {
        if (table == null) {
            return true;
        }
        if (value instanceof List<?> elements) {
            return elements.stream().allMatch(each -> isInOrder(declarations, table, each));
        }
        Map<String, Object> object = map(value);
        TableDecl declaration = declarations.table(table);
        List<FieldDecl> fields = object.keySet().stream().map(declaration::field).toList();
        return fields.equals(declaration.fields().stream().filter(fields::contains).toList())
                && fields.stream()
                        .allMatch(
                                field ->
                                        isInOrder(
                                                declarations,
                                                tableOf(declarations, declaration, field, object),
                                                object.get(field.name())));
    }

    @SuppressWarnings("unchecked") // as the parser makes them
    static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    /// Returns the table that a field, or each of its elements, is; null if it is none.
    static String tableOf(
            FbsDocument declarations,
            TableDecl declaration,
            FieldDecl field,
            Map<String, Object> object) {
        FbsType type = field.type() instanceof FbsType.Vector(FbsType e) ? e : field.type();
        return switch (type) {
            case FbsType.Table(String name) -> name;
            case FbsType.Union(String union) -> {
                FieldDecl tag = declaration.fields().get(field.slot() - 1);
                yield member(declarations, union, object.get(tag.name()));
            }
            default -> null;
        };
    }

    private static String member(FbsDocument declarations, String union, Object tag) {
        return tag instanceof String name
                ? name
                : declarations.union(union).members().stream()
                        .filter(each -> each.value() == (Long) tag)
                        .findFirst()
                        .orElseThrow()
                        .name();
    }

    @Override
    public String toString() {
        return title;
    }
}
