// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fbs;

import dev.fletch.fbs.FbsDocument.EnumDecl;
import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.StructDecl;
import dev.fletch.fbs.FbsDocument.StructField;
import dev.fletch.fbs.FbsDocument.TableDecl;
import dev.fletch.fbs.FbsDocument.UnionDecl;
import dev.fletch.fbs.FbsDocument.Value;
import dev.fletch.fbs.FbsSyntax.At;
import dev.fletch.fbs.FbsSyntax.Decl;
import dev.fletch.fbs.FbsSyntax.EnumSyntax;
import dev.fletch.fbs.FbsSyntax.EnumValue;
import dev.fletch.fbs.FbsSyntax.FieldSyntax;
import dev.fletch.fbs.FbsSyntax.Named;
import dev.fletch.fbs.FbsSyntax.ObjectSyntax;
import dev.fletch.fbs.FbsSyntax.UnionSyntax;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Looks up type names, numbers the slots, lays out structs and works out defaults.
final class FbsResolver {
    /// Name of the member 0 that every union has.
    private static final String NONE = "NONE";

    private final Map<String, Decl> declByName = new LinkedHashMap<>();
    private final Map<String, EnumDecl> enums = new LinkedHashMap<>();
    private final Map<String, UnionDecl> unions = new LinkedHashMap<>();
    private final Map<String, StructDecl> structs = new LinkedHashMap<>();
    private final List<TableDecl> tables = new ArrayList<>();

    private FbsResolver() {}

    static FbsDocument resolve(String namespace, List<Decl> decls, List<Named> roots) {
        FbsResolver resolver = new FbsResolver();
        decls.forEach(resolver::enter);
        // Enums first, then structs, which may hold enums, then tables, which may hold both.
        resolver.each(EnumSyntax.class, each -> resolver.enums.put(each.name(), enumDecl(each)));
        resolver.each(
                UnionSyntax.class, each -> resolver.unions.put(each.name(), resolver.union(each)));
        resolver.each(ObjectSyntax.class, resolver::addStruct);
        resolver.each(ObjectSyntax.class, resolver::addTable);
        return new FbsDocument(
                namespace,
                List.copyOf(resolver.enums.values()),
                List.copyOf(resolver.unions.values()),
                List.copyOf(resolver.structs.values()),
                resolver.tables,
                resolver.roots(roots));
    }

    private void enter(Decl decl) {
        boolean taken = declByName.putIfAbsent(decl.name(), decl) != null;
        if (taken || isBuiltIn(decl.name())) {
            throw decl.at().error("name already taken: " + decl.name());
        }
    }

    private static boolean isBuiltIn(String name) {
        return name.equals("string") || FbsScalar.ofSpelling(name) != null;
    }

    private <T extends Decl> void each(Class<T> kind, Consumer<T> action) {
        declByName.values().stream().filter(kind::isInstance).map(kind::cast).forEach(action);
    }

    private Map<String, String> roots(List<Named> roots) {
        Map<String, String> rootByFile = new LinkedHashMap<>();
        for (Named root : roots) {
            requireTable(root);
            if (rootByFile.put(root.at().file(), root.name()) != null) {
                throw root.at().error("second root_type in one file");
            }
        }
        return rootByFile;
    }

    private void requireTable(Named named) {
        if (!(declByName.get(named.name()) instanceof ObjectSyntax object) || object.isStruct()) {
            throw named.at().error("no such table: " + named.name());
        }
    }

    // ---- Enums and unions ----

    private static EnumDecl enumDecl(EnumSyntax syntax) {
        FbsScalar underlying = FbsScalar.ofSpelling(syntax.underlying());
        if (underlying == null || underlying == FbsScalar.BOOL) {
            throw syntax.at().error("not an integer type: " + syntax.underlying());
        }
        Set<String> names = new HashSet<>();
        List<Value> values = new ArrayList<>();
        for (EnumValue each : syntax.values()) {
            Value last = values.isEmpty() ? null : values.getLast();
            long value = enumValue(each, last, underlying);
            requireNew(names, each.at(), each.name());
            values.add(new Value(each.name(), value));
        }
        if (values.isEmpty()) {
            throw syntax.at().error("enum without values: " + syntax.name());
        }
        return new EnumDecl(syntax.name(), underlying, List.copyOf(values));
    }

    private static long enumValue(EnumValue syntax, Value last, FbsScalar underlying) {
        long value =
                syntax.number() != null
                        ? number(syntax.at(), syntax.number())
                        : last == null ? 0 : last.value() + 1;
        if (!underlying.holds(value)) {
            throw syntax.at().error(value + " is out of range of " + underlying.spelling());
        }
        if (last != null && value <= last.value()) {
            throw syntax.at().error("enum values must ascend: " + syntax.name());
        }
        return value;
    }

    private UnionDecl union(UnionSyntax syntax) {
        Set<String> names = new HashSet<>(Set.of(NONE));
        List<Value> members = new ArrayList<>(List.of(new Value(NONE, 0)));
        for (Named each : syntax.members()) {
            requireTable(each);
            requireNew(names, each.at(), each.name());
            members.add(new Value(each.name(), members.size()));
        }
        return new UnionDecl(syntax.name(), List.copyOf(members));
    }

    // ---- Structs and tables ----

