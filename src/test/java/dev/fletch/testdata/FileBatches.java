// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.BufferSource;
import dev.fletch.batch.Columns;
import dev.fletch.batch.Dictionaries;
import dev.fletch.format.Block;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.internal.FileTail;

/// The record batches of a file by column, with classes that programs without
/// [dev.fletch.arrow.Arrow] use: a layout, a cursor that is bound to one batch after the other, and
/// dictionaries.
public final class FileBatches {
    private final ArrowFile file;
    private final BatchLayout layout;
    private final boolean hasAllColumns;
    private final BatchCursor cursor = new BatchCursor();
    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();

    private FileBatches(ArrowFile file, BatchLayout layout, boolean hasAllColumns) {
        this.file = file;
        this.layout = layout;
        this.hasAllColumns = hasAllColumns;
    }

    /// Lays out all columns of a file, for the metadata version of its first batch. With
    /// [ReadOptions#knownSchemas], files with the same columns share one layout once the schema is
    /// known.
    public static FileBatches of(ArrowFile file) {
        return new FileBatches(
                file,
                BatchLayout.of(file.knownSchema(), schema(file), version(file), Limits.DEFAULT),
                true);
    }

    /// Lays out some columns, in the order of the schema, and verifies them unless the file has
    /// done so. Faster than [#of(ArrowFile)] if a file has very many columns.
    ///
    /// @throws FletchException also if there is no such column
    public static FileBatches of(ArrowFile file, Columns columns) {
        return new FileBatches(
                file,
                BatchLayout.compile(
                        schema(file), version(file), Limits.DEFAULT, columns, file::verified),
                columns == Columns.all());
    }

    private static Schema schema(ArrowFile file) {
        Schema schema = new Schema();
        file.footer().schema(schema);
        return schema;
    }

    private static int version(ArrowFile file) {
        Message first = new Message();
        return FileTail.version(
                file.footer(),
                (kind, index) -> {
                    if (kind == MessageHeader.DICTIONARY_BATCH) {
                        file.dictionary(index, new EncapsulatedMessage(), first);
                    } else {
                        file.recordBatch(index, new EncapsulatedMessage(), first);
                    }
                    return first;
                });
    }

    /// {@return the layout of all record batches}
    public BatchLayout layout() {
        return layout;
    }

    /// {@return number of record batches}
    public int count() {
        return file.recordBatchCount();
    }

    /// Binds the cursor to a record batch and its body.
    ///
    /// @param index from 0 to [#count] - 1, in the footer's order
    /// @return the cursor, always the same object
    /// @throws IndexOutOfBoundsException if there is no such batch
    public BatchCursor bind(int index) {
        file.recordBatch(index, frame, message);
        return cursor.bind(layout, message)
                .body(file.memory(), frame.bodyOffset(), frame.bodyLength());
    }

    /// Reads the dictionary batches of the columns.
    ///
    /// @param source of the bytes of values; null for the bodies
    public Dictionaries dictionaries(BufferSource source) {
        Dictionaries all = new Dictionaries(layout, true);
        DictionaryBatch batch = new DictionaryBatch();
        for (int i = 0; i < file.dictionaryCount(); i++) {
            file.dictionary(i, frame, message);
            if (!hasAllColumns
                    && message.header(batch)
                    && layout.dictionaryLayout(batch.id()) == null) {
                continue;
            }
            try {
                all.add(message, file.memory(), frame.bodyOffset(), frame.bodyLength(), source);
            } catch (FletchException e) {
                if (e.rule() != MeaningRule.DELTA_WITHOUT_DICTIONARY) {
                    throw e;
                }
                // Not the message is wrong, but the order of the blocks.
                long at = file.footer().dictionaries(i, new Block()).position();
                throw e.in(null, at);
            }
        }
        return all;
    }
}
