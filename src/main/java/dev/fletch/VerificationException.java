// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

/// Thrown if a required verification finds a fault. The exception keeps a copy of the fault.
public final class VerificationException extends FlatBufferFormatException {
    private static final long serialVersionUID = 1L;

    private final String path;
    private final long value;

    VerificationException(Fault fault) {
        super(fault.rule(), null, fault.position(), fault.toString(), null);
        path = fault.path();
        value = fault.value();
    }

    /// {@return the field's path, see [Fault#path()]}
    public String path() {
        return path;
    }

    /// {@return the value found there, see [Fault#value()]}
    public long value() {
        return value;
    }
}
