// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

/// Thrown where a verification that must succeed has found a fault, of which it keeps a copy.
public final class VerificationException extends FlatBufferFormatException {
    private static final long serialVersionUID = 1L;

    /// Where, in the field names of the declarations.
    private final String path;

    /// What was found there.
    private final long value;

    VerificationException(Fault fault) {
        super(fault.rule(), fault.toString(), fault.position());
        path = fault.path();
        value = fault.value();
    }

    /// {@return where, as [Fault#path()] says it}
    public String path() {
        return path;
    }

    /// {@return what was found there}
    public long value() {
        return value;
    }
}
