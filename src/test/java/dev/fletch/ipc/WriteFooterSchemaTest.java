// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.ipc.internal.FileHead;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.Metadata;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;

import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The footer of a written file has the schema of its first message, with the same custom metadata:
/// read with the generated classes, and with arrow-java's readers of files and of streams.
class WriteFooterSchemaTest {
    private static final List<Metadata> METADATA =
            List.of(
                    Metadata.EMPTY,
                    Metadata.of("origin", "station 7"),
                    Metadata.of("origin", "station 8"),
                    Metadata.of("a", "1", "a", "2", "", "", "é", "x"));

    /// A schema with other custom metadata of its own and of its fields.
    private static List<ArrowSchema> variants() {
        Schema plain = new Schema();
        new Message().wrap(WrittenMessages.schema(5, -1)).header(plain);
        ArrowSchema schema = ArrowSchema.of(plain);
        List<ArrowSchema> variants = new ArrayList<>();
        for (Metadata ofSchema : METADATA) {
            for (Metadata ofFields : METADATA) {
                variants.add(
                        schema.withMetadata(ofSchema)
                                .withFields(withMetadata(schema.fields(), ofFields)));
            }
        }
        return variants;
    }

    private static List<ArrowField> withMetadata(List<ArrowField> fields, Metadata metadata) {
        return fields.stream()
                .map(
                        each ->
                                each.withMetadata(metadata)
                                        .withChildren(withMetadata(each.children(), metadata)))
                .toList();
    }

    /// @param like null for the plain footer
    private static byte[] file(MemorySegment schema, Footer like) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        MessageWriter writer = MessageWriter.of(ArrowContainer.FILE, out);
        writer.write(schema);
        if (like == null) {
            writer.finish();
        } else {
            writer.finish(like);
        }
        return out.toByteArray();
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
                ArrowReader ofFile = ArrowVectorReading.reader(file, allocator);
                ArrowReader ofStream = ArrowVectorReading.reader(stream, allocator)) {
            var fromFooter = ofFile.getVectorSchemaRoot().getSchema();
            var fromMessage = ofStream.getVectorSchemaRoot().getSchema();
            assertEquals(fromMessage, fromFooter);
            assertEquals(fromMessage.getCustomMetadata(), fromFooter.getCustomMetadata());
        }
    }

    @Test
    void footerHasTheMetadataOfTheSchemaMessageInAllOrders() throws IOException {
        int files = 0;
        for (EmissionOrder order : EmissionOrder.values()) {
            for (ArrowSchema schema : variants()) {
                assertSameSchemas(file(schema.toMessage(order), null));
                files++;
            }
        }
        System.out.printf("Schemas in both places: %d files%n", files);
    }

    /// The copied footer's schema may have other metadata. Its own pairs and its version are kept.
    @Test
    void copiedFooterGetsTheMetadataOfTheSchemaMessage() throws IOException {
        int files = 0;
        for (ArrowSchema other : variants()) {
            for (EmissionOrder order : EmissionOrder.values()) {
                byte[] bytes = KnownInputs.footer(other, order, 0, "of", "the file");
                Footer like = new Footer().wrap(MemorySegment.ofArray(bytes));
                for (ArrowSchema each : variants()) {
                    byte[] written = file(each.toMessage(order), like);
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

    private static List<ArrowField> withName(List<ArrowField> fields, String name) {
        return fields.stream().map(each -> each.withName(name)).toList();
    }

    /// Other differences than custom metadata are refused, also in fields of fields.
    @Test
    void copiedFooterOfAnotherSchemaIsRefused() throws IOException {
        MemorySegment plain = WrittenMessages.schema(5, -1);
        ArrowSchema known = variants().getFirst();
        List<ArrowField> fields = new ArrayList<>(known.fields());
        fields.set(1, fields.get(1).withChildren(withName(fields.get(1).children(), "renamed")));
        byte[] renamed = file(known.withFields(fields).toMessage(EmissionOrder.FLATC), null);
        Footer other = ArrowFile.of(MemorySegment.ofArray(renamed)).footer();
        assertThrows(IllegalArgumentException.class, () -> file(plain, other));
    }
}
