// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.flatbuf.Fault;
import dev.fletch.flatbuf.FaultCode;
import dev.fletch.flatbuf.FlatBufferFormatException;
import dev.fletch.flatbuf.VerificationException;
import dev.fletch.wire.Escaper;

import java.nio.file.Path;
import java.util.Locale;

/// Thrown where bytes cannot be an Arrow stream or file: a prefix, a size, a footer or a block is
/// wrong, or a version is not read here.
///
/// It is a [FlatBufferFormatException], so that a caller who does not care on which floor the bytes
/// are broken catches that one type. Where metadata does not verify, or cannot be bound at all,
/// this package wraps the fault in an exception of this type, which knows the place in the file or
/// stream. A fault that shows only later, when a flyweight below a message is bound that was not
/// verified, is a plain [FlatBufferFormatException]: [EncapsulatedMessage#inputOffset] turns its
/// position into one of the file or stream.
///
/// The message is one line: the file where it is known, what is wrong, where, the value found and its
/// limit.
public final class ArrowFormatException extends FlatBufferFormatException {
    private static final long serialVersionUID = 1L;

    /// What is wrong.
    private final IpcFault fault;

    /// Values and limits.
    private final String details;

    /// Name of the file; null where the bytes come from elsewhere.
    private String file;

    private ArrowFormatException(IpcFault fault, long offset, String details, Throwable cause) {
        super(fault.text() + ": offset=" + offset + ", " + details, offset);
        this.fault = fault;
        this.details = details;
        initCause(cause);
    }

    static ArrowFormatException of(IpcFault fault, long offset, String details) {
        return new ArrowFormatException(fault, offset, details, null);
    }

    static ArrowFormatException of(IpcFault fault, long offset, String name, long value) {
        return of(fault, offset, name + "=" + value);
    }

    static ArrowFormatException of(
            IpcFault fault, long offset, String name, long value, String limitName, long limit) {
        return of(fault, offset, name + "=" + value + ", " + limitName + "=" + limit);
    }

    /// @param details what is known besides the cause
    static ArrowFormatException of(
            IpcFault fault, long offset, String details, FlatBufferFormatException cause) {
        return new ArrowFormatException(fault, offset, details + ": " + cause.getMessage(), cause);
    }

    /// Tells what the verifier has found.
    ///
    /// @param cause carries code, path and value
    static ArrowFormatException of(IpcFault fault, long offset, Fault cause) {
        final String path = cause.path();
        final String details =
                String.format(
                        Locale.ROOT,
                        "code=%s%s, value=%d, rule=%s",
                        cause.code().id(),
                        path.isEmpty() ? "" : ", path=" + path,
                        cause.value(),
                        cause.code().rule());
        return new ArrowFormatException(fault, offset, details, cause.exception());
    }

    /// Tells which file it is.
    ///
    /// @param path null if that is not known
    /// @return this
    ArrowFormatException in(Path path) {
        file = path == null ? null : path.toString();
        return this;
    }

    /// {@return what is wrong, on one line}
    @Override
    public String getMessage() {
        return file == null ? super.getMessage() : Escaper.text(file) + ": " + super.getMessage();
    }

    /// {@return the file as [ArrowFile] was given it; null where the bytes come from elsewhere}
    public String file() {
        return file;
    }

    /// {@return what is wrong}
    public IpcFault fault() {
        return fault;
    }

    /// {@return the message without file and offset, for those who show that in a place of its own}
    public String reason() {
        return fault.text() + ": " + details;
    }

    /// {@return the verifier's code, where that is what is wrong; else null}
    public FaultCode code() {
        return getCause() instanceof VerificationException e ? e.code() : null;
    }

    /// {@return the verifier's path, such as `header.schema.fields[2].name`, where that is what is
    /// wrong; else null}
    public String path() {
        return getCause() instanceof VerificationException e ? e.path() : null;
    }

    /// Where the fault is.
    ///
    /// @return byte offset in the file or stream, or in the memory that the caller has handed in
    @Override
    public long position() {
        return super.position();
    }
}
