// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;

/// What the header of a message tells about its rows.
public final class BatchFacts {
    private final RecordBatch batch = new RecordBatch();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private boolean isDictionary;
    private boolean isBatch;

    /// Reads the header of a message, of whatever kind.
    public void read(Message message) {
        isDictionary = message.header(dictionary);
        isBatch = isDictionary ? dictionary.data(batch) : message.header(batch);
    }

    /// Whether there are [#rows]: in a record batch, and in a dictionary batch that has values.
    boolean hasRows() {
        return isBatch;
    }

    long rows() {
        return batch.length();
    }

    /// Whether there is a [#dictionaryId]: in a dictionary batch.
    boolean hasDictionaryId() {
        return isDictionary;
    }

    long dictionaryId() {
        return dictionary.id();
    }

    /// Whether the values are added to the dictionary's.
    boolean isDelta() {
        return isDictionary && dictionary.isDelta();
    }
}