    private void addStruct(ObjectSyntax syntax) {
        if (!syntax.isStruct()) {
            return;
        }
        Set<String> names = new HashSet<>();
        List<StructField> fields = new ArrayList<>();
        int end = 0;
        int alignment = 1;
        for (FieldSyntax each : syntax.fields()) {
            requireNew(names, each.at(), each.name());
            FbsType type = structFieldType(each);
            int offset = alignUp(end, type.alignmentBytes());
            fields.add(new StructField(each.name(), type, offset));
            end = offset + type.inlineBytes();
            alignment = Math.max(alignment, type.alignmentBytes());
        }
        if (fields.isEmpty()) {
            throw syntax.at().error("struct without fields: " + syntax.name());
        }
        structs.put(
                syntax.name(),
                new StructDecl(
                        syntax.name(), List.copyOf(fields), alignUp(end, alignment), alignment));
    }

    private FbsType structFieldType(FieldSyntax syntax) {
        FbsScalar scalar = FbsScalar.ofSpelling(syntax.typeName());
        EnumDecl enumeration = enums.get(syntax.typeName());
        if (syntax.isVector() || (scalar == null && enumeration == null)) {
            throw syntax.at().error("a struct holds only numbers: " + syntax.name());
        }
        if (syntax.defaultText() != null || syntax.required()) {
            throw syntax.at().error("no default or attribute in a struct: " + syntax.name());
        }
        return scalar != null
                ? new FbsType.Scalar(scalar)
                : new FbsType.Enumeration(enumeration.name(), enumeration.underlying());
    }

    private static int alignUp(int position, int alignment) {
        return (position + alignment - 1) / alignment * alignment;
    }

    private void addTable(ObjectSyntax syntax) {
        if (syntax.isStruct()) {
            return;
        }
        Set<String> names = new HashSet<>();
        List<FieldDecl> fields = new ArrayList<>();
        for (FieldSyntax each : syntax.fields()) {
            FbsType type = fieldType(each);
            if (type instanceof FbsType.Union(String union)) {
                String tagName = each.name() + "_type";
                requireNew(names, each.at(), tagName);
                FbsType tag = new FbsType.UnionTag(union);
                fields.add(new FieldDecl(tagName, tag, fields.size(), NONE, 0, false));
            }
            requireNew(names, each.at(), each.name());
            fields.add(field(each, type, fields.size()));
        }
        tables.add(new TableDecl(syntax.name(), List.copyOf(fields)));
    }

    private FieldDecl field(FieldSyntax syntax, FbsType type, int slot) {
        if (!type.isScalar()) {
            if (syntax.defaultText() != null) {
                throw syntax.at().error("no default allowed for " + type.spelling());
            }
            return new FieldDecl(syntax.name(), type, slot, "", 0, syntax.required());
        }
        if (syntax.required()) {
            throw syntax.at().error("a scalar cannot be required: " + syntax.name());
        }
        Value value = defaultOf(syntax.at(), type, syntax.defaultText());
        return new FieldDecl(syntax.name(), type, slot, value.name(), value.value(), false);
    }

    private FbsType fieldType(FieldSyntax syntax) {
        FbsType type = namedType(syntax);
        if (!syntax.isVector()) {
            return type;
        }
        if (type instanceof FbsType.Union) {
            throw syntax.at().error("vectors of unions are not supported: " + syntax.name());
        }
        return new FbsType.Vector(type);
    }

    private FbsType namedType(FieldSyntax syntax) {
        String name = syntax.typeName();
        FbsScalar scalar = FbsScalar.ofSpelling(name);
        if (scalar != null) {
            return new FbsType.Scalar(scalar);
        }
        if (name.equals("string")) {
            return new FbsType.Text();
        }
        return switch (declByName.get(name)) {
            case EnumSyntax _ -> new FbsType.Enumeration(name, enums.get(name).underlying());
            case UnionSyntax _ -> new FbsType.Union(name);
            case ObjectSyntax object when object.isStruct() -> structType(structs.get(name));
            case ObjectSyntax _ -> new FbsType.Table(name);
            case null -> throw syntax.at().error("unknown type: " + name);
        };
    }

    private static FbsType structType(StructDecl struct) {
        return new FbsType.Struct(struct.name(), struct.sizeBytes(), struct.alignmentBytes());
    }

    // ---- Defaults and numbers ----

    /// Returns the default as a text and a number; `text` is `null` where none is written.
    private Value defaultOf(At at, FbsType type, String text) {
        return switch (type) {
            case FbsType.Enumeration(String name, _) -> enumDefault(at, enums.get(name), text);
            case FbsType.Scalar(FbsScalar kind) when kind == FbsScalar.BOOL ->
                    boolDefault(at, text);
            case FbsType.Scalar(FbsScalar kind) -> {
                long value = text == null ? 0 : number(at, text);
                if (!kind.holds(value)) {
                    throw at.error("default " + value + " is out of range of " + kind.spelling());
                }
                yield new Value(Long.toString(value), value);
            }
            default -> throw new AssertionError(type);
        };
    }

    private static Value enumDefault(At at, EnumDecl decl, String text) {
        return decl.values().stream()
                .filter(each -> text == null ? each.value() == 0 : each.name().equals(text))
                .findFirst()
                .orElseThrow(
                        () ->
                                at.error(
                                        text == null
                                                ? decl.name() + " has no value 0: needs a default"
                                                : "no such value of " + decl.name() + ": " + text));
    }

    private static Value boolDefault(At at, String text) {
        return switch (text) {
            case null -> new Value("false", 0);
            case "false" -> new Value("false", 0);
            case "true" -> new Value("true", 1);
            default -> throw at.error("not a boolean: " + text);
        };
    }

    private static long number(At at, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw at.error("not a whole number: " + text);
        }
    }

    private static void requireNew(Set<String> names, At at, String name) {
        if (!names.add(name)) {
            throw at.error("declared twice: " + name);
        }
    }
}
