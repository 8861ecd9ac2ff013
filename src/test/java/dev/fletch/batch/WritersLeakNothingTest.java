// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static dev.fletch.batch.BatchBuilderTest.bytes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;

import dev.fletch.Check;
import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.FletchException;
import dev.fletch.Rule;
import dev.fletch.StructureRule;
import dev.fletch.ValueRule;
import dev.fletch.arrow.Arrow;
import dev.fletch.arrow.BatchWriter;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.BodyLayout;
import dev.fletch.format.write.CustomMetadata;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.format.write.RecordBatchTemplate;
import dev.fletch.forward.BatchProjector;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.testdata.ArrowBytes;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Memories;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.PlacedSegment;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// Nothing of the memory that writers use, or write to, is in what they write: memory of all kinds
/// is filled with a pattern before, and their own by longer messages.
class WritersLeakNothingTest {
    private static final byte PATTERN = '~';
    private static final int BYTES = 1 << 16;
    private static final ReadOptions OPTIONS =
            ReadOptions.VERIFY.withLevel(ReadOptions.Level.VALUES).with(Check.UNUSED_BYTES, true);
    // What a writer must not cause: the values of nulls are those that it was given.
    private static final Set<Rule> LEAKS =
            Set.of(
                    StructureRule.UNUSED_METADATA,
                    FileRule.UNUSED_GAP,
                    FileRule.MAGIC_PADDING,
                    ValueRule.UNUSED_PADDING);
    private static final ArrowSchema SCHEMA =
            ArrowSchema.of(
                    ArrowField.of("n", new ArrowType.Int(8, true)).nullable(),
                    ArrowField.of("text", ArrowType.Simple.UTF8));

    @TempDir Path folder;

    private static MemorySegment filled() {
        return MemorySegment.ofArray(new byte[BYTES]).fill(PATTERN);
    }

    /// Each kind of writable memory, filled.
    private static void eachMemory(MemoryTest test) throws IOException {
        byte[] pattern = new byte[BYTES];
        Arrays.fill(pattern, PATTERN);
        int kinds = 0;
        for (SegmentBacking each : Memories.writableSegments()) {
            try (PlacedSegment placed = each.place(pattern)) {
                test.run(placed.segment(), placed.offset());
                kinds++;
            }
        }
        assertTrue(kinds > 5, "kinds=" + kinds);
    }

    private interface MemoryTest {
        /// @param at offset of [#BYTES] bytes
        void run(MemorySegment memory, long at) throws IOException;
    }

