// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.ModelTables;
import dev.fletch.testdata.RandomSchemas;
import dev.fletch.testdata.RandomTables;
import dev.fletch.verify.messages.SemanticVerifier;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// Schemas out of bytes.
class ModelReadTest {
    private static final int SCHEMAS = CaseCount.of(500, 3_000);
    private static final int TABLES = CaseCount.of(4_000, 20_000);
    private static final int DAMAGED = CaseCount.of(4_000, 20_000);

    // Of several fields at once, or of their layout.
    private static final Set<Rule> OF_LAYOUTS = Set.of(MeaningRule.DICTIONARY_TYPE);

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

    /// A schema that is read as values is refused for the error that verifying names first.
    @Test
    void schemaIsRefusedForTheErrorThatVerifyingFindsFirst() {
        Set<Rule> rules = new HashSet<>();
        for (int seed = 0; seed < TABLES; seed++) {
            byte[] bytes = RandomTables.bytes("Schema", seed);
            rules.add(assertFirstError(bytes, Limits.DEFAULT));
        }
        Limits few = Limits.DEFAULT.withDepth(2).withFields(5);
        Random random = new Random(8);
        int damaged = 0;
        for (int i = 0; i < DAMAGED; i++) {
            byte[] bytes = ModelTables.bytes(RandomSchemas.schema(i % 200), i);
            for (int k = random.nextInt(4); k >= 0; k--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(50);
            }
            MemorySegment memory = MemorySegment.ofArray(bytes);
            if (new Verifier(Checks.DEFAULT)
                    .verify(Verifier.Root.SCHEMA, memory, 0, bytes.length)) {
                rules.add(assertFirstError(bytes, i % 3 == 0 ? few : Limits.DEFAULT));
                damaged++;
            }
        }
        assertTrue(damaged > DAMAGED / 10, "damaged " + damaged);
        assertTrue(rules.size() > 20, rules::toString);
    }

    private static Rule assertFirstError(byte[] bytes, Limits limits) {
        Schema schema = new Schema().wrap(MemorySegment.ofArray(bytes));
        List<Fault> errors = new ArrayList<>();
        new SemanticVerifier(
                        Checks.DEFAULT.withLimits(limits),
                        fault -> {
                            if (fault.rule().severity() == Rule.Severity.ERROR
                                    && !OF_LAYOUTS.contains(fault.rule())) {
                                errors.add(fault);
                            }
                        })
                .schema(schema);
        try {
            ArrowSchema.of(schema, limits);
        } catch (FletchException e) {
            if (e.rule() != MeaningRule.INVALID_SCHEMA) { // text is not UTF-8: a rule of structure
                assertEquals(errors.getFirst().rule(), e.rule());
                assertEquals(errors.getFirst().position(), e.offset());
                assertEquals(errors.getFirst().path(), e.fault().path());
                return e.rule();
            }
        }
        assertEquals(List.of(), errors);
        return null;
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
