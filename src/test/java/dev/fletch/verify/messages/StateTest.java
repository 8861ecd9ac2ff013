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
import static dev.fletch.verify.messages.Meant.pair;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.struct;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.batch.Hostile;
import dev.fletch.corpus.CaseFile;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.internal.CompressedBuffer;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.internal.ContainerPart;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.FirstFault;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Schemas and dictionaries that are too large for the texts of the corpus.
class StateTest {
    private final FirstFault first = new FirstFault();
    private final SemanticVerifier meaning = new SemanticVerifier(Checks.STRICT, first);

    private boolean verify(FbsValue.Table header, long bodyLength) {
        return meaning.message(bound(bytes(message(header, bodyLength))));
    }

    /// The first field of a dictionary determines its type, wherever others are.
    @Test
    void firstFieldOfADictionaryDeterminesItsType() {
        List<FbsValue.Table> columns = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            for (int id = 0; id < 20; id++) {
                FbsValue.Table values = integer("i", 8 << id % 4);
                columns.add(encoded(id < 10 ? values : struct(values, UTF8), id));
                columns.add(encoded(UTF8, 100));
            }
        }
        assertTrue(verify(schema(columns.toArray(FbsValue.Table[]::new)), 0));
        columns.add(encoded(integer("i", 16), 6));
        meaning.beginStream();
        assertFalse(verify(schema(columns.toArray(FbsValue.Table[]::new)), 0));
        assertEquals(MeaningRule.DICTIONARY_TYPE, first.fault().rule());
        assertEquals("header.schema.fields[120].dictionary.id", first.fault().path());
    }

    @Test
    void schemaThatUnfoldsToMoreThanItsBytesIsTooLarge() {
        for (boolean isEncoded : new boolean[] {false, true}) {
            MemorySegment bytes = MemorySegment.ofArray(Hostile.doubling(30, isEncoded));
            Message message = new Message().wrap(bytes);
            assertFalse(new SemanticVerifier(Checks.DEFAULT, first).message(message));
            List<Fault> all = new ArrayList<>();
            assertFalse(new SemanticVerifier(Checks.DEFAULT, all::add).message(message));
            assertEquals(MeaningRule.SCHEMA_TOO_LARGE, all.getLast().rule());
        }
    }

    @Test
    void unknownCodecsAndLargestBuffersHaveNoLimit() {
        assertEquals(Long.MAX_VALUE, CompressedBuffer.limit(2, 8));
        assertEquals(Long.MAX_VALUE, CompressedBuffer.limit(1, Long.MAX_VALUE));
    }

    private static byte[] dictionary(long id, FbsValue.Table values, long bodyLength) {
        return bytes(message(table("DictionaryBatch", "id", id, "data", values), bodyLength));
    }

    /// Each record batch could need all of a large dictionary: the work has a limit.
    @Test
    @Timeout(60)
    void workOfLargeDictionariesIsLimited() {
        int fields = 3_000;
        FbsValue.Table[] children = new FbsValue.Table[fields];
        List<long[]> nodes = new ArrayList<>(List.of(pair(3, 0)));
        List<long[]> buffers = new ArrayList<>(List.of(pair(0, 0)));
        for (int i = 0; i < fields; i++) {
            children[i] = encoded(UTF8, i < fields - 1 ? 10 : 11);
            nodes.add(pair(3, 0));
            buffers.addAll(List.of(pair(0, 0), pair(0, 3)));
        }
        assertTrue(verify(schema(encoded(struct(children), 1)), 0));
        List<long[]> texts = List.of(pair(0, 0), pair(0, 16), pair(16, 8));
        byte[] inner = dictionary(10, batch(List.of(pair(3, 0)), texts), 24);
        meaning.message(bound(inner));
        meaning.message(bound(dictionary(1, batch(nodes, buffers), 8)));
        List<long[]> indices = List.of(pair(0, 0), pair(0, 3));
        byte[] rows = bytes(message(batch(List.of(pair(3, 0)), indices), 8));
        int errors = 0;
        for (int i = 0; i < 30_000; i++) {
            meaning.message(bound(inner));
            errors += meaning.message(bound(rows)) ? 0 : 1;
        }
        assertEquals((1 << 26) / (fields + 1), errors);
    }

    // ---- limits of schemas

    /// What is found in a schema and in a batch without parts, which a valid schema would need.
    private static List<String> found(Limits limits, FbsValue.Table schema) {
        List<String> found = new ArrayList<>();
        var limited =
                new SemanticVerifier(
                        Checks.STRICT.withLimits(limits),
                        each -> found.add(each.rule().id() + " " + each.path()));
        limited.message(bound(bytes(message(schema, 0))));
        limited.message(bound(bytes(message(batch(List.of(), List.of()), 0))));
        return found;
    }

    @Test
    void fieldsThatAreTooDeepAreReportedOncePerParent() {
        FbsValue.Table wrong = integer("x", 7);
        FbsValue.Table schema = schema(struct(struct(wrong), wrong, encoded(wrong, 1)), wrong);
        String type = ".type.bitWidth";
        assertEquals(
                List.of(
                        "schema-too-deep header.schema.fields[0].children[0]",
                        "int-width header.schema.fields[1]" + type),
                found(Limits.DEFAULT.withDepth(1), schema));
        assertEquals(
                List.of(
                        "schema-too-deep header.schema.fields[0].children[0].children[0]",
                        "int-width header.schema.fields[0].children[1]" + type,
                        "int-width header.schema.fields[0].children[2]" + type,
                        "int-width header.schema.fields[1]" + type),
                found(Limits.DEFAULT.withDepth(2), schema));
    }

    @Test
    void schemaEndsAtItsLimits() {
        FbsValue.Table wrong = integer("x", 7);
        assertEquals(
                List.of("too-many-fields header.schema.fields[2]"),
                found(Limits.DEFAULT.withFields(2), schema(INT8, UTF8, wrong, wrong)));
        Limits small = Limits.DEFAULT.withUnfoldedBytes(600);
        assertEquals(
                List.of("schema-too-large header.schema.fields[2]"),
                found(small, schema(INT8, UTF8, wrong, wrong)));
        FbsValue.Table pair = table("KeyValue", "key", "k", "value", "v");
        assertEquals(
                List.of("schema-too-large header.schema"),
                found(small, with(schema(INT8), "custom_metadata", Collections.nCopies(12, pair))));
    }

    // ---- order of messages

    @Test
    void batchBeforeItsSchemaIsVerifiedAlone() {
        List<String> found = new ArrayList<>();
        var meaning = new SemanticVerifier(Checks.STRICT, each -> found.add(each.rule().id()));
        meaning.message(bound(bytes(message(batch(List.of(pair(-1, 0)), List.of()), 0))));
        assertEquals(List.of("negative-length"), found);
    }

    /// The first schema of a file without a footer is that of its batches.
    @Test
    void fileBeginsWithoutTheSchemaOfTheStreamBefore() {
        List<String> found = new ArrayList<>();
        var meaning = new SemanticVerifier(Checks.STRICT, each -> found.add(each.rule().id()));
        meaning.message(bound(bytes(message(schema(UTF8), 0))));
        meaning.beginFile();
        meaning.block(bound(bytes(message(schema(INT8), 0))), 0);
        byte[] rows =
                bytes(message(batch(List.of(pair(3, 0)), List.of(pair(0, 0), pair(0, 3))), 8));
        meaning.block(bound(rows), 0);
        assertEquals(List.of(), found);
        meaning.block(bound(bytes(message(schema(UTF8), 0))), 0);
        meaning.block(bound(rows), 0);
        assertEquals(List.of(), found);
    }

    /// Nothing needs to be behind the body.
    @Test
    void prefixesAreVerifiedInABodyAtTheEndOfItsMemory() {
        String input = "stream marker - <i:Int(bitWidth=8)> | batch lz4 1 [1] [- i8(1)]";
        byte[] whole = CaseFile.input(input + " => 1.header.buffers[1].length = 8");
        MemorySegment bytes = MemorySegment.ofArray(whole);
        List<String> found = new ArrayList<>();
        var meaning = new SemanticVerifier(Checks.STRICT, each -> found.add(each.rule().id()));
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        frame.wrap(bytes, 0, message);
        meaning.message(message);
        frame.wrap(bytes, frame.nextOffset(), message);
        assertEquals(bytes.byteSize(), frame.bodyOffset() + frame.bodyLength());
        meaning.message(message, ContainerPart.NO_BLOCK, bytes, frame.bodyOffset());
        assertEquals("uncompressed-length", found.getFirst());
    }

    /// A batch behind it is not compared with the schema before.
    @Test
    void invalidSchemaReplacesTheOneBefore() {
        String before =
                "<text:Utf8{dictionary=DictionaryEncoding(id=3)}> | dictionary 3 1 [1] [- i32(0 1)"
                        + " \"a\"]";
        byte[] first = CaseFile.input("stream " + before + " | batch 1 [1] [- i32(0)]");
        byte[] second = CaseFile.input("stream <i:Int(bitWidth=7)>");
        List<String> found = new ArrayList<>();
        var meaning = new SemanticVerifier(Checks.STRICT, each -> found.add(each.rule().id()));
        List<Message> messages = messages(first);
        meaning.message(messages.get(0));
        meaning.message(messages.get(1));
        meaning.message(messages(second).getFirst());
        meaning.message(messages.get(2));
        assertEquals(List.of("int-width"), found);
    }

    private static List<Message> messages(byte[] stream) {
        List<Message> messages = new ArrayList<>();
        EncapsulatedMessage frame = new EncapsulatedMessage();
        MemorySegment bytes = MemorySegment.ofArray(stream);
        Message message = new Message();
        for (long at = 0;
                frame.wrap(bytes, at, message) == FrameKind.MESSAGE;
                at = frame.nextOffset()) {
            messages.add(message);
            message = new Message();
        }
        return messages;
    }
}
