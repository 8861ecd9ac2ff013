// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.format.ids.Type;

import java.lang.foreign.MemorySegment;

/// Type parameters of maps: lists of key/value entries.
///
/// The field has one child, the entries: a non-nullable struct with two children, the non-nullable
/// key and the value.
///
/// Source: `format/Schema.fbs`, table `Map`.
public final class Map extends TypeTable {
    public static final int KEYS_SORTED_SLOT = 0;

    static final long SIZES = sizes(1);

    private byte keysSorted;

    public Map() {
        super(Type.MAP);
    }

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, SIZES);
        keysSorted = int8(a, s, KEYS_SORTED_SLOT, 0);
    }

    /// {@return whether the keys of each map are sorted; false if absent}
    public boolean keysSorted() {
        return keysSorted != 0;
    }

    public void setKeysSorted(boolean value) {
        keysSorted = setInt8(KEYS_SORTED_SLOT, value ? 1 : 0);
    }
}
