// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.flatbuf.write.TargetTooSmallException;
import dev.fletch.format.Block;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.Field;
import dev.fletch.format.Flyweights;
import dev.fletch.format.Footer;
import dev.fletch.format.FullTables;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.SparseTensor;
import dev.fletch.format.Tensor;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.FbsValueWriter;
import dev.fletch.testdata.OracleFile.Flatbuffer;
import dev.fletch.testdata.OracleListing;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/// Messages and footers with changes, and those that are written around a schema.
class RewriteMessagesTest {
    private static final ArrowCase DATA = ArrowVectorFiles.named("custom_metadata");

    private final RewriteRig rig = new RewriteRig(EmissionOrder.ARROW_JAVA);
    private final FlatBufferWriter buffer = rig.buffer();
    private final Message message = new Message();
    private final Footer footer = new Footer();
    private final Schema schema = new Schema();

    private static byte[] first(byte[] content, String kind) {
        return OracleListing.list(content).flatbuffers().stream()
                .filter(each -> each.kind().equals(kind))
                .findFirst()
                .orElseThrow()
                .bytes();
    }

    private Message wrap(byte[] bytes) {
        return message.wrap(MemorySegment.ofArray(bytes));
    }

    @Test
    void aStreamsSchemaMakesAFilesFooter() {
        byte[] original = first(DATA.file(), Flatbuffer.FOOTER);
        footer.wrap(MemorySegment.ofArray(original));
        long[] dictionaries = Flyweights.dictionaries(footer);
        long[] recordBatches = Flyweights.recordBatches(footer);
        MetadataEdit blocks =
                new MetadataEdit()
                        .dictionaries(dictionaries, 0, footer.dictionariesCount())
                        .recordBatches(recordBatches, 0, footer.recordBatchesCount());
        wrap(first(DATA.stream(), "Schema")).header(schema);
        buffer.reset();
        rig.writer().schemaFooter(schema, message.version(), blocks);
        assertArrayEquals(original, buffer.toByteArray());
    }

    @Test
    void aFilesSchemaMakesAStreamsFirstMessage() {
        byte[] original = first(DATA.stream(), "Schema");
        footer.wrap(MemorySegment.ofArray(first(DATA.file(), Flatbuffer.FOOTER)));
        footer.schema(schema);
        buffer.reset();
        rig.writer().schemaMessage(schema, footer.version(), new MetadataEdit());
        assertArrayEquals(original, Arrays.copyOf(buffer.toByteArray(), original.length));
    }

    /// A writer keeps nothing of the message before, not even of its memory.
    @Test
    void aFirstMessageHasNothingOfTheMessageBefore() {
        wrap(first(DATA.stream(), "Schema")).header(schema);
        buffer.reset();
        rig.writer().schemaMessage(schema, MetadataVersion.V5, new MetadataEdit());
        byte[] expected = buffer.toByteArray();
        byte[] other = full("Message");
        assertTrue(new Message().wrap(MemorySegment.ofArray(other)).customMetadataCount() > 0);
        rig.message(other);
        buffer.reset();
        rig.writer().schemaMessage(schema, MetadataVersion.V5, new MetadataEdit());
        assertArrayEquals(expected, buffer.toByteArray());
    }

    @Test
    void messagesAndFootersAroundASchemaAreComplete() {
        wrap(first(DATA.stream(), "Schema")).header(schema);
        MetadataEdit edit = new MetadataEdit().dropSchemaMetadata();
        buffer.reset();
        rig.writer().schemaFooter(schema, MetadataVersion.V4, edit);
        footer.wrap(buffer.segment());
        assertEquals(MetadataVersion.V4, footer.version());
        assertTrue(footer.isPresent(Footer.DICTIONARIES_SLOT));
        assertTrue(footer.isPresent(Footer.RECORD_BATCHES_SLOT));
        Schema written = new Schema();
        assertTrue(footer.schema(written));
        assertEquals(schema.fieldsCount(), written.fieldsCount());
        assertFalse(written.isPresent(Schema.CUSTOM_METADATA_SLOT));
        buffer.reset();
        rig.writer().schemaMessage(schema, MetadataVersion.V5, edit);
        Message first = new Message().wrap(buffer.segment());
        assertEquals(MessageHeader.SCHEMA, first.headerType());
        assertFalse(first.isPresent(Message.BODY_LENGTH_SLOT));
        assertTrue(first.header(written));
        assertEquals(schema.fieldsCount(), written.fieldsCount());
    }

