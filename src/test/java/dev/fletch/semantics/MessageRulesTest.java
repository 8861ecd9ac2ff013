// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static dev.fletch.semantics.Meant.INT32;
import static dev.fletch.semantics.Meant.INT8;
import static dev.fletch.semantics.Meant.UTF8;
import static dev.fletch.semantics.Meant.V5_VALUE;
import static dev.fletch.semantics.Meant.batch;
import static dev.fletch.semantics.Meant.bound;
import static dev.fletch.semantics.Meant.bytes;
import static dev.fletch.semantics.Meant.caught;
import static dev.fletch.semantics.Meant.encoded;
import static dev.fletch.semantics.Meant.message;
import static dev.fletch.semantics.Meant.pair;
import static dev.fletch.semantics.Meant.right;
import static dev.fletch.semantics.Meant.schema;
import static dev.fletch.semantics.Meant.struct;
import static dev.fletch.semantics.Meant.table;
import static dev.fletch.semantics.Meant.with;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Limits;
import dev.fletch.format.Footer;
import dev.fletch.format.FormatRules;
import dev.fletch.format.Message;
import dev.fletch.layout.Hostile;
import dev.fletch.layout.LayoutRules;
import dev.fletch.testdata.FbsValue;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// One test for each rule of messages, schemas as wholes, footers, and dictionaries from one
/// message to the next, named as the rule's code.
class MessageRulesTest {
    private static final FbsValue.Table SCHEMA = message(schema(INT32), 0);
    private static final FbsValue.Table BATCH =
            batch(List.of(pair(3, 0)), List.of(pair(0, 0), pair(0, 12)));
    private static final FbsValue.Table ENCODED = message(schema(encoded(UTF8, 7)), 0);
    private static final FbsValue.Table VALUES =
            batch(List.of(pair(3, 0)), List.of(pair(0, 0), pair(0, 16), pair(16, 8)));
    private static final FbsValue.Table INDEXES =
            message(batch(List.of(pair(3, 0)), List.of(pair(0, 0), pair(0, 3))), 8);

    private static FbsValue.Table dictionary(long id, int isDelta) {
        FbsValue.Table header =
                table("DictionaryBatch", "id", id, "data", VALUES, "isDelta", isDelta);
        return message(header, 24);
    }

    // ---- messages

    @Test
    void unsupportedVersion() {
        for (int version : new int[] {0, 2, 5, -1}) {
            var found =
                    caught(
                            FormatRules.UNSUPPORTED_VERSION,
                            "version",
                            with(SCHEMA, "version", version));
            if (version != 0) {
                found.at(2);
            }
        }
        right(with(SCHEMA, "version", 3));
        Footer footer = footer("version", 5, "schema", schema(INT32));
        SemanticVerifier meaning = new SemanticVerifier();
        assertFalse(meaning.footer(footer));
        assertEquals(FormatRules.UNSUPPORTED_VERSION, meaning.fault().rule());
        assertTrue(meaning.footer(footer("schema", schema(INT32))));
    }

    private static Footer footer(Object... namesAndValues) {
        byte[] bytes = bytes(table("Footer", namesAndValues));
        return new Footer().wrap(MemorySegment.ofArray(bytes));
    }

    @Test
    void noHeader() {
        caught(FormatRules.NO_HEADER, "header", with(SCHEMA, "header", null));
        caught(FormatRules.NO_HEADER, "header", with(SCHEMA, "header", null, "header_type", null));
    }

    @Test
    void unknownHeader() {
        caught(FormatRules.UNKNOWN_HEADER, "headerType", with(SCHEMA, "header_type", 6)).at(1);
    }

    @Test
    void headerKind() {
        caught(FormatRules.HEADER_KIND, "headerType", SCHEMA, SCHEMA).at(1);
        caught(FormatRules.HEADER_KIND, "headerType", message(BATCH, 16)).at(1);
        caught(FormatRules.HEADER_KIND, "headerType", dictionary(7, 0)).at(1);
    }

