// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.StructField;
import dev.fletch.fbs.FbsDocument.TableDecl;
import dev.fletch.fbs.FbsDocument.Value;
import dev.fletch.fbs.FbsScalar;
import dev.fletch.fbs.FbsType;
import dev.fletch.flatbuf.internal.FieldDeclaration;
import dev.fletch.flatbuf.internal.FieldDeclaration.Kind;
import dev.fletch.flatbuf.internal.InlineType;
import dev.fletch.flatbuf.internal.TableDeclaration;
import dev.fletch.format.internal.tables.ArrowRules;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// The rules of the verifier, held against `format/*.fbs`: every table, every slot.
class RulesMatchFbsTest {
    private static final int NO_SLOT = -1;

    static List<TableDecl> tables() {
        return Flyweights.ARROW.tables();
    }

    private static TableDeclaration rules(String table) {
        return ArrowRules.ALL.stream()
                .filter(each -> each.name().equals(table))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no rules: " + table));
    }

    @Test
    void everyTableIsDeclaredOnce() {
        Set<String> declared =
                tables().stream()
                        .map(TableDecl::name)
                        .collect(Collectors.toCollection(TreeSet::new));
        // Every empty table but those that are no type stands in the union of types.
        assertEquals(
                declared,
                ArrowRules.ALL.stream()
                        .map(TableDeclaration::name)
                        .collect(Collectors.toCollection(TreeSet::new)));
        assertEquals(declared.size(), ArrowRules.ALL.size());
        assertEquals(27, ArrowRules.ALL.stream().filter(e -> !e.fields().isEmpty()).count());
        System.out.printf(
                "Rules of the verifier against format/*.fbs: %d tables, %d fields%n",
                ArrowRules.ALL.size(),
                ArrowRules.ALL.stream().mapToInt(each -> each.fields().size()).sum());
    }

    @ParameterizedTest
    @MethodSource("tables")
    void fieldsMatchTheDeclaration(TableDecl table) {
        assertEquals(
                table.fields().stream().map(each -> expected(table, each)).toList(),
                rules(table.name()).fields());
    }

    private static FieldDeclaration expected(TableDecl table, FieldDecl field) {
        FbsType type = field.type();
        Kind kind =
                switch (type) {
                    case FbsType.UnionTag _ -> Kind.UNION_TAG;
                    case FbsType.Scalar _, FbsType.Enumeration _ -> Kind.SCALAR;
                    case FbsType.Struct _ -> Kind.STRUCT;
                    case FbsType.Text _ -> Kind.STRING;
                    case FbsType.Table _ -> Kind.TABLE;
                    case FbsType.Union _ -> Kind.UNION;
                    case FbsType.Vector(FbsType.Table _) -> Kind.TABLES;
                    case FbsType.Vector _ -> Kind.VECTOR;
                };
        List<String> targets =
                switch (type) {
                    case FbsType.Table(String name) -> List.of(name);
                    case FbsType.Vector(FbsType.Table(String name)) -> List.of(name);
                    case FbsType.Union(String name) -> members(name);
                    default -> List.of();
                };
        FbsType inline =
                type instanceof FbsType.Vector(FbsType element) && kind == Kind.VECTOR
                        ? element
                        : type;
        return new FieldDeclaration(
                field.slot(),
                field.javaName(),
                kind,
                inline(inline),
                field.defaultValue(),
                field.required(),
                targets,
                kind == Kind.UNION ? table.field(field.name() + "_type").slot() : NO_SLOT,
                table.name().equals("Message") && kind == Kind.UNION);
    }

    /// Null for what an offset leads to.
    private static InlineType inline(FbsType type) {
        return switch (type) {
            case FbsType.Scalar(FbsScalar kind) when kind == FbsScalar.BOOL ->
                    InlineType.symbols("bool", 1, List.of("false", "true"));
            case FbsType.Scalar(FbsScalar kind) ->
                    InlineType.number(kind.spelling(), kind.sizeBytes());
            case FbsType.Enumeration(String name, FbsScalar underlying) ->
                    InlineType.symbols(
                            name,
                            underlying.sizeBytes(),
                            Flyweights.ARROW.enumeration(name).values().stream()
                                    .map(Value::name)
                                    .toList());
            case FbsType.UnionTag(String union) -> InlineType.tag(union, symbols(union));
            case FbsType.Struct(String name, int bytes, int alignment) ->
                    new InlineType(
                            name,
                            bytes,
                            alignment,
                            false,
                            List.of(),
                            Flyweights.ARROW.struct(name).fields().stream()
                                    .map(RulesMatchFbsTest::member)
                                    .toList());
            case FbsType.Text _, FbsType.Table _, FbsType.Union _, FbsType.Vector _ -> null;
        };
    }

    private static InlineType.Member member(StructField field) {
        return new InlineType.Member(field.javaName(), inline(field.type()), field.offsetBytes());
    }

    private static List<String> symbols(String union) {
        List<Value> members = Flyweights.ARROW.union(union).members();
        for (int i = 0; i < members.size(); i++) {
            assertEquals(i, members.get(i).value(), "tags count up from NONE");
        }
        return members.stream().map(Value::name).toList();
    }

    private static List<String> members(String union) {
        return symbols(union).stream().skip(1).toList();
    }

    @Test
    void rootsMatchTheDeclarations() {
        Set<String> roots =
                Arrays.stream(Verifier.Root.values())
                        .map(Verifier.Root::table)
                        .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(new TreeSet<>(Flyweights.ARROW.roots().values()), roots);
        assertTrue(roots.stream().allMatch(Flyweights::isRoot));
    }
}
