// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

import dev.fletch.wire.Escaper;

/// Thrown if bytes, metadata, values or text are invalid, exceed a limit, or are not what their
/// reader or writer expects. It holds the [Fault]: the broken rule, its place and its values. The
/// message is one line: the file if known, the offset in the input if known, what is wrong, and the
/// values found with their limits.
///
/// An input that cannot be read throws an [java.io.IOException] or an [UnreadableFileException],
/// misuse of a method an [IllegalArgumentException], [IllegalStateException] or
/// [IndexOutOfBoundsException].
public class FletchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// Returned by [#offset()] if the exception is not about a byte.
    public static final long NO_OFFSET = Fault.NO_OFFSET;

    private final transient Fault fault;
    private final String file;
    private final boolean isInInput;

    private FletchException(
            Fault fault, String file, String message, Throwable cause, boolean isInInput) {
        super(message, cause);
        this.fault = fault;
        this.file = file;
        this.isInInput = isInInput;
    }

    /// Creates an exception that is not about an offset in the input.
    ///
    /// @param message one line
    /// @param cause may be null
    protected FletchException(Fault fault, String message, Throwable cause) {
        this(fault, null, message, cause, false);
    }

    // ---- creation

    /// {@return an exception whose message is [Fault#text]}
    ///
    /// @param fault its position is in the memory of the metadata or of the body
    public static FletchException of(Fault fault) {
        return of(fault, null);
    }

    /// {@return an exception whose message is [Fault#text]}
    ///
    /// @param fault its position is in the memory of the metadata or of the body
    /// @param cause may be null
    public static FletchException of(Fault fault, Throwable cause) {
        return new FletchException(fault, fault.text(), cause);
    }

    /// {@return an exception that is not about a byte}
    ///
    /// @param details values as `name=value`
    public static FletchException of(Rule rule, String details) {
        return of(Fault.of(rule, NO_OFFSET, 0).because(details));
    }

    /// {@return an exception for bytes that were not verified}
    ///
    /// @param message what is wrong, with values
    /// @param offset byte offset of the fault in the memory of the metadata
    public static FletchException malformed(String message, long offset) {
        Fault fault = Fault.of(StructureRule.MALFORMED, offset, 0).because(message);
        return of(fault.withText(message));
    }

    /// {@return an exception whose message names the column and the faulty part}
    ///
    /// @param fault its position is in the memory of the metadata
    /// @param column the faulty one; null if the fault is not in a column
    public static FletchException inColumn(Fault fault, String column) {
        String before = column == null ? "" : "column=" + column + ", ";
        return of(fault.because(before + fault.found()));
    }

    /// {@return an exception whose message is [Fault#placed]}
    ///
    /// @param fault its position is an offset in the input
    public static FletchException inInput(Fault fault) {
        return inInput(fault, null);
    }

    /// {@return an exception whose message is [Fault#placed]}
    ///
    /// @param fault its position is an offset in the input
    /// @param cause may be null
    public static FletchException inInput(Fault fault, Throwable cause) {
        return new FletchException(fault, null, fault.placed(), cause, true);
    }

    // ---- sinks

    /// {@return a sink that throws the first error as [#inColumn]}
    ///
    /// @param column the faulty one; null if the check is not about a column
    public static FaultSink errors(String column) {
        return FaultSink.throwing(fault -> inColumn(fault, column));
    }

    /// Throws each fault as [#of(Fault)].
    public static void raise(Fault fault) {
        throw of(fault);
    }

    /// Throws each fault as [#inInput(Fault)].
    public static void raiseInInput(Fault fault) {
        throw inInput(fault);
    }

    // ---- place

    /// {@return this exception with the place in the input, unless it has it}
    ///
    /// @param message index of the message; [Fault#NO_MESSAGE] if unknown
    /// @param shift offset in the input of the memory that the position is in
    public FletchException inMessage(int message, long shift) {
        if (isInInput) {
            return this;
        }
        long position = offset() == NO_OFFSET ? NO_OFFSET : offset() + shift;
        return with(fault.in(message, position).withText(text()), file);
    }

    /// {@return this exception with the message}
    ///
    /// @param index of the message in the input; [Fault#NO_MESSAGE] if unknown
    public FletchException inMessage(int index) {
        return fault.message() == index ? this : with(fault.inMessage(index), file);
    }

    /// {@return this exception with the file}
    ///
    /// @param name of the file; null if unknown
    /// @param offset there
    public FletchException in(String name, long offset) {
        return with(fault.in(offset).withText(text()), name);
    }

    /// {@return this exception with the name of the file}
    ///
    /// @param name null if unknown
    public FletchException in(String name) {
        return in(name, offset());
    }

    /// {@return the message without the offset, which begins that of an exception with a place}
    private String text() {
        boolean hasOffset = !isInInput && rule() instanceof StructureRule;
        return hasOffset
                ? super.getMessage().replace("offset=" + offset() + ", ", "")
                : fault.text();
    }

    private FletchException with(Fault placed, String name) {
        FletchException copy = new FletchException(placed, name, placed.placed(), getCause(), true);
        copy.setStackTrace(getStackTrace());
        return copy;
    }

    // ---- content

    /// {@return what is wrong, and where}
    public final Fault fault() {
        return fault;
    }

    /// {@return the broken rule}
    public final Rule rule() {
        return fault.rule();
    }

    /// {@return byte offset of the fault: see [#isInInput]; [#NO_OFFSET] if the exception is not
    /// about a byte}
    public final long offset() {
        return fault.position();
    }

    /// {@return whether the offset is in the file or stream that is read, and not in the memory of
    /// its metadata}
    public final boolean isInInput() {
        return isInInput;
    }

    /// {@return the file's path as the caller passed it; null if the bytes are not from a file}
    public final String file() {
        return file;
    }

    /// {@return the message on one line, with the file if known}
    @Override
    public String getMessage() {
        return file == null ? super.getMessage() : Escaper.text(file) + ": " + super.getMessage();
    }
}