    @Test
    void blocksAndPairsOfAFooterAreReplaced() {
        byte[] original = first(DATA.file(), Flatbuffer.FOOTER);
        MetadataEdit edit =
                new MetadataEdit()
                        .version(MetadataVersion.V4)
                        .dictionaries(new long[0], 0, 0)
                        .recordBatches(new long[] {8, 16, 24, 48, 16, -1}, 0, 2)
                        .dropSchemaMetadata();
        byte[] written = rig.footer(original, edit);
        footer.wrap(MemorySegment.ofArray(written));
        assertEquals(MetadataVersion.V4, footer.version());
        assertEquals(0, footer.dictionariesCount());
        long[] blocks = Flyweights.recordBatches(footer);
        assertArrayEquals(new long[] {8, 16, 24, 48, 16, -1}, blocks);
        footer.schema(schema);
        assertFalse(schema.isPresent(Schema.CUSTOM_METADATA_SLOT));
        written = rig.footer(original, new MetadataEdit().dictionaries(blocks, 3, 1));
        footer.wrap(MemorySegment.ofArray(written));
        assertArrayEquals(new long[] {48, 16, -1}, Flyweights.dictionaries(footer));
        footer.wrap(MemorySegment.ofArray(original)).schema(schema);
        assertTrue(schema.customMetadataCount() > 0);
    }

    @Test
    void messagesOfAllKindsAreChanged() {
        byte[] content = ArrowVectorFiles.named("dictionaries").stream();
        MetadataEdit edit =
                new MetadataEdit()
                        .version(MetadataVersion.V4)
                        .bodyLength(4096)
                        .dictionaryIds(id -> id + 100);
        Field field = new Field();
        DictionaryEncoding encoding = new DictionaryEncoding();
        int encoded = 0;
        for (Flatbuffer each : OracleListing.list(content).flatbuffers()) {
            DictionaryBatch before = new DictionaryBatch();
            DictionaryBatch after = new DictionaryBatch();
            Message source = wrap(each.bytes());
            Message written =
                    new Message().wrap(MemorySegment.ofArray(rig.message(each.bytes(), edit)));
            assertEquals(MetadataVersion.V4, written.version());
            assertEquals(4096, written.bodyLength());
            assertEquals(source.headerType(), written.headerType());
            assertEquals(source.header(before), written.header(after));
            if (each.kind().equals("DictionaryBatch")) {
                assertEquals(before.id() + 100, after.id());
            } else if (source.header(schema)) {
                Schema changed = new Schema();
                assertTrue(written.header(changed));
                for (int i = 0; i < schema.fieldsCount(); i++) {
                    boolean isEncoded = schema.fields(i, field).dictionary(encoding);
                    long id = encoding.id() + 100;
                    assertEquals(isEncoded, changed.fields(i, field).dictionary(encoding));
                    assertTrue(!isEncoded || id == encoding.id());
                    encoded += isEncoded ? 1 : 0;
                }
            }
        }
        assertTrue(encoded > 0);
    }

    @Test
    void fieldsThatAreNotEditedStay() {
        byte[] batch = first(DATA.stream(), "RecordBatch");
        long bodyLength = wrap(batch).bodyLength();
        int version = message.version();
        assertTrue(bodyLength > 0);
        MetadataEdit ids = new MetadataEdit().dictionaryIds(id -> id + 1);
        Message written = wrap(rig.message(batch, ids));
        assertEquals(bodyLength, written.bodyLength());
        assertEquals(version, written.version());
        written = wrap(rig.message(batch, new MetadataEdit().version(MetadataVersion.V4)));
        assertEquals(bodyLength, written.bodyLength());
        written = wrap(rig.message(batch, new MetadataEdit().bodyLength(bodyLength + 8)));
        assertEquals(version, written.version());
    }

