// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.V5_VALUE;
import static dev.fletch.verify.messages.Meant.batch;
import static dev.fletch.verify.messages.Meant.bound;
import static dev.fletch.verify.messages.Meant.bytes;
import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.message;
import static dev.fletch.verify.messages.Meant.pair;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.struct;
import static dev.fletch.verify.messages.Meant.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.format.Footer;
import dev.fletch.testdata.FbsValue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Dictionaries inside the values of others, in any order: what a stream and a file report.
///
/// Column `a` has dictionary 1, whose values have dictionary 2, whose values have dictionary 3.
/// Column `b` has dictionary 4, whose values have dictionary 3 as well.
class NestedDictionariesTest {
    private static final FbsValue.Table TEXT = encoded(UTF8, 3);
    private static final FbsValue.Table SCHEMA =
            schema(encoded(struct(encoded(struct(TEXT), 2)), 1), encoded(struct(TEXT), 4));

    private final List<String> found = new ArrayList<>();
    private final SemanticVerifier meaning = new SemanticVerifier(Checks.STRICT);

    @BeforeEach
    void begin() {
        meaning.collect(
                fault ->
                        found.add(
                                fault.rule().id()
                                        + " "
                                        + fault.details()
                                        + " "
                                        + fault.column()
                                        + " "
                                        + fault.path()),
                10);
        tell(message(SCHEMA, 0));
    }

    private List<String> tell(FbsValue.Table message) {
        found.clear();
        meaning.message(bound(bytes(message)));
        return List.copyOf(found);
    }

    /// Dictionary 3, of text.
    private static FbsValue.Table text(boolean isDelta) {
        FbsValue.Table values =
                batch(List.of(pair(3, 0)), List.of(pair(0, 0), pair(0, 16), pair(16, 8)));
        return dictionary(3, isDelta, values, 24);
    }

    /// A dictionary of structs.
    ///
    /// @param nulls of the encoded field in it, of 3 values
    private static FbsValue.Table structs(int id, boolean isDelta, int nulls) {
        FbsValue.Table values =
                batch(
                        List.of(pair(3, 0), pair(3, nulls)),
                        List.of(pair(0, 0), pair(0, 8), pair(8, 3)));
        return dictionary(id, isDelta, values, 16);
    }

    private static FbsValue.Table dictionary(
            long id, boolean isDelta, FbsValue.Table values, long body) {
        int delta = isDelta ? 1 : 0;
        return message(table("DictionaryBatch", "id", id, "data", values, "isDelta", delta), body);
    }

    /// A record batch.
    ///
    /// @param nullsOfA of 3 values
    private static FbsValue.Table rows(int nullsOfA, int nullsOfB) {
        return message(
                batch(
                        List.of(pair(3, nullsOfA), pair(3, nullsOfB)),
                        List.of(pair(0, 8), pair(8, 3), pair(16, 8), pair(24, 3))),
                32);
    }

    private static String late(int inner, String column) {
        return "dictionary-late dictionary="
                + inner
                + " "
                + column
                + " header.dictionaryBatch.data.nodes[1]";
    }

    private static String undefined(String numbers, int node) {
        return "dictionary-undefined " + numbers + " struct header.recordBatch.nodes[" + node + "]";
    }

    private void assertFinds(FbsValue.Table message, String... faults) {
        assertEquals(Arrays.asList(faults), tell(message));
    }

    // ---- streams

    @Test
    void innerDictionariesFirstHaveNoFault() {
        assertFinds(text(false));
        assertFinds(structs(2, false, 0));
        assertFinds(structs(1, false, 1));
        assertFinds(structs(4, false, 0));
        assertFinds(rows(0, 0));
    }

    @Test
    void outerDictionariesFirstAreDeviations() {
        assertFinds(structs(1, false, 0), late(2, "struct.struct"));
        assertFinds(structs(2, false, 2), late(3, "struct.utf8"));
        assertFinds(rows(3, 3)); // nothing is needed yet
        assertFinds(text(false));
        assertFinds(rows(0, 3));
    }

    @Test
    void recordBatchesThatNeedAnUndefinedDictionaryAreErrors() {
        assertFinds(rows(0, 3), undefined("dictionary=1", 0));
        assertFinds(structs(1, false, 0), late(2, "struct.struct"));
        assertFinds(rows(2, 3), undefined("dictionary=2, neededBy=1", 0));
        assertFinds(structs(2, false, 0), late(3, "struct.utf8"));
        assertFinds(
                rows(0, 0), undefined("dictionary=3, neededBy=1", 0), undefined("dictionary=4", 1));
        assertFinds(text(false));
        assertFinds(rows(0, 3));
    }

    /// The inner dictionary needs another one before the outer one arrives.
    @Test
    void dictionariesNeededThroughOthersMustBeDefined() {
        assertFinds(structs(2, false, 0), late(3, "struct.utf8"));
        assertFinds(structs(1, false, 0));
        assertFinds(rows(0, 3), undefined("dictionary=3, neededBy=1", 0));
        assertFinds(structs(4, false, 3));
        assertFinds(rows(3, 0)); // needs no value of the inner dictionary
        assertFinds(text(false));
        assertFinds(rows(0, 0));
    }

