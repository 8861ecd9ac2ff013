// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.format.Probe.Outcome;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.testdata.LargeSchemas;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/// What a flyweight does before it is bound, and when what it was bound to is gone.
class LifetimeTest {
    private static final int COLUMNS = 12;
    private static final Class<IllegalStateException> STATE = IllegalStateException.class;

    // ---- unbound

    /// It shows zeros and refuses the rest: what is not a documented exception is a failure.
    @ParameterizedTest
    @MethodSource("dev.fletch.format.Flyweights#names")
    void anUnboundFlyweightReadsZerosOrThrows(String name) {
        Object unbound = Flyweights.fresh(name);
        Map<String, Outcome> outcomes = Probe.all(unbound);
        for (Method method : Probe.methods(unbound.getClass())) {
            Outcome outcome = outcomes.get(Probe.signature(method));
            String what = name + "." + Probe.signature(method) + ": " + outcome;
            boolean refused =
                    outcome.thrown() == STATE
                            || (outcome.thrown() == IndexOutOfBoundsException.class
                                    && Probe.takesAnIndex(method));
            boolean nothing =
                    outcome.thrown() == null
                            && (outcome.value() == null
                                    || outcome.value().equals(false)
                                    || outcome.value() instanceof Number zero
                                            && zero.longValue() == 0);
            assertTrue(refused || nothing, what);
            boolean mustRefuse =
                    method.getName().startsWith("set")
                            || List.of("position", "isPresent").contains(method.getName());
            assertTrue(refused || !mustRefuse, what);
        }
    }

    @Test
    void nothingCanBeBoundBelowAnUnboundFlyweight() {
        Field field = new Field();
        Schema schema = new Schema();
        IllegalStateException refused = assertThrows(STATE, () -> schema.fields(0, field));
        assertEquals("Schema is not bound to a buffer", refused.getMessage());
        assertFalse(new Message().header(schema));
        assertThrows(STATE, field::position);
    }

    // ---- out of date

    /// When its root has wrapped again, a flyweight still shows what it decoded, and
    /// neither follows an offset nor changes a byte.
    @ParameterizedTest
    @MethodSource("dev.fletch.format.TablePath#all")
    void anOutdatedFlyweightShowsDecodedFieldsAndRefusesTheRest(TablePath path) {
        byte[] bytes = path.bytes(FullTables.table(path.target(), 1), 1);
        Table root = Flyweights.wrap(Flyweights.freshTable(path.root()), bytes);
        Table table = path.follow(root);
        if (table == root) {
            return; // A root is never out of date, it is what it wrapped last.
        }
        Probe.all(table); // The probe sets the numbers to zero, and reads zero afterwards.
        Map<String, Outcome> before = Probe.all(table);
        byte[] untouched = bytes.clone();
        Flyweights.wrap(root, bytes.clone());
        assertOutOfDate(table, before);
        assertEquals(0, Arrays.compare(untouched, bytes));
    }

    private static void assertOutOfDate(Object flyweight, Map<String, Outcome> before) {
        Map<String, Outcome> after = Probe.all(flyweight);
        for (Method method : Probe.methods(flyweight.getClass())) {
            String signature = Probe.signature(method);
            Outcome was = before.get(signature);
            Outcome is = after.get(signature);
            String what = flyweight.getClass().getSimpleName() + "." + signature + ": " + is;
            boolean decoded = Probe.isDecoded(method) || Boolean.FALSE.equals(was.value());
            assertEquals(decoded ? was : new Outcome(null, STATE), is, what);
        }
    }

    @Test
    void anOutdatedStructShowsItsDecodedNumbers() {
        byte[] bytes = LargeSchemas.recordBatchMessage(COLUMNS);
        Message message = new Message().wrap(MemorySegment.ofArray(bytes));
        RecordBatch batch = new RecordBatch();
        assertTrue(message.header(batch));
        Buffer buffer = batch.buffers(4, new Buffer());
        FieldNode node = batch.nodes(4, new FieldNode());
        Probe.all(buffer); // The probe sets the numbers to zero, and reads zero afterwards.
        Probe.all(node);
        Map<String, Outcome> buffers = Probe.all(buffer);
        Map<String, Outcome> nodes = Probe.all(node);
        message.wrap(MemorySegment.ofArray(bytes));
        assertOutOfDate(buffer, buffers);
        assertOutOfDate(node, nodes);
        assertThrows(STATE, () -> batch.buffers(0, buffer));
    }

    // ---- after an exception

