// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.batch.BatchLayout;
import dev.fletch.format.FrameKind;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.testdata.Threads;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;

class KnownSchemasTest {
    private static final ArrowSchema SCHEMA = KnownInputs.schema("a", 10, "key", "value");

    private final KnownSchemas known = new KnownSchemas();
    private final ReadOptions options = ReadOptions.DEFAULT.withKnownSchemas(known);
    private final Message message = new Message();
    private final Schema schema = new Schema();

    private EncapsulatedMessage read(byte[] metadata, ReadOptions by) {
        EncapsulatedMessage frame = new EncapsulatedMessage(by);
        MemorySegment memory = MemorySegment.ofArray(Frames.frame(metadata));
        assertEquals(FrameKind.MESSAGE, frame.wrap(memory, 0, message));
        return frame;
    }

    private EncapsulatedMessage read(ArrowSchema schema) {
        return read(KnownInputs.message(schema), options);
    }

    private static ArrowFile open(ArrowSchema schema, int batches, ReadOptions by) {
        return ArrowFile.of(MemorySegment.ofArray(KnownInputs.file(schema, batches)), by);
    }

    private static void assertCounts(int recognized, int parsed, EncapsulatedMessage frame) {
        assertEquals(recognized, frame.checks.schemasRecognized);
        assertEquals(parsed, frame.checks.schemasParsed);
    }

    // ---- what is recognized

    @Test
    void withoutASetNothingIsKnown() throws IOException {
        EncapsulatedMessage frame = read(KnownInputs.message(SCHEMA), ReadOptions.DEFAULT);
        assertNull(frame.knownSchema());
        assertCounts(0, 1, frame);
        ArrowFile file = open(SCHEMA, 2, ReadOptions.DEFAULT);
        assertNull(file.knownSchema());
        assertEquals(1, file.index.checks.schemasParsed);
        try (MessageReader reader = Frames.reader(KnownInputs.stream(SCHEMA))) {
            reader.next(message);
            assertNull(reader.frame().knownSchema());
            assertEquals(1, reader.frame().checks.schemasParsed);
        }
    }

    @Test
    void aMessageIsLearnedWhenItIsSeenTwice() {
        EncapsulatedMessage first = read(SCHEMA);
        assertNull(first.knownSchema());
        assertCounts(0, 1, first);
        EncapsulatedMessage second = read(SCHEMA);
        assertCounts(0, 1, second);
        EncapsulatedMessage third = read(SCHEMA);
        assertCounts(1, 0, third);
        assertSame(second.knownSchema(), third.knownSchema());
        assertEquals(1, known.size());
        assertEquals(KnownInputs.message(SCHEMA).length + 8, known.bytes());
    }

