// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.internal.QuickPass;
import dev.fletch.flatbuf.internal.VtablePlan;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.internal.tables.ArrowRules;
import dev.fletch.wire.MemoryRange;

/// Where the parts of a verified batch message are.
///
/// [QuickPass] has the rules; this knows which tables a batch message has, and keeps what
/// flyweights would decode. Verifying and decoding in one step takes half as long as one after the
/// other.
final class MessageParts {
    private static final int NOWHERE = QuickPass.NOWHERE;

    private static final int MESSAGE = ArrowRules.SET.kind("Message");
    private static final int DICTIONARY = ArrowRules.SET.kind("DictionaryBatch");
    private static final int BATCH = ArrowRules.SET.kind("RecordBatch");
    private static final int COMPRESSION = ArrowRules.SET.kind("BodyCompression");
    private static final int KEY_VALUE = ArrowRules.SET.kind("KeyValue");

    /// Depth of the deepest table of a batch message: the compression of a dictionary's values.
    static final int DEPTH = 4;

    /// Has the tables of most messages.
    private static final int FIRST_COPIED = 128;

    /// A message in a longer array is copied. The array is probably not in the processor's cache: a
    /// copy waits for the message's first lines at once, but following offsets in place waits for
    /// one line after the other. Together, that took three times as long.
    static final int LONGEST_IN_PLACE = 1 << 22;

    /// Whether [#find] is not called again.
    final boolean isFixed;

    /// Number of tables, as a verifier counts them.
    int tables;

    // For each table, its distance from the start of the message in bytes, and its slots: the
    // distances of its fields from its start, 16 bits each, four in a number. Those of the
    // dictionary batch are undefined if the header is a record batch.
    int message;
    long messageSlots;
    long messageSlots4;
    int dictionary;
    long dictionarySlots;
    long dictionarySlots4;
    int batch;
    long batchSlots;
    long batchSlots4;

    // Of the message that was found or compared last.
    long bodyLength;
    short version;
    byte headerType;
    int customMetadata;
    int customMetadataCount;

    // Of the record batch, or of the dictionary's values: the distances of the vectors from the
    // table, which are undefined if absent, and their counts.
    int nodes;
    int nodesCount;
    int buffers;
    int buffersCount;
    int variadicCounts;
    int variadicCountsCount;

    MessageParts(boolean isFixed) {
        this.isFixed = isFixed;
    }

    /// Verifies a message and finds its parts. It follows each offset of the three tables: a new
    /// field with an offset must be added here, which `MessagePartsTest` checks.
    ///
    /// Kept apart by length: see [dev.fletch.wire].
    ///
    /// @return whether it is known to be a valid batch message; if not, the parts are undefined
    boolean find(QuickPass pass, MemoryRange buffer) {
        int base = pass.start(buffer, FIRST_COPIED, LONGEST_IN_PLACE);
        int position = base == NOWHERE ? NOWHERE : pass.follow(base);
        // A plan may be made again for another table of its kind. Here, each kind has one table.
        VtablePlan plan = pass.open(MESSAGE, position);
        if (plan == null || plan.slot(Message.HEADER_SLOT) == 0) {
            return false;
        }
        byte type = pass.int8(position + plan.slot(Message.HEADER_TYPE_SLOT));
        if (type != MessageHeader.RECORD_BATCH && type != MessageHeader.DICTIONARY_BATCH) {
            return false;
        }
        headerType = type;
        message = position - base;
        messageSlots = plan.lowSlots();
        messageSlots4 = plan.highSlots();
        int slot = plan.slot(Message.VERSION_SLOT);
        version = slot == 0 ? (short) MetadataVersion.V1 : pass.int16(position + slot);
        slot = plan.slot(Message.BODY_LENGTH_SLOT);
        bodyLength = slot == 0 ? 0 : pass.int64(position + slot);
        slot = plan.slot(Message.CUSTOM_METADATA_SLOT);
        long vector = slot == 0 ? 0 : pass.tableVector(KEY_VALUE, position + slot, 2);
        if (vector == NOWHERE) {
            return false;
        }
        customMetadata = (int) vector - position;
        customMetadataCount = count(vector);
        position = pass.follow(position + plan.slot(Message.HEADER_SLOT));
        if (type == MessageHeader.DICTIONARY_BATCH) {
            position = values(pass, base, position);
        }
        plan = pass.open(BATCH, position);
        if (plan == null) {
            return false;
        }
        batch = position - base;
        batchSlots = plan.lowSlots();
        batchSlots4 = plan.highSlots();
        slot = plan.slot(RecordBatch.NODES_SLOT);
        vector = slot == 0 ? 0 : pass.vector(position + slot, FieldNode.BYTES, Long.BYTES);
        if (vector == NOWHERE) {
            return false;
        }
        nodes = (int) vector - position;
        nodesCount = count(vector);
        slot = plan.slot(RecordBatch.BUFFERS_SLOT);
        vector = slot == 0 ? 0 : pass.vector(position + slot, Buffer.BYTES, Long.BYTES);
        if (vector == NOWHERE) {
            return false;
        }
        buffers = (int) vector - position;
        buffersCount = count(vector);
        slot = plan.slot(RecordBatch.VARIADIC_BUFFER_COUNTS_SLOT);
        vector = slot == 0 ? 0 : pass.vector(position + slot, Long.BYTES, Long.BYTES);
        if (vector == NOWHERE) {
            return false;
        }
        variadicCounts = (int) vector - position;
        variadicCountsCount = count(vector);
        slot = plan.slot(RecordBatch.COMPRESSION_SLOT);
        if (slot != 0 && !pass.table(COMPRESSION, position + slot, DEPTH)) {
            return false;
        }
        tables = (int) pass.tableCount();
        return true;
    }

    /// Verifies a dictionary batch without its values.
    ///
    /// @return the position of these
    private int values(QuickPass pass, int base, int position) {
        VtablePlan plan = pass.open(DICTIONARY, position);
        if (plan == null || plan.slot(DictionaryBatch.DATA_SLOT) == 0) {
            return NOWHERE;
        }
        dictionary = position - base;
        dictionarySlots = plan.lowSlots();
        dictionarySlots4 = plan.highSlots();
        return pass.follow(position + plan.slot(DictionaryBatch.DATA_SLOT));
    }

    private static int count(long vector) {
        return (int) (vector >>> Integer.SIZE);
    }
}
