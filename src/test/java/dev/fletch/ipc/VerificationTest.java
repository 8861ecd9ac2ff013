// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.ipc.EncapsulatedMessageTest.assertFault;
import static dev.fletch.ipc.Frames.frame;
import static dev.fletch.ipc.Frames.join;
import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.StructureRule;
import dev.fletch.format.Field;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayInputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// What is verified when something is opened, by whom, and what a fault then says. The sample is
/// damaged in the name of one column: bound by its own, a message or footer shows nothing of it.
class VerificationTest {
    private static final String COLUMN = "venue";
    private static final int INDEX = 5;
    private static final ReadOptions TOUCHED = ReadOptions.DEFAULT.withLevel(Level.TOUCHED);
    private static final ReadOptions STRICT =
            ReadOptions.DEFAULT.withChecks(Checks.STRICT.enabled());

    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();
    private final Schema schema = new Schema();
    private final Field field = new Field();

    // ---- options

    @Test
    void checksAndLimitsAreSetIndependently() {
        Limits few = Limits.DEFAULT.withDepth(3);
        ReadOptions limited = ReadOptions.DEFAULT.withLimits(few);
        assertEquals(few, limited.withChecks(Checks.STRICT.enabled()).limits());
        assertEquals(few, limited.with(Check.LITTLE_ENDIAN, true).limits());
        assertEquals(Checks.STRICT.enabled(), STRICT.withLimits(few).checks().enabled());
    }

    // ---- damage

    /// Puts a byte other than NUL behind the column's name.
    ///
    /// @param last whether where the name comes last, which is in the footer, or first
    private static byte[] withoutNul(byte[] bytes, boolean last) {
        byte[] damaged = bytes.clone();
        damaged[nameAt(bytes, last) + COLUMN.length()] = 'x';
        return damaged;
    }

    /// Makes the column's name something that is not UTF-8.
    private static byte[] notUtf8(byte[] bytes, boolean last) {
        byte[] damaged = bytes.clone();
        damaged[nameAt(bytes, last)] = (byte) 0xFF;
        return damaged;
    }