    @Test
    void valuesThatAreAllNullNeedNoDictionary() {
        assertFinds(structs(1, false, 3));
        assertFinds(rows(0, 3));
        assertFinds(structs(1, true, 3));
        assertFinds(rows(0, 3));
        assertFinds(structs(1, true, 2), late(2, "struct.struct"));
        assertFinds(rows(0, 3), undefined("dictionary=2, neededBy=1", 0));
        assertFinds(structs(1, true, 3)); // the earlier delta is still there
        assertFinds(rows(0, 3), undefined("dictionary=2, neededBy=1", 0));
    }

    @Test
    void replacementNeedsOnlyTheDictionariesOfItsOwnValues() {
        assertFinds(structs(1, false, 0), late(2, "struct.struct"));
        assertFinds(rows(0, 3), undefined("dictionary=2, neededBy=1", 0));
        assertFinds(structs(1, false, 3));
        assertFinds(rows(0, 3));
        assertFinds(structs(2, false, 3));
        assertFinds(structs(1, false, 0));
        assertFinds(rows(0, 3));
        assertFinds(structs(2, false, 0), late(3, "struct.utf8"));
        assertFinds(rows(0, 3), undefined("dictionary=3, neededBy=1", 0));
        assertFinds(structs(2, false, 3));
        assertFinds(rows(0, 3));
    }

    /// A batch that could not be read may have been any dictionary.
    @Test
    void skippedMessageMayHaveDefinedAnyDictionary() {
        assertFinds(structs(1, false, 0), late(2, "struct.struct"));
        meaning.skip();
        assertFinds(rows(0, 0));
        assertFinds(structs(2, false, 0));
        assertFinds(structs(4, true, 0));
        assertFinds(rows(0, 0));
        meaning.beginStream();
        tell(message(SCHEMA, 0));
        assertFinds(structs(1, false, 0), late(2, "struct.struct"));
        assertFinds(rows(0, 3), undefined("dictionary=2, neededBy=1", 0));
    }

    // ---- files

    /// Blocks in any order; the footer's schema says what is missing.
    @Test
    void fileNeedsOnlyDictionariesThatRecordBatchesUse() {
        byte[] bytes =
                bytes(
                        table(
                                "Footer",
                                "version",
                                V5_VALUE,
                                "schema",
                                SCHEMA,
                                "dictionaries",
                                List.of(new long[3], new long[3], new long[3])));
        Footer footer = new Footer().wrap(MemorySegment.ofArray(bytes));
        String path = " null schema.fields[0].children[0].children[0].dictionary.id";
        String missing = "dictionary-undefined dictionary=3" + path;
        FbsValue.Table outer = structs(1, false, 0);
        FbsValue.Table middle = structs(2, false, 0);
        assertFile(footer, List.of(), rows(0, 3), outer, middle, text(false));
        assertFile(footer, List.of(), outer, text(true), text(false), middle, rows(0, 3));
        assertFile(footer, List.of(missing), rows(0, 3), outer, middle);
        assertFile(footer, List.of(), rows(3, 3), outer, middle);
        assertFile(footer, List.of(), rows(0, 3), outer, structs(2, false, 3));
        assertFile(
                footer,
                List.of(missing),
                outer,
                rows(0, 3),
                structs(2, true, 0),
                structs(2, false, 3));
    }

    private void assertFile(Footer footer, List<String> faults, FbsValue.Table... blocks) {
        found.clear();
        assertTrue(meaning.footer(footer));
        // A delta of any position is after its dictionary in the footer.
        for (FbsValue.Table each : blocks) {
            boolean isDelta = each.toString().contains("isDelta=Number[value=1]");
            meaning.block(bound(bytes(each)), isDelta ? 2 : 1);
        }
        meaning.endFile(footer);
        assertEquals(faults, found);
    }

    // ---- work

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
        meaning.beginStream();
        tell(message(schema(encoded(struct(children), 1)), 0));
        FbsValue.Table values =
                batch(List.of(pair(3, 0)), List.of(pair(0, 0), pair(0, 16), pair(16, 8)));
        byte[] inner = bytes(dictionary(10, false, values, 24));
        meaning.message(bound(inner));
        byte[] outer = bytes(dictionary(1, false, batch(nodes, buffers), 8));
        meaning.message(bound(outer));
        byte[] rows =
                bytes(message(batch(List.of(pair(3, 0)), List.of(pair(0, 0), pair(0, 3))), 8));
        int errors = 0;
        for (int i = 0; i < 30_000; i++) {
            meaning.message(bound(inner));
            errors += meaning.message(bound(rows)) ? 0 : 1;
        }
        assertEquals((1 << 26) / (fields + 1), errors);
    }
}
