// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.differential.CraftedBuffers;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.flatbuf.write.TargetTooSmallException;
import dev.fletch.format.FlatcDocument;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.RawBuffer;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.LargeSchemas;
import dev.fletch.testdata.OracleFile.Flatbuffer;
import dev.fletch.testdata.OracleListing;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Whatever the source's bytes are: writing it again ends soon, in a buffer or in an exception that
/// is documented.
@Timeout(120)
class RewriteHostileTest {
    private static final int DAMAGES_PER_MESSAGE = CaseCount.of(100, 400);
    private static final int MAX_MESSAGE_BYTES = 4096;

    /// Small, so that a source whose objects are shared over and over ends soon.
    private static final int TARGET_BYTES = 1 << 18;

    private static final int[] NUMBERS = {
        0, 1, 4, 8, -1, -4, 0x7FFF_FFFF, 0x8000_0000, 0x4000_0000, 0x1000_0000, 0x0004_0004
    };

    private long written;
    private long refused;

    @Test
    void damagedMessagesAreWrittenOrRefused() {
        List<Flatbuffer> samples = samples();
        FlatBufferWriter buffer = new FlatBufferWriter();
        MetadataWriter writer = new MetadataWriter(EmissionOrder.ARROW_CPP, buffer);
        MemorySegment target = MemorySegment.ofArray(new byte[TARGET_BYTES]);
        Random random = new Random(4);
        for (Flatbuffer each : samples) {
            for (int i = 0; i < DAMAGES_PER_MESSAGE; i++) {
                byte[] bytes = each.bytes().clone();
                damage(bytes, random);
                buffer.wrap(target);
                rewrite(writer, each.isFooter(), bytes);
            }
        }
        System.out.printf(
                "Damaged messages: %d samples, %d written, %d refused%n",
                samples.size(), written, refused);
        assertTrue(written > 1000, "written: " + written);
        assertTrue(refused > 1000, "refused: " + refused);
    }

    private static List<Flatbuffer> samples() {
        List<Flatbuffer> samples = new ArrayList<>();
        for (String name : List.of("all_types", "custom_metadata", "dictionaries", "nested")) {
            samples.addAll(OracleListing.list(ArrowVectorFiles.named(name).file()).flatbuffers());
        }
        for (FlatcDocument each : FlatcDocument.all()) {
            if (each.root().equals("Message")) {
                samples.add(new Flatbuffer("Message", 0, each.compiled(true)));
            }
        }
        if (Goldens.present()) {
            for (Path golden : Goldens.all()) {
                OracleListing.list(Goldens.read(golden)).flatbuffers().stream()
                        .filter(each -> each.isFooter() || each.kind().equals("Schema"))
                        .forEach(samples::add);
            }
        }
        samples.removeIf(each -> each.bytes().length > MAX_MESSAGE_BYTES);
        return samples;
    }

