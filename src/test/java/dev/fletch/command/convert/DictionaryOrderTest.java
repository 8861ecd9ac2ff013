// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.convert;

import static dev.fletch.command.SchemaTables.struct;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.bytes;
import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.command.SchemaTables;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.verify.messages.Meant;

import org.apache.arrow.flatbuf.DictionaryBatch;
import org.junit.jupiter.api.Test;

import java.util.List;

/// The order of dictionaries inside the values of others, in what `convert` writes.
///
/// The column has dictionary 1, whose values have dictionary 2, whose values have dictionary 3.
class DictionaryOrderTest {
    private static final int VALUES = 3;

    private static final byte[] SCHEMA =
            SchemaTables.stream(
                    schema(encoded(Meant.struct(encoded(Meant.struct(encoded(UTF8, 3)), 2)), 1)));
    private static final byte[] END = Frames.END;

    private static byte[] message(int kind, FbsValue.Table header, int body) {
        return Frames.join(
                Frames.encapsulated(
                        bytes(
                                table(
                                        "Message",
                                        "version",
                                        MetadataVersion.V5,
                                        "header_type",
                                        kind,
                                        "header",
                                        header,
                                        "bodyLength",
                                        body))),
                new byte[body]);
    }

    private static FbsValue.Table data(List<FbsValue> nodes, List<FbsValue> buffers) {
        return table("RecordBatch", "length", VALUES, "nodes", nodes, "buffers", buffers);
    }

    private static byte[] dictionary(int id, boolean isDelta, FbsValue.Table data, int body) {
        FbsValue.Table header =
                table("DictionaryBatch", "id", id, "data", data, "isDelta", isDelta ? 1 : 0);
        return message(MessageHeader.DICTIONARY_BATCH, header, body);
    }

    /// A dictionary of structs with one encoded field.
    ///
    /// @param nulls of that field
    private static byte[] structs(int id, boolean isDelta, int nulls) {
        List<FbsValue> nodes = List.of(struct(VALUES, 0), struct(VALUES, nulls));
        List<FbsValue> buffers = List.of(struct(0, 0), struct(0, 8), struct(8, VALUES));
        return dictionary(id, isDelta, data(nodes, buffers), 16);
    }

    private static byte[] texts() {
        List<FbsValue> buffers = List.of(struct(0, 0), struct(0, 16), struct(16, 0));
        return dictionary(3, false, data(List.of(struct(VALUES, 0)), buffers), 16);
    }

    private static byte[] batch() {
        List<FbsValue> buffers = List.of(struct(0, 0), struct(0, VALUES));
        return message(MessageHeader.RECORD_BATCH, data(List.of(struct(VALUES, 0)), buffers), 8);
    }

    /// The ids of the dictionaries that are written, deltas with a plus sign, and `batch`.
    private static List<String> written(ArrowContainer to, byte[]... messages) {
        byte[] input = Frames.join(SCHEMA, Frames.join(messages), END);
        return OracleListing.list(Converted.of(input, to, false).bytes()).messages().stream()
                .filter(each -> !each.isSchema())
                .map(DictionaryOrderTest::text)
                .toList();
    }

    private static String text(OracleMessage of) {
        return of.isDictionaryBatch() ? of.dictionaryId() + (isDelta(of) ? "+" : "") : "batch";
    }

    private static boolean isDelta(OracleMessage of) {
        DictionaryBatch batch = (DictionaryBatch) of.message().header(new DictionaryBatch());
        return batch.isDelta();
    }

    @Test
    void innerDictionariesComeFirstWithTheirDeltas() {
        for (ArrowContainer to : ArrowContainer.values()) {
            assertEquals(
                    List.of("3", "2", "2+", "1", "1+", "batch"),
                    written(
                            to,
                            structs(1, false, 0),
                            structs(2, false, 0),
                            structs(1, true, 0),
                            structs(2, true, 0),
                            texts(),
                            batch()));
        }
    }

    @Test
    void orderedDictionariesKeepTheirOrder() {
        for (ArrowContainer to : ArrowContainer.values()) {
            assertEquals(
                    List.of("3", "2", "1", "batch", "1+", "batch"),
                    written(
                            to,
                            texts(),
                            structs(2, false, 0),
                            structs(1, false, 0),
                            batch(),
                            structs(1, true, 0),
                            batch()));
        }
    }

    /// The values of dictionary 1 do not need dictionary 2 before it is defined: they are null
    /// there.
    @Test
    void noDictionaryMovesBehindABatchThatUsesIt() {
        assertEquals(
                List.of("1", "batch", "3", "2", "batch"),
                written(
                        ArrowContainer.STREAM,
                        structs(1, false, VALUES),
                        batch(),
                        structs(2, false, 0),
                        texts(),
                        batch()));
    }

    /// The output is a file, which defines each dictionary once. The fault is that of the message that
    /// defines it again, which is not the first one with this dictionary.
    @Test
    void dictionaryThatIsReplacedIsRefusedForAFileWithItsMessage() {
        byte[][] messages = {
            texts(),
            structs(2, false, 0),
            structs(1, false, 0),
            batch(),
            structs(2, false, 0),
            batch()
        };
        byte[] input = Frames.join(SCHEMA, Frames.join(messages), END);
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
