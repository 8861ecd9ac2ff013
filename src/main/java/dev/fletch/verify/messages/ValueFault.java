// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import dev.fletch.Fault;
import dev.fletch.Rule;
import dev.fletch.ValueRule;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.ValueType;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.internal.ValueText;

/// A fault of a value in the body of a batch.
///
/// Its [#position] is the byte offset of the number in the body of its batch; for text, of the
/// malformed character, or of the view. In a compressed buffer, it is the offset of the buffer. Its
/// [#path] is the role of the buffer. Without one, it is a fault of a node, or of a buffer that
/// cannot be read: see [#isInMetadata].
public final class ValueFault extends Fault {
    /// The row of a fault that belongs to no row.
    public static final long NO_ROW = -1;

    /// The field of a fault in bytes of a batch without buffers.
    static final int NO_FIELD = -1;

    /// The dictionary batch of a fault in a record batch.
    public static final int NO_DICTIONARY = -1;

    /// The batch of a fault.
    ///
    /// @param layout of its fields
    /// @param dictionaryId id of its dictionary, if it has one
    /// @param dictionaryBatch its index among those of the dictionary, or [#NO_DICTIONARY]
    record Batch(BatchLayout layout, long dictionaryId, int dictionaryBatch) {}

    private final Batch batch;
    private final int field;
    private final long row;
    private final long limit;
    // Null for value and limit.
    private final String text;

    ValueFault(
            Rule rule,
            Batch batch,
            int field,
            BufferRole role,
            long row,
            long position,
            long value,
            long limit,
            String text) {
        super(rule, NO_MESSAGE, role == null ? "" : role.text(), position, value);
        this.batch = batch;
        this.field = field;
        this.row = row;
        this.limit = limit;
        this.text = text;
    }

    private ValueFault(ValueFault fault, int message, long position) {
        super(fault.rule(), message, fault.path(), position, fault.value());
        batch = fault.batch;
        field = fault.field;
        row = fault.row;
        limit = fault.limit;
        text = fault.text;
    }

    @Override
    public ValueFault in(int message, long offset) {
        return new ValueFault(this, message, offset);
    }

    /// {@return this fault in no message; the part stays unnamed, as values are only in bodies}
    @Override
    public ValueFault inPart(String name) {
        return in(NO_MESSAGE, position());
    }

    /// {@return index of the value in the field, from 0; [#NO_ROW] if the fault belongs to no row.
    /// Of offsets, the value that begins or ends there; of run ends, the run}
    public long row() {
        return row;
    }

    /// {@return what the rule allows: the greatest value, or the least if the value must rise. For
    /// [ValueRule#VALUE_NULL_COUNT], the number of nulls. [ValueRule#VALUE_NOT_UTF8] and
    /// [ValueRule#VALUE_VIEW_PADDING] have none, [ValueRule#VALUE_DECIMAL_PRECISION] its lowest 64
    /// bits}
    public long limit() {
        return limit;
    }

    /// {@return whether the position is in the memory of the metadata, that of a node or a buffer
    /// there, and not in the body}
    public boolean isInMetadata() {
        return field != NO_FIELD && path().isEmpty();
    }

    /// {@return index of the batch among those of its dictionary; [#NO_DICTIONARY] if the fault is
    /// in the batch that was passed}
    public int dictionaryBatch() {
        return batch.dictionaryBatch;
    }

    /// {@return id of that dictionary}
    public long dictionaryId() {
        return batch.dictionaryId;
    }

    /// {@return number of the field in its layout: that of the record batch, or of the dictionary}
    @Override
    public int field() {
        return field;
    }

    @Override
    public String column() {
        return field == NO_FIELD ? null : batch.layout.shortPath(field);
    }

    @Override
    protected String explanation() {
        if (text != null) {
            return text;
        }
        boolean isUnsigned = batch.layout.valueType(field) == ValueType.UINT64;
        return ValueText.of(
                rule(), row, value(), limit, isUnsigned, batch.layout.dictionaryId(field));
    }
}
