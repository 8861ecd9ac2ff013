// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.ids;

/// The kind of table that is the header of a message.
///
/// Stored as an unsigned 8-bit number (`ubyte`). Absent: [#NONE], which no valid message has.
///
/// Source: `format/Message.fbs`, union `MessageHeader`.
public final class MessageHeader {
    /// No header.
    public static final int NONE = 0;

    /// Table `Schema`.
    public static final int SCHEMA = 1;

    /// Table `DictionaryBatch`.
    public static final int DICTIONARY_BATCH = 2;

    /// Table `RecordBatch`.
    public static final int RECORD_BATCH = 3;

    /// Table `Tensor`.
    public static final int TENSOR = 4;

    /// Table `SparseTensor`.
    public static final int SPARSE_TENSOR = 5;

    public static final EnumNames NAMES =
            new EnumNames(
                    "MessageHeader",
                    "NONE",
                    "Schema",
                    "DictionaryBatch",
                    "RecordBatch",
                    "Tensor",
                    "SparseTensor");

    private MessageHeader() {}
}
