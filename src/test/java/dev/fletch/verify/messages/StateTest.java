// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.MeaningRule;
import dev.fletch.corpus.CaseFile;
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
        meaning.beginInOrder(false);
        assertFalse(verify(schema(columns.toArray(FbsValue.Table[]::new)), 0));
        assertEquals(MeaningRule.DICTIONARY_TYPE, first.fault().rule());
        assertEquals("header.schema.fields[120].dictionary.id", first.fault().path());
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

    // ---- order of messages

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
}
