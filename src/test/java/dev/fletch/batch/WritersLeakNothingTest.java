// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Check;
import dev.fletch.ValueRule;
import dev.fletch.arrow.Arrow;
import dev.fletch.arrow.BatchWriter;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.BodyLayout;
import dev.fletch.format.write.CustomMetadata;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.RecordBatchTemplate;
import dev.fletch.format.write.SegmentList;
import dev.fletch.forward.BatchProjector;
import dev.fletch.forward.Projection;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/// Nothing of the memory that writers use, or write to, is in what they write: memory is filled with a
/// pattern before, and their own by longer messages.
class WritersLeakNothingTest {
    private static final byte PATTERN = '~';
    private static final int BYTES = 1 << 16;
    private static final ReadOptions OPTIONS =
            ReadOptions.VERIFY.withLevel(ReadOptions.Level.VALUES).with(Check.UNUSED_BYTES, true);
    private static final ArrowSchema SCHEMA =
            ArrowSchema.of(
                    ArrowField.of("n", new ArrowType.Int(8, true)).nullable(),
                    ArrowField.of("text", ArrowType.Simple.UTF8));

    private static MemorySegment filled() {
        return MemorySegment.ofArray(new byte[BYTES]).fill(PATTERN);
    }

    private static void requireClean(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        assertTrue(text.indexOf((char) PATTERN) < 0, text);
    }

    private static BatchBuilder numbers(BatchBuilder builder) {
        builder.begin(3);
        builder.nullCount(0, 1).buffer(0, BufferRole.VALIDITY, bytes(5));
        builder.buffer(0, BufferRole.DATA, bytes(1, 0, 3));
        builder.buffer(1, BufferRole.OFFSETS, MemorySegment.ofArray(new int[] {0, 1, 1, 3}));
        return builder.buffer(1, BufferRole.DATA, bytes('a', 'b', 'c'));
    }

    private static MemorySegment bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return MemorySegment.ofArray(bytes);
    }

    private static BatchLayout layout() {
        return BatchLayout.compile(SCHEMA.toTable(), MetadataVersion.V5);
    }

    /// @param builder writes the batch
    private static byte[] written(
            BatchBuilder builder, ArrowContainer container, MemorySegment memory, int alignment)
            throws IOException {
        MessageWriter writer = MessageWriter.of(container, memory, 0).alignment(alignment);
        writer.write(SCHEMA.toMessage(EmissionOrder.ARROW_CPP));
        writer.write(numbers(builder));
        writer.finish();
        return memory.asSlice(0, writer.position()).toArray(ValueLayout.JAVA_BYTE);
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
                    byte[] found = written(used, container, filled(), alignment);
                    requireClean(found);
                    BatchBuilder fresh = new BatchBuilder(layout(), order, alignment);
                    MemorySegment zeros = MemorySegment.ofArray(new byte[BYTES]);
                    assertArrayEquals(written(fresh, container, zeros, alignment), found);
                    Arrow.verify(
                            MemorySegment.ofArray(found),
                            OPTIONS,
                            fault ->
                                    assertTrue(
                                            fault.rule() != ValueRule.UNUSED_PADDING,
                                            fault::toString));
                }
            }
        }
    }

    @Test
    void templatesAndProjectors() throws IOException {
        byte[] stream = written(new BatchBuilder(layout()), ArrowContainer.STREAM, filled(), 8);
        MemorySegment input = MemorySegment.ofArray(stream);
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        assertEquals(FrameKind.MESSAGE, frame.wrap(input, 0, message));
        frame.wrap(input, frame.nextOffset(), message);
        for (EmissionOrder order : EmissionOrder.values()) {
            Projection all = Projection.of(layout(), "n", "text");
            MemorySegment memory = filled();
            int length = new BatchProjector(all, order).write(message, memory, 0);
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
            length = template.write(memory, 0, 3, parts);
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
            ByteArrayOutputStream source = new ByteArrayOutputStream();
            MessageWriter writer = MessageWriter.of(ArrowContainer.STREAM, source);
            writer.write(batch.schema.toMessage(EmissionOrder.ARROW_CPP));
            MemorySegment metadata = new ByteSlice().wrapBufferOf(batch.message).asSlice();
            MemorySegment body = MemorySegment.ofArray(batch.body);
            writer.write(metadata, new SegmentList().add(body, 0, batch.body.length));
            writer.finish();

            MemorySegment input = MemorySegment.ofArray(source.toByteArray());
            EncapsulatedMessage frame = new EncapsulatedMessage();
            Message message = new Message();
            frame.wrap(input, 0, message);
            frame.wrap(input, frame.nextOffset(), message);
            MemorySegment memory = filled();
            MessageWriter out = MessageWriter.of(ArrowContainer.STREAM, memory, 0);
            out.write(batch.schema.toMessage(EmissionOrder.ARROW_CPP));
            String[] names =
                    batch.schema.fields().stream().map(ArrowField::name).toArray(String[]::new);
            BatchProjector projector = new BatchProjector(Projection.of(batch.layout(), names));
            projector.forward(input, frame, message, out);
            out.finish();
            byte[] found = memory.asSlice(0, out.position()).toArray(ValueLayout.JAVA_BYTE);
            int number = seed;
            Arrow.verify(
                    MemorySegment.ofArray(found),
                    OPTIONS,
                    fault ->
                            assertTrue(
                                    fault.rule() != ValueRule.UNUSED_PADDING,
                                    () -> number + ": " + fault));
            forwarded++;
        }
        assertTrue(forwarded > 100);
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