    /// A number that is changed to its default is left out, as an encoder does.
    @Test
    void aFieldChangedToItsDefaultIsOmitted() {
        byte[] batch = first(DATA.stream(), "RecordBatch");
        MetadataEdit edit = new MetadataEdit().version(MetadataVersion.V1).bodyLength(0);
        Message written = wrap(rig.message(batch, edit));
        assertFalse(written.isPresent(Message.VERSION_SLOT));
        assertFalse(written.isPresent(Message.BODY_LENGTH_SLOT));
        buffer.forceDefaults(true);
        written = wrap(rig.message(batch, edit));
        assertTrue(written.isPresent(Message.VERSION_SLOT));
        assertTrue(written.isPresent(Message.BODY_LENGTH_SLOT));
        buffer.forceDefaults(false);
    }

    /// Bytes that say nothing: the padding of a footer's blocks.
    @Test
    void paddingIsNotCopied() {
        byte[] original = first(DATA.file(), Flatbuffer.FOOTER);
        byte[] expected = rig.footer(original);
        footer.wrap(MemorySegment.ofArray(original));
        assertTrue(footer.recordBatchesCount() > 1);
        int blocks = (int) footer.targetPosition(Footer.RECORD_BATCHES_SLOT) + Integer.BYTES;
        byte[] padded = original.clone();
        for (int i = 0; i < footer.recordBatchesCount(); i++) {
            int padding = blocks + i * Block.BYTES + Block.META_DATA_LENGTH_AT + Integer.BYTES;
            Arrays.fill(padded, padding, padding + Integer.BYTES, (byte) 0x5A);
        }
        assertFalse(Arrays.equals(original, padded));
        assertArrayEquals(expected, rig.footer(padded));
    }

    @Test
    void everyBooleanOtherThanZeroIsWrittenAsOne() {
        byte[] original = first(DATA.stream(), "Schema");
        wrap(original).header(schema);
        Field field = schema.fields(0, new Field());
        int at = (int) field.position(Field.NULLABLE_SLOT);
        for (int value : new int[] {0, 1, 2, 127, 128, 255}) {
            byte[] changed = original.clone();
            changed[at] = (byte) value;
            byte[] expected = original.clone();
            expected[at] = (byte) (value == 0 ? 0 : 1);
            assertArrayEquals(
                    expected, Arrays.copyOf(rig.message(changed), expected.length), "" + value);
        }
    }

    // ---- misuse

    @Test
    void aWriterThatAlignsEmptyVectorsInAnotherWayIsRefused() {
        for (EmissionOrder order : EmissionOrder.values()) {
            for (EmissionOrder other : EmissionOrder.values()) {
                FlatBufferWriter into = other.newWriter();
                if (order.newWriter().alignsEmptyVectors() == into.alignsEmptyVectors()) {
                    assertDoesNotThrow(() -> new MetadataWriter(order, into));
                } else {
                    assertThrows(
                            IllegalArgumentException.class, () -> new MetadataWriter(order, into));
                }
            }
        }
    }

    @Test
    void aTargetThatIsTooSmallIsRefusedAtEachSize() {
        byte[] source = first(DATA.stream(), "Schema");
        byte[] expected = rig.message(source);
        FlatBufferWriter into = EmissionOrder.ARROW_JAVA.newWriter();
        MetadataWriter writer = new MetadataWriter(EmissionOrder.ARROW_JAVA, into);
        byte[] memory = new byte[expected.length + 16];
        for (int size = 0; size < expected.length; size++) {
            into.wrap(MemorySegment.ofArray(memory), 8, size);
            wrap(source);
            var e = assertThrows(TargetTooSmallException.class, () -> writer.message(message));
            assertTrue(e.missingBytes() > 0 && e.missingBytes() <= expected.length - size);
        }
        into.wrap(MemorySegment.ofArray(memory), 8, expected.length);
        writer.message(wrap(source));
        assertArrayEquals(expected, into.toByteArray());
        assertThrows(IllegalStateException.class, () -> writer.message(message), "finished");
    }

    @Test
    void anOutdatedSourceIsRefused() {
        byte[] source = first(DATA.stream(), "Schema");
        wrap(source).header(schema);
        wrap(source);
        for (Runnable each :
                List.<Runnable>of(
                        () -> rig.writer().schema(schema),
                        () -> rig.writer().message(new Message()))) {
            buffer.reset();
            assertThrows(IllegalStateException.class, each::run);
        }
    }

