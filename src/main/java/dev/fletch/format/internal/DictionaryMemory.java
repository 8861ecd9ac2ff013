// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.format.DictionaryBatch;

import java.util.HashMap;
import java.util.Map;

/// The memory of the dictionary batches that a reader keeps, and its limit: blocks of a file may
/// lead to one small delta any number of times.
public final class DictionaryMemory {
    /// About the memory of a batch beside its metadata and body.
    private static final long BATCH_BYTES = 1 << 10;

    private final long limit;
    // Of each dictionary, and of all.
    private final Map<Long, Long> kept = new HashMap<>();
    private long bytes;

    public DictionaryMemory(long limit) {
        this.limit = limit;
    }

    /// Counts a batch. One that is no delta replaces those of its dictionary.
    ///
    /// @param metadata length of the message's metadata in bytes
    /// @param copied length of the copy of its body in bytes; 0 without a copy
    /// @throws FletchException with the position of the batch's id, if the batch needs too much
    public void keep(DictionaryBatch batch, long metadata, long copied) {
        long before = kept.getOrDefault(batch.id(), 0L);
        long others = batch.isDelta() ? bytes : bytes - before;
        long own = BATCH_BYTES + metadata;
        if (copied > limit - others - own) {
            FletchException.raise(
                    Fault.of(
                                    MeaningRule.TOO_MUCH_MEMORY,
                                    batch.position(DictionaryBatch.ID_SLOT),
                                    batch.id())
                            .at("id")
                            .with("dictionary", batch.id())
                            .with("used", bytes)
                            .with("limit", limit));
        }
        bytes = others + own + copied;
        kept.put(batch.id(), (batch.isDelta() ? before : 0) + own + copied);
    }
}
