// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.format.Field;
import dev.fletch.format.Schema;

/// A schema or a field that is being written, and how far its fields are: one level of the way down
/// from the schema. It stands for the stack of a recursion, so that hostile nesting costs no thread
/// its stack.
final class EmitLevel {
    private final Field own = new Field();

    /// The field, null for the schema.
    Field field;

    /// What to change in it; null for nothing.
    FieldEdit edit;

    // Where its parts are.
    int name;
    int type;
    int dictionary;

    /// Where the places of its own fields begin.
    int mark;

    private Schema schema;
    private FieldListEdit list;
    private int available;

    // The list's item that is being written, and the fields of it that are still to come.
    private int item;
    private int next;
    private int end;

    /// Begins a schema.
    void open(Schema from, FieldListEdit changes, int firstPlace) {
        field = null;
        edit = null;
        schema = from;
        mark = firstPlace;
        begin(from.fieldsCount(), changes);
    }

    private void open(Field from, FieldEdit changes) {
        field = from;
        edit = changes;
        schema = null;
        name = 0;
        type = 0;
        dictionary = 0;
        begin(from.childrenCount(), changes == null ? null : changes.children());
    }

    private void begin(int count, FieldListEdit changes) {
        available = count;
        list = changes;
        item = -1;
        next = 0;
        end = changes == null ? count : 0;
    }

    /// Tells whether there is another field, and finds it.
    boolean hasNext() {
        while (next >= end) {
            if (list == null || item == list.count() - 1) {
                return false;
            }
            item++;
            next = list.item(item).from();
            end = list.item(item).end(available);
        }
        return true;
    }

    /// Begins the next field, one level below.
    void next(EmitLevel child) {
        final int index = next++;
        if (list == null) {
            child.open(bind(index, child.own), null);
            return;
        }
        final FieldListEdit.Item from = list.item(item);
        child.open(from.field() == null ? bind(index, child.own) : from.field(), from.edit());
    }

    private Field bind(int index, Field into) {
        return schema == null ? field.children(index, into) : schema.fields(index, into);
    }

    /// Tells whether there is a vector of fields: where the source has one or there are any.
    boolean hasVector(boolean any) {
        return any
                || (schema == null
                        ? field.isPresent(Field.CHILDREN_SLOT)
                        : schema.isPresent(Schema.FIELDS_SLOT));
    }
}