    private static int nameAt(byte[] bytes, boolean last) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        // With what is around it: the length in front, and the NUL.
        String name = "\5\0\0\0" + COLUMN + "\0";
        return (last ? text.lastIndexOf(name) : text.indexOf(name)) + Integer.BYTES;
    }

    // ---- messages

    @ParameterizedTest
    @EnumSource(Level.class)
    void messageIsVerifiedWhereverItIsOpenedAtAllLevels(Level how) {
        ReadOptions options = ReadOptions.DEFAULT.withLevel(how);
        EncapsulatedMessage own = new EncapsulatedMessage(options);
        byte[] stream = withoutNul(TradesSample.stream(), false);
        MemorySegment memory = MemorySegment.ofArray(stream);
        long nameOffset = nameAt(TradesSample.stream(), false) + COLUMN.length();
        assertUnterminated("", nameOffset, assertInvalid(() -> own.wrap(memory, 0, message)));
        ByteBuffer buffer = ByteBuffer.allocateDirect(stream.length + 3).position(3);
        buffer.put(stream).position(3);
        assertUnterminated("", nameOffset + 3, assertInvalid(() -> own.wrap(buffer, message)));
        MessageReader reader = MessageReader.of(new ByteArrayInputStream(stream), options);
        assertUnterminated("message 0: ", nameOffset, assertInvalid(() -> reader.next(message)));

        byte[] file = withoutNul(TradesSample.file(), false);
        ArrowFile opened = ArrowFile.of(MemorySegment.ofArray(file), options);
        assertFalse(opened.hasSchemaMessage());
        assertEquals(4, opened.messageCount());
        opened.message(0, frame, message);
        assertEquals(MessageHeader.DICTIONARY_BATCH, message.headerType());
        opened.recordBatch(0, frame, message);
    }

    private static FletchException assertInvalid(Opening opening) {
        FletchException e = assertThrows(FletchException.class, opening::open);
        assertEquals(cause(e).rule(), e.rule());
        assertTrue(e.getMessage().contains(": metadata does not verify: "), e.getMessage());
        return e;
    }

    private interface Opening {
        void open() throws Exception;
    }

    private static FletchException cause(FletchException e) {
        return assertInstanceOf(FletchException.class, e.getCause());
    }

    private static void assertUnterminated(String message, long offset, FletchException e) {
        assertEquals(StructureRule.STRING_UNTERMINATED, e.rule());
        assertEquals("header.schema.fields[5].name", e.fault().path());
        assertEquals(offset, e.offset());
        assertEquals(
                message
                        + "offset %d: metadata does not verify: no NUL follows the string:"
                                .formatted(offset)
                        + " code=string-unterminated, path=header.schema.fields[5].name,"
                        + " value=120",
                e.getMessage());
    }

    @Test
    void checksOfTheCallerAreUsed() {
        byte[] stream = notUtf8(TradesSample.stream(), false);
        MemorySegment memory = MemorySegment.ofArray(stream);
        frame.wrap(memory, 0, message);
        EncapsulatedMessage strict = new EncapsulatedMessage(STRICT);
        FletchException e = assertInvalid(() -> strict.wrap(memory, 0, message));
        assertEquals(StructureRule.STRING_NOT_UTF8, cause(e).rule());
        MemorySegment file = MemorySegment.ofArray(notUtf8(TradesSample.file(), true));
        ArrowFile.of(file);
        assertRule(StructureRule.STRING_NOT_UTF8, () -> ArrowFile.of(file, STRICT));
        ReadOptions shallow =
                ReadOptions.DEFAULT.withLimits((Checks.ARROW_CPP.limits().withDepth(1)));
        EncapsulatedMessage deep = new EncapsulatedMessage(shallow);
        e = assertInvalid(() -> deep.wrap(memory, 0, message));
        assertEquals(StructureRule.DEPTH_LIMIT, cause(e).rule());
    }

    // ---- footers

    @Test
    void footerIsVerifiedWhenTheFileIsOpened() {
        byte[] file = withoutNul(TradesSample.file(), true);
        MemorySegment memory = MemorySegment.ofArray(file);
        long offset = nameAt(TradesSample.file(), true) + (long) COLUMN.length();
        FletchException e =
                assertFault(StructureRule.STRING_UNTERMINATED, offset, () -> ArrowFile.of(memory));
        assertEquals("schema.fields[5].name", e.fault().path());
    }

    @Test
    void columnIsVerifiedWhenItIsTouched() {
        byte[] bytes = withoutNul(TradesSample.file(), true);
        long offset = nameAt(TradesSample.file(), true) + (long) COLUMN.length();
        ArrowFile file = ArrowFile.of(MemorySegment.ofArray(bytes), TOUCHED);
        assertTrue(file.footer().schema(schema));
        for (int i = 0; i < schema.fieldsCount(); i++) {
            schema.fields(i, field);
            if (i == INDEX) {
                FletchException e =
                        assertFault(
                                StructureRule.STRING_UNTERMINATED,
                                offset,
                                () -> file.verified(field));
                assertEquals("name", e.fault().path());
            } else {
                assertSame(field, file.verified(field));
            }
        }
    }

    @Test
    void pairIsVerifiedWhenItIsTouched() {
        byte[] bytes = TradesSample.file();
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int at = text.lastIndexOf("2026-01-05\0") + 10;
        bytes[at] = '!';
        ArrowFile file = ArrowFile.of(MemorySegment.ofArray(bytes), TOUCHED);
        assertTrue(file.footer().schema(schema));
        assertEquals(2, schema.customMetadataCount());
        KeyValue pair = new KeyValue();
        int faults = 0;
        for (int i = 0; i < 2; i++) {
            schema.customMetadata(i, pair);
            if ("session".equals(pair.keyString())) {
                assertFault(StructureRule.STRING_UNTERMINATED, at, () -> file.verified(pair));
                faults++;
            } else {
                assertSame(pair, file.verified(pair));
            }
        }
        assertEquals(1, faults);
    }

    /// What is looked at when such a file is opened are its own table, its schema's and its blocks.
    @Test
    void rootSchemaAndBlocksOfAFooterAreAlwaysVerified() {
        byte[] good = TradesSample.file();
        ArrowFile opened = ArrowFile.of(MemorySegment.ofArray(good));
        int root = (int) opened.footer().position();
        opened.footer().schema(schema);
        for (int table : new int[] {root, (int) schema.position()}) {
            byte[] bytes = good.clone();
            bytes[table + 3] = 0x70; // its vtable is nowhere
            MemorySegment memory = MemorySegment.ofArray(bytes);
            for (ReadOptions options : new ReadOptions[] {TOUCHED, ReadOptions.DEFAULT}) {
                assertRule(StructureRule.VTABLE_OUT_OF_RANGE, () -> ArrowFile.of(memory, options));
            }
        }
    }

    // ---- options

    @Test
    void optionsKeepTheirValues() {
        ReadOptions options = STRICT.with(Check.LITTLE_ENDIAN, true);
        assertEquals(Level.STRUCTURE, options.level());
        assertEquals(Checks.STRICT.with(Check.LITTLE_ENDIAN, true), options.checks());
        assertEquals(
                ReadOptions.DEFAULT,
                options.with(Check.LITTLE_ENDIAN, false).withChecks(Checks.DEFAULT.enabled()));
        assertThrows(NullPointerException.class, () -> options.withLevel(null));
        assertThrows(NullPointerException.class, () -> options.withChecks(null));
    }

    /// A flatbuffer may lie at any address, as that of a legacy frame does.
    @Test
    void alignmentCountsFromTheFlatbuffersFirstByte() {
        byte[] legacy = Frames.legacyFrame(Frames.batch(0));
        for (int pad = 0; pad < 8; pad++) {
            frame.wrap(MemorySegment.ofArray(join(new byte[pad], legacy)), pad, message);
            assertEquals(MessageHeader.RECORD_BATCH, message.headerType());
        }
    }
}
