// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.format.KeyValue;
import dev.fletch.format.rules.RuleTable;
import dev.fletch.wire.Wire;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Changes to key/value pairs, for [MetadataEdit] and [FieldEdit]: pairs of the source to omit or
/// to replace, and pairs to add after them. Other pairs stay as they are, in their positions.
///
/// An edit can be applied to any number of messages. It belongs to one thread while it is modified.
/// Methods that return an edit return this. Texts with an unpaired surrogate throw an
/// [IllegalArgumentException].
///
/// Source: `format/Schema.fbs`, table `KeyValue`.
public final class KeyValueEdit implements Change {
    static final int NOT_NAMED = -1;

    private final List<Pair> pairs = new ArrayList<>();
    private boolean removesAll;
    private boolean drops;

    /// A change for a key, or a pair to add in any case.
    ///
    /// @param added whether it is added even if the source has the key
    /// @param table the pair, as changes to an empty table; null to remove the key
    record Pair(String key, boolean added, Change[] table) {}

    /// Creates an edit that changes nothing yet.
    public KeyValueEdit() {}

    /// Sets the value of a key, replacing all pairs of the source with that key: at the position of
    /// the first of them, or after the source's pairs if there is none. Replaces an earlier [#put]
    /// or [#remove] of that key.
    public KeyValueEdit put(CharSequence key, CharSequence value) {
        return name(key, table(key, value));
    }

    /// Adds a pair after those of the source, even if the source has the key.
    public KeyValueEdit add(CharSequence key, CharSequence value) {
        pairs.add(new Pair(key.toString(), true, table(key, value)));
        return this;
    }

    /// Omits all pairs of the source with a key.
    public KeyValueEdit remove(CharSequence key) {
        utf8(key); // rejects invalid keys
        return name(key, null);
    }

    /// Omits all pairs of the source. Pairs that this edit puts or adds are still written.
    public KeyValueEdit removeAll() {
        removesAll = true;
        return this;
    }

    /// Omits the vector, so that it is absent rather than empty. Pairs that this edit puts or adds
    /// are not written either.
    public KeyValueEdit drop() {
        drops = true;
        return this;
    }

    private KeyValueEdit name(CharSequence key, Change[] table) {
        final String text = key.toString();
        pairs.removeIf(each -> !each.added && each.key.equals(text));
        pairs.add(new Pair(text, false, table));
        return this;
    }

    private static Change[] table(CharSequence key, CharSequence value) {
        final Change[] table = new Change[Wire.SLOTS];
        table[KeyValue.KEY_SLOT] = new Change.Text(utf8(key));
        table[KeyValue.VALUE_SLOT] = new Change.Text(utf8(value));
        return table;
    }

    /// Encodes a text without unpaired surrogates.
    static byte[] utf8(CharSequence text) {
        try {
            final ByteBuffer bytes =
                    StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            final byte[] encoded = new byte[bytes.remaining()];
            bytes.get(encoded);
            return encoded;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("unpaired surrogate in text", e);
        }
    }

    boolean removesAll() {
        return removesAll;
    }

    boolean drops() {
        return drops;
    }

    int count() {
        return pairs.size();
    }

    Pair pair(int index) {
        return pairs.get(index);
    }

    /// Finds the change for a pair of the source.
    ///
    /// @return index of the pair with the change, or [#NOT_NAMED]
    int find(RuleTable pair) {
        for (int i = 0; i < pairs.size(); i++) {
            final Pair each = pairs.get(i);
            if (!each.added && pair.stringEquals(KeyValue.KEY_SLOT, each.key)) {
                return i;
            }
        }
        return NOT_NAMED;
    }
}
