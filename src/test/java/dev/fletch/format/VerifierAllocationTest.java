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
import dev.fletch.testdata.Memories.Backing;
import dev.fletch.testdata.Placed;
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

    private static final int BROKEN = 2;

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
    @MethodSource("dev.fletch.testdata.Memories#all")
    void verifyingAllocatesNothing(Backing backing) {
        for (Checks options : new Checks[] {Checks.ARROW_CPP, Checks.STRICT}) {
            Verifier verifier = new Verifier(options);
            try (Placed placed = backing.place(ROW.bytes())) {
                Allocations.assertNone("verifying, " + backing, work(verifier, placed));
            }
        }
    }

    private static Allocations.Work work(Verifier verifier, Placed placed) {
        Field field = new Field();
        Schema schema = new Schema();
        Message message = new Message();
        return switch (placed) {
            case PlacedSegment in ->
                    () -> {
                        MemorySegment memory = in.segment();
                        for (int i = 0; i < ROW.count(); i++) {
                            long at = in.offset() + ROW.offset(i);
                            long length = ROW.length(i);
                            check(verifier.verify(Root.MESSAGE, memory, at, length), i != BROKEN);
                            check(verifier.verifyShallow(Root.MESSAGE, memory, at, length), true);
                        }
                        message.wrap(memory, in.offset(), SCHEMA.length).header(schema);
                        check(verifier.field(schema.fields(0, field)), true);
                    };
            case PlacedBuffer in -> {
                int start = in.buffer().position();
                yield () -> {
                    for (int i = 0; i < ROW.count(); i++) {
                        int at = start + ROW.offset(i);
                        in.buffer().limit(at + ROW.length(i)).position(at);
                        check(verifier.verify(Root.MESSAGE, in.buffer()), i != BROKEN);
                    }
                };
            }
        };
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
