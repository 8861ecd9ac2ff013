// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.Checks;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.format.Verifier.Root;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.GeneratedTables;
import dev.fletch.testdata.LargeSchemas;
import dev.fletch.testdata.Memories.BufferBacking;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.PlacedBuffer;
import dev.fletch.testdata.PlacedSegment;
import dev.fletch.testdata.Row;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// A verdict allocates nothing, whether it is yes or no, in no kind of memory.
@Isolated("counts allocations")
class VerifierAllocationTest {
    private static final byte[] SCHEMA = LargeSchemas.schemaMessage(20);
    private static final byte[] BATCH = LargeSchemas.recordBatchMessage(20);

    /// A schema, a batch, and a schema with a string that does not end.
    private static final Row ROW = Row.of(SCHEMA, BATCH, broken());

    private static byte[] broken() {
        byte[] broken = SCHEMA.clone();
        MemorySegment memory = MemorySegment.ofArray(broken);
        Schema schema = new Schema();
        Field field = new Field();
        assertTrue(new Message().wrap(memory).header(schema));
        Utf8Slice name = new Utf8Slice();
        schema.fields(15, field).children(0, field).name(name);
        byte[] text = name.toByteArray();
        broken[find(broken, text) + text.length] = 1;
        return broken;
    }

    private static int find(byte[] in, byte[] text) {
        for (int at = 0; ; at++) {
            if (Arrays.equals(in, at, at + text.length, text, 0, text.length)) {
                return at;
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#segments")
    void verifyingASegmentAllocatesNothing(SegmentBacking backing) {
        for (Checks options : new Checks[] {Checks.ARROW_CPP, Checks.STRICT}) {
            Verifier verifier = new Verifier(options);
            try (PlacedSegment placed = backing.place(ROW.bytes())) {
                MemorySegment memory = placed.segment();
                long schema = placed.offset();
                long batch = schema + ROW.offset(1);
                long broken = schema + ROW.offset(2);
                Field field = new Field();
                Schema fields = new Schema();
                Message message = new Message();
                Runnable work =
                        () -> {
                            check(
                                    verifier.verify(
                                            Verifier.Root.MESSAGE, memory, schema, SCHEMA.length),
                                    true);
                            check(
                                    verifier.verify(
                                            Verifier.Root.MESSAGE, memory, batch, BATCH.length),
                                    true);
                            check(
                                    verifier.verify(
                                            Verifier.Root.MESSAGE, memory, broken, SCHEMA.length),
                                    false);
                            check(
                                    verifier.verifyShallow(
                                            Root.MESSAGE, memory, broken, SCHEMA.length),
                                    true);
                            message.wrap(memory, schema, SCHEMA.length).header(fields);
                            check(verifier.field(fields.fields(0, field)), true);
                        };
                Allocations.assertNone("verifying, " + backing, work::run);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#buffers")
    void verifyingAByteBufferAllocatesNothing(BufferBacking backing) {
        Verifier verifier = new Verifier(Checks.STRICT);
        try (PlacedBuffer placed = backing.place(ROW.bytes())) {
            int schema = placed.buffer().position();
            int batch = schema + ROW.offset(1);
            int broken = schema + ROW.offset(2);
            Runnable work =
                    () -> {
                        var buffer = placed.buffer();
                        buffer.limit(schema + SCHEMA.length).position(schema);
                        check(verifier.verify(Verifier.Root.MESSAGE, buffer), true);
                        buffer.limit(batch + BATCH.length).position(batch);
                        check(verifier.verify(Verifier.Root.MESSAGE, buffer), true);
                        buffer.limit(broken + SCHEMA.length).position(broken);
                        check(verifier.verify(Verifier.Root.MESSAGE, buffer), false);
                    };
            Allocations.assertNone("verifying, " + backing, work::run);
        }
    }

    /// Every place where a fault can be: only asking for the fault allocates.
    @Test
    void refusingAllocatesNothing() {
        byte[] bytes = LargeSchemas.schemaMessage(2);
        MemorySegment memory = MemorySegment.ofArray(bytes);
        Verifier verifier = new Verifier(Checks.STRICT);
        int[] refused = new int[1];
        Runnable work =
                () -> {
                    for (int at = 0; at < bytes.length; at += 3) {
                        byte before = bytes[at];
                        bytes[at] ^= 0x55;
                        refused[0] += verifier.verify(Verifier.Root.MESSAGE, memory) ? 0 : 1;
                        bytes[at] = before;
                    }
                };
        Allocations.assertNone("refusing", work::run);
        assertFalse(refused[0] == 0);
    }

    /// A copy of more than 256 kB is made anew for each message, and not kept.
    @Test
    void longCopiesOfBatchesAreNotKept() {
        int most = 1 << 18;
        FlatBufferBuilder to = new FlatBufferBuilder();
        int key = to.createString("k");
        int value = to.createString("x".repeat(2 * most));
        int pair = org.apache.arrow.flatbuf.KeyValue.createKeyValue(to, key, value);
        int pairs =
                org.apache.arrow.flatbuf.Message.createCustomMetadataVector(to, new int[] {pair});
        to.startTable(1);
        int batch = to.endTable();
        byte type = MessageHeader.RECORD_BATCH;
        short version = MetadataVersion.V5;
        to.finish(GeneratedTables.message(to, version, type, batch, 0, pairs));
        byte[] bytes = to.sizedByteArray();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(bytes.length, 8);
            memory.copyFrom(MemorySegment.ofArray(bytes));
            Verifier verifier = new Verifier(Checks.STRICT);
            Message message = new Message();
            assertTrue(verifier.message(memory, 0, bytes.length, message));
            assertTrue(message.parts() != null);
            long allocated =
                    Allocations.leastBytes(
                            1, () -> verifier.message(memory, 0, bytes.length, message));
            assertTrue(allocated > most, allocated + " bytes");
        }
    }

    private static void check(boolean verdict, boolean expected) {
        if (verdict != expected) {
            throw new AssertionError("verdict: " + verdict);
        }
    }
}