    private static void damage(byte[] bytes, Random random) {
        MemorySegment memory = MemorySegment.ofArray(bytes);
        int places = 1 + random.nextInt(4);
        for (int i = 0; i < places; i++) {
            int at = random.nextInt(bytes.length - 3);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] = (byte) random.nextInt(256);
                case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> put(memory, at & -4, NUMBERS[random.nextInt(NUMBERS.length)]);
                default -> put(memory, at & -4, random.nextInt(bytes.length));
            }
        }
    }

    private static void put(MemorySegment memory, int at, int value) {
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, at, value);
    }

    private void rewrite(MetadataWriter writer, boolean footer, byte[] bytes) {
        try {
            if (footer) {
                writer.footer(new Footer().wrap(MemorySegment.ofArray(bytes)));
            } else {
                writer.message(new Message().wrap(MemorySegment.ofArray(bytes)));
            }
            written++;
        } catch (FletchException | TargetTooSmallException e) {
            refused++;
        }
    }

    // ---- shared and nested

    @Test
    void sharedTablesAreLimited() {
        byte[] bomb = CraftedBuffers.bomb(40, 2);
        for (EmissionOrder order : EmissionOrder.values()) {
            RewriteRig rig = new RewriteRig(order);
            assertRule(MeaningRule.SCHEMA_TOO_LARGE, () -> rig.root("Schema", bomb));
            byte[] smaller = CraftedBuffers.bomb(13, 2);
            rig.writer().limits(Limits.DEFAULT.withTables(10_000));
            FletchException tooMany =
                    assertThrows(FletchException.class, () -> rig.root("Schema", smaller));
            assertEquals("too many tables to write: limit=10000", tooMany.getMessage());
        }
    }

    @Test
    void theTableLimitIsExact() {
        byte[] source = CraftedBuffers.bomb(4, 2);
        int tables = (int) CraftedBuffers.tablesOfBomb(4, 2);
        RewriteRig rig = new RewriteRig(EmissionOrder.FLATC);
        rig.writer().limits(Limits.DEFAULT.withTables(tables));
        byte[] written = rig.root("Schema", source);
        assertArrayEquals(written, rig.root("Schema", written));
        rig.writer().limits(Limits.DEFAULT.withTables(tables - 1));
        assertThrows(FletchException.class, () -> rig.root("Schema", source));
    }

    /// Checked before each table: the last one is the root.
    @Test
    void theByteLimitIsExact() {
        byte[] source = CraftedBuffers.bomb(4, 2);
        RewriteRig rig = new RewriteRig(EmissionOrder.FLATC);
        byte[] written = rig.root("Schema", source);
        ByteBuffer bytes = ByteBuffer.wrap(written).order(ByteOrder.LITTLE_ENDIAN);
        int root = bytes.getInt(0);
        int rootBytes = bytes.getShort(root - bytes.getInt(root) + 2);
        int before = written.length - root - rootBytes;
        rig.writer().limits(Limits.DEFAULT.withMetadataBytes(before));
        assertArrayEquals(written, rig.root("Schema", source));
        rig.writer().limits(Limits.DEFAULT.withMetadataBytes(before - 1));
        assertThrows(FletchException.class, () -> rig.root("Schema", source));
    }

    @Test
    void theDepthLimitIsExact() {
        int levels = 200_000;
        byte[] deep = CraftedBuffers.chain(levels);
        byte[] deepest = CraftedBuffers.chain(129); // a schema, and 128 levels of fields
        byte[] expected = new RewriteRig(EmissionOrder.FLATC).root("Schema", deepest);
        for (EmissionOrder order : EmissionOrder.values()) {
            RewriteRig rig = new RewriteRig(order);
            FletchException e = assertThrows(FletchException.class, () -> rig.root("Schema", deep));
            assertEquals("too many levels of fields to write: limit=128", e.getMessage());
            assertArrayEquals(
                    expected,
                    new RewriteRig(EmissionOrder.FLATC)
                            .root("Schema", rig.root("Schema", deepest)));
        }
        RewriteRig rig = new RewriteRig(EmissionOrder.FLATC);
        rig.writer().limits(Limits.DEFAULT.withDepth(levels));
        byte[] written = rig.root("Schema", deep);
        assertArrayEquals(written, rig.root("Schema", written));
    }

    @Test
    void aTextSharedByAllFieldsIsLimited() {
        FlatBufferWriter writer = new FlatBufferWriter();
        int name = writer.createString("n".repeat(1_000));
        int[] places = new int[10_000];
        Arrays.setAll(
                places, _ -> TableEncoder.createField(writer, name, true, Type.UTF8, 0, 0, 0, 0));
        int fields = writer.createOffsetVector(places, 0, places.length);
        writer.finish(TableEncoder.createSchema(writer, Endianness.LITTLE, fields, 0, 0));
        RewriteRig rig = new RewriteRig(EmissionOrder.ARROW_CPP);
        rig.writer().limits(Limits.DEFAULT.withMetadataBytes(1 << 22));
        byte[] source = writer.toByteArray();
        FletchException e = assertThrows(FletchException.class, () -> rig.root("Schema", source));
        assertEquals("too many bytes to write: limit=4194304", e.getMessage());
    }

    /// A vector above the limit is refused before there is room for it.
    @Test
    void theByteLimitIsCheckedBeforeAVector() {
        int nodeBytes = 16 * 1000;
        byte[] source = LargeSchemas.recordBatchMessage(1000);
        Message message = new Message().wrap(MemorySegment.ofArray(source));
        FlatBufferWriter small = new FlatBufferWriter();
        MetadataWriter writer = new MetadataWriter(EmissionOrder.ARROW_CPP, small);
        small.wrap(MemorySegment.ofArray(new byte[nodeBytes / 2]));
        writer.limits(Limits.DEFAULT.withMetadataBytes(nodeBytes));
        assertThrows(TargetTooSmallException.class, () -> writer.message(message));
        small.wrap(MemorySegment.ofArray(new byte[nodeBytes / 2]));
        writer.limits(Limits.DEFAULT.withMetadataBytes(nodeBytes - 1));
        assertThrows(FletchException.class, () -> writer.message(message));
    }

    @Test
    void unknownUnionMembersAreRejected() {
        byte[] message =
                new RawBuffer(48)
                        .offset(0, 16)
                        .vtable(4, 0, 8, 4)
                        .u16(6, 9)
                        .table(16, 4)
                        .u8(24, 9)
                        .offset(20, 40)
                        .vtable(32)
                        .u16(34, 4)
                        .table(40, 32)
                        .bytes();
        RewriteRig rig = new RewriteRig(EmissionOrder.FLATC);
        FletchException e = assertThrows(FletchException.class, () -> rig.message(message));
        assertEquals("unknown member of union: union=MessageHeader, id=9", e.getMessage());
        message[24] = 0;
        assertThrows(FletchException.class, () -> rig.message(message), "a value without a tag");
    }
}
