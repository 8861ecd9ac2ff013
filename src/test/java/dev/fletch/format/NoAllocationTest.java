// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.testdata.Allocations;
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
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// After set-up nothing is allocated: not by wrapping, not by any accessor, bulk copy or setter but
/// those whose names say so, in no kind of memory.
@Isolated("counts allocations")
class NoAllocationTest {
    private static final int COLUMNS = 20;

    /// Messages one behind the other: a schema, a record batch, and the other headers.
    private static final Row MESSAGES = messages();

    private static Row messages() {
        List<byte[]> messages = new ArrayList<>();
        messages.add(LargeSchemas.schemaMessage(COLUMNS));
        messages.add(LargeSchemas.recordBatchMessage(COLUMNS));
        for (String table : List.of("DictionaryBatch", "Tensor", "SparseTensorIndexCSF")) {
            messages.add(inMessage(TablePath.to(table)));
        }
        return Row.of(messages.toArray(byte[][]::new));
    }

    /// A message that holds a table, with all else that the same random value has.
    private static byte[] inMessage(TablePath path) {
        TablePath message =
                path.root().equals("Message") ? path : new TablePath("Message", headerOf(path));
        return message.random(3);
    }

    private static List<TablePath.Step> headerOf(TablePath path) {
        var header = Flyweights.ARROW.table("Message").field("header");
        List<TablePath.Step> steps = new ArrayList<>();
        steps.add(new TablePath.Step(header, path.root()));
        steps.addAll(path.steps());
        return steps;
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#all")
    void readingAllocatesNothing(Backing backing) {
        assertNothingAllocated(FullWalk.complete(), backing);
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#writable")
    void settingAllocatesNothing(Backing backing) {
        assertNothingAllocated(FullWalk.complete().thatWrites(), backing);
    }

    private static void assertNothingAllocated(FullWalk walk, Backing backing) {
        try (Placed placed = backing.place(MESSAGES.bytes())) {
            Allocations.assertNone(backing.name(), walkAll(walk, placed));
        }
        assertRead(walk);
    }

    private static Allocations.Work walkAll(FullWalk walk, Placed placed) {
        return switch (placed) {
            case PlacedSegment in -> () -> walkAll(walk, in.segment(), in.offset());
            case PlacedBuffer in -> {
                int start = in.buffer().position();
                yield () -> walkAll(walk, in.buffer(), start);
            }
        };
    }

    private static void walkAll(FullWalk walk, MemorySegment memory, long offset) {
        for (int i = 0; i < MESSAGES.count(); i++) {
            walk.message(memory, offset + MESSAGES.offset(i), MESSAGES.length(i));
        }
    }

    /// The same buffer again and again, with moving position and limit.
    private static void walkAll(FullWalk walk, ByteBuffer buffer, int start) {
        for (int i = 0; i < MESSAGES.count(); i++) {
            int at = start + MESSAGES.offset(i);
            buffer.limit(at + MESSAGES.length(i)).position(at);
            walk.message(buffer);
        }
    }

    private static void assertRead(FullWalk walk) {
        assertEquals(0, walk.formatFaults() + walk.indexFaults());
        assertTrue(walk.reads() > 0);
    }

    /// One flyweight below two roots in turn, of different memory each.
    @Test
    void bindingBelowAlternatingRootsAllocatesNothing() {
        byte[] bytes = LargeSchemas.schemaMessage(COLUMNS);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(bytes.length, 8);
            copy.copyFrom(MemorySegment.ofArray(bytes));
            Message inArray = new Message().wrap(MemorySegment.ofArray(bytes));
            Message inNative = new Message().wrap(copy);
            Schema schema = new Schema();
            Field field = new Field();
            Runnable work =
                    () -> {
                        readName(inArray, schema, field);
                        readName(inNative, schema, field);
                    };
            Allocations.assertNone("binding below two roots in turn", work::run);
        }
    }

    private static void readName(Message message, Schema schema, Field field) {
        boolean there = message.header(schema);
        if (!there || !schema.fields(1, field).nameEquals("column_1")) {
            throw new AssertionError("column_1 is not there");
        }
    }

    /// One root wraps native segments in turn. (Of an array, the JDK hands out its base in an
    /// object that only the compiler can leave out.)
    @Test
    void wrappingAlternatingSegmentsAllocatesNothing() {
        byte[] bytes = LargeSchemas.schemaMessage(COLUMNS);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment first = arena.allocate(bytes.length, 8);
            MemorySegment second = arena.allocate(bytes.length, 8);
            first.copyFrom(MemorySegment.ofArray(bytes));
            second.copyFrom(first);
            MemorySegment readOnly = MemorySegment.ofArray(bytes).asReadOnly();
            Message message = new Message();
            Runnable work =
                    () -> {
                        message.wrap(first);
                        message.wrap(second);
                        message.wrap(readOnly);
                    };
            Allocations.assertNone("wrapping three segments in turn", work::run);
        }
    }
}
