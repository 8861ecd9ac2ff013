// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.corpus.CorpusCalls.throwing;
import static dev.fletch.verify.messages.Meant.INT32;
import static dev.fletch.verify.messages.Meant.schema;

import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.corpus.CorpusCalls.Call;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.schema.Metadata;
import dev.fletch.schema.SchemaJson;
import dev.fletch.verify.messages.Meant;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// Calls that write metadata, and those that make schemas to write.
final class WritingCalls {
    private static final EmissionOrder ORDER = EmissionOrder.ARROW_JAVA;

    private WritingCalls() {}

    static List<Call> all() {
        return List.of(
                throwing(
                        MeaningRule.NOT_WRITABLE,
                        "MetadataWriter.message",
                        "limits.tables=1, message with a schema",
                        () -> rewrite(Limits.DEFAULT.withTables(1))),
                throwing(
                        MeaningRule.INVALID_SCHEMA,
                        "Metadata.of",
                        "key with a surrogate that has no pair",
                        () -> Metadata.of("\ud800", "value")),
                throwing(
                        MeaningRule.INVALID_JSON,
                        "SchemaJson.parse",
                        "text that ends inside an object",
                        () -> SchemaJson.parse("{")));
    }

    private static FlatBufferWriter writer() {
        return ORDER.newWriter();
    }

    private static MemorySegment memory(byte[] bytes) {
        return MemorySegment.ofArray(bytes);
    }

    private static void rewrite(Limits limits) {
        byte[] message = Meant.bytes(Meant.message(schema(INT32), 0));
        new MetadataWriter(ORDER, writer()).limits(limits).message(Meant.bound(message));
    }
}
