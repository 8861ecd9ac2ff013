// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.ipc.WrittenMessages.batch;
import static dev.fletch.ipc.WrittenMessages.dictionary;
import static dev.fletch.ipc.WrittenMessages.schema;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.batch.BatchBuilder;
import dev.fletch.batch.BatchLayout;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.BodyLayout;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.SegmentList;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.DictionaryInfo;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.Memories;
import dev.fletch.testdata.PlacedSegment;
import dev.fletch.testdata.SegmentBytes;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Random;

/// A list of segments has the bytes that a [MessageWriter] writes.
class MessageEncoderTest {
    private static final byte[] CONTENT = new byte[2_000];

    static {
        new Random(7).nextBytes(CONTENT);
    }

    private final ByteBuffer[] buffers = new ByteBuffer[100];
    private int buffersCompared;

    private static SegmentList body(MemorySegment memory, long at) {
        BodyLayout layout = new BodyLayout();
        layout.addBuffer(memory, at + 3, 77);
        layout.addBuffer(memory, at, 0);
        layout.addBuffer(memory, at + 200, 1_000);
        return layout.body();
    }

    private byte[] bytes(SegmentList parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(SegmentBytes.of(parts));
        assertEquals(parts.length(), out.size());
        return out.toByteArray();
    }

    /// The same with byte buffers, which not every kind of memory has.
    private byte[] bytesOfBuffers(SegmentList parts) {
        ByteBuffer all = ByteBuffer.allocate((int) parts.length());
        int count = parts.buffers(buffers);
        for (int i = 0; i < count; i++) {
            assertTrue(buffers[i].hasRemaining());
            all.put(buffers[i]);
        }
        return all.array();
    }

