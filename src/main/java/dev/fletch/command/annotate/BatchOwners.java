// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import dev.fletch.FletchException;
import dev.fletch.format.BufferRole;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.input.MapPlan;
import dev.fletch.layout.BatchCursor;
import dev.fletch.layout.BatchLayout;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Whose nodes and buffers a batch has: the fields of the schema before it, or of the footer. Knows
/// nothing of a batch that is damaged, or does not fit the schema.
final class BatchOwners {
    // Of a longer path, only the end is shown.
    private static final int LONGEST_PATH = 2_000;

    /// Whose a node or buffer is.
    ///
    /// @param path of the field
    /// @param role of the buffer; null for a node
    record Owner(String path, BufferRole role) {
        String text() {
            return role == null ? path : path + ", " + role.text();
        }
    }

    private record FieldBuffer(int field, BufferRole role) {}

    private final MemorySegment memory;
    private final Verifier verifier = new Verifier();
    private final Message message = new Message();
    private final Footer footer = new Footer();
    private final Message first = new Message(); // keeps the schema
    private final Schema schema = new Schema();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final BatchCursor cursor = new BatchCursor();

    private boolean hasFooter;
    private boolean hasSchema;
    // Of the schema, for the version of the last batch; null if there is none.
    private BatchLayout columns;

    // Of the last message; null and empty if it is no batch.
    private BatchLayout layout;
    private String root;
    private final List<FieldBuffer> buffers = new ArrayList<>();

    BatchOwners(MemorySegment memory) {
        this.memory = memory;
    }

    /// Takes the schema of a footer, for all batches.
    void footer(long at, long length) {
        hasFooter = verifier.verify(Verifier.Root.FOOTER, memory, at, length);
        hasSchema = hasFooter && footer.wrap(memory, at, length).schema(schema);
    }

    /// Takes a message: its schema, or its batch.
    void message(long at, long length) {
        buffers.clear();
        layout = null;
        if (!verifier.message(memory, at, length, message)) {
            return;
        }
        if (message.headerType() == MessageHeader.SCHEMA && !hasFooter) {
            hasSchema = first.wrap(memory, at, length).header(schema);
            columns = null;
        } else if (hasSchema) {
            try {
                batch();
            } catch (FletchException e) {
                buffers.clear(); // the verifier of the meaning says what is wrong
                layout = null;
            }
        }
    }

    private void batch() {
        boolean isDictionary = message.header(dictionary);
        if (!isDictionary && message.headerType() != MessageHeader.RECORD_BATCH) {
            return;
        }
        if (columns == null || columns.version() != message.version()) {
            columns = BatchLayout.compile(schema, message.version());
        }
        layout = isDictionary ? columns.dictionaryLayout(dictionary.id()) : columns;
        if (layout == null) {
            return;
        }
        root = isDictionary ? MapPlan.title(dictionary.id()) : null;
        cursor.bind(layout, message);
        int known = layout.firstUnknown() < 0 ? layout.fieldCount() : layout.firstUnknown();
        for (int field = 0; field < known; field++) {
            for (int i = 0; i < cursor.bufferCount(field); i++) {
                buffers.add(new FieldBuffer(field, cursor.role(field, i)));
            }
        }
    }

    /// {@return the owner of a node or buffer; null for other regions, or if it has none}
    Owner of(Region region) {
        if (region.kind() != RegionKind.ELEMENT || region.member() == null || layout == null) {
            return null;
        }
        int index = region.index();
        String struct = region.field().type().name();
        if (struct.equals("FieldNode") && index < layout.fieldCount()) {
            return new Owner(path(index), null);
        }
        if (struct.equals("Buffer") && index < buffers.size()) {
            FieldBuffer found = buffers.get(index);
            return new Owner(path(found.field), found.role);
        }
        return null;
    }

    private String path(int field) {
        StringBuilder path = new StringBuilder(name(field));
        int each = layout.parent(field);
        while (each >= 0 && path.length() <= LONGEST_PATH) {
            path.insert(0, name(each) + ".");
            each = layout.parent(each);
        }
        return path.length() <= LONGEST_PATH
                ? path.toString()
                : "…" + path.substring(path.length() - LONGEST_PATH);
    }

    private String name(int field) {
        return layout.parent(field) < 0 && root != null ? root : layout.nameString(field);
    }
}