    @Test
    void aReaderOfAStreamRecognizes() throws IOException {
        KnownSchema handle = null;
        for (int i = 0; i < 4; i++) {
            try (MessageReader reader =
                    MessageReader.of(
                            new ByteArrayInputStream(KnownInputs.stream(SCHEMA)), options)) {
                assertEquals(FrameKind.MESSAGE, reader.next(message));
                assertEquals(i < 2 ? 0 : 1, reader.frame().checks.schemasRecognized);
                assertEquals(i < 2 ? 1 : 0, reader.frame().checks.schemasParsed);
                handle = i == 1 ? reader.frame().knownSchema() : handle;
                assertSame(handle, reader.frame().knownSchema());
                assertEquals(FrameKind.END_OF_STREAM, reader.next(message));
                assertSame(handle, reader.frame().knownSchema());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(EmissionOrder.class)
    void aFooterIsRecognizedByTheFooterOfAnotherFile(EmissionOrder order) {
        KnownSchema handle = null;
        for (int i = 0; i < 6; i++) {
            byte[] footer =
                    KnownInputs.footer(
                            SCHEMA, order, i * i, i < 4 ? new String[0] : new String[] {"k", "v"});
            byte[] bytes = Frames.file(Frames.frame(KnownInputs.message(SCHEMA)), footer);
            ArrowFile file = ArrowFile.of(MemorySegment.ofArray(bytes), options);
            handle = i == 1 ? file.knownSchema() : handle;
            assertEquals(i < 2 ? 0 : 1, file.schemasRecognized(), "file " + i);
            assertSame(handle, file.knownSchema());
            file.footer().schema(schema);
            assertEquals(SCHEMA, ArrowSchema.of(schema));
        }
        assertEquals(SCHEMA, ArrowSchema.of(handle.schema(schema)));
        assertEquals(1, known.size());
    }

    @Test
    void aFooterIsRecognizedByASchemaMessage() {
        read(SCHEMA);
        read(SCHEMA);
        ArrowFile file = open(SCHEMA, 3, options);
        assertEquals(1, file.schemasRecognized());
        assertSame(read(SCHEMA).knownSchema(), file.knownSchema());
        assertEquals(1, known.size());
    }

    @Test
    void aMessageHasTheHandleOfAFooter() {
        open(SCHEMA, 1, options);
        KnownSchema handle = open(SCHEMA, 2, options).knownSchema();
        assertNotNull(handle);
        EncapsulatedMessage first = read(SCHEMA);
        assertSame(handle, first.knownSchema());
        assertCounts(0, 1, first);
        assertSame(handle, read(SCHEMA).knownSchema());
        EncapsulatedMessage third = read(SCHEMA);
        assertSame(handle, third.knownSchema());
        assertCounts(1, 0, third);
    }

    @Test
    void messagesOfAFileAreRecognized() {
        byte[] bytes = KnownInputs.file(SCHEMA, 0);
        EncapsulatedMessage frame = new EncapsulatedMessage();
        for (int i = 0; i < 4; i++) {
            ArrowFile file = ArrowFile.of(MemorySegment.ofArray(bytes), options);
            file.message(0, frame, message);
            assertEquals(i < 2 ? 0 : 2, file.schemasRecognized());
            assertEquals(i < 2 ? 2 : 0, file.index.checks.schemasParsed);
            assertSame(file.knownSchema(), frame.knownSchema());
        }
    }

    // ---- what is attached

    private BatchLayout layout(KnownSchema handle, Limits limits) {
        return BatchLayout.of(handle, schema, MetadataVersion.V5, limits);
    }

    @Test
    void layoutAndModelAreTheSameObjects() {
        read(SCHEMA);
        read(SCHEMA);
        BatchLayout layout = null;
        ArrowSchema model = null;
        for (int i = 0; i < 3; i++) {
            KnownSchema handle = read(SCHEMA).knownSchema();
            message.header(schema);
            BatchLayout found = layout(handle, Limits.DEFAULT);
            ArrowSchema read = ArrowSchema.of(handle, schema, Limits.DEFAULT);
            assertSame(i == 0 ? found : layout, found);
            assertSame(i == 0 ? read : model, read);
            layout = found;
            model = read;
        }
        assertEquals(SCHEMA, model);
        assertEquals(10, layout.columnCount());
        assertEquals(3, layout.find("a_3"));
    }

    @Test
    void layoutsOfOtherVersionsAndLimitsAreSeparate() {
        read(SCHEMA);
        KnownSchema handle = read(SCHEMA).knownSchema();
        message.header(schema);
        Limits few = Limits.DEFAULT.withDepth(3).withFields(20);
        BatchLayout v5 = layout(handle, Limits.DEFAULT);
        BatchLayout v4 = BatchLayout.of(handle, schema, MetadataVersion.V4, Limits.DEFAULT);
        BatchLayout limited = layout(handle, few);
        assertEquals(MetadataVersion.V4, v4.version());
        assertNotSame(v5, v4);
        assertNotSame(v5, limited);
        assertSame(limited, layout(handle, Limits.DEFAULT.withDepth(3).withFields(20)));
        assertThrows(
                FletchException.class,
                () -> layout(handle, Limits.DEFAULT.withDepth(1).withFields(2)));
        assertThrows(
                FletchException.class,
                () -> BatchLayout.of(handle, schema, MetadataVersion.V3, Limits.DEFAULT));
        Limits other =
                Limits.DEFAULT.withDepth(3).withFields(1_000_000).withUnfoldedBytes(64L << 20);
        assertNotSame(
                ArrowSchema.of(handle, schema, Limits.DEFAULT),
                ArrowSchema.of(handle, schema, other));
    }

    @Test
    void attachmentsAreBounded() {
        read(SCHEMA);
        KnownSchema handle = read(SCHEMA).knownSchema();
        message.header(schema);
        BatchLayout first = layout(handle, Limits.DEFAULT.withDepth(5).withFields(100));
        for (int i = 0; i < 15; i++) {
            layout(handle, Limits.DEFAULT.withDepth(5).withFields(200 + i));
        }
        assertSame(first, layout(handle, Limits.DEFAULT.withDepth(5).withFields(100)));
        layout(handle, Limits.DEFAULT.withDepth(5).withFields(300));
        assertNotSame(first, layout(handle, Limits.DEFAULT.withDepth(5).withFields(100)));
    }

    /// Schemas that differ in nothing but the end of their metadata: pandas keeps the number of
    /// rows there. The latest four are known.
    @Test
    void ofSchemasThatAreAlikeFewAreKept() {
        for (int i = 0; i < 20; i++) {
            ArrowSchema each = KnownInputs.schema("a", 10, "rows", "" + (10 + i));
            for (int k = 0; k < 3; k++) {
                read(each);
            }
            EncapsulatedMessage frame = read(each);
            assertCounts(1, 0, frame);
            message.header(schema);
            assertEquals(each, ArrowSchema.of(frame.knownSchema(), schema, Limits.DEFAULT));
        }
        assertEquals(4, known.size());
    }

    @Test
    void anotherByteOrderIsAnotherSchema() {
        read(SCHEMA);
        KnownSchema little = read(SCHEMA).knownSchema();
        ArrowSchema big = KnownInputs.schema(ByteOrder.BIG_ENDIAN, "a", 10, "key", "value");
        assertNull(read(big).knownSchema());
        KnownSchema other = read(big).knownSchema();
        assertNotSame(little, other);
        assertEquals(big, ArrowSchema.of(other.schema(schema)));
    }

    @Test
    void theCopyIsReadOnlyAndIndependent() {
        byte[] framed = Frames.frame(KnownInputs.message(SCHEMA));
        MemorySegment memory = MemorySegment.ofArray(framed);
        EncapsulatedMessage frame = new EncapsulatedMessage(options);
        frame.wrap(memory, 0, message);
        frame.wrap(memory, 0, message);
        KnownSchema handle = frame.knownSchema();
        memory.fill((byte) 0xFF);
        assertEquals(SCHEMA, ArrowSchema.of(handle.schema(schema)));
        handle.schema(schema);
        if (schema.isPresent(Schema.ENDIANNESS_SLOT)) {
            assertThrows(IllegalArgumentException.class, () -> schema.setEndianness(1));
        }
        assertEquals(SCHEMA, ArrowSchema.of(handle.schema(schema)));
    }

    // ---- options

    @Test
    void otherChecksAreOtherEntries() {
        ReadOptions strict = options.withChecks(Checks.STRICT.enabled());
        byte[] bytes = KnownInputs.message(SCHEMA);
        read(bytes, options);
        read(bytes, options);
        assertCounts(0, 1, read(bytes, strict));
        assertCounts(1, 0, read(bytes, strict));
        assertCounts(1, 0, read(bytes, options.withChecks(Checks.FLATBUFFERS.enabled())));
        assertEquals(2, known.size());
    }

    @Test
    void aReaderThatVerifiesLessAddsNothingAndRecognizes() {
        ReadOptions by = options.withLevel(Level.TOUCHED);
        byte[] bytes = KnownInputs.message(SCHEMA);
        for (int i = 0; i < 5; i++) {
            assertNull(read(bytes, by).knownSchema());
            assertNull(open(SCHEMA, i, by).knownSchema());
        }
        assertEquals(0, known.size());
        read(bytes, options);
        read(bytes, options);
        KnownSchema handle = read(bytes, options).knownSchema();
        EncapsulatedMessage frame = read(bytes, by);
        assertSame(handle, frame.knownSchema());
        assertCounts(1, 0, frame);
        ArrowFile file = open(SCHEMA, 4, by);
        assertSame(handle, file.knownSchema());
        assertEquals(1, file.schemasRecognized());
        assertEquals(1, known.size());
    }

    @ParameterizedTest
    @EnumSource(Level.class)
    void theCheckOfAFilesStartAddsNothing(Level how) {
        KnownSchemas others = new KnownSchemas();
        for (int i = 0; i < 3; i++) {
            ReadOptions by = options.withLevel(how);
            open(SCHEMA, i, by);
            assertTrue(open(SCHEMA, i, by.withKnownSchemas(others)).hasSchemaMessage());
            assertEquals(known.size(), others.size());
        }
    }

    @Test
    void aForeignByteOrderIsRefusedAlsoIfItIsKnown() throws IOException {
        ArrowSchema big = KnownInputs.schema(ByteOrder.BIG_ENDIAN, "a", 4);
        for (int i = 0; i < 3; i++) {
            read(big);
            open(big, i, options);
        }
        assertEquals(1, open(big, 1, options).schemasRecognized());
        ReadOptions refusing = options.with(Check.LITTLE_ENDIAN, true);
        byte[] schemaMessage = KnownInputs.message(big);
        assertRule(MeaningRule.FOREIGN_ENDIANNESS, () -> read(schemaMessage, refusing));
        assertRule(MeaningRule.FOREIGN_ENDIANNESS, () -> open(big, 1, refusing));
        try (MessageReader reader =
                MessageReader.of(new ByteArrayInputStream(KnownInputs.stream(big)), options)) {
            reader.next(message);
            assertEquals(1, reader.frame().checks.schemasRecognized);
            assertTrue(message.header(schema));
            assertEquals(dev.fletch.format.ids.Endianness.BIG, schema.endianness());
        }
    }

    // ---- limits

    @Test
    void theLeastRecentlyUsedSchemaIsRemoved() {
        KnownSchemas few = new KnownSchemas(3, 1 << 20);
        ReadOptions by = ReadOptions.DEFAULT.withKnownSchemas(few);
        for (String name : List.of("a", "b", "c")) {
            learn(KnownInputs.schema(name, 5), by);
        }
        assertEquals("abc", knownOf("abc", by)); // uses them in this order
        knownOf("b", by);
        knownOf("a", by);
        learn(KnownInputs.schema("d", 5), by);
        assertEquals(3, few.size());
        assertEquals("abd", knownOf("dcba", by));
    }

    private void learn(ArrowSchema each, ReadOptions by) {
        for (int i = 0; i < 5; i++) {
            if (read(KnownInputs.message(each), by).checks.schemasRecognized == 1) {
                return;
            }
        }
        throw new AssertionError("not learned");
    }

    private String knownOf(String names, ReadOptions by) {
        StringBuilder found = new StringBuilder();
        for (char name : names.toCharArray()) {
            byte[] bytes = KnownInputs.message(KnownInputs.schema("" + name, 5));
            if (read(bytes, by.withLevel(Level.TOUCHED)).checks.schemasRecognized == 1) {
                found.append(name);
            }
        }
        return found.chars()
                .sorted()
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    @Test
    void bytesAreLimited() {
        learn(KnownInputs.schema("a", 5), options);
        long one = known.bytes();
        KnownSchemas few = new KnownSchemas(100, 2 * one);
        ReadOptions by = ReadOptions.DEFAULT.withKnownSchemas(few);
        for (String name : List.of("a", "b", "c")) {
            learn(KnownInputs.schema(name, 5), by);
            assertTrue(few.bytes() <= 2 * one);
        }
        assertEquals(2, few.size());
        assertEquals("bc", knownOf("abc", by));
        byte[] large = KnownInputs.message(KnownInputs.schema("large", 50));
        for (int i = 0; i < 5; i++) {
            EncapsulatedMessage frame = read(large, by);
            assertNull(frame.knownSchema());
            assertCounts(0, 1, frame);
        }
        assertEquals("bc", knownOf("abc", by));
    }

    @Test
    void limitsArePositive() {
        assertThrows(IllegalArgumentException.class, () -> new KnownSchemas(0, 1));
        assertThrows(IllegalArgumentException.class, () -> new KnownSchemas(1, 0));
    }

    /// Schemas that are alike in all but names of the same length are told apart.
    @Test
    void manySchemasOfTheSameShapeAreKnown() {
        int count = 200;
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < count; i++) {
                read(KnownInputs.schema("n" + (100 + i), 6));
            }
        }
        int recognized = 0;
        for (int i = 0; i < count; i++) {
            ArrowSchema each = KnownInputs.schema("n" + (100 + i), 6);
            EncapsulatedMessage frame = read(each);
            recognized += (int) frame.checks.schemasRecognized;
            assertEquals(each, ArrowSchema.of(frame.knownSchema().schema(schema)));
            ArrowFile file = open(each, 3, options);
            assertEquals(frame.checks.schemasRecognized, file.schemasRecognized());
            assertEquals(each, ArrowSchema.of(file.knownSchema().schema(schema)));
        }
        assertEquals(count, recognized);
    }

    // ---- threads

    @Test
    void manyThreadsShareOneSet() throws InterruptedException, ExecutionException {
        KnownSchemas few = new KnownSchemas(12, 1 << 20); // so that schemas come and go
        ReadOptions by = ReadOptions.DEFAULT.withKnownSchemas(few);
        List<ArrowSchema> schemas = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            schemas.add(KnownInputs.schema("c" + i % 8, 1 + i % 5, "rows", "" + i));
        }
        List<byte[]> files = schemas.stream().map(each -> KnownInputs.file(each, 2)).toList();
        long recognized = 0;
        for (long each : Threads.results(8, _ -> readAll(schemas, files, by))) {
            recognized += each;
        }
        System.out.printf("Known schemas: %d of 32000 recognized by 8 threads%n", recognized);
        assertTrue(recognized > 1_000, "recognized=" + recognized);
        assertTrue(few.size() <= 12);
    }

    private static long readAll(List<ArrowSchema> schemas, List<byte[]> files, ReadOptions by) {
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        Schema schema = new Schema();
        long recognized = 0;
        for (int i = 0; i < 2_000; i++) {
            int which = ThreadLocalRandom.current().nextInt(schemas.size());
            ArrowFile file = ArrowFile.of(MemorySegment.ofArray(files.get(which)), by);
            file.footer().schema(schema);
            ArrowSchema expected = schemas.get(which);
            assertEquals(expected, ArrowSchema.of(file.knownSchema(), schema, Limits.DEFAULT));
            BatchLayout layout =
                    BatchLayout.of(file.knownSchema(), schema, MetadataVersion.V5, Limits.DEFAULT);
            String last = expected.fields().getLast().name();
            assertEquals(expected.fields().size() - 1, layout.find(last));
            file.message(0, frame, message);
            message.header(schema);
            assertEquals(expected, ArrowSchema.of(frame.knownSchema(), schema, Limits.DEFAULT));
            recognized += file.schemasRecognized();
        }
        return recognized;
    }
}
