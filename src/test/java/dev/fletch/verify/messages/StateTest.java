// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static dev.fletch.verify.messages.Meant.INT32;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.batch;
import static dev.fletch.verify.messages.Meant.bound;
import static dev.fletch.verify.messages.Meant.bytes;
import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.field;
import static dev.fletch.verify.messages.Meant.integer;
import static dev.fletch.verify.messages.Meant.message;
import static dev.fletch.verify.messages.Meant.pair;
import static dev.fletch.verify.messages.Meant.right;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.struct;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.MeaningRule;
import dev.fletch.format.Footer;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.CompressedBuffer;
import dev.fletch.testdata.FbsValue;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// What a verification of meaning remembers from one call to the next, and what it does not.
class StateTest {
    private static final List<FbsValue.Table> BAD_PAIRS =
            List.of(table("KeyValue", "key", "k"), table("KeyValue", "value", "v"));
    private static final FbsValue.Table ENCODED = message(schema(encoded(UTF8, 7)), 0);
    private static final FbsValue.Table INDEXES =
            message(batch(List.of(pair(3, 0)), List.of(pair(0, 0), pair(0, 3))), 8);
    private static final FbsValue.Table VALUES =
            batch(List.of(pair(3, 0)), List.of(pair(0, 0), pair(0, 16), pair(16, 8)));

    private final SemanticVerifier meaning = new SemanticVerifier();

    private boolean tell(FbsValue.Table message) {
        return meaning.message(bound(bytes(message)));
    }

    private static Footer footer(Object... namesAndValues) {
        return new Footer().wrap(MemorySegment.ofArray(bytes(table("Footer", namesAndValues))));
    }

    private static Schema bare(FbsValue.Table... columns) {
        return new Schema().wrap(MemorySegment.ofArray(bytes(schema(columns))));
    }

    private static FbsValue.Table dictionary(int id, boolean isDelta) {
        FbsValue.Table header =
                table("DictionaryBatch", "id", id, "data", VALUES, "isDelta", isDelta ? 1 : 0);
        return message(header, 24);
    }

    // ---- dictionaries of a schema