    @Test
    void blocksAreThreeNumbersEach() {
        MetadataEdit edit = new MetadataEdit();
        for (int[] wrong : new int[][] {{5, 0, 2}, {6, 1, 2}, {6, -1, 1}, {6, 0, -1}}) {
            long[] numbers = new long[wrong[0]];
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> edit.dictionaries(numbers, wrong[1], wrong[2]));
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> edit.recordBatches(numbers, wrong[1], wrong[2]));
        }
        assertSame(edit, edit.dictionaries(new long[7], 1, 2).recordBatches(new long[0], 0, 0));
    }

    /// A limit is one of each whole, however many the writer has written before.
    @Test
    void tablesAreCountedForEachMessage() {
        MetadataEdit none = new MetadataEdit();
        footer.wrap(MemorySegment.ofArray(first(DATA.file(), Flatbuffer.FOOTER)));
        wrap(first(DATA.stream(), "Schema")).header(schema);
        Tensor tensor = new Tensor().wrap(MemorySegment.ofArray(full("Tensor")));
        SparseTensor sparse = new SparseTensor().wrap(MemorySegment.ofArray(full("SparseTensor")));
        for (Consumer<MetadataWriter> each :
                List.<Consumer<MetadataWriter>>of(
                        writer -> writer.message(message),
                        writer -> writer.message(message, none),
                        writer -> writer.footer(footer),
                        writer -> writer.footer(footer, none),
                        writer -> writer.schema(schema),
                        writer -> writer.schema(schema, none),
                        writer -> writer.tensor(tensor),
                        writer -> writer.sparseTensor(sparse),
                        writer -> writer.schemaMessage(schema, MetadataVersion.V5, none),
                        writer -> writer.schemaFooter(schema, MetadataVersion.V5, none))) {
            RewriteRig rig = new RewriteRig(EmissionOrder.ARROW_JAVA);
            int tables = 1;
            byte[] written = null;
            while (written == null) {
                assertTrue(tables < 1_000);
                rig.writer().limits(Limits.DEFAULT.withTables(tables++));
                written = written(each, rig);
            }
            for (int again = 0; again < 3; again++) {
                assertArrayEquals(written, written(each, rig));
            }
        }
    }

    private static byte[] full(String root) {
        return FbsValueWriter.write(Flyweights.ARROW, FullTables.table(root, 1), 1);
    }

    /// Null where there are too many tables.
    private static byte[] written(Consumer<MetadataWriter> writing, RewriteRig rig) {
        rig.buffer().reset();
        try {
            writing.accept(rig.writer());
        } catch (FletchException e) {
            assertTrue(e.getMessage().startsWith("too many tables to write: limit="));
            return null;
        }
        return rig.buffer().toByteArray();
    }

    @Test
    void numbersOfMoreBitsAndFieldsThatCannotBeAreRefused() {
        MetadataEdit edit = new MetadataEdit();
        refused(
                "metadata length of block exceeds 32 bits: block=0, metaDataLength=4294967312",
                () -> edit.recordBatches(new long[] {8, 1L << 32 | 16, 24}, 0, 1));
        refused(
                "version has more than 16 bits: version=70000, limit=32767",
                () -> edit.version(70_000));
        refused(
                "not a field: number=1, index=-1, end=2, limit=2",
                () -> edit.choose(new int[] {1, -1}, new int[] {2, 2}));
        refused(
                "not a field: number=1, index=0, end=3, limit=2",
                () -> edit.choose(new int[] {1, 0, 2}, new int[] {2, 3, 3}));
        refused(
                "not one end for each field: fields=2, ends=1",
                () -> edit.choose(new int[] {0, 1}, new int[] {1}));
        refused(
                "not a field: number=0, index=1, end=0, limit=1",
                () -> edit.choose(new int[] {1}, new int[] {0}));
    }

    private static void refused(String text, Executable call) {
        assertEquals(text, assertThrows(IllegalArgumentException.class, call).getMessage());
    }
}
