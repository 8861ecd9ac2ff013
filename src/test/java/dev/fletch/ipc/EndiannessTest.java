// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.ipc.EncapsulatedMessageTest.assertFault;
import static dev.fletch.ipc.Frames.frame;
import static dev.fletch.ipc.Frames.join;
import static dev.fletch.ipc.Frames.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Check;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Endianness;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.testdata.ForeignBodies;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;

/// Byte order: metadata is little-endian whatever memory it is in and whatever it says of the
/// bodies; what it says is told, and refused where that is asked for.
class EndiannessTest {
    private static final ReadOptions LITTLE_ONLY =
            ReadOptions.DEFAULT.with(Check.LITTLE_ENDIAN, true);

    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();

    private static byte[] sample(boolean asFile, int endianness) {
        return ForeignBodies.of(asFile ? TradesSample.file() : TradesSample.stream(), endianness);
    }

    private static int endianness(ArrowFile file) {
        Schema schema = new Schema();
        assertTrue(file.footer().schema(schema));
        return schema.endianness();
    }

    // ---- what the schema says of the bodies

    @ParameterizedTest
    @ValueSource(ints = {Endianness.LITTLE, Endianness.BIG, 2, -1})
    void endiannessIsReported(int endianness) throws IOException {
        ArrowFile file = ArrowFile.of(MemorySegment.ofArray(sample(true, endianness)));
        assertEquals(endianness, endianness(file));
        MessageReader reader = Frames.reader(sample(false, endianness));
        assertEquals(FrameKind.MESSAGE, reader.next(message));
        Schema schema = new Schema();
        assertTrue(message.header(schema));
        assertEquals(endianness, schema.endianness());
        int messages = 1;
        while (reader.next(message) == FrameKind.MESSAGE) {
            messages++;
        }
        assertEquals(5, messages);
    }

    @ParameterizedTest
    @ValueSource(ints = {Endianness.BIG, 2, -1})
    void foreignByteOrdersAreRefusedOnRequest(int endianness) {
        byte[] stream = sample(false, endianness);
        MemorySegment memory = MemorySegment.ofArray(stream);
        EncapsulatedMessage strict = new EncapsulatedMessage(LITTLE_ONLY);
        boolean isBig = endianness == Endianness.BIG;
        Rule fault = isBig ? MeaningRule.FOREIGN_ENDIANNESS : MeaningRule.UNKNOWN_ENDIANNESS;
        FletchException e = assertFault(fault, 8, () -> strict.wrap(memory, 0, message));
        assertEquals(
                fault.description() + ": endianness=" + Endianness.NAMES.name(endianness),
                e.fault().text());
        assertFault(fault, 8, () -> strict.wrap(ByteBuffer.wrap(stream), message));
        MessageReader reader = MessageReader.of(new ByteArrayInputStream(stream), LITTLE_ONLY);
        assertFault(fault, 8, () -> reader.next(message));

        MemorySegment file = MemorySegment.ofArray(sample(true, endianness));
        long footer = ArrowFile.of(file).footerOffset();
        assertFault(fault, footer, () -> ArrowFile.of(file, LITTLE_ONLY));
        for (Level how : Level.values()) {
            ReadOptions options = LITTLE_ONLY.withLevel(how);
            assertFault(fault, footer, () -> ArrowFile.of(file, options));
        }
    }

    @Test
    void littleEndianIsNotRefused() throws IOException {
        Listing expected = Listing.ofStream(TradesSample.stream());
        MessageReader reader =
                MessageReader.of(new ByteArrayInputStream(TradesSample.stream()), LITTLE_ONLY);
        assertEquals(expected, Listing.ofReader(reader));
        ArrowFile file = ArrowFile.of(MemorySegment.ofArray(TradesSample.file()), LITTLE_ONLY);
        assertEquals(5, Listing.ofFile(file).messages().size());
        assertEquals(Endianness.LITTLE, endianness(file));
    }

    /// Readers of a file use the footer's schema, whatever is in front. What the options refuse
    /// there is no message of the file.
    @Test
    void theSchemaOfTheFooterDecides() {
        byte[] front = ForeignBodies.of(join(frame(schema()), Frames.END), Endianness.BIG);
        byte[] footer = Frames.footer(List.of(), List.of());
        for (byte[] messages : new byte[][] {front, Frames.END}) {
            MemorySegment memory = MemorySegment.ofArray(Frames.file(messages, footer));
            for (Level how : Level.values()) {
                ArrowFile file = ArrowFile.of(memory, LITTLE_ONLY.withLevel(how));
                assertEquals(Endianness.LITTLE, endianness(file));
                assertEquals(0, file.messageCount());
                ArrowFile any = ArrowFile.of(memory, ReadOptions.DEFAULT.withLevel(how));
                assertEquals(messages == front ? 1 : 0, any.messageCount());
            }
        }
    }
}
