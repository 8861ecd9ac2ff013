// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fbs;

import dev.fletch.fbs.FbsLexer.Kind;
import dev.fletch.fbs.FbsLexer.Token;
import dev.fletch.fbs.FbsSyntax.At;
import dev.fletch.fbs.FbsSyntax.Decl;
import dev.fletch.fbs.FbsSyntax.EnumSyntax;
import dev.fletch.fbs.FbsSyntax.EnumValue;
import dev.fletch.fbs.FbsSyntax.FieldSyntax;
import dev.fletch.fbs.FbsSyntax.FileSyntax;
import dev.fletch.fbs.FbsSyntax.Named;
import dev.fletch.fbs.FbsSyntax.ObjectSyntax;
import dev.fletch.fbs.FbsSyntax.UnionSyntax;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Recursive descent over the tokens of one file.
final class FbsGrammar {
    private final String file;
    private final List<Token> tokens;
    private int next;

    private final List<Named> includes = new ArrayList<>();
    private final List<Named> namespaces = new ArrayList<>();
    private final List<Decl> decls = new ArrayList<>();
    private final List<Named> roots = new ArrayList<>();

    private FbsGrammar(String file, String text) {
        this.file = file;
        this.tokens = FbsLexer.tokens(file, text);
    }

    static FileSyntax parse(String file, String text) {
        FbsGrammar grammar = new FbsGrammar(file, text);
        while (grammar.peek().kind() != Kind.END) {
            grammar.declaration();
        }
        return new FileSyntax(grammar.includes, grammar.namespaces, grammar.decls, grammar.roots);
    }

    private void declaration() {
        At at = at();
        String keyword = word("a declaration");
        switch (keyword) {
            case "include" -> includes.add(statement(at, () -> take(Kind.QUOTED, "a file name")));
            case "namespace" -> namespaces.add(statement(at, this::dottedName));
            case "root_type" -> roots.add(statement(at, () -> word("a table name")));
            case "enum" -> decls.add(enumeration(at));
            case "union" -> decls.add(union(at));
            case "struct" -> decls.add(object(at, true));
            case "table" -> decls.add(object(at, false));
            default -> throw at.error("unsupported declaration '" + keyword + "'");
        }
    }

    private Named statement(At at, Supplier<String> argument) {
        Named named = new Named(at, argument.get());
        expect(";");
        return named;
    }

    private String dottedName() {
        StringBuilder name = new StringBuilder(word("a name"));
        while (accept(".")) {
            name.append('.').append(word("a name"));
        }
        return name.toString();
    }

    private Decl enumeration(At at) {
        String name = word("an enum name");
        expect(":");
        String underlying = word("an integer type");
        return new EnumSyntax(at, name, underlying, commaList(this::enumValue));
    }

    private EnumValue enumValue() {
        At at = at();
        String name = word("a value name");
        return new EnumValue(at, name, accept("=") ? take(Kind.NUMBER, "a number") : null);
    }

    private Decl union(At at) {
        String name = word("a union name");
        return new UnionSyntax(at, name, commaList(() -> new Named(at(), word("a table name"))));
    }

    /// A list in braces. A comma after the last element is allowed.
    private <T> List<T> commaList(Supplier<T> element) {
        List<T> list = new ArrayList<>();
        expect("{");
        while (!accept("}")) {
            list.add(element.get());
            if (!peek().is("}")) {
                expect(",");
            }
        }
        return list;
    }

    private Decl object(At at, boolean isStruct) {
        String name = word(isStruct ? "a struct name" : "a table name");
        List<FieldSyntax> fields = new ArrayList<>();
        expect("{");
        while (!accept("}")) {
            fields.add(field());
        }
        return new ObjectSyntax(at, name, isStruct, fields);
    }

    private FieldSyntax field() {
        At at = at();
        String name = word("a field name");
        expect(":");
        boolean isVector = accept("[");
        String typeName = word("a type name");
        if (isVector) {
            expect("]");
        }
        String defaultText = accept("=") ? defaultText() : null;
        boolean required = attributes();
        expect(";");
        return new FieldSyntax(at, name, typeName, isVector, defaultText, required);
    }

    private String defaultText() {
        return peek().kind() == Kind.NUMBER ? take(Kind.NUMBER, "a number") : word("a default");
    }

    /// Returns whether `required` is among the attributes. Others would change what the declaration
    /// means (`id`, `deprecated`), so they are errors.
    private boolean attributes() {
        boolean required = false;
        if (accept("(")) {
            do {
                At at = at();
                String attribute = word("an attribute");
                if (!attribute.equals("required")) {
                    throw at.error("unsupported attribute '" + attribute + "'");
                }
                required = true;
            } while (accept(","));
            expect(")");
        }
        return required;
    }

    private Token peek() {
        return tokens.get(next);
    }

    private At at() {
        return new At(file, peek().line());
    }

    private boolean accept(String symbol) {
        boolean found = peek().is(symbol);
        if (found) {
            next++;
        }
        return found;
    }

    private void expect(String symbol) {
        if (!accept(symbol)) {
            throw at().error("expected '" + symbol + "', found " + peek().describe());
        }
    }

    private String word(String what) {
        return take(Kind.WORD, what);
    }

    private String take(Kind kind, String what) {
        Token token = peek();
        if (token.kind() != kind) {
            throw at().error("expected " + what + ", found " + token.describe());
        }
        next++;
        return token.text();
    }
}
