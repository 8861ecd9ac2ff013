// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.check.internal;

import dev.fletch.Fault;
import dev.fletch.Limits;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.input.Models;
import dev.fletch.layout.BatchCursor;
import dev.fletch.layout.BatchLayout;
import dev.fletch.layout.Dictionaries;
import dev.fletch.layout.LayoutException;
import dev.fletch.model.ArrowSchema;
import dev.fletch.values.ValueVerifier;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// Checks the values of batches whose metadata is sound.
///
/// Buffers may share bytes, and blocks of a file messages. So at most [#TIMES] the bytes of the input
/// are checked; fields of later batches are counted as not checked.
final class ValueCheck {
    private static final int TIMES = 4;

    private final List<String> columns;
    private final Limits limits;
    private final Findings findings;
    private final BatchCursor cursor = new BatchCursor();
    private final RecordBatch batch = new RecordBatch();
    private final DictionaryBatch dictionary = new DictionaryBatch();

    // Of the current schema, which stays bound; null if there is none, or it is not sound.
    private Schema schema;
    private ArrowSchema model;
    private boolean isFile;
    // Null before the first batch, and if values cannot be located.
    private ValueVerifier verifier;
    private BatchLayout layout;
    private Dictionaries dictionaries;

    private int index;
    private long bodyAt;
    private long bytesLeft = -1;
    private long unchecked;

    /// @param columns paths of the fields to check; empty for all
    ValueCheck(List<String> columns, Limits limits, Findings findings) {
        this.columns = columns;
        this.limits = limits;
        this.findings = findings;
    }

    /// {@return number of fields of batches that were not checked}
    long unchecked() {
        return unchecked;
    }

    /// Begins the messages of a footer.
    void footer(MemorySegment memory, long at, long length) {
        Schema found = new Schema();
        begin(new Footer().wrap(memory, at, length).schema(found) ? found : null, true);
    }

    private void begin(Schema found, boolean inFile) {
        schema = found;
        model = found == null ? null : Models.orNull(found, limits);
        isFile = inFile;
        verifier = null;
        layout = null;
    }

    /// Checks the values of a message.
    ///
    /// @param number index of the message
    /// @param at offset of its metadata in the memory, which is the complete input
    /// @param isSound whether the metadata has no errors
    void message(
            Message message,
            int number,
            MemorySegment memory,
            long at,
            long length,
            boolean isSound) {
        index = number;
        bodyAt = at + length;
        bytesLeft = bytesLeft < 0 ? TIMES * memory.byteSize() : bytesLeft;
        Schema found = new Schema();
        if (message.header(found)) {
            if (!isFile) {
                new Message().wrap(memory, at, length).header(found); // stays bound
                begin(isSound ? found : null, false);
            }
            return;
        }
        boolean isDictionary = message.header(dictionary) && dictionary.data(batch);
        if (model == null || !isDictionary && !message.header(batch)) {
            return;
        }
        long size = message.bodyLength();
        if (!isSound || size < 0 || size > memory.byteSize() - bodyAt || !prepare(message)) {
            unchecked += batch.nodesCount();
            return;
        }
        try {
            values(message, isDictionary, memory.asSlice(bodyAt, size));
        } catch (LayoutException _) {
            unchecked += batch.nodesCount(); // reported as a fault of the metadata
        }
    }

    /// Compiles the layout, with the version of the first batch.
    private boolean prepare(Message message) {
        if (layout != null) {
            return verifier != null;
        }
        try {
            BatchLayout all = BatchLayout.compile(schema, message.version(), limits);
            layout = all;
            int[] fields = columns.stream().mapToInt(all::fieldOf).toArray();
            layout = fields.length == 0 ? all : all.choose(fields);
            dictionaries = new Dictionaries(layout, isFile);
            verifier = new ValueVerifier(model, layout);
        } catch (LayoutException e) {
            findings.add(e.rule(), index, null, bodyAt, e.details());
        }
        return verifier != null;
    }

    private void values(Message message, boolean isDictionary, MemorySegment body) {
        BatchLayout of = isDictionary ? layout.dictionaryLayout(dictionary.id()) : layout;
        if (of == null) {
            return; // no chosen field needs it
        }
        cursor.bind(of, message, body);
        bytesLeft -= bytes();
        if (bytesLeft < 0) {
            bytesLeft = 0;
            unchecked += of.fieldCount();
            return;
        }
        if (isDictionary) {
            verifier.collectDictionary(dictionary.id(), cursor, this::add, findings.room());
        } else {
            verifier.collect(cursor, dictionaries, this::add, findings.room());
        }
        unchecked += verifier.unchecked();
        if (isDictionary) {
            define(message, body);
        }
    }

    /// Sum of the lengths of all buffers.
    private long bytes() {
        long sum = 0;
        for (int field = 0; field < cursor.layout().fieldCount(); field++) {
            for (int i = 0; i < cursor.bufferCount(field); i++) {
                sum += Math.clamp(cursor.bufferLength(field, i), 0, Long.MAX_VALUE - sum);
            }
        }
        return sum;
    }

    /// Adds the batch of a dictionary. One that cannot be read is not defined: its indices are not
    /// checked.
    private void define(Message message, MemorySegment body) {
        try {
            dictionaries.add(message, body);
        } catch (LayoutException _) {
            // reported before, or compressed
        }
    }

    private void add(Fault fault) {
        findings.add(fault, index, bodyAt + fault.position());
    }
}