    private static boolean hasPattern(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1).indexOf((char) PATTERN) >= 0;
    }

    private static void requireClean(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        assertTrue(text.indexOf((char) PATTERN) < 0, text);
    }

    private static void assertNothingLeaks(String what, byte[] input) {
        List<Fault> faults = ArrowBytes.faults(input, OPTIONS);
        assertTrue(
                faults.stream().noneMatch(each -> LEAKS.contains(each.rule())),
                () -> what + ": " + faults);
    }

    private static BatchBuilder numbers(BatchBuilder builder) {
        builder.begin(3);
        builder.nullCount(0, 1).buffer(0, BufferRole.VALIDITY, bytes(5));
        builder.buffer(0, BufferRole.DATA, bytes(1, 0, 3));
        builder.buffer(1, BufferRole.OFFSETS, MemorySegment.ofArray(new int[] {0, 1, 1, 3}));
        return builder.buffer(1, BufferRole.DATA, bytes('a', 'b', 'c'));
    }

    private static BatchLayout layout() {
        return BatchLayout.compile(SCHEMA.toTable(), MetadataVersion.V5);
    }

    /// @param builder writes the batch
    private static byte[] written(
            BatchBuilder builder,
            ArrowContainer container,
            MemorySegment memory,
            long at,
            int alignment)
            throws IOException {
        MessageWriter writer =
                MessageWriter.of(container, memory, at).set(it -> it.alignment(alignment));
        writer.write(SCHEMA.toMessage(EmissionOrder.ARROW_CPP));
        writer.write(numbers(builder));
        writer.finish();
        return memory.asSlice(at, writer.position()).toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void buildersAndMessageWriters() throws IOException {
        for (ArrowContainer container : ArrowContainer.values()) {
            for (int alignment : new int[] {8, 64}) {
                for (EmissionOrder order : EmissionOrder.values()) {
                    BatchBuilder used = new BatchBuilder(layout(), order, alignment);
                    String pattern = Character.toString(PATTERN).repeat(1_000);
                    CustomMetadata pairs = new CustomMetadata();
                    pairs.add(pattern).set(0, pattern);
                    numbers(used).metadata(pairs).encode();
                    BatchBuilder fresh = new BatchBuilder(layout(), order, alignment);
                    MemorySegment zeros = MemorySegment.ofArray(new byte[BYTES]);
                    byte[] found = written(fresh, container, zeros, 0, alignment);
                    requireClean(found);
                    eachMemory(
                            (memory, at) ->
                                    assertArrayEquals(
                                            found,
                                            written(used, container, memory, at, alignment)));
                    assertNothingLeaks("" + container, found);
                }
            }
        }
    }

    @Test
    void templatesAndProjectors() throws IOException {
        byte[] stream = written(new BatchBuilder(layout()), ArrowContainer.STREAM, filled(), 0, 8);
        MemorySegment input = MemorySegment.ofArray(stream);
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        assertEquals(FrameKind.MESSAGE, frame.wrap(input, 0, message));
        frame.wrap(input, frame.nextOffset(), message);
        for (EmissionOrder order : EmissionOrder.values()) {
            BatchProjector all = BatchProjector.of(layout(), "n", "text");
            MemorySegment memory = filled();
            int length = new BatchProjector(all.layout(), order).write(message, memory, 0);
            requireClean(memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));

            RecordBatch batch = new RecordBatch();
            message.header(batch);
            BodyLayout parts = new BodyLayout();
            for (int i = 0; i < batch.nodesCount(); i++) {
                parts.addNode(batch.nodesLength(i), batch.nodesNullCount(i));
            }
            for (int i = 0; i < batch.buffersCount(); i++) {
                parts.addBuffer(batch.buffersLength(i));
            }
            RecordBatchTemplate template = RecordBatchTemplate.of(order, message);
            memory.fill(PATTERN);
            length = template.write(memory, 0, 3, parts, null);
            requireClean(memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
        }
    }

    /// Gaps between the buffers of the source are filled with anything.
    @Test
    void paddingOfForwardedBodiesIsZero() throws IOException {
        int forwarded = 0;
        for (int seed = 0; seed < 300; seed++) {
            RandomBatch batch = new RandomBatch(new Random(seed), false, false);
            boolean isEncoded = batch.layout().dictionaryCount() > 0;
            if (isEncoded) {
                continue;
            }
            MemorySegment input = MemorySegment.ofArray(batch.stream());
            EncapsulatedMessage frame = new EncapsulatedMessage();
            Message message = new Message();
            frame.wrap(input, 0, message);
            frame.wrap(input, frame.nextOffset(), message);
            MemorySegment memory = filled();
            MessageWriter out = MessageWriter.of(ArrowContainer.STREAM, memory, 0);
            out.write(batch.schema.toMessage(EmissionOrder.ARROW_CPP));
            String[] names =
                    batch.schema.fields().stream().map(ArrowField::name).toArray(String[]::new);
            BatchProjector projector = BatchProjector.of(batch.layout(), names);
            projector.forward(input, frame, message, out);
            out.finish();
            byte[] found = memory.asSlice(0, out.position()).toArray(ValueLayout.JAVA_BYTE);
            assertNothingLeaks("seed " + seed, found);
            forwarded++;
        }
        assertTrue(forwarded > 100);
    }

    /// Arrays and buffers through which channels and streams are written are used again.
    @Test
    void channelsAndStreams() throws IOException {
        for (ArrowContainer container : ArrowContainer.values()) {
            for (int alignment : new int[] {8, 64}) {
                ByteArrayOutputStream stream = new ByteArrayOutputStream();
                laterMessagesAreClean(
                        MessageWriter.of(container, stream).set(it -> it.alignment(alignment)),
                        stream::toByteArray);
                ByteArrayOutputStream target = new ByteArrayOutputStream();
                laterMessagesAreClean(
                        MessageWriter.of(container, Channels.newChannel(target))
                                .set(it -> it.alignment(alignment)),
                        target::toByteArray);
                Path path = folder.resolve(container + "-" + alignment);
                try (FileChannel file =
                        FileChannel.open(path, CREATE_NEW, READ, StandardOpenOption.WRITE)) {
                    laterMessagesAreClean(
                            MessageWriter.of(container, file).set(it -> it.alignment(alignment)),
                            () -> Files.readAllBytes(path));
                }
            }
        }
    }

    private interface Written {
        byte[] bytes() throws IOException;
    }

    /// Writes a batch of patterns, and then others, with dictionaries of other lengths.
    private static void laterMessagesAreClean(MessageWriter writer, Written written)
            throws IOException {
        writer.write(SCHEMA.toMessage(EmissionOrder.ARROW_CPP));
        BatchBuilder builder = new BatchBuilder(layout());
        builder.begin(1).buffer(0, BufferRole.DATA, bytes(1));
        int[] offsets = {0, BYTES - 3};
        builder.buffer(1, BufferRole.OFFSETS, MemorySegment.ofArray(offsets));
        builder.buffer(1, BufferRole.DATA, filled().asSlice(3));
        writer.write(builder);
        long from = writer.position();
        for (int i = 0; i < 3; i++) {
            writer.write(numbers(builder));
        }
        writer.finish();
        byte[] all = written.bytes();
        assertTrue(hasPattern(Arrays.copyOf(all, (int) from)));
        requireClean(Arrays.copyOfRange(all, (int) from, all.length));
        assertNothingLeaks("later messages", all);
    }

    /// A flatbuffer that is copied by a [MetadataWriter].
    private interface Copied {
        void by(MetadataWriter writer);
    }

    /// Messages and footers of arrow-java that leave room in the memory.
    private static List<Copied> flatbuffers() {
        List<Copied> found = new ArrayList<>();
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            byte[] stream = each.stream();
            if (stream.length > BYTES / 4) {
                continue;
            }
            for (OracleMessage one : OracleListing.list(stream).messages()) {
                Message message = new Message().wrap(MemorySegment.ofArray(one.metadataBytes()));
                found.add(writer -> writer.message(message));
            }
            if (each.hasFile()) {
                var footer = ArrowFile.of(MemorySegment.ofArray(each.file())).footer();
                found.add(writer -> writer.footer(footer));
            }
        }
        return found;
    }

    /// Flatbuffers that are written anew in each byte layout: into fresh memory, into that of a
    /// longer one, and into memory of the caller.
    @Test
    void encodersAndRewriters() throws IOException {
        List<Copied> all = flatbuffers();
        String pattern = Character.toString(PATTERN).repeat(BYTES);
        int[] written = new int[1];
        for (EmissionOrder order : EmissionOrder.values()) {
            List<byte[]> expected = new ArrayList<>();
            FlatBufferWriter used = order.newWriter();
            for (Copied each : all) {
                FlatBufferWriter fresh = order.newWriter();
                each.by(new MetadataWriter(order, fresh));
                expected.add(fresh.toByteArray());
                used.reset().createString(pattern);
                each.by(new MetadataWriter(order, used.reset()));
                assertArrayEquals(expected.getLast(), used.toByteArray());
            }
            eachMemory(
                    (memory, at) -> {
                        FlatBufferWriter in = order.newWriter();
                        for (int i = 0; i < all.size(); i++) {
                            memory.asSlice(at, BYTES).fill(PATTERN);
                            in.wrap(memory, at, BYTES);
                            all.get(i).by(new MetadataWriter(order, in));
                            assertArrayEquals(expected.get(i), in.toByteArray());
                            written[0]++;
                        }
                    });
        }
        CaseCount.report("%,d flatbuffers in memory of the caller", written[0]);
        assertTrue(written[0] > 1_000);
    }

    /// Footers with blocks, which have padding inside, and a copy of all of a file.
    @Test
    void filesFootersAndConversions() throws IOException {
        int converted = 0;
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            byte[] stream = each.stream();
            for (ArrowContainer container : ArrowContainer.values()) {
                ConvertOptions options = ConvertOptions.DEFAULT.withTarget(container);
                byte[] out;
                try {
                    out = ArrowBytes.converted(stream, options);
                } catch (FletchException _) {
                    continue; // a file cannot replace dictionaries
                }
                assertNothingLeaks(each.name(), out);
                converted++;
            }
        }
        CaseCount.report("%,d conversions", converted);
        assertTrue(converted > 50);
    }

    @Test
    void batchWriters() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int before;
        try (BatchWriter writer = Arrow.writeStream(Channels.newChannel(out), SCHEMA)) {
            String text = Character.toString(PATTERN).repeat(3_000);
            writer.begin(1).buffer(0, BufferRole.DATA, bytes(1)).texts(1, text).end();
            before = out.size();
            MemorySegment numbers = bytes(1, 2, 3);
            writer.begin(3).buffer(0, BufferRole.DATA, numbers).texts(1, "a", "", "bc").end();
            writer.finish();
        }
        byte[] all = out.toByteArray();
        requireClean(Arrays.copyOfRange(all, before, all.length));
    }
}