    /// What the values of a dictionary have to be is told by its first field, wherever others
    /// stand.
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
        right(message(schema(columns.toArray(FbsValue.Table[]::new)), 0));
        columns.add(encoded(integer("i", 16), 6));
        Meant.caught(
                MeaningRule.DICTIONARY_TYPE,
                "header.schema.fields[120].dictionary.id",
                message(schema(columns.toArray(FbsValue.Table[]::new)), 0));
    }

    /// What an inner dictionary holds is no part of the outer one's type, however deep it goes.
    @Test
    void valuesOfAnInnerDictionaryAreNotPartOfTheOuterType() {
        FbsValue.Table[] columns = new FbsValue.Table[2];
        for (int i = 0; i < 2; i++) {
            columns[i] = encoded(struct(encoded(struct(integer("i", 8 << i)), 1)), 2);
        }
        Meant.caught(
                MeaningRule.DICTIONARY_TYPE,
                "header.schema.fields[1].children[0].dictionary.id",
                message(schema(columns), 0));
    }

    /// Type ids that are left out count up; of too few, the others do.
    @Test
    void absentTypeIdsEqualTheImplicitOnes() {
        FbsValue.Table[] unions = new FbsValue.Table[4];
        Object[] ids = {null, List.of(0, 1), List.of(1, 0), List.of(0)};
        for (int i = 0; i < ids.length; i++) {
            FbsValue.Table type = with(table("Union"), "typeIds", ids[i]);
            unions[i] = encoded(field("u", Type.UNION, type, INT8, UTF8), 3);
        }
        right(message(schema(unions[0], unions[1]), 0));
        FbsValue.Table other = message(schema(unions[0], unions[2]), 0);
        Meant.caught(MeaningRule.DICTIONARY_TYPE, "header.schema.fields[1].dictionary.id", other);
        FbsValue.Table few = message(schema(unions[0], unions[3]), 0);
        Meant.caught(MeaningRule.UNION_TYPE_IDS, "header.schema.fields[1].type.typeIds", few);
    }

    /// A schema that is not right leaves nothing of its dictionaries.
    @Test
    void invalidSchemaLeavesNoDictionaries() {
        assertFalse(tell(message(schema(encoded(UTF8, 7), integer("x", 3)), 0)));
        meaning.beginStream();
        assertTrue(tell(message(schema(encoded(INT8, 8), encoded(INT32, 7)), 0)));
        meaning.beginStream();
        assertTrue(tell(ENCODED));
        assertTrue(tell(dictionary(7, false)));
        meaning.beginStream();
        assertTrue(tell(ENCODED));
        assertFalse(tell(INDEXES));
        assertEquals(MeaningRule.DICTIONARY_UNDEFINED, meaning.fault().rule());
    }

    // ---- messages that cannot be read

    /// A message of another version, or without a header, may have been any dictionary.
    @Test
    void unreadableMessageMayHaveDefinedADictionary() {
        for (Object[] change :
                new Object[][] {{"version", 9}, {"header", null}, {"header_type", 0}}) {
            FbsValue.Table odd = dictionary(7, false);
            odd = with(odd, change);
            if (change[0].equals("header_type")) {
                odd = with(odd, "header", null);
            }
            meaning.beginStream();
            assertTrue(tell(ENCODED));
            assertFalse(tell(INDEXES));
            assertFalse(tell(odd));
            assertTrue(tell(INDEXES), () -> "" + meaning.fault());
            assertTrue(tell(dictionary(7, true)), () -> "" + meaning.fault());
        }
    }

    @Test
    void skippedBlockMayHaveDefinedADictionary() {
        Footer footer =
                footer(
                        "schema",
                        schema(encoded(UTF8, 7)),
                        "dictionaries",
                        List.of(new long[] {8, 16, 24}));
        for (boolean gap : new boolean[] {false, true}) {
            assertTrue(meaning.footer(footer));
            assertTrue(meaning.block(bound(bytes(dictionary(7, true))), 0));
            if (gap) {
                meaning.skip();
            }
            assertEquals(gap, meaning.endFile(footer));
        }
    }

    /// Streams and schemas that are not right have no end to be looked at.
    @Test
    void endOfFileIsNotCheckedAfterAnInvalidSchema() {
        Footer footer = footer("schema", schema(encoded(UTF8, 7)));
        assertTrue(tell(ENCODED));
        assertFalse(tell(INDEXES));
        assertTrue(meaning.endFile(footer));
        assertFalse(meaning.footer(footer("schema", schema(encoded(UTF8, 7), integer("x", 7)))));
        assertTrue(meaning.endFile(footer));
        assertNull(meaning.fault());
    }

    // ---- heads

    private List<String> found(Runnable verifying) {
        List<String> found = new ArrayList<>();
        meaning.collect(fault -> found.add(fault.rule().id() + " " + fault.path()), 20);
        verifying.run();
        return found;
    }

    private static final List<String> OF_PAIRS =
            List.of("no-value customMetadata[0].value", "no-key customMetadata[1].key");

    @Test
    void faultsOfAMessageHeadComeBeforeThoseOfItsSchema() {
        FbsValue.Table odd =
                with(message(schema(integer("x", 7)), -8), "custom_metadata", BAD_PAIRS);
        List<String> faults = new ArrayList<>(List.of("negative-body-length bodyLength"));
        faults.addAll(OF_PAIRS);
        faults.add("int-width header.schema.fields[0].type.bitWidth");
        assertEquals(faults, found(() -> tell(odd)));
    }

    @Test
    void faultsOfAFooterHeadComeBeforeThoseOfItsSchema() {
        Footer footer =
                footer(
                        "version",
                        9,
                        "custom_metadata",
                        BAD_PAIRS,
                        "schema",
                        schema(integer("x", 7)));
        List<String> faults = new ArrayList<>(List.of("unsupported-version version"));
        faults.addAll(OF_PAIRS);
        faults.add("int-width schema.fields[0].type.bitWidth");
        assertEquals(faults, found(() -> meaning.footer(footer)));
    }

    /// Tensors stand alone, before any schema.
    @Test
    void tensorsNeedNoSchema() {
        FbsValue.Table tensor =
                message(
                        table(
                                "Tensor",
                                "type_type",
                                Type.INT,
                                "type",
                                table("Int", "bitWidth", 8),
                                "shape",
                                List.of(table("TensorDim", "size", 1)),
                                "data",
                                new long[] {0, 1}),
                        8);
        right(tensor, tensor);
        Meant.caught(MeaningRule.HEADER_KIND, "headerType", message(schema(INT8), 0), tensor);
    }

    // ---- schemas

    @Test
    void bareSchemaBeginsAStream() {
        assertTrue(meaning.footer(footer("schema", schema(encoded(UTF8, 7)))));
        assertFalse(meaning.schema(bare(integer("x", 7))));
        assertEquals("fields[0].type.bitWidth", meaning.fault().path());
        assertTrue(meaning.schema(bare(encoded(UTF8, 7))));
        assertFalse(tell(INDEXES)); // in a file the dictionary might follow
        assertTrue(tell(dictionary(7, false)));
        assertTrue(tell(INDEXES));
    }

    /// What stands in front of a file is verified by itself: batches are held against the footer's.
    @Test
    void batchesOfAFileFollowTheSchemaOfTheFooter() {
        assertTrue(meaning.footer(footer("schema", schema(INT32))));
        for (int round = 0; round < 2; round++) {
            FbsValue.Table odd = message(schema(INT8, integer("x", 7)), 0);
            assertFalse(meaning.block(bound(bytes(odd)), 0));
            assertEquals("header.schema.fields[1].type.bitWidth", meaning.fault().path());
            FbsValue.Table other = message(schema(INT8, INT8, INT8), 0);
            assertTrue(meaning.block(bound(bytes(other)), 0));
            FbsValue.Table batch =
                    message(batch(List.of(pair(3, 0)), List.of(pair(0, 0), pair(0, 12))), 16);
            assertTrue(meaning.block(bound(bytes(batch)), 0));
        }
    }

    /// Without a footer, it is the leading one that batches are held against.
    @Test
    void withoutAFooterBatchesFollowTheLeadingSchema() {
        meaning.beginFile();
        FbsValue.Table schema = message(schema(encoded(UTF8, 7)), 0);
        assertTrue(meaning.block(bound(bytes(schema)), 0));
        assertTrue(meaning.block(bound(bytes(INDEXES)), 0));
        FbsValue.Table two = batch(List.of(pair(3, 0), pair(3, 0)), List.of());
        assertFalse(meaning.block(bound(bytes(message(two, 0))), 0));
        assertEquals(MeaningRule.NODE_COUNT, meaning.fault().rule());
    }

    // ---- batches

    /// The body of a file's block is looked into where it is at hand.
    @Test
    void bodyOfABlockIsCheckedIfGiven() {
        FbsValue.Table batch = batch(List.of(pair(3, 0)), List.of(pair(0, 0), pair(0, 8)));
        byte[] bytes = bytes(message(with(batch, "compression", table("BodyCompression")), 8));
        MemorySegment body = MemorySegment.ofArray(new byte[16]);
        body.set(ValueLayout.JAVA_BYTE, 15, (byte) 0x80);
        assertTrue(meaning.footer(footer("schema", schema(INT8))));
        assertTrue(meaning.block(bound(bytes), 0));
        assertTrue(meaning.message(bound(bytes), 0, body, 0));
        assertFalse(meaning.message(bound(bytes), 0, body, 8));
        assertEquals(MeaningRule.UNCOMPRESSED_LENGTH, meaning.fault().rule());
    }

    /// A column that is not encoded needs no dictionary beside one that is and has no values.
    @Test
    void plainColumnNeedsNoDictionary() {
        List<long[]> buffers = List.of(pair(0, 0), pair(0, 3), pair(8, 1), pair(16, 3));
        right(
                message(schema(INT8, encoded(UTF8, 7)), 0),
                message(batch(List.of(pair(3, 0), pair(3, 3)), buffers), 24));
    }

    /// Of nodes and buffers that belong to a field, faults name its column.
    @Test
    void nodesAndBuffersOfNoFieldAreChecked() {
        SemanticVerifier few = new SemanticVerifier(Checks.ARROW_CPP);
        assertTrue(few.message(bound(bytes(message(schema(INT8, struct(INT32)), 0)))));
        List<String> found = new ArrayList<>();
        few.collect(fault -> found.add(fault.rule().id() + " " + fault.column()), 100);
        List<long[]> nodes = List.of(pair(3, 4), pair(3, 0), pair(4, -1), pair(4, 5), pair(-1, 0));
        List<long[]> buffers =
                List.of(
                        pair(-8, 1),
                        pair(0, 0),
                        pair(0, -1),
                        pair(0, 0),
                        pair(0, 65),
                        pair(0, -1),
                        pair(12, 0),
                        pair(-8, 1),
                        pair(4, 1));
        assertFalse(few.message(bound(bytes(message(batch(nodes, buffers), 64)))));
        assertEquals(
                List.of(
                        "null-count-range int8",
                        "null-count-range struct.int32",
                        "null-count-range null",
                        "negative-length null",
                        "negative-buffer-offset int8",
                        "negative-buffer-length struct",
                        "buffer-out-of-body struct.int32",
                        "negative-buffer-length null",
                        "negative-buffer-offset null",
                        "buffer-unaligned null"),
                found);
    }

    /// Without a schema there is nothing to hold nodes and buffers against but themselves.
    @Test
    void batchWithoutASchemaIsCheckedByItsOwnNumbers() {
        FbsValue.Table bad =
                batch(
                        List.of(pair(3, 4), pair(-1, 0), pair(2, 3)),
                        List.of(pair(0, 0), pair(0, -1), pair(8, 0), pair(-8, 0), pair(4, 1)));
        String of = " header.recordBatch.";
        assertEquals(
                List.of(
                        "header-kind headerType",
                        "null-count-range" + of + "nodes[0].nullCount",
                        "negative-length" + of + "nodes[1].length",
                        "null-count-range" + of + "nodes[2].nullCount",
                        "negative-buffer-length" + of + "buffers[1].length",
                        "negative-buffer-offset" + of + "buffers[3].offset",
                        "buffer-unaligned" + of + "buffers[4].offset"),
                found(() -> tell(message(bad, 64))));
    }

    /// The second fault of the first batch is over the limit, and has two numbers.
    @Test
    void numbersOfAnUnreportedFaultDoNotAppearInLaterFaults() {
        List<long[]> nodes = List.of(pair(3, 0), pair(3, 0));
        List<long[]> small = List.of(pair(0, 0), pair(0, 8), pair(0, 0), pair(8, 8));
        List<long[]> empty = Collections.nCopies(4, pair(0, 0));
        List<String> details = new ArrayList<>();
        meaning.collect(fault -> details.add(fault.rule().id() + " " + fault.details()), 1);
        assertTrue(tell(message(schema(INT32, INT32), 0)));
        assertFalse(tell(message(batch(nodes, small), 16)));
        assertEquals(2, meaning.faultCount());
        List<long[]> negative = List.of(pair(-1, 0), pair(3, 0));
        assertFalse(tell(message(batch(negative, empty), 0)));
        assertEquals(List.of("data-size value=8, needed=12", "negative-length value=-1"), details);
    }

    @Test
    void unknownCodecsAndLargestBuffersHaveNoLimit() {
        assertEquals(Long.MAX_VALUE, CompressedBuffer.limit(2, 8));
        assertEquals(Long.MAX_VALUE, CompressedBuffer.limit(1, Long.MAX_VALUE));
    }

    // ---- places of messages

    @Test
    void onlyTheFirstMessageIsASchema() {
        FbsValue.Table schema = message(schema(INT32), 0);
        Meant.caught(MeaningRule.HEADER_KIND, "headerType", schema, schema).at(1);
        Meant.caught(MeaningRule.HEADER_KIND, "headerType", INDEXES).at(1);
        Meant.caught(MeaningRule.HEADER_KIND, "headerType", dictionary(7, false)).at(1);
    }

    private boolean block(FbsValue.Table message, int index) {
        return meaning.block(bound(bytes(message)), index);
    }

    /// Blocks come in any order; what is missing in the end is told in the footer's terms.
    @Test
    void blocksOfAFileAreAcceptedInAnyOrder() {
        List<long[]> blocks = Collections.nCopies(3, new long[] {8, 16, 24});
        FbsValue.Table table =
                table("Footer", "schema", schema(INT8, encoded(UTF8, 7)), "dictionaries", blocks);
        Footer footer = new Footer().wrap(MemorySegment.ofArray(bytes(table)));
        FbsValue.Table batch =
                message(
                        batch(
                                List.of(pair(3, 0), pair(3, 0)),
                                List.of(pair(0, 0), pair(0, 3), pair(8, 0), pair(8, 3))),
                        16);
        assertTrue(meaning.footer(footer));
        assertTrue(meaning.endFile(footer));
        for (int index : new int[] {0, 16, 1024}) {
            assertTrue(block(batch, index));
        }
        assertFalse(meaning.endFile(footer));
        assertEquals(MeaningRule.DICTIONARY_UNDEFINED, meaning.fault().rule());
        assertEquals("schema.fields[1].dictionary.id", meaning.fault().path());
        Meant.of(meaning.fault(), bytes(table)).at(8);
        assertTrue(block(dictionary(7, false), 1));
        assertTrue(meaning.endFile(footer));
        assertTrue(block(dictionary(7, true), 0));
        assertFalse(meaning.endFile(footer));
        assertEquals(MeaningRule.DELTA_WITHOUT_DICTIONARY, meaning.fault().rule());
        assertEquals("dictionaries[0]", meaning.fault().path());
    }

    /// Such a delta has no block in the footer that could be named.
    @Test
    void deltaBehindTheBlocksOfTheFooterIsNotReported() {
        Footer footer = footer("schema", schema(encoded(UTF8, 7)));
        assertTrue(meaning.footer(footer));
        assertTrue(block(dictionary(7, true), 0));
        assertTrue(meaning.endFile(footer));
    }
}
