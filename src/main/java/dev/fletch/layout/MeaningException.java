// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

/// Thrown where metadata must mean something sensible and does not: carries code, position and path of
/// what is wrong.
public final class MeaningException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// The rule that was broken.
    private final MeaningCode code;

    /// Where, in bytes.
    private final long position;

    /// Where, in the field names of the declarations.
    private final String path;

    MeaningException(MeaningFault fault) {
        super(fault.toString());
        code = fault.code();
        position = fault.position();
        path = fault.path();
    }

    /// {@return the rule that was broken}
    public MeaningCode code() {
        return code;
    }

    /// {@return where: see [MeaningFault#position()]}
    public long position() {
        return position;
    }

    /// {@return where, in the names of the declarations: see [MeaningFault#path()]}
    public String path() {
        return path;
    }
}