    private static boolean hasBuffer(MemorySegment memory) {
        try {
            return memory.asSlice(0, 1).asByteBuffer() != null;
        } catch (UnsupportedOperationException e) {
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource(ArrowContainer.class)
    void theBytesAreThoseOfAWriter(ArrowContainer container) throws IOException {
        for (var memory : Memories.segments()) {
            try (PlacedSegment placed = memory.place(CONTENT)) {
                SegmentList body = body(placed.segment(), placed.offset());
                for (int alignment : new int[] {8, 64, 4096}) {
                    compare(container, body, alignment);
                }
            }
        }
        assertTrue(buffersCompared > 5, "buffersCompared=" + buffersCompared);
    }

    private void compare(ArrowContainer container, SegmentList body, int alignment)
            throws IOException {
        MemorySegment batch = batch(body.length());
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        MessageWriter writer =
                MessageWriter.of(container, written).set(it -> it.alignment(alignment));
        MessageEncoder encoder = new MessageEncoder(container).alignment(alignment);
        ByteArrayOutputStream encoded = new ByteArrayOutputStream();
        writer.write(schema(5));
        encoded.writeBytes(bytes(encoder.encode(schema(5))));
        writer.write(dictionary(5, false, 0));
        encoded.writeBytes(bytes(encoder.encode(dictionary(5, false, 0))));
        writer.write(batch, body);
        SegmentList parts = encoder.encode(batch, body);
        encoded.writeBytes(bytes(parts));
        if (hasBuffer(body.segment(0))) {
            assertArrayEquals(bytes(parts), bytesOfBuffers(parts));
            buffersCompared++;
        }
        // The head alone; the caller sends the body.
        writer.write(batch, body);
        encoded.writeBytes(bytes(encoder.encode(batch, 0, (int) batch.byteSize(), null)));
        encoded.writeBytes(bytes(body));
        assertEquals(writer.position(), encoder.position());
        writer.finish();
        encoded.writeBytes(bytes(encoder.finish()));
        assertEquals(encoded.size(), encoder.position());
        assertArrayEquals(written.toByteArray(), encoded.toByteArray());
    }

    @Test
    void bodiesThatCannotBeReadAreRefused() {
        MessageEncoder encoder = new MessageEncoder(ArrowContainer.STREAM);
        encoder.encode(schema());
        SegmentList body = new SegmentList();
        try (Arena arena = Arena.ofConfined()) {
            body.add(arena.allocate(64), 0, 64);
        }
        long position = encoder.position();
        assertThrows(IllegalStateException.class, () -> encoder.encode(batch(64), body));
        assertEquals(position, encoder.position());
    }

    @Test
    void theEncodersOwnListAndBodiesOfNearlyAllBytesAreRefused() {
        MessageEncoder encoder = new MessageEncoder(ArrowContainer.STREAM);
        SegmentList own = encoder.encode(schema());
        long position = encoder.position();
        assertThrows(
                IllegalArgumentException.class, () -> encoder.encode(batch(own.length()), own));
        MemorySegment huge = batch(Long.MAX_VALUE - 7);
        assertThrows(
                IllegalArgumentException.class,
                () -> encoder.encode(huge, 0, (int) huge.byteSize(), null));
        assertEquals(position, encoder.position());
    }

    @Test
    void whatIsNotTheCallersCannotBeChanged() {
        SegmentList parts =
                new MessageEncoder(ArrowContainer.FILE)
                        .encode(schema())
                        .add(MemorySegment.ofArray(new byte[1]), 0, 1);
        int readOnly = 0;
        for (int i = 0; i < parts.count(); i++) {
            readOnly += parts.bytes(i) != 0 && parts.segment(i).isReadOnly() ? 1 : 0;
        }
        assertEquals(2, readOnly); // magic and prefix; the schema is the test's
        assertTrue(new SegmentList().addPadding(8).segment(0).isReadOnly());
    }

    @Test
    void valuesFromADictionaryThatWasNotWrittenAreRefusedInAStream() {
        ArrowField encoded =
                ArrowField.of("d", ArrowType.Simple.UTF8)
                        .nullable()
                        .withDictionary(DictionaryInfo.implicit(7, false));
        ArrowSchema columns = ArrowSchema.of(encoded);
        BatchBuilder builder =
                new BatchBuilder(BatchLayout.compile(columns.toTable(), MetadataVersion.V5));
        MemorySegment indices = MemorySegment.ofArray(new int[] {0, 0});
        MemorySegment none = MemorySegment.ofArray(new byte[] {0});
        for (ArrowContainer container : ArrowContainer.values()) {
            MessageEncoder encoder = new MessageEncoder(container);
            encoder.encode(columns.toMessage(EmissionOrder.ARROW_JAVA));
            builder.begin(2).buffer(0, BufferRole.DATA, indices);
            builder.buffer(0, BufferRole.VALIDITY, none);
            encoder.encode(builder); // no value needs it
            builder.begin(0);
            encoder.encode(builder);
            builder.begin(2).buffer(0, BufferRole.DATA, indices);
            if (container == ArrowContainer.STREAM) {
                long position = encoder.position();
                IllegalStateException e =
                        assertThrows(IllegalStateException.class, () -> encoder.encode(builder));
                assertTrue(e.getMessage().contains("dictionary=7"), e.getMessage());
                assertEquals(position, encoder.position());
                encoder.encode(dictionary(7, false, 0));
            }
            encoder.encode(builder); // the batch stays until the next one begins
            encoder.finish();
        }
    }

    @Test
    void missingDictionariesCanBePermitted() {
        ArrowField encoded =
                ArrowField.of("d", ArrowType.Simple.UTF8)
                        .withDictionary(DictionaryInfo.implicit(7, false));
        ArrowSchema columns = ArrowSchema.of(encoded);
        BatchBuilder builder =
                new BatchBuilder(BatchLayout.compile(columns.toTable(), MetadataVersion.V5));
        MessageEncoder encoder =
                new MessageEncoder(ArrowContainer.STREAM).missingDictionaries(true);
        encoder.encode(columns.toMessage(EmissionOrder.ARROW_JAVA));
        builder.begin(1).buffer(0, BufferRole.DATA, MemorySegment.ofArray(new int[1]));
        encoder.encode(builder);
        assertThrows(IllegalStateException.class, () -> encoder.missingDictionaries(false));
    }

    /// Such a file could not be finished.
    @Test
    void aSchemaThatNoFooterCanHaveIsRefused() {
        MemorySegment schema =
                ArrowSchema.of(ArrowField.of("id", new ArrowType.Int(64, true)))
                        .toMessage(EmissionOrder.ARROW_JAVA);
        int refused = 0;
        for (long at = 0; at < schema.byteSize(); at++) {
            byte[] damaged = schema.toArray(ValueLayout.JAVA_BYTE);
            damaged[(int) at] = 99;
            MessageEncoder encoder = new MessageEncoder(ArrowContainer.FILE);
            try {
                encoder.encode(MemorySegment.ofArray(damaged));
            } catch (FletchException | IllegalArgumentException | IllegalStateException e) {
                assertEquals(0, encoder.position());
                encoder.encode(schema);
                refused++;
            }
            encoder.finish();
        }
        assertTrue(refused > 10, "refused=" + refused);
    }

    @Test
    void aShortArrayLosesNothing() {
        SegmentList parts = new MessageEncoder(ArrowContainer.FILE).encode(schema());
        assertThrows(IllegalArgumentException.class, () -> parts.buffers(new ByteBuffer[1]));
        assertEquals(parts.length(), bytes(parts).length);
    }

    @Test
    void partsThatNoByteBufferCanShowAreNamed() {
        SegmentList body = new SegmentList().add(MemorySegment.ofArray(new long[2]), 0, 16);
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> body.buffers(buffers));
        assertEquals("part cannot be a byte buffer: part=0, length=16", e.getMessage());
    }

    @Test
    void repeatedMessagesAllocateNothing() {
        MessageEncoder encoder = new MessageEncoder(ArrowContainer.STREAM);
        encoder.encode(schema());
        SegmentList body = body(MemorySegment.ofArray(CONTENT), 0);
        MemorySegment batch = batch(body.length());
        assertSame(encoder.encode(batch, body), encoder.encode(batch, body));
        Allocations.assertNone(
                "encoding messages", () -> encoder.encode(batch, body).buffers(buffers));
    }
}
