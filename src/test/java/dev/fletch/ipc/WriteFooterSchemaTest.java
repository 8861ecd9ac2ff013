// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.FieldEdit;
import dev.fletch.format.write.FieldListEdit;
import dev.fletch.format.write.KeyValueEdit;
import dev.fletch.format.write.MetadataEdit;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;

import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.SeekableReadChannel;
import org.apache.arrow.vector.util.ByteArrayReadableSeekableByteChannel;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The footer of a written file has the schema of its first message, with the same custom metadata: read with
/// the generated classes, and with arrow-java's readers of files and of streams.
class WriteFooterSchemaTest {
    /// Changes to the custom metadata of a schema and of its fields.
    private static List<MetadataEdit> edits() {
        KeyValueEdit dropped = new KeyValueEdit().drop();
        KeyValueEdit empty = new KeyValueEdit().removeAll();
        KeyValueEdit one = new KeyValueEdit().removeAll().put("origin", "station 7");
        KeyValueEdit other = new KeyValueEdit().removeAll().put("origin", "station 8");
        KeyValueEdit several =
                new KeyValueEdit()
                        .removeAll()
                        .add("a", "1")
                        .add("a", "2")
                        .add("", "")
                        .add("é", "x");
        List<MetadataEdit> edits = new ArrayList<>();
        for (KeyValueEdit ofSchema : List.of(dropped, empty, one, other, several)) {
            for (KeyValueEdit ofFields : List.of(dropped, one, other)) {
                edits.add(new MetadataEdit().schemaMetadata(ofSchema).fieldMetadata(ofFields));
            }
        }
        return edits;
    }

    private static MemorySegment schema(MemorySegment of, EmissionOrder order, MetadataEdit edit) {
        FlatBufferWriter buffer = new FlatBufferWriter(order.dialect());
        new MetadataWriter(order, buffer.reset()).message(new Message().wrap(of), edit);
        return MemorySegment.ofArray(buffer.toByteArray());
    }

    /// @param like null for the plain footer
    private static byte[] file(MemorySegment schema, EmissionOrder order, Footer like)
            throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        MessageWriter writer = MessageWriter.of(ArrowContainer.FILE, out).footerOrder(order);
        writer.write(schema);
        if (like == null) {
            writer.finish();
        } else {
            writer.finish(like);
        }
        return out.toByteArray();
    }

    private static Footer footer(byte[] file) {
        return ArrowFile.of(MemorySegment.ofArray(file)).footer();
    }

    private static List<String> pairs(org.apache.arrow.flatbuf.Schema schema) {
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < schema.customMetadataLength(); i++) {
            KeyValue each = schema.customMetadata(i);
            pairs.add(each.key() + "=" + each.value());
        }
        return pairs;
    }

    private static void assertSameSchemas(byte[] file) throws IOException {
        OracleFile listing = OracleListing.list(file);
        var ofMessage = listing.messages().getFirst().schema();
        var ofFooter = listing.footer().footer().schema();
        assertEquals(pairs(ofMessage), pairs(ofFooter));
        assertEquals(
                org.apache.arrow.vector.types.pojo.Schema.convertSchema(ofMessage),
                org.apache.arrow.vector.types.pojo.Schema.convertSchema(ofFooter));
        byte[] stream = Arrays.copyOfRange(file, FileHead.USUAL_BYTES, file.length);
        try (RootAllocator allocator = new RootAllocator();
                ArrowFileReader ofFile =
                        new ArrowFileReader(
                                new SeekableReadChannel(
                                        new ByteArrayReadableSeekableByteChannel(file)),
                                allocator);
                ArrowStreamReader ofStream =
                        new ArrowStreamReader(new ByteArrayInputStream(stream), allocator)) {
            var fromFooter = ofFile.getVectorSchemaRoot().getSchema();
            var fromMessage = ofStream.getVectorSchemaRoot().getSchema();
            assertEquals(fromMessage, fromFooter);
            assertEquals(fromMessage.getCustomMetadata(), fromFooter.getCustomMetadata());
        }
    }

    @Test
    void footerHasTheMetadataOfTheSchemaMessageInAllOrders() throws IOException {
        MemorySegment plain = WrittenMessages.schema(5, -1);
        int files = 0;
        for (EmissionOrder ofMessage : EmissionOrder.values()) {
            for (EmissionOrder ofFooter : EmissionOrder.values()) {
                for (MetadataEdit edit : edits()) {
                    assertSameSchemas(file(schema(plain, ofMessage, edit), ofFooter, null));
                    files++;
                }
            }
        }
        System.out.printf("Schemas in both places: %d files%n", files);
    }

    /// The copied footer's schema may have other metadata. Its own pairs and its version are kept.
    @Test
    void copiedFooterGetsTheMetadataOfTheSchemaMessage() throws IOException {
        MemorySegment plain = WrittenMessages.schema(5, -1);
        int files = 0;
        for (MetadataEdit other : edits()) {
            for (EmissionOrder order : EmissionOrder.values()) {
                Footer source = footer(file(schema(plain, order, other), order, null));
                FlatBufferWriter buffer = new FlatBufferWriter(order.dialect());
                KeyValueEdit own = new KeyValueEdit().put("of", "the file");
                MetadataEdit edit = new MetadataEdit().customMetadata(own);
                new MetadataWriter(order, buffer.reset()).footer(source, edit);
                Footer like = new Footer().wrap(buffer.segment());
                for (MetadataEdit each : edits()) {
                    byte[] written = file(schema(plain, order, each), order, like);
                    assertSameSchemas(written);
                    var found = OracleListing.list(written).footer().footer();
                    assertEquals(1, found.customMetadataLength());
                    assertEquals("the file", found.customMetadata(0).value());
                    assertEquals(like.version(), found.version());
                    files++;
                }
            }
        }
        System.out.printf("Schemas in both places: %d files with a copied footer%n", files);
    }

    /// Other differences than custom metadata are refused, also in fields of fields.
    @Test
    void copiedFooterOfAnotherSchemaIsRefused() throws IOException {
        MemorySegment plain = WrittenMessages.schema(5, -1);
        MetadataEdit renamed =
                new MetadataEdit()
                        .fields(
                                new FieldListEdit()
                                        .keep(0)
                                        .keep(1, new FieldEdit().name("renamed")));
        Footer other =
                footer(
                        file(
                                schema(plain, EmissionOrder.FLATC, renamed),
                                EmissionOrder.FLATC,
                                null));
        assertThrows(IllegalArgumentException.class, () -> file(plain, EmissionOrder.FLATC, other));
    }

    @Test
    void filesOfArrowJavaHaveTheSameSchemaInBothPlacesWhenWrittenAgain() throws IOException {
        int files = 0;
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            if (!each.hasFile()) {
                continue;
            }
            ArrowFile source = ArrowFile.of(MemorySegment.ofArray(each.file()));
            for (Footer like : new Footer[] {null, source.footer()}) {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                MessageWriter writer = MessageWriter.of(ArrowContainer.FILE, out);
                EncapsulatedMessage frame = new EncapsulatedMessage();
                for (int i = 0; i < source.messageCount(); i++) {
                    source.message(i, frame, new Message());
                    writer.copy(source.memory(), frame);
                }
                if (like == null) {
                    writer.finish();
                } else {
                    writer.finish(like);
                }
                OracleFile listing = OracleListing.list(out.toByteArray());
                assertEquals(
                        pairs(listing.messages().getFirst().schema()),
                        pairs(listing.footer().footer().schema()),
                        each.toString());
                files++;
            }
        }
        System.out.printf("Schemas in both places: %d files of arrow-vector%n", files);
    }
}
