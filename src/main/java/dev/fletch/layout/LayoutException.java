// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

/// Thrown where a schema cannot be laid out, or a batch does not fit its layout. The message is one
/// line: what is wrong, and the values.
///
/// Bytes that lead out of their range are a [dev.fletch.flatbuf.FlatBufferFormatException] instead.
public final class LayoutException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// What is wrong.
    private final LayoutFault fault;

    LayoutException(LayoutFault fault, String details) {
        super(fault.text() + ": " + details);
        this.fault = fault;
    }

    static LayoutException of(
            LayoutFault fault, String name, long value, String other, long limit) {
        return new LayoutException(fault, name + "=" + value + ", " + other + "=" + limit);
    }

    /// {@return what is wrong}
    public LayoutFault fault() {
        return fault;
    }
}
