// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

/// Thrown where a verification that must succeed has found a fault, whose code, position and path it
/// carries.
public class VerificationException extends FlatBufferFormatException {
    private static final long serialVersionUID = 1L;

    /// The rule that was broken.
    private final FaultCode code;

    /// Where, in the field names of the declarations.
    private final String path;

    /// Creates an exception.
    ///
    /// @param fault what was found; its content is copied
    public VerificationException(Fault fault) {
        super(fault.toString(), fault.position());
        code = fault.code();
        path = fault.path();
    }

    /// {@return the rule that was broken}
    public FaultCode code() {
        return code;
    }

    /// {@return where, as [Fault#path()] says it}
    public String path() {
        return path;
    }
}
