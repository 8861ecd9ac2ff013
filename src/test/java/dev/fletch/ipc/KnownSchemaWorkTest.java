// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Limits;
import dev.fletch.batch.BatchLayout;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.LargeSchemas;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;

/// What a set of known schemas costs, counted: bytes compared and copied, and allocations.
@Isolated("counts allocations")
class KnownSchemaWorkTest {
    private static final int COLUMNS = 300;
    private static final int MESSAGES = 2_000;
    // Bytes that may be copied before anything was verified.
    private static final long START_BYTES = 16L << 20;

    private final KnownSchemas known = new KnownSchemas();
    private final ReadOptions options = ReadOptions.DEFAULT.withKnownSchemas(known);
    private final MetadataChecks checks = new MetadataChecks(options);
    private final Message message = new Message();
    private final Footer footer = new Footer();
    private final Schema schema = new Schema();

    private void read(byte[] metadata) {
        MemorySegment memory = MemorySegment.ofArray(metadata);
        assertTrue(
                checks.message(memory, 0, metadata.length, message),
                () -> checks.fault().toString());
        checks.schema(message.wrap(memory), 0);
    }

    private void open(byte[] bytes) {
        MemorySegment memory = MemorySegment.ofArray(bytes);
        assertTrue(checks.footer(memory, 0, bytes.length), () -> checks.fault().toString());
        checks.footerSchema(footer.wrap(memory), 0);
    }

    private String work() {
        SchemaLookup work = checks.schemas;
        return "compared=%d, copied=%d".formatted(work.comparedBytes, work.copiedBytes);
    }

    // ---- a peer that sends another schema each time

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aNewSchemaEachTimeIsNeitherCopiedNorCompared(boolean isInFooter) {
        for (int i = 0; i < MESSAGES; i++) {
            ArrowSchema each = KnownInputs.schema("c", 1 + i);
            if (isInFooter) {
                open(KnownInputs.footer(each, i % 5));
            } else {
                read(KnownInputs.message(each));
            }
            i += i / 20; // not too many columns
        }
        assertEquals("compared=0, copied=0", work());
        assertEquals(0, known.size());
    }

    /// Schemas that are alike in every word that is looked at first, and differ in one byte. What
    /// is copied for them stays below a small part of what is verified, but for a
    /// constant.
    @Test
    void workForSchemasThatDifferInOneByteIsBounded() {
        byte[] metadata = KnownInputs.message(KnownInputs.schema("c", COLUMNS));
        Random random = new Random(3);
        long verified = 0;
        int accepted = 0;
        for (int i = 0; i < 20 * MESSAGES; i++) {
            byte[] each = metadata.clone();
            int at = each.length / 2 + random.nextInt(each.length / 2 - 64);
            each[at] ^= (byte) (1 << random.nextInt(8));
            MemorySegment memory = MemorySegment.ofArray(each);
            if (checks.message(memory, 0, each.length, message)) {
                checks.schema(message.wrap(memory), 0);
                verified += each.length;
                accepted++;
            }
        }
        SchemaLookup work = checks.schemas;
        CaseCount.report(
                "Known schemas, one byte differs: %d messages, %d verified bytes, %s",
                accepted, verified, work());
        assertTrue(verified > 10 * START_BYTES);
        assertTrue(work.copiedBytes <= START_BYTES + verified / 32, this::work);
        assertTrue(work.comparedBytes <= 2L * 20 * MESSAGES * metadata.length, this::work);
        assertTrue(known.size() <= KnownSchemas.DEFAULT_MAX_SCHEMAS);
    }

    /// Each schema is compared with one known schema at the most.
    @Test
    void atMostOneKnownSchemaIsCompared() {
        int count = 50;
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < count; i++) {
                read(KnownInputs.message(KnownInputs.schema("n" + (100 + i), 20)));
            }
        }
        assertEquals(count, known.size());
        byte[] metadata = KnownInputs.message(KnownInputs.schema("n125", 20));
        SchemaLookup work = checks.schemas;
        work.comparedBytes = 0;
        long parsed = checks.schemasParsed;
        work.copiedBytes = 0;
        for (int i = 0; i < 100; i++) {
            read(metadata);
        }
        assertTrue(work.comparedBytes <= 100L * metadata.length);
        assertEquals(parsed, checks.schemasParsed);
        assertEquals(0, work.copiedBytes);
    }

    /// Batches are not looked at but for a few words.
    @Test
    void batchesAreNotCompared() {
        byte[] metadata = LargeSchemas.schemaMessage(10);
        for (int i = 0; i < 3; i++) {
            read(metadata);
        }
        SchemaLookup work = checks.schemas;
        String before = work();
        byte[] batch = LargeSchemas.recordBatchMessage(10);
        MemorySegment memory = MemorySegment.ofArray(batch);
        for (int i = 0; i < MESSAGES; i++) {
            assertTrue(checks.message(memory, 0, batch.length, message));
        }
        assertEquals(before, work());
    }

    // ---- allocations

    @Test
    void aRecognizedMessageAllocatesNothing() {
        byte[] framed = Frames.frame(LargeSchemas.schemaMessage(10));
        EncapsulatedMessage frame = new EncapsulatedMessage(options);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy =
                    arena.allocate(framed.length).copyFrom(MemorySegment.ofArray(framed));
            for (MemorySegment memory : new MemorySegment[] {MemorySegment.ofArray(framed), copy}) {
                Allocations.assertNone(
                        "a known schema message",
                        1_000,
                        () -> {
                            frame.wrap(memory, 0, message);
                            message.header(schema);
                            BatchLayout.of(
                                    frame.knownSchema(),
                                    schema,
                                    MetadataVersion.V5,
                                    Limits.DEFAULT);
                            ArrowSchema.of(frame.knownSchema(), schema, Limits.DEFAULT);
                        });
            }
        }
        assertEquals(2, frame.checks.schemasParsed);
    }

    @Test
    void recognizingSchemasOfOneShapeAllocatesNothing() {
        byte[][] all = new byte[20][];
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < all.length; i++) {
                all[i] = KnownInputs.message(KnownInputs.schema("n" + (100 + i), 20));
                read(all[i]);
            }
        }
        long parsed = checks.schemasParsed;
        byte[] together = Frames.join(all);
        MemorySegment memory = MemorySegment.ofArray(together);
        Allocations.assertNone(
                "known schemas of one shape",
                500,
                () -> {
                    for (int i = 0; i < all.length; i++) {
                        checks.message(memory, (long) i * all[i].length, all[i].length, message);
                        checks.schema(
                                message.wrap(memory, (long) i * all[i].length, all[i].length), 0);
                    }
                });
        assertEquals(parsed, checks.schemasParsed);
    }
}
