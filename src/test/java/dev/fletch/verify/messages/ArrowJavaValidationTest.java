// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Rule;
import dev.fletch.ValueRule;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.Dictionaries;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.testdata.AllValues;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.InputBatches;
import dev.fletch.testdata.OracleListing;

import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.util.ValueVectorUtility;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// arrow-java's `validateFull` on loaded vectors, and its reading of all values, as a second
/// opinion on damaged bodies.
class ArrowJavaValidationTest {
    private static final int MUTANTS = CaseCount.of(1_500, 20_000);

    private final Map<String, Integer> refused = new TreeMap<>();
    private final Map<String, Integer> accepted = new TreeMap<>();

    /// arrow-java gives a child of a dense union as many values as there are type ids of it: a type
    /// id that was changed leaves the other child too short for its offsets.
    private static final String CHILD_TOO_SHORT = "offset exceeds sub-vector boundary";

    /// The rules that arrow-java has, too. It also has [ValueRule#VALUE_OFFSET_ORDER], but accepts
    /// a first offset that is negative.
    private static final List<Rule> BOTH =
            List.of(
                    ValueRule.VALUE_OFFSET_RANGE,
                    ValueRule.VALUE_VIEW_LENGTH,
                    ValueRule.VALUE_VIEW_BUFFER,
                    ValueRule.VALUE_VIEW_RANGE,
                    ValueRule.VALUE_UNION_OFFSET);

    private final Random random = new Random(43);

    @Test
    void damagedBodiesThatAreSoundAreSoundForArrowJava() throws IOException {
        List<byte[]> streams = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            byte[] stream = each.stream();
            if (refusal(stream) != null || each.name().equals("extensions")) {
                unknown.add(each.name());
            } else if (!bodies(stream).isEmpty()) {
                streams.add(stream);
            }
        }
        int sound = 0;
        for (int i = 0; i < MUTANTS; i++) {
            byte[] stream = streams.get(i % streams.size()).clone();
            damage(stream);
            Set<String> rules = rules(stream);
            String error = refusal(stream);
            if (rules.isEmpty()) {
                sound++;
                assertTrue(error == null || error.contains(CHILD_TOO_SHORT), error);
            }
            for (String rule : rules) {
                (error == null ? accepted : refused).merge(rule, 1, Integer::sum);
            }
        }
        CaseCount.report(
                "%,d damaged bodies, %,d of them sound also for arrow-java; faults it refuses: %s;"
                        + " accepts: %s; of %d streams; types that it cannot validate are in %s",
                MUTANTS, sound, refused, accepted, streams.size(), unknown);
        assertTrue(sound > MUTANTS / 10);
        for (Rule rule : BOTH) {
            assertTrue(refused.get(rule.id()) > 0, rule.id());
            assertNull(accepted.get(rule.id()), rule.id());
        }
    }

    private void damage(byte[] stream) {
        List<ByteBuffer> bodies = bodies(stream);
        BodyDamage.damage(bodies.get(random.nextInt(bodies.size())), random);
    }

    /// The bodies of record batches that are not compressed.
    private static List<ByteBuffer> bodies(byte[] stream) {
        return OracleListing.list(stream).recordBatches().stream()
                .filter(each -> each.codec() == null && each.bodyLength() > 0)
                .map(each -> each.bodyIn(MemorySegment.ofArray(stream)).asByteBuffer())
                .toList();
    }

    /// The rules that the verifier finds broken.
    private static Set<String> rules(byte[] stream) throws IOException {
        Set<String> rules = new TreeSet<>();
        InputBatches.visit(
                stream,
                new InputBatches.Visitor() {
                    private ValueVerifier verifier;

                    @Override
                    public void schema(ArrowSchema schema, BatchLayout layout) {
                        verifier = new ValueVerifier(InputBatches.table(schema), layout);
                    }

                    @Override
                    public void batch(BatchCursor cursor, Dictionaries dictionaries) {
                        verifier.verify(cursor, dictionaries, each -> rules.add(each.rule().id()));
                    }
                });
        return rules;
    }

    /// What arrow-java throws; null if it loads, validates and reads all values.
    private static String refusal(byte[] stream) throws IOException {
        try (RootAllocator allocator = new RootAllocator();
                ArrowStreamReader reader =
                        new ArrowStreamReader(
                                new ByteArrayInputStream(stream),
                                allocator,
                                CommonsCompressionFactory.INSTANCE)) {
            while (reader.loadNextBatch()) {
                ValueVectorUtility.validateFull(reader.getVectorSchemaRoot());
                reader.getVectorSchemaRoot().getFieldVectors().forEach(AllValues::read);
            }
            return null;
        } catch (RuntimeException e) {
            return e.toString();
        }
    }
}
