// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

/// Thrown if the bytes of a FlatBuffer are invalid: a verification finds a fault, or, in bytes that
/// were not verified, an offset, vtable, string or vector points out of the wrapped range.
///
/// The message names the faulty part, its value and the limit.
public class FlatBufferFormatException extends FletchException {
    private static final long serialVersionUID = 1L;

    private final transient Fault fault;

    /// Creates an exception for bytes that were not verified.
    ///
    /// @param message what is wrong, with values
    /// @param offset byte offset of the fault in the wrapped segment or buffer
    public FlatBufferFormatException(String message, long offset) {
        this(Fault.of(StructureRule.MALFORMED, offset, 0).because(message), null, message, null);
    }

    /// Creates an exception for the fault of a verification.
    FlatBufferFormatException(Fault fault) {
        this(fault, null, fault.toString(), null);
    }

    /// Creates an exception for bytes of a file.
    ///
    /// @param file the file; null where the bytes come from elsewhere
    /// @param message what is wrong, without the file
    /// @param cause the cause; may be null
    protected FlatBufferFormatException(Fault fault, String file, String message, Throwable cause) {
        super(fault.rule(), file, fault.position(), message, cause);
        this.fault = fault;
    }

    /// {@return what is wrong}
    public final Fault fault() {
        return fault;
    }
}