    /// The index is no kind and no length: it has a meaning only for deltas of dictionaries.
    @Test
    void indexOfABlockDoesNotDetermineItsKind() {
        SemanticVerifier meaning = new SemanticVerifier();
        assertTrue(meaning.footer(footer("version", V5_VALUE, "schema", schema(INT32))));
        Message message = bound(bytes(message(BATCH, 16)));
        for (int index : new int[] {0, 1, 16, 1024}) {
            assertTrue(meaning.block(message, index), meaning.fault()::toString);
        }
    }

    @Test
    void negativeBodyLength() {
        FbsValue.Table empty =
                table("RecordBatch", "length", 0, "nodes", List.of(), "buffers", List.of());
        FbsValue.Table nothing = message(schema(), 0);
        right(nothing, message(empty, 0));
        caught(FormatRules.NEGATIVE_BODY_LENGTH, "bodyLength", nothing, message(empty, -8)).at(8);
    }

    @Test
    void bodyUnaligned() {
        caught(FormatRules.BODY_UNALIGNED, "bodyLength", SCHEMA, message(BATCH, 20)).at(8);
    }

    @Test
    void schemaWithBody() {
        caught(FormatRules.SCHEMA_WITH_BODY, "bodyLength", message(schema(INT32), 8)).at(8);
    }

    @Test
    void footerWithoutSchema() {
        SemanticVerifier meaning = new SemanticVerifier();
        assertFalse(meaning.footer(footer("version", V5_VALUE)));
        assertEquals(FormatRules.FOOTER_WITHOUT_SCHEMA, meaning.fault().rule());
        assertEquals("schema", meaning.fault().path());
    }

    private static final FbsValue.Table PAIR = table("KeyValue", "key", "k", "value", "v");

    @Test
    void noFields() {
        FbsValue.Table none = with(schema(), "fields", null);
        caught(SemanticRules.NO_FIELDS, "header.schema.fields", message(none, 0));
        right(message(schema(), 0));
    }

    @Test
    void noKey() {
        List<FbsValue.Table> pairs = List.of(PAIR, with(PAIR, "key", null));
        caught(
                SemanticRules.NO_KEY,
                "header.schema.fields[1].customMetadata[1].key",
                message(schema(INT8, with(INT8, "custom_metadata", pairs)), 0));
        caught(
                SemanticRules.NO_KEY,
                "header.schema.customMetadata[1].key",
                message(with(schema(INT8), "custom_metadata", pairs), 0));
        caught(
                SemanticRules.NO_KEY,
                "customMetadata[1].key",
                with(SCHEMA, "custom_metadata", pairs));
        SemanticVerifier meaning = new SemanticVerifier();
        assertFalse(meaning.footer(footer("schema", schema(INT32), "custom_metadata", pairs)));
        assertEquals("customMetadata[1].key", meaning.fault().path());
    }

    @Test
    void noValue() {
        List<FbsValue.Table> pairs = List.of(PAIR, with(PAIR, "value", null));
        caught(
                SemanticRules.NO_VALUE,
                "header.schema.fields[0].children[0].customMetadata[1].value",
                message(schema(struct(with(INT8, "custom_metadata", pairs))), 0));
    }

    // ---- schemas

    @Test
    void unknownEndianness() {
        caught(
                        FormatRules.UNKNOWN_ENDIANNESS,
                        "header.schema.endianness",
                        message(with(schema(INT8), "endianness", 2), 0))
                .at(2);
    }

    @Test
    void foreignEndianness() {
        FbsValue.Table big = message(with(schema(INT8), "endianness", 1), 0);
        right(big);
        caught(
                        SemanticOptions.DEFAULT.with(SemanticOptions.Check.LITTLE_ENDIAN, true),
                        SemanticRules.FOREIGN_ENDIANNESS,
                        "header.schema.endianness",
                        big)
                .at(2);
    }

