// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

/// Which table is the header of a message.
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

    static final IdNames NAMES =
            new IdNames(
                    "MessageHeader",
                    "NONE",
                    "Schema",
                    "DictionaryBatch",
                    "RecordBatch",
                    "Tensor",
                    "SparseTensor");

    private MessageHeader() {}

    /// Tells whether this version of the format declares a value, [#NONE] included. A newer file
    /// may hold others.
    ///
    /// @param value any number
    /// @return whether `value` has a name here
    public static boolean isKnown(int value) {
        return NAMES.isKnown(value);
    }

    /// Names a value as `format/Message.fbs` spells it. A value that is not known keeps its number,
    /// since a newer file may hold it. Allocates for an unknown value only.
    ///
    /// @param value any number
    /// @return the name of `value`, or its number such as `MessageHeader(42)`
    public static String name(int value) {
        return NAMES.name(value);
    }
}
