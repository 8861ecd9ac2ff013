// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

/// Thrown where metadata must mean something sensible and does not: carries code, position and path of
/// what is wrong.
public final class SemanticException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// The rule that was broken.
    private final SemanticRule code;

    /// Where, in bytes.
    private final long position;

    /// Where, in the field names of the declarations.
    private final String path;

    SemanticException(SemanticFault fault) {
        super(fault.toString());
        code = fault.code();
        position = fault.position();
        path = fault.path();
    }

    /// {@return the rule that was broken}
    public SemanticRule code() {
        return code;
    }

    /// {@return where: see [SemanticFault#position()]}
    public long position() {
        return position;
    }

    /// {@return where, in the names of the declarations: see [SemanticFault#path()]}
    public String path() {
        return path;
    }
}
