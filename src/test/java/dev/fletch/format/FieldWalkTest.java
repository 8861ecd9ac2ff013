// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.format.internal.FieldWalk;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.LargeSchemas;
import dev.fletch.testdata.Memories.Backing;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.ModelTables;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.Placed;
import dev.fletch.testdata.PlacedSegment;
import dev.fletch.testdata.RandomSchemas;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// [FieldWalk] says of every field what the flyweights say, in any memory, of any bytes, and
/// refuses what they refuse.
class FieldWalkTest {
    private static final int RANDOM_SCHEMAS = CaseCount.of(60, 300);
    private static final int MUTANTS = CaseCount.of(30, 150);

    private final FieldWalkReadings readings = new FieldWalkReadings();

    /// Schemas as roots: of random content, valid ones of all types, and what is only declared.
    private static List<byte[]> schemas(int count) {
        List<byte[]> schemas = new ArrayList<>();
        TablePath declared = TablePath.to("Schema");
        for (long seed = 0; seed < count; seed++) {
            schemas.add(ModelTables.bytes(RandomSchemas.schema(seed), seed));
            if (declared.root().equals("Schema")) {
                schemas.add(declared.random(seed));
            }
        }
        return schemas;
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#all")
    void agreesWithTheFlyweightsInEveryMemory(Backing backing) {
        for (byte[] bytes : schemas(RANDOM_SCHEMAS)) {
            try (Placed placed = backing.place(bytes)) {
                Schema schema = new Schema();
                Flyweights.wrap(schema, placed);
                assertAgrees(readings, schema, backing.name());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Goldens#parameters")
    void agreesWithTheFlyweightsInGoldenFiles(Path golden) {
        int schemas = 0;
        for (OracleMessage each : OracleListing.list(Goldens.read(golden)).messages()) {
            Schema schema = new Schema();
            if (new Message().wrap(each.metadata()).header(schema)) {
                assertAgrees(readings, schema, golden.toString());
                schemas++;
            }
        }
        assertTrue(schemas > 0);
    }

    private static List<Long> assertAgrees(FieldWalkReadings readings, Schema schema, String what) {
        List<Long> expected = readings.byFlyweights(schema);
        assertEquals(expected, readings.byWalk(schema), what);
        return expected;
    }

    /// The same memory holds one schema after the other: no vtable is taken for another's.
    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#writableSegments")
    void aVtableOfOtherBytesIsNotReused(SegmentBacking backing) {
        List<byte[]> all = schemas(100);
        int longest = all.stream().mapToInt(each -> each.length).max().orElseThrow();
        Schema schema = new Schema();
        try (PlacedSegment placed = backing.place(new byte[longest])) {
            for (byte[] bytes : all) {
                MemorySegment.copy(
                        MemorySegment.ofArray(bytes),
                        0,
                        placed.segment(),
                        placed.offset(),
                        bytes.length);
                schema.wrap(placed.segment(), placed.offset(), bytes.length);
                assertAgrees(readings, schema, backing.name());
            }
        }
    }

    /// Damaged bytes: the same values up to the same field, and a refusal where the flyweights have
    /// one. The range is cut out of a larger memory, whose other bytes must play no part.
    @Test
    void damagedBytesAreReadLikeTheFlyweights() {
        Random random = new Random(20_261_121);
        int refused = 0;
        int read = 0;
        try (Arena arena = Arena.ofConfined()) {
            for (byte[] whole : schemas(60)) {
                int size = whole.length + 64;
                List<MemorySegment> memories =
                        List.of(
                                MemorySegment.ofArray(new byte[size]),
                                arena.allocate(size),
                                MemorySegment.ofArray(new byte[size]).asReadOnly());
                for (int i = 0; i < MUTANTS; i++) {
                    byte[] bytes = mutant(whole, random);
                    List<Long> first = null;
                    for (MemorySegment memory : memories) {
                        MemorySegment target =
                                memory.isReadOnly()
                                        ? MemorySegment.ofArray(new byte[size])
                                        : memory;
                        target.fill((byte) random.nextInt());
                        target.asSlice(32, bytes.length).copyFrom(MemorySegment.ofArray(bytes));
                        MemorySegment shown = memory.isReadOnly() ? target.asReadOnly() : target;
                        Schema schema = new Schema();
                        try {
                            schema.wrap(shown, 32, bytes.length);
                        } catch (FletchException e) {
                            continue;
                        }
                        List<Long> found = assertAgrees(readings, schema, "mutant " + i);
                        first = first == null ? found : first;
                        assertEquals(first, found, "another memory, mutant " + i);
                        boolean threw = found.getLast() == -4_711;
                        refused += threw ? 1 : 0;
                        read += threw ? 0 : 1;
                    }
                }
            }
        }
        System.out.printf("Field walk: %d damaged schemas read, %d refused%n", read, refused);
        assertTrue(refused > 500 && read > 500);
    }

    private static byte[] mutant(byte[] whole, Random random) {
        byte[] bytes = whole.clone();
        for (int n = 1 + random.nextInt(3); n > 0; n--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt();
                case 2 -> bytes[at] = (byte) (random.nextBoolean() ? 0 : -1);
                default -> {
                    int size = Math.min(4, bytes.length - at);
                    System.arraycopy(bytes, random.nextInt(bytes.length - 3), bytes, at, size);
                }
            }
        }
        return random.nextInt(8) == 0
                ? Arrays.copyOf(bytes, 4 + random.nextInt(bytes.length - 4))
                : bytes;
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#segments")
    void walkingAllocatesNothing(SegmentBacking backing) {
        Message message = new Message();
        Schema schema = new Schema();
        FieldWalk walk = new FieldWalk();
        Int integer = new Int();
        KeyValue pair = new KeyValue();
        Utf8Slice slice = new Utf8Slice();
        long[] sum = new long[1];
        try (PlacedSegment placed = backing.place(LargeSchemas.schemaMessage(20))) {
            Allocations.assertNone(
                    "walking, " + backing,
                    () -> {
                        message.wrap(placed.segment(), placed.offset(), placed.length());
                        message.header(schema);
                        walk.wrap(schema);
                        while (walk.next()) {
                            sum[0] +=
                                    walk.field().typeType()
                                            + (walk.field().name(slice) ? slice.length() : 0);
                            sum[0] += walk.field().type(integer) ? integer.bitWidth() : 0;
                            for (int i = 0; i < walk.field().customMetadataCount(); i++) {
                                walk.field().customMetadata(i, pair);
                                sum[0] += pair.key(slice) ? pair.valueLength() : 0;
                            }
                        }
                    });
        }
        assertTrue(sum[0] > 0);
    }
}
