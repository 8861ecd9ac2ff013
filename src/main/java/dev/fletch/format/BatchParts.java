// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.verify.QuickPass;
import dev.fletch.flatbuf.verify.VtablePlan;
import dev.fletch.wire.MemoryRange;

/// Where the parts of a verified batch message are.
///
/// [QuickPass] has the rules; this knows which tables a batch message has. Verifying and decoding
/// in one step takes half as long as one after the other.
final class BatchParts {
    private static final int NOWHERE = QuickPass.NOWHERE;
    private static final int ELEMENT_BYTES = 16;

    /// Has the tables of most messages.
    private static final int FIRST_COPIED = 128;

    // Distances of tables from the start of the message, and their slots: see Table#show.
    int message;
    long messageLow;
    long messageHigh;
    int dictionary;
    long dictionaryLow;
    long dictionaryHigh;
    int batch;
    long batchLow;
    long batchHigh;

    // Distances from the tables, and counts.
    int customMetadata;
    int customMetadataCount;
    int nodes;
    int nodesCount;
    int buffers;
    int buffersCount;
    int variadicCounts;
    int variadicCountsCount;

    short version;
    byte headerType;

    /// As a verifier counts them.
    int tables;

    /// Verifies a message.
    ///
    /// @param memory its range
    /// It has more than 325 bytes of code, so that C2 never inlines it.
    ///
    /// @return whether it is a valid batch message; false also if that is unknown
    boolean fill(BatchPass kinds, MemoryRange memory) {
        QuickPass pass = kinds.pass;
        int base = pass.start(memory, FIRST_COPIED);
        if (base == NOWHERE) {
            return false;
        }
        int at = pass.follow(base);
        VtablePlan plan = pass.open(kinds.message, at);
        if (plan == null || plan.slot(Message.HEADER_SLOT) == 0) {
            return false;
        }
        byte type = pass.int8(at + plan.slot(Message.HEADER_TYPE_SLOT));
        if (type != MessageHeader.RECORD_BATCH && type != MessageHeader.DICTIONARY_BATCH) {
            return false;
        }
        headerType = type;
        message = at - base;
        messageLow = plan.lowSlots();
        messageHigh = plan.highSlots();
        int version = plan.slot(Message.VERSION_SLOT);
        this.version = version == 0 ? (short) MetadataVersion.V1 : pass.int16(at + version);
        if (messageHigh == 0) {
            customMetadataCount = 0;
        } else if (!metadata(kinds, pass, at, plan.slot(Message.CUSTOM_METADATA_SLOT))) {
            return false;
        }
        at = pass.follow(at + plan.slot(Message.HEADER_SLOT));
        if (type == MessageHeader.DICTIONARY_BATCH) {
            at = dictionary(kinds, pass, at);
        }
        plan = pass.open(kinds.batch, at);
        if (plan == null) {
            return false;
        }
        batch = at - base;
        batchLow = plan.lowSlots();
        batchHigh = plan.highSlots();
        int slot = plan.slot(RecordBatch.NODES_SLOT);
        long vector = slot == 0 ? 0 : pass.vector(at + slot, ELEMENT_BYTES, Long.BYTES);
        if (vector == NOWHERE) {
            return false;
        }
        nodes = (int) vector - at;
        nodesCount = (int) (vector >>> Integer.SIZE);
        slot = plan.slot(RecordBatch.BUFFERS_SLOT);
        vector = slot == 0 ? 0 : pass.vector(at + slot, ELEMENT_BYTES, Long.BYTES);
        if (vector == NOWHERE) {
            return false;
        }
        buffers = (int) vector - at;
        buffersCount = (int) (vector >>> Integer.SIZE);
        slot = plan.slot(RecordBatch.VARIADIC_BUFFER_COUNTS_SLOT);
        vector = slot == 0 ? 0 : pass.vector(at + slot, Long.BYTES, Long.BYTES);
        if (vector == NOWHERE) {
            return false;
        }
        variadicCounts = (int) vector - at;
        variadicCountsCount = (int) (vector >>> Integer.SIZE);
        slot = plan.slot(RecordBatch.COMPRESSION_SLOT);
        if (slot != 0 && !pass.tableBy(kinds.compression, at + slot, BatchPass.DEPTH)) {
            return false;
        }
        tables = (int) pass.tables();
        return true;
    }

    private boolean metadata(BatchPass kinds, QuickPass pass, int table, int slot) {
        int at = table + slot;
        if (slot == 0) {
            customMetadataCount = 0;
            return true;
        }
        if (!pass.tables(kinds.keyValue, at, 2)) {
            return false;
        }
        int vector = at + pass.int32(at);
        customMetadata = vector - table;
        customMetadataCount = pass.int32(vector);
        return true;
    }

    /// Verifies a dictionary batch, and returns the position of its record batch.
    private int dictionary(BatchPass kinds, QuickPass pass, int at) {
        VtablePlan plan = pass.open(kinds.dictionary, at);
        if (plan == null || plan.slot(DictionaryBatch.DATA_SLOT) == 0) {
            return NOWHERE;
        }
        dictionary = at - pass.base();
        dictionaryLow = plan.lowSlots();
        dictionaryHigh = plan.highSlots();
        return pass.follow(at + plan.slot(DictionaryBatch.DATA_SLOT));
    }
}
