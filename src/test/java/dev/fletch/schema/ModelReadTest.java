// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.format.Schema;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.ModelTables;
import dev.fletch.testdata.RandomSchemas;
import dev.fletch.testdata.RandomTables;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.Random;

/// Schemas out of bytes.
class ModelReadTest {
    private static final int SCHEMAS = CaseCount.of(500, 3_000);
    private static final int TABLES = CaseCount.of(4_000, 20_000);
    private static final int DAMAGED = CaseCount.of(4_000, 20_000);

    static ArrowSchema read(byte[] flatbuffer) {
        return ArrowSchema.of(new Schema().wrap(MemorySegment.ofArray(flatbuffer)));
    }

    /// What is read is exactly what was written, by a writer that has nothing of Fletch.
    @Test
    void randomSchemasAreReadExactly() {
        for (int seed = 0; seed < SCHEMAS; seed++) {
            ArrowSchema schema = RandomSchemas.schema(seed);
            byte[] bytes = ModelTables.bytes(schema, seed);
            assertEquals(schema, read(bytes), "seed " + seed);
        }
    }

    /// Whatever valid flatbuffers say, they are read or refused in the one way that is documented.
    @Test
    void randomTableIsReadOrRefused() {
        int read = 0;
        int refused = 0;
        for (int seed = 0; seed < TABLES; seed++) {
            byte[] bytes = RandomTables.bytes("Schema", seed);
            try {
                ArrowSchema schema = read(bytes);
                assertEquals(schema, read(ModelTables.bytes(schema, seed)), "seed " + seed);
                read++;
            } catch (InvalidSchemaException e) {
                assertFalse(e.requirement().isEmpty());
                assertFalse(e.parameter().isEmpty());
                assertTrue(e.getMessage().length() < 700, e::getMessage);
                refused++;
            }
        }
        System.out.printf("Random tables: %d read, %d refused%n", read, refused);
        assertTrue(read > TABLES / 20 && refused > TABLES / 20, () -> "one of them is no test");
    }

    /// The worst that damaged bytes do.
    @Test
    void damagedSchemaIsReadOrRefused() {
        Random random = new Random(7);
        int refused = 0;
        for (int i = 0; i < DAMAGED; i++) {
            byte[] bytes = ModelTables.bytes(RandomSchemas.schema(i % 200), i);
            for (int k = random.nextInt(4); k >= 0; k--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                read(bytes);
            } catch (FletchException | IndexOutOfBoundsException e) {
                refused++;
            }
        }
        assertTrue(refused > DAMAGED / 20, "refused " + refused);
    }
}
