// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.verify.messages.Meant.INT32;
import static dev.fletch.verify.messages.Meant.schema;

import dev.fletch.Limits;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.schema.Metadata;
import dev.fletch.schema.SchemaJson;
import dev.fletch.verify.messages.Meant;

/// Calls that write metadata, and those that make schemas to write.
final class WritingCalls {
    private static final EmissionOrder ORDER = EmissionOrder.ARROW_JAVA;

    private WritingCalls() {}

    static void addTo(CorpusCalls calls) {
        calls.throwing(
                "MetadataWriter.message | limits.tables=1, message with a schema",
                () -> rewrite(Limits.DEFAULT.withTables(1)));
        calls.throwing(
                "Metadata.of | key with a surrogate that has no pair",
                () -> Metadata.of("\ud800", "value"));
        calls.throwing(
                "SchemaJson.parse | text that ends inside an object", () -> SchemaJson.parse("{"));
    }

    private static void rewrite(Limits limits) {
        byte[] message = Meant.bytes(Meant.message(schema(INT32), 0));
        new MetadataWriter(ORDER, ORDER.newWriter()).limits(limits).message(Meant.bound(message));
    }
}
