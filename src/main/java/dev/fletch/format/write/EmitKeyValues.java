// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.Table;
import dev.fletch.format.Field;
import dev.fletch.format.Footer;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;

import java.util.Arrays;

/// Writes vectors of key/value pairs again.
final class EmitKeyValues {
    private final Emission out;
    private final KeyValue pair = new KeyValue();
    private final long slots;

    /// Whether a key that an edit names has got its value.
    private boolean[] done = new boolean[0];

    EmitKeyValues(Emission out) {
        this.out = out;
        slots = out.order.slots("KeyValue");
    }

    /// Writes a vector of key/value pairs.
    ///
    /// @param of the table that has it
    /// @param slot its slot there
    /// @param count how many pairs it has
    /// @param edit null for none
    /// @return where it is, 0 if it is absent
    int of(Table of, int slot, int count, KeyValueEdit edit) {
        if (edit != null) {
            return edited(of, slot, count, edit);
        }
        if (!of.isPresent(slot)) {
            return 0;
        }
        final int mark = out.mark();
        for (int i = 0; i < count; i++) {
            out.push(copy(bind(of, i)));
        }
        return out.vector(mark);
    }

    private KeyValue bind(Table of, int index) {
        return switch (of) {
            case Field field -> field.customMetadata(index, pair);
            case Schema schema -> schema.customMetadata(index, pair);
            case Message message -> message.customMetadata(index, pair);
            case Footer footer -> footer.customMetadata(index, pair);
            default -> throw new IllegalArgumentException("no key/value pairs: " + of.getClass());
        };
    }

    /// Writes a vector of the pairs that an edit adds where there is no source.
    ///
    /// @param edit null for none
    /// @return where it is, 0 if there are none
    int added(KeyValueEdit edit) {
        return edit == null ? 0 : edited(null, 0, 0, edit);
    }

    private int edited(Table of, int slot, int count, KeyValueEdit edit) {
        if (edit.drops()) {
            return 0;
        }
        final int named = edit.count();
        if (named > done.length) {
            done = new boolean[named];
        }
        Arrays.fill(done, 0, named, false);
        final int mark = out.mark();
        if (!edit.removesAll()) {
            keep(of, count, edit);
        }
        for (int i = 0; i < named; i++) {
            final KeyValueEdit.Pair each = edit.pair(i);
            if (!done[i] && each.value() != null) {
                out.push(create(each));
            }
        }
        return out.mark() > mark || of != null && of.isPresent(slot) ? out.vector(mark) : 0;
    }

    private void keep(Table of, int count, KeyValueEdit edit) {
        for (int i = 0; i < count; i++) {
            bind(of, i);
            final int found = edit.find(pair);
            if (found == KeyValueEdit.NOT_NAMED) {
                out.push(copy(pair));
            } else if (!done[found] && edit.pair(found).value() != null) {
                done[found] = true;
                out.push(create(edit.pair(found)));
            }
        }
    }

    private int copy(KeyValue from) {
        final int key;
        final int value;
        if (out.order == EmissionOrder.ARROW_CPP_1) {
            value = out.string(from.value(out.text));
            key = out.string(from.key(out.text));
        } else {
            key = out.string(from.key(out.text));
            value = out.string(from.value(out.text));
        }
        return table(key, value);
    }

    private int create(KeyValueEdit.Pair from) {
        final int key;
        final int value;
        if (out.order == EmissionOrder.ARROW_CPP_1) {
            value = out.string(from.value());
            key = out.string(from.keyUtf8());
        } else {
            key = out.string(from.keyUtf8());
            value = out.string(from.value());
        }
        return table(key, value);
    }

    private int table(int key, int value) {
        out.startTable();
        for (long o = slots; EmitSlots.more(o); o = EmitSlots.rest(o)) {
            final int slot = EmitSlots.first(o);
            out.writer.addOffset(slot, slot == KeyValue.KEY_SLOT ? key : value);
        }
        return out.endTable();
    }
}
