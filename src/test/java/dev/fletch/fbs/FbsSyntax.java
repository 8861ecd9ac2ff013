// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fbs;

import java.util.List;

/// Declarations as they are written, before type names are looked up. Each carries file and line,
/// as a name may be resolved long after its file was read.
final class FbsSyntax {
    private FbsSyntax() {}

    /// A place in a file.
    record At(String file, int line) {
        FbsException error(String reason) {
            return new FbsException(file, line, reason);
        }
    }

    /// One file.
    record FileSyntax(
            List<Named> includes, List<Named> namespaces, List<Decl> decls, List<Named> roots) {}

    /// A name, or a path, and where it stands.
    record Named(At at, String name) {}

    /// A declaration that has a name of its own.
    sealed interface Decl {
        At at();

        String name();
    }

    /// An enum; `underlying` is a type name.
    record EnumSyntax(At at, String name, String underlying, List<EnumValue> values)
            implements Decl {}

    /// A value of an enum; `number` is `null` where none is written.
    record EnumValue(At at, String name, String number) {}

    /// A union and the names of its tables.
    record UnionSyntax(At at, String name, List<Named> members) implements Decl {}

    /// A table, or a struct.
    record ObjectSyntax(At at, String name, boolean isStruct, List<FieldSyntax> fields)
            implements Decl {}

    /// A field; `defaultText` is `null` where none is written.
    record FieldSyntax(
            At at,
            String name,
            String typeName,
            boolean isVector,
            String defaultText,
            boolean required) {}
}
