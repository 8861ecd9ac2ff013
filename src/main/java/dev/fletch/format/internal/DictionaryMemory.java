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

    /// {@return the bytes that are left for the copy of a batch's body}
    ///
    /// @param metadata length of the message's metadata in bytes
    /// @throws FletchException with the position of the batch's id, if the batch needs too much
    ///     without a copy
    public long room(DictionaryBatch batch, long metadata) {
        long room = limit - (after(batch) + BATCH_BYTES + metadata);
        if (room < 0) {
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
        return room;
    }

    /// Counts a batch. One that is no delta replaces those of its dictionary.
    ///
    /// @param copied length of the copy of its body in bytes
    public void add(DictionaryBatch batch, long metadata, long copied) {
        long own = BATCH_BYTES + metadata + copied;
        long before = batch.isDelta() ? kept.getOrDefault(batch.id(), 0L) : 0;
        bytes = after(batch) + own;
        kept.put(batch.id(), before + own);
    }

    /// The bytes of the batches that stay.
    private long after(DictionaryBatch next) {
        return bytes - (next.isDelta() ? 0 : kept.getOrDefault(next.id(), 0L));
    }
}
