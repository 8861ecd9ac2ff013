// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The dictionaries of which a batch could not be used, and why. The values of deltas behind it
/// have other indices: they cannot be used either, until a batch defines the dictionary again.
///
/// @param <T> the reasons
public final class LostDictionaries<T> {
    private final Map<Long, T> reasons = new TreeMap<>();
    private boolean isWhole;
    // Of a batch that may be one of any dictionary; null if there is none.
    private T ofAny;
    // Those that were defined behind that batch.
    private final Set<Long> definedSince = new TreeSet<>();

    /// Starts before the first batch.
    ///
    /// @param asWhole whether a batch cannot define such a dictionary: in a file, where all batches
    ///     of a dictionary count together, its other values are not known
    public void begin(boolean asWhole) {
        reasons.clear();
        isWhole = asWhole;
        ofAny = null;
        definedSince.clear();
    }

    /// Records that a batch of a dictionary cannot be used.
    public void lose(long id, T why) {
        reasons.put(id, why);
    }

    /// Records that a batch, perhaps of any dictionary, cannot be used.
    public void loseAny(T why) {
        ofAny = why;
        definedSince.clear();
    }

    /// Records that a batch, which is no delta, has defined a dictionary.
    public void define(long id) {
        reasons.remove(id);
        if (ofAny != null) {
            definedSince.add(id);
        }
    }

    /// {@return why a batch cannot be used because of others before it; null if it can be}
    public T before(long id, boolean isDelta) {
        T own = isDelta || isWhole ? reasons.get(id) : null;
        return own == null && isDelta && !definedSince.contains(id) ? ofAny : own;
    }

    /// {@return why a dictionary is not defined; null if no batch of it is lost}
    public T why(long id) {
        return reasons.get(id);
    }

    /// {@return the least id of which a batch is lost; null if there is none}
    public Long first() {
        return reasons.isEmpty() ? null : reasons.keySet().iterator().next();
    }
}