    @Test
    void unknownFeature() {
        FbsValue.Table odd = message(with(schema(INT8), "features", List.of(1, 2, 3)), 0);
        right(SemanticOptions.DEFAULT, odd);
        caught(
                        SemanticOptions.STRICT,
                        SemanticRules.UNKNOWN_FEATURE,
                        "header.schema.features[2]",
                        odd)
                .at(8);
    }

    /// Once for a schema, at its first field of level 65. Its batches are checked all the same.
    @Test
    void nestedDeeply() {
        FbsValue.Table field = struct(INT8, INT8);
        for (int i = 2; i < 64; i++) {
            field = struct(field);
        }
        right(message(schema(field), 0));
        FbsValue.Table deep = message(schema(INT8, struct(field)), 0);
        right(SemanticOptions.DEFAULT, deep);
        SemanticOptions nesting = SemanticOptions.DEFAULT.with(SemanticOptions.Check.NESTING, true);
        caught(
                nesting,
                SemanticRules.NESTED_DEEPLY,
                "header.schema.fields[1]" + ".children[0]".repeat(64),
                deep);
        SemanticVerifier meaning = new SemanticVerifier(nesting);
        List<String> found = new ArrayList<>();
        meaning.collect(fault -> found.add(fault.rule() + " " + fault.value()), 10);
        meaning.message(Meant.bound(Meant.bytes(deep)));
        meaning.message(Meant.bound(Meant.bytes(message(batch(List.of(), List.of()), 0))));
        assertEquals(List.of("nested-deeply 65", "node-count 0", "buffer-count 0"), found);
    }

    @Test
    void schemaTooDeep() {
        FbsValue.Table field = INT8;
        for (int i = 1; i < 4; i++) {
            field = struct(field, INT8);
        }
        SemanticOptions four =
                SemanticOptions.DEFAULT.withLimits(Limits.DEFAULT.withDepth(4).withFields(1 << 20));
        SemanticOptions three =
                SemanticOptions.DEFAULT.withLimits(Limits.DEFAULT.withDepth(3).withFields(1 << 20));
        right(four, message(schema(field), 0));
        FbsValue.Table one = struct(struct(struct(INT8)));
        caught(
                three,
                LayoutRules.SCHEMA_TOO_DEEP,
                "header.schema.fields[0].children[0].children[0].children[0]",
                message(schema(one), 0));
    }

    @Test
    void schemaTooLarge() {
        for (boolean encoded : new boolean[] {false, true}) {
            byte[] bytes = Hostile.doubling(30, encoded);
            SemanticVerifier meaning = new SemanticVerifier();
            Message message = new Message().wrap(MemorySegment.ofArray(bytes));
            assertFalse(meaning.message(message));
            meaning.collect(_ -> {}, 1_000_000);
            meaning.beginStream();
            assertFalse(meaning.message(message));
            assertEquals(FormatRules.SCHEMA_TOO_LARGE, meaning.fault().rule());
        }
    }

    // ---- dictionaries

    @Test
    void unusedDictionary() {
        right(ENCODED, dictionary(7, 0), INDEXES);
        caught(
                        FormatRules.UNUSED_DICTIONARY,
                        "header.dictionaryBatch.id",
                        ENCODED,
                        dictionary(7, 0),
                        dictionary(8, 0))
                .at(8);
    }

    @Test
    void noDictionaryData() {
        caught(
                FormatRules.NO_DICTIONARY_DATA,
                "header.dictionaryBatch.data",
                ENCODED,
                message(table("DictionaryBatch", "id", 7), 0));
    }

    @Test
    void dictionaryUndefined() {
        caught(FormatRules.DICTIONARY_UNDEFINED, "header.recordBatch.nodes[0]", ENCODED, INDEXES);
        // A column that is wholly null may come first.
        FbsValue.Table nulls =
                message(batch(List.of(pair(3, 3)), List.of(pair(0, 1), pair(8, 3))), 16);
        right(ENCODED, nulls, dictionary(7, 0), INDEXES);
    }