    @Test
    void aRootThatFailedToWrapIsUnboundAndCanBeUsedAgain() {
        byte[] bytes = LargeSchemas.schemaMessage(COLUMNS);
        MemorySegment good = MemorySegment.ofArray(bytes);
        Message message = new Message().wrap(good);
        Schema schema = new Schema();
        assertTrue(message.header(schema));
        MemorySegment bad = MemorySegment.ofArray(new byte[] {-1, -1, -1, -1, 0, 0, 0, 0});
        assertThrows(FletchException.class, () -> message.wrap(bad));
        assertThrows(STATE, message::position);
        assertThrows(STATE, () -> message.isPresent(0));
        assertThrows(STATE, () -> message.setBodyLength(1));
        assertThrows(STATE, () -> schema.fields(0, new Field()));
        message.wrap(good);
        assertTrue(message.header(schema));
        assertEquals(COLUMNS, schema.fieldsCount());
    }

    @Test
    void aRangeOutsideTheMemoryIsRefused() {
        MemorySegment memory = MemorySegment.ofArray(LargeSchemas.schemaMessage(COLUMNS));
        long size = memory.byteSize();
        Message message = new Message();
        for (long[] range :
                new long[][] {
                    {0, size + 1},
                    {1, size},
                    {-1, size},
                    {size, 1},
                    {0, -1},
                    {size + 1, 0},
                    {Long.MAX_VALUE, 8},
                    {8, Long.MAX_VALUE},
                    {Long.MIN_VALUE, 8}
                }) {
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> message.wrap(memory, range[0], range[1]));
            assertThrows(STATE, message::position);
        }
        assertEquals(MessageHeader.SCHEMA, message.wrap(memory).headerType());
    }

    /// The child is unbound, the parent and its other children are as they were.
    @Test
    void aChildThatFailedToBindLeavesItsParentAsItIs() {
        byte[] bytes = LargeSchemas.schemaMessage(COLUMNS);
        Message message = new Message().wrap(MemorySegment.ofArray(bytes));
        Schema schema = new Schema();
        assertTrue(message.header(schema));
        Field first = schema.fields(0, new Field());
        Field second = schema.fields(1, new Field());
        // The soffset of the second, found by its position: now it leads to no vtable.
        Arrays.fill(bytes, (int) second.position(), (int) second.position() + 4, (byte) 0x7F);
        assertThrows(FletchException.class, () -> schema.fields(1, second));
        assertThrows(STATE, second::position);
        assertThrows(STATE, () -> second.isPresent(Field.NAME_SLOT));
        assertThrows(STATE, () -> second.setNullable(true));
        assertEquals("column_0", first.nameString());
        assertEquals("column_2", schema.fields(2, second).nameString());
    }

    // ---- memory that is gone, or another thread's

    @Test
    void readingAClosedArenaThrows() {
        byte[] bytes = LargeSchemas.schemaMessage(COLUMNS);
        Message message = new Message();
        Schema schema = new Schema();
        Utf8Slice slice = new Utf8Slice();
        MemorySegment memory;
        try (Arena arena = Arena.ofConfined()) {
            memory = arena.allocate(bytes.length);
            memory.copyFrom(MemorySegment.ofArray(bytes));
            assertTrue(message.wrap(memory).header(schema));
            assertTrue(schema.fields(0, new Field()).name(slice));
        }
        assertEquals(COLUMNS, schema.fieldsCount());
        assertEquals(MessageHeader.SCHEMA, message.headerType());
        assertThrows(STATE, () -> schema.fields(0, new Field()));
        assertThrows(STATE, () -> message.header(schema));
        assertThrows(STATE, () -> message.setVersion(0));
        assertThrows(STATE, slice::toString);
        assertThrows(STATE, () -> slice.byteAt(0));
        assertThrows(STATE, () -> message.wrap(memory));
    }

    @Test
    void aConfinedArenasMemoryIsRefusedToOtherThreads() throws InterruptedException {
        byte[] bytes = LargeSchemas.schemaMessage(COLUMNS);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(bytes.length);
            memory.copyFrom(MemorySegment.ofArray(bytes));
            Message message = new Message().wrap(memory);
            Schema schema = new Schema();
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Runnable work =
                    () -> {
                        assertThrows(WrongThreadException.class, () -> message.header(schema));
                        assertThrows(WrongThreadException.class, () -> message.setVersion(0));
                        assertThrows(WrongThreadException.class, () -> new Message().wrap(memory));
                    };
            Thread other =
                    Thread.ofPlatform()
                            .uncaughtExceptionHandler((_, e) -> thrown.set(e))
                            .start(work);
            other.join();
            assertEquals(null, thrown.get());
        }
    }
}
