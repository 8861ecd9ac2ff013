// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.corpus.CaseFile;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;

import org.apache.arrow.flatbuf.DictionaryBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.stream.Collectors;

/// The order of dictionaries inside the values of others, in what `convert` writes.
///
/// The column has dictionary 1, whose values have dictionary 2, whose values have dictionary 3.
class DictionaryOrderTest {
    private static final String SCHEMA =
            """
            let i8 = Int(bitWidth=8 is_signed=1)
            let d1 = DictionaryEncoding(id=1 indexType=i8)
            let d2 = DictionaryEncoding(id=2 indexType=i8)
            let d3 = DictionaryEncoding(id=3 indexType=i8)
            stream <a:Struct_<b:Struct_<c:Utf8{dictionary=d3}>{dictionary=d2}>{dictionary=d1}>
            """;

    /// A stream of messages: `batch`, or the id of a dictionary, with a plus sign for a delta, or
    /// with 0 for one whose values are all null.
    private static byte[] input(String messages) {
        StringBuilder text = new StringBuilder(SCHEMA);
        for (String each : messages.split(" ")) {
            String kind = each.endsWith("+") ? " | delta " : " | dictionary ";
            String nulls = each.endsWith("0") ? "3" : "0";
            text.append(
                    switch (each) {
                        case "batch" -> " | batch 3 [3] [- zeros(3)]";
                        case "3" -> " | dictionary 3 3 [3] [- zeros(16) -]";
                        default ->
                                kind
                                        + each.charAt(0)
                                        + " 3 [3 3/"
                                        + nulls
                                        + "] [- zeros(8) zeros(3)]";
                    });
        }
        return CaseFile.input(text.toString());
    }

    /// The ids of the dictionaries that are written, deltas with a plus sign, and `batch`.
    private static String written(byte[] input, ArrowContainer to) {
        return OracleListing.list(Converted.of(input, to, false).bytes()).messages().stream()
                .filter(each -> !each.isSchema())
                .map(DictionaryOrderTest::text)
                .collect(Collectors.joining(" "));
    }

    private static String text(OracleMessage of) {
        return of.isDictionaryBatch() ? of.dictionaryId() + (isDelta(of) ? "+" : "") : "batch";
    }

    private static boolean isDelta(OracleMessage of) {
        DictionaryBatch batch = (DictionaryBatch) of.message().header(new DictionaryBatch());
        return batch.isDelta();
    }

    /// Inner dictionaries come first, with their deltas; none moves behind a batch that uses it.
    /// Values of dictionary 1 that are null do not need dictionary 2 before it is defined.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 2 1+ 2+ 3 batch | 3 2 2+ 1 1+ batch | true",
                "3 2 1 batch 1+ batch | 3 2 1 batch 1+ batch | true",
                "10 batch 2 3 batch | 1 batch 3 2 batch | false"
            })
    void innerDictionariesComeFirst(String messages, String expected, boolean hasFile) {
        byte[] input = input(messages);
        assertEquals(expected, written(input, ArrowContainer.STREAM));
        if (hasFile) {
            assertEquals(expected, written(input, ArrowContainer.FILE));
        }
    }

    /// The output is a file, which defines each dictionary once. The fault is that of the message
    /// that defines it again, which is not the first one with this dictionary.
    @Test
    void dictionaryThatIsReplacedIsRefusedForAFileWithItsMessage() {
        byte[] input = input("3 2 1 batch 2 batch");
        FletchException e =
                assertThrows(
                        FletchException.class,
                        () -> Converted.of(input, ArrowContainer.FILE, false));
        assertEquals(MeaningRule.DICTIONARY_REPLACED, e.rule());
        assertEquals(5, e.fault().message());
        OracleMessage again = OracleListing.list(input).messages().get(5);
        long inMetadata = e.offset() - again.metadataOffset();
        assertTrue(inMetadata > 0 && inMetadata < again.metadataLength(), () -> e.getMessage());
        assertEquals("dictionary=2", e.fault().details());
    }
}