    /// Further cases: [NestedDictionariesTest].
    @Test
    void dictionaryLate() {
        FbsValue.Table nested = message(schema(encoded(struct(encoded(UTF8, 7)), 9)), 0);
        FbsValue.Table outer =
                message(
                        table(
                                "DictionaryBatch",
                                "id",
                                9,
                                "data",
                                batch(
                                        List.of(pair(3, 0), pair(3, 0)),
                                        List.of(pair(0, 0), pair(0, 0), pair(0, 3)))),
                        8);
        right(nested, dictionary(7, 0), outer, INDEXES);
        String path = "header.dictionaryBatch.data.nodes[1]";
        Meant.Caught late = caught(SemanticRules.DICTIONARY_LATE, path, nested, outer);
        assertEquals(7, late.value());
    }

    @Test
    void deltaWithoutDictionary() {
        right(ENCODED, dictionary(7, 0), dictionary(7, 1), dictionary(7, 0), INDEXES);
        caught(
                FormatRules.DELTA_WITHOUT_DICTIONARY,
                "header.dictionaryBatch.isDelta",
                ENCODED,
                dictionary(7, 1));
    }

    private static final long[] BLOCK = {8, 16, 24};
    private static final FbsValue.Table FOOTER =
            table("Footer", "schema", schema(INT8, encoded(UTF8, 7)), "dictionaries", blocks(3));
    private static final FbsValue.Table TWO_COLUMNS =
            message(
                    batch(
                            List.of(pair(3, 0), pair(3, 0)),
                            List.of(pair(0, 0), pair(0, 3), pair(8, 0), pair(8, 3))),
                    16);

    private static List<long[]> blocks(int count) {
        return java.util.Collections.nCopies(count, BLOCK);
    }

    private static SemanticVerifier inFile(FbsValue.Table... messages) {
        SemanticVerifier meaning = new SemanticVerifier();
        assertTrue(meaning.footer(new Footer().wrap(MemorySegment.ofArray(bytes(FOOTER)))));
        for (int i = 0; i < messages.length; i++) {
            Message each = bound(bytes(messages[i]));
            assertTrue(meaning.block(each, i), meaning.fault()::toString);
        }
        return meaning;
    }

    private static boolean ends(SemanticVerifier meaning) {
        return meaning.endFile(new Footer().wrap(MemorySegment.ofArray(bytes(FOOTER))));
    }

    @Test
    void dictionaryReplaced() {
        SemanticVerifier meaning = inFile(dictionary(7, 0), dictionary(7, 1), TWO_COLUMNS);
        assertTrue(ends(meaning));
        assertFalse(meaning.block(bound(bytes(dictionary(7, 0))), 2));
        assertEquals(FormatRules.DICTIONARY_REPLACED, meaning.fault().rule());
        assertEquals("header.dictionaryBatch.id", meaning.fault().path());
    }

    /// Blocks come in any order; what is missing in the end is told in the footer's terms.
    @Test
    void blocksOfAFileAreAcceptedInAnyOrder() {
        SemanticVerifier meaning = inFile(TWO_COLUMNS);
        assertFalse(ends(meaning));
        assertEquals(FormatRules.DICTIONARY_UNDEFINED, meaning.fault().rule());
        assertEquals("schema.fields[1].dictionary.id", meaning.fault().path());
        Meant.of(meaning.fault(), bytes(FOOTER)).at(8);
        assertTrue(meaning.block(bound(bytes(dictionary(7, 0))), 1));
        assertTrue(ends(meaning));
        assertTrue(meaning.block(bound(bytes(dictionary(7, 1))), 0));
        assertFalse(ends(meaning));
        assertEquals(FormatRules.DELTA_WITHOUT_DICTIONARY, meaning.fault().rule());
        assertEquals("dictionaries[0]", meaning.fault().path());
        assertFalse(ends(inFile(dictionary(7, 1))));
        assertTrue(ends(inFile()));
    }
}
