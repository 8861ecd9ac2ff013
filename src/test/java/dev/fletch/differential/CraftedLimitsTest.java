// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import static dev.fletch.StructureRule.BUFFER_TOO_LARGE;
import static dev.fletch.StructureRule.DEPTH_LIMIT;
import static dev.fletch.StructureRule.TABLE_LIMIT;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.Limits;
import dev.fletch.format.Field;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier.Root;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.LargeSchemas;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/// The limits of depth and tables, one below, at and one above what a buffer has.
class CraftedLimitsTest {
    private static final int DEEPEST = CaseCount.of(100_000, 1_000_000);
    private static final long UNLIMITED = 0xFFFF_FFFFL;

    private static BothVerifiers both;

    @BeforeAll
    static void start() {
        both = new BothVerifiers();
    }

    @AfterAll
    static void end() {
        System.out.println("Crafted limits: " + both);
        both.close();
    }

    private static VerifyCase schema(byte[] bytes) {
        return VerifyCase.of(Root.SCHEMA, bytes);
    }

    // ---- depth

    @Test
    void theDepthLimitIsExact() {
        for (int depth : new int[] {2, 3, 63, 64, 65, 127, 128, 129, 255, 256, 257, 5_000}) {
            VerifyCase each = schema(CraftedBuffers.chain(depth));
            both.refuse(DEPTH_LIMIT, each.withLimits(depth - 1, UNLIMITED));
            assertEquals(depth, both.fault().value());
            both.accept(each.withLimits(depth, UNLIMITED));
            both.accept(each.withLimits(depth + 1, UNLIMITED));
        }
    }

    @Test
    void depthIs128ByTheRulesOfArrowAnd64ByThoseOfFlatBuffers() {
        try (FletchVerifier fletch = new FletchVerifier()) {
            for (Checks options : List.of(Checks.ARROW_CPP, Checks.STRICT, Checks.FLATBUFFERS)) {
                int most = options == Checks.FLATBUFFERS ? 64 : 128;
                assertTrue(fletch.decide(schema(CraftedBuffers.chain(most)), options));
                assertFalse(fletch.decide(schema(CraftedBuffers.chain(most + 1)), options));
                assertEquals(DEPTH_LIMIT, fletch.fault().rule());
            }
        }
    }

    /// A type without fields is a level, too. The fault is where the offset stands that leads a
    /// level too far.
    @Test
    void aTypeCountsAsALevel() {
        VerifyCase each = VerifyCase.of(Root.MESSAGE, LargeSchemas.schemaMessage(1));
        both.accept(each.withLimits(4, UNLIMITED));
        both.refuse(DEPTH_LIMIT, each.withLimits(3, UNLIMITED));
        Schema schema = new Schema();
        assertTrue(new Message().wrap(MemorySegment.ofArray(each.bytes())).header(schema));
        int field = (int) schema.fields(0, new Field()).position();
        ByteBuffer raw = ByteBuffer.wrap(each.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        int slot = field - raw.getInt(field) + 4 + 2 * Field.TYPE_SLOT;
        both.at(field + raw.getShort(slot), "header.schema.fields[0].type");
    }

    @Test
    void manyLevelsTakeNoStack() throws InterruptedException {
        VerifyCase each = schema(CraftedBuffers.chain(DEEPEST));
        Throwable[] thrown = new Throwable[1];
        Runnable verify =
                () -> {
                    try (BothVerifiers own = new BothVerifiers()) {
                        own.accept(each.withLimits(DEEPEST, UNLIMITED));
                        own.refuse(DEPTH_LIMIT, each.withLimits(DEEPEST - 1, UNLIMITED));
                    }
                };
        // The smallest stack that the JVM gives.
        Thread thread = new Thread(null, verify, "small stack", 1);
        thread.setUncaughtExceptionHandler((_, e) -> thrown[0] = e);
        thread.start();
        thread.join();
        assertNull(thrown[0]);
    }

    /// The path of a fault at the bottom is long, and takes no stack either.
    @Test
    void aFaultManyLevelsDownHasAPath() {
        byte[] bytes = CraftedBuffers.chain(DEEPEST);
        bytes[bytes.length - 8] = 1; // The last table's vtable is at an odd place.
        try (FletchVerifier fletch = new FletchVerifier()) {
            assertFalse(fletch.decide(schema(bytes).withLimits(DEEPEST, UNLIMITED)));
            String path = fletch.fault().path();
            assertTrue(path.startsWith("fields[0].children[0].children[0]."));
            assertEquals(DEEPEST - 1, path.chars().filter(each -> each == '[').count());
        }
    }

    // ---- tables

    @Test
    void theTableLimitIsExact() {
        for (int levels : new int[] {1, 2, 5, 10}) {
            for (int width : new int[] {1, 2, 3}) {
                VerifyCase each = schema(CraftedBuffers.bomb(levels, width));
                long tables = CraftedBuffers.tablesOfBomb(levels, width);
                both.refuse(TABLE_LIMIT, each.withLimits(levels + 1, tables - 1));
                int last = width - 1;
                String children = (".children[" + last + "]").repeat(levels - 1);
                assertEquals("fields[" + last + "]" + children, both.fault().path());
                both.accept(each.withLimits(levels + 1, tables));
                both.accept(each.withLimits(levels + 1, tables + 1));
                both.refuse(DEPTH_LIMIT, each.withLimits(levels, tables));
            }
        }
    }

    /// Bytes behind a bomb raise the limit until it fits.
    @Test
    void theTablesPerByteLimitIsExact() {
        byte[] bomb = CraftedBuffers.bomb(11, 2);
        int tables = Math.toIntExact(CraftedBuffers.tablesOfBomb(11, 2));
        for (int perByte = 1; perByte * bomb.length < tables; perByte++) {
            int size = (tables + perByte - 1) / perByte;
            VerifyCase fits = schema(Arrays.copyOf(bomb, size));
            VerifyCase tooSmall = schema(Arrays.copyOf(bomb, size - 1));
            both.accept(fits.withLimits(128, (long) perByte * size));
            both.refuse(TABLE_LIMIT, tooSmall.withLimits(128, (long) perByte * (size - 1)));
            Checks options =
                    Checks.ARROW_CPP.withLimits(
                            Checks.ARROW_CPP.limits().withTablesPerByte(perByte));
            try (FletchVerifier fletch = new FletchVerifier()) {
                assertTrue(fletch.decide(fits, options));
                assertFalse(fletch.decide(tooSmall, options));
                assertEquals(TABLE_LIMIT, fletch.fault().rule());
            }
        }
    }

    @Test
    void aLimitOfZeroTablesRefusesEveryBuffer() {
        both.refuse(TABLE_LIMIT, schema(CraftedBuffers.least()).withLimits(1, 0));
        both.accept(schema(CraftedBuffers.least()).withLimits(1, 1));
    }

    // ---- size

    @Test
    void theSizeLimitIsExact() {
        VerifyCase each = schema(CraftedBuffers.chain(3));
        int size = each.bytes().length;
        try (FletchVerifier fletch = new FletchVerifier()) {
            for (int less = 0; less < 2; less++) {
                Limits limits = Checks.ARROW_CPP.limits().withMetadataBytes(size - less);
                assertEquals(less == 0, fletch.decide(each, Checks.ARROW_CPP.withLimits(limits)));
            }
            assertEquals(BUFFER_TOO_LARGE, fletch.fault().rule());
        }
    }
}
