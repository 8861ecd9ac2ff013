// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

/// Thrown if batches cannot be read: a schema cannot be laid out, a batch does not match its schema,
/// a value is outside its buffer, or arrow-java does not support a column. The message is one line:
/// what is wrong, the column, the values and their limit.
///
/// Malformed flatbuffers throw a [FlatBufferFormatException] instead, and schemas that share their
/// parts too often a [dev.fletch.format.SchemaTooLargeException].
public final class BatchException extends FletchException {
    private static final long serialVersionUID = 1L;

    private final transient Fault fault;
    // Whether the position is an offset in the input.
    private final boolean isPlaced;

    private BatchException(
            Fault fault, String file, String message, Throwable cause, boolean isPlaced) {
        super(fault.rule(), file, fault.position(), message, cause);
        this.fault = fault;
        this.isPlaced = isPlaced;
    }

    /// Creates an exception for a fault whose details say all.
    ///
    /// @param fault its position is in the memory of the metadata or of the body
    /// @param cause may be null
    public BatchException(Fault fault, Throwable cause) {
        this(fault, null, fault.rule().description() + ": " + fault.details(), cause, false);
    }

    /// Creates an exception for a fault whose details say all.
    ///
    /// @param fault its position is in the memory of the metadata
    public BatchException(Fault fault) {
        this(fault, null);
    }

    /// Creates an exception that is not about a byte of the metadata.
    ///
    /// @param details values as `name=value`
    public BatchException(Rule rule, String details) {
        this(rule, details, null);
    }

    /// Creates an exception that is not about a byte of the metadata.
    ///
    /// @param details values as `name=value`
    /// @param cause may be null
    public BatchException(Rule rule, String details, Throwable cause) {
        this(Fault.of(rule, NO_OFFSET, 0).because(details), cause);
    }

    /// Creates an exception that names the column and the faulty part.
    ///
    /// @param column the faulty one; null if the fault is not in a column
    public static BatchException of(Fault fault, String column) {
        String before = column == null ? "" : "column=" + column + ", ";
        return new BatchException(fault.because(before + fault.found()));
    }

    /// {@return a sink that throws the first error}
    ///
    /// @param column the faulty one; null if the check is not about a column
    public static FaultSink errors(String column) {
        return FaultSink.throwing(fault -> of(fault, column));
    }

    /// Throws a fault whose details say all.
    public static void raise(Fault fault) {
        throw new BatchException(fault);
    }

    /// {@return this exception with the batch and the offset in the input, unless it has them}
    ///
    /// @param batch such as `recordBatches[3]`; null for none
    /// @param shift offset in the input of the memory that the position is in
    public BatchException inBatch(String batch, long shift) {
        if (isPlaced) {
            return this;
        }
        String where = batch == null ? "" : ", batch=" + batch;
        long at = offset() == NO_OFFSET ? NO_OFFSET : offset() + shift;
        return with(fault.in(fault.message(), at), file(), messageWithoutFile() + where);
    }

    /// {@return this exception with the file}
    ///
    /// @param file its name; null if unknown
    /// @param offset there
    public BatchException in(String file, long offset) {
        return with(fault.in(fault.message(), offset), file, messageWithoutFile());
    }

    private BatchException with(Fault placed, String file, String message) {
        BatchException copy = new BatchException(placed, file, message, getCause(), true);
        copy.setStackTrace(getStackTrace());
        return copy;
    }

    /// {@return what is wrong}
    public Fault fault() {
        return fault;
    }
}
