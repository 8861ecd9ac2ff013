// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fbs;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/// What one or more `.fbs` files declare, sorted by name. Immutable.
///
/// @param namespace the namespace, common to all files
/// @param roots the root type of each file that names one, by file name
public record FbsDocument(
        String namespace,
        List<EnumDecl> enums,
        List<UnionDecl> unions,
        List<StructDecl> structs,
        List<TableDecl> tables,
        Map<String, String> roots) {

    /// A named value of an enum, or a member of a union with its id.
    public record Value(String name, long value) {
        /// The name as a Java constant: `DenseArray` is `DENSE_ARRAY`.
        public String constantName() {
            return FbsNames.upperSnake(name);
        }
    }

    /// An enum.
    public record EnumDecl(String name, FbsScalar underlying, List<Value> values) {}

    /// A union; its members begin with NONE 0, which no file writes.
    public record UnionDecl(String name, List<Value> members) {}

    /// A struct.
    public record StructDecl(
            String name, List<StructField> fields, int sizeBytes, int alignmentBytes) {}

    /// A number inside a struct, with its distance in bytes from the struct's start.
    public record StructField(String name, FbsType type, int offsetBytes) {
        /// The name in Java case: `null_count` is `nullCount`.
        public String javaName() {
            return FbsNames.lowerCamel(name);
        }
    }

    /// A table. Each slot has its field: the tag of a union is one of its own.
    public record TableDecl(String name, List<FieldDecl> fields) {
        /// Number of slots, which is the number of fields.
        public int slotCount() {
            return fields.size();
        }

        /// Returns the field of this `.fbs` name.
        public FieldDecl field(String fieldName) {
            return find(fields, FieldDecl::name, fieldName)
                    .orElseThrow(() -> missing("field", name + "." + fieldName));
        }
    }

    /// A field of a table.
    ///
    /// @param slot its number in the vtable, from 0
    /// @param defaultText what a scalar reads as when absent, as a file would write it:
    ///     `MILLISECOND`, `128`, `false`; empty for anything but scalars
    /// @param defaultValue the same as a number; 0 for anything but scalars
    /// @param required whether a buffer without it is malformed
    public record FieldDecl(
            String name,
            FbsType type,
            int slot,
            String defaultText,
            long defaultValue,
            boolean required) {
        /// The name in Java case: `custom_metadata` is `customMetadata`.
        public String javaName() {
            return FbsNames.lowerCamel(name);
        }

        /// Position of the slot in the vtable, in bytes.
        public int vtableOffset() {
            return 4 + 2 * slot;
        }
    }

    public FbsDocument {
        enums = List.copyOf(enums);
        unions = List.copyOf(unions);
        structs = List.copyOf(structs);
        tables = List.copyOf(tables);
        roots = Map.copyOf(roots);
    }

    /// Returns what several files declare. Files that include the same file share its declarations.
    static FbsDocument union(List<FbsDocument> files) {
        Map<String, String> roots = new HashMap<>();
        files.forEach(each -> roots.putAll(each.roots));
        return new FbsDocument(
                files.getFirst().namespace,
                merged(files, FbsDocument::enums, EnumDecl::name),
                merged(files, FbsDocument::unions, UnionDecl::name),
                merged(files, FbsDocument::structs, StructDecl::name),
                merged(files, FbsDocument::tables, TableDecl::name),
                roots);
    }

    private static <T> List<T> merged(
            List<FbsDocument> files,
            Function<FbsDocument, List<T>> part,
            Function<T, String> name) {
        TreeMap<String, T> byName = new TreeMap<>();
        files.forEach(file -> part.apply(file).forEach(each -> byName.put(name.apply(each), each)));
        return List.copyOf(byName.values());
    }

    /// Returns the enum of this name.
    public EnumDecl enumeration(String name) {
        return find(enums, EnumDecl::name, name).orElseThrow(() -> missing("enum", name));
    }

    /// Returns the union of this name.
    public UnionDecl union(String name) {
        return find(unions, UnionDecl::name, name).orElseThrow(() -> missing("union", name));
    }

    /// Returns the struct of this name.
    public StructDecl struct(String name) {
        return find(structs, StructDecl::name, name).orElseThrow(() -> missing("struct", name));
    }

    /// Returns the table of this name.
    public TableDecl table(String name) {
        return find(tables, TableDecl::name, name).orElseThrow(() -> missing("table", name));
    }

    private static <T> Optional<T> find(List<T> list, Function<T, String> name, String wanted) {
        for (T each : list) { // large schemas look up a table for each of their values
            if (name.apply(each).equals(wanted)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    private static NoSuchElementException missing(String kind, String name) {
        return new NoSuchElementException("no such " + kind + ": " + name);
    }
}
