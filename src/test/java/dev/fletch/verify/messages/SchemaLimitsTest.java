// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.batch;
import static dev.fletch.verify.messages.Meant.bound;
import static dev.fletch.verify.messages.Meant.bytes;
import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.integer;
import static dev.fletch.verify.messages.Meant.message;
import static dev.fletch.verify.messages.Meant.right;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.struct;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.fletch.Checks;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.batch.Hostile;
import dev.fletch.format.Message;
import dev.fletch.testdata.FbsValue;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Depth, number of fields and unfolded size of schemas.
class SchemaLimitsTest {
    private static final String COLUMN = "header.schema.fields";

    private static Checks of(int depth, int fields) {
        return Checks.STRICT.withLimits(Limits.DEFAULT.withDepth(depth).withFields(fields));
    }

    private static List<String> found(Checks options, FbsValue.Table... messages) {
        List<String> found = new ArrayList<>();
        SemanticVerifier meaning = new SemanticVerifier(options);
        meaning.collect(fault -> found.add(fault.rule().id() + " " + fault.path()), 20);
        for (FbsValue.Table each : messages) {
            meaning.message(bound(bytes(each)));
        }
        return found;
    }

    @Test
    void firstFieldBelowTheDepthIsReported() {
        FbsValue.Table one = message(schema(struct(struct(struct(INT8, INT8)))), 0);
        right(of(4, 9), one);
        assertEquals(
                List.of("schema-too-deep " + COLUMN + "[0]" + ".children[0]".repeat(3)),
                found(of(3, 9), one));
    }

    @Test
    void eachParentOfTooDeepChildrenHasOneFault() {
        FbsValue.Table deep = struct(struct(INT8, INT8), struct(INT8), INT8);
        String path = "schema-too-deep " + COLUMN + "[1].children[0].children";
        assertEquals(
                List.of(
                        path + "[0].children[0]",
                        path + "[1].children[0]",
                        "int-width " + COLUMN + "[1].children[1].type.bitWidth",
                        "int-width " + COLUMN + "[2].type.bitWidth"),
                found(
                        of(3, 100),
                        message(schema(INT8, struct(deep, integer("x", 7)), integer("y", 7)), 0)));
    }

    @Test
    void firstFieldOverTheLimitIsReported() {
        right(of(9, 3), message(schema(INT8, struct(INT8)), 0));
        assertEquals(
                List.of("too-many-fields " + COLUMN + "[1].children[1]"),
                found(of(9, 3), message(schema(INT8, struct(INT8, INT8)), 0)));
    }

    @Test
    void fieldsOfDictionaryValuesCountOnceTowardsTheLimit() {
        FbsValue.Table schema = message(schema(encoded(struct(UTF8), 4)), 0);
        right(of(9, 2), schema);
        assertEquals("too-many-fields", found(of(9, 1), schema).getFirst().split(" ")[0]);
    }

    /// Once for a schema, at its first field of level 65. Its batches are checked all the same.
    @Test
    void batchesOfADeeplyNestedSchemaAreChecked() {
        FbsValue.Table field = struct(INT8, INT8);
        for (int i = 2; i < 64; i++) {
            field = struct(field);
        }
        right(message(schema(field), 0));
        assertEquals(
                List.of(
                        "nested-deeply " + COLUMN + "[1]" + ".children[0]".repeat(64),
                        "node-count header.recordBatch.nodes",
                        "buffer-count header.recordBatch.buffers"),
                found(
                        Checks.STRICT,
                        message(schema(INT8, struct(field)), 0),
                        message(batch(List.of(), List.of()), 0)));
    }

    @Test
    void schemaThatUnfoldsToMoreThanItsBytesIsTooLarge() {
        for (boolean isEncoded : new boolean[] {false, true}) {
            SemanticVerifier meaning = new SemanticVerifier();
            MemorySegment bytes = MemorySegment.ofArray(Hostile.doubling(30, isEncoded));
            Message message = new Message().wrap(bytes);
            assertFalse(meaning.message(message));
            meaning.collect(_ -> {}, 1_000_000);
            meaning.beginStream();
            assertFalse(meaning.message(message));
            assertEquals(MeaningRule.SCHEMA_TOO_LARGE, meaning.fault().rule());
        }
    }
}
