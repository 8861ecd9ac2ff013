// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.batch.BatchCursor;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.SchemaSize;
import dev.fletch.scan.internal.MapPlan;
import dev.fletch.wire.Escaper;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Whose nodes and buffers the batch of the current message has: the fields of the schema before
/// it, or of the footer. Knows nothing of a batch that is damaged, or does not fit the schema.
final class BatchOwners {
    /// Whose a node or buffer is.
    ///
    /// @param field its complete path
    /// @param role of the buffer; null for a node
    record Owner(String field, BufferRole role) {
        /// The path; of a long one, the end.
        String path() {
            return Escaper.end(field);
        }

        /// [#text] in short.
        String brief() {
            return role == null ? path() : path() + ", " + role.text();
        }

        /// The node or buffer.
        String text() {
            return role == null ? path() : "the " + role.text() + " buffer of " + path();
        }

        /// What a member's number counts, in the singular; with a comma in front, what it is.
        String noun(String member) {
            boolean isLength = "length".equals(member);
            return role == null ? isLength ? "value" : "null" : isLength ? "byte" : ", start";
        }

        /// A member's number, in words.
        String sentence(String member, long number) {
            String noun = noun(member);
            boolean isCount = !noun.startsWith(",");
            return number
                    + (isCount ? " " : "")
                    + noun
                    + (isCount && number != 1 ? "s" : "")
                    + " of "
                    + text();
        }
    }

    private final MemorySegment memory;
    private final Verifier verifier = new Verifier();
    private final Message message = new Message();
    private final Message schemaMessage = new Message();
    private final Schema schema = new Schema();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final BatchCursor cursor = new BatchCursor();

    private boolean hasFooter;
    // Of the bound schema; 0 if there is none, or its plan was made.
    private long schemaBytes;
    // Of the schema; null if it is not needed yet, or too large.
    private MapPlan plan;

    // Of the current message; empty if it is no batch.
    private final List<Owner> nodes = new ArrayList<>();
    private final List<Owner> buffers = new ArrayList<>();

    BatchOwners(MemorySegment memory) {
        this.memory = memory;
    }

    /// Takes the schema of a sound footer, for all batches.
    ///
    /// @param length of the footer
    void footer(Footer footer, long length) {
        hasFooter = true;
        schema(footer.schema(schema), length);
    }

    /// Takes a message: its schema, or its batch.
    ///
    /// @param type its header type
    /// @param isShown whether its owners are needed
    void message(long position, long length, int type, boolean isShown) {
        nodes.clear();
        buffers.clear();
        boolean isSchema = type == MessageHeader.SCHEMA;
        boolean isNeeded = isSchema ? !hasFooter : isShown;
        if (!isNeeded || !verifier.message(memory, position, length, message)) {
            return;
        }
        if (isSchema) {
            schemaMessage.wrap(memory, position, length);
            schema(schemaMessage.header(schema), length);
        } else {
            try {
                batch();
            } catch (FletchException e) {
                nodes.clear(); // the verifier of the meaning says what is wrong
                buffers.clear();
            }
        }
    }

    private void schema(boolean isPresent, long metadataBytes) {
        plan = null;
        schemaBytes = isPresent ? metadataBytes : 0;
    }

    private void plan() {
        if (schemaBytes > 0) {
            try {
                SchemaSize.check(schema, Limits.DEFAULT);
                plan = new MapPlan(schema, null, schemaBytes, Limits.DEFAULT, true);
            } catch (FletchException _) {
                // The verifier of the meaning says what is wrong.
            }
            schemaBytes = 0;
        }
    }

    private void batch() {
        boolean isDictionary = message.header(dictionary);
        if (!isDictionary && message.headerType() != MessageHeader.RECORD_BATCH) {
            return;
        }
        plan();
        if (plan == null) {
            return;
        }
        MapPlan.Fields fields = isDictionary ? plan.dictionary(dictionary.id()) : plan.columns();
        if (fields == null) {
            return;
        }
        cursor.bind(fields.layout(), message);
        for (int field = 0; field < fields.placeable(); field++) {
            String path = fields.paths()[field];
            nodes.add(new Owner(path, null));
            for (int i = 0; i < cursor.bufferCount(field); i++) {
                buffers.add(new Owner(path, cursor.role(field, i)));
            }
        }
    }

    /// {@return the owner of a node or buffer; null for other regions, or if it has none}
    Owner of(Region region) {
        if (region.kind() != RegionKind.ELEMENT || region.member() == null) {
            return null;
        }
        List<Owner> owners =
                switch (region.field().type().name()) {
                    case "FieldNode" -> nodes;
                    case "Buffer" -> buffers;
                    default -> List.of();
                };
        return region.index() < owners.size() ? owners.get(region.index()) : null;
    }
}
