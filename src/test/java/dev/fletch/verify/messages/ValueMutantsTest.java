// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.ValueRule;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.ColumnValues;
import dev.fletch.batch.Dictionaries;
import dev.fletch.batch.ValueType;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Type;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FirstFault;
import dev.fletch.testdata.InputBatches;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;

import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Damaged bodies: the faults are those of a plain reference, with the same columns, rules and
/// rows. What has no fault can be read completely.
class ValueMutantsTest {
    private static final int MUTANTS =
            Integer.getInteger("fletch.value.mutants", CaseCount.of(20_000, 600_000));
    private static final int MOST_BYTES = 4_000;

    private static final int CHOSEN_EVERY = 8;

    /// Types whose children are chosen all or not at all.
    private static final Set<Integer> WHOLE = Set.of(Type.MAP, Type.UNION, Type.RUN_END_ENCODED);

    private final Random random = new Random(43);
    private final Random choice = new Random(44);
    private final BatchCursor cursor = new BatchCursor();
    private final ColumnValues values = new ColumnValues();
    private final ByteSlice bytes = new ByteSlice();
    private final Map<String, Integer> faultsByRule = new TreeMap<>();
    private int sound;
    private int faulty;
    private int chosenFaults;

    /// A batch with its body.
    ///
    /// @param dictionary whose values it has; null for a record batch
    private record Batch(
            ArrowSchema schema,
            BatchLayout layout,
            ValueVerifier verifier,
            Dictionaries dictionaries,
            Long dictionary,
            Message message,
            byte[] body) {
        BatchLayout own() {
            return dictionary == null ? layout : layout.dictionaryLayout(dictionary);
        }
    }

    private List<Batch> batches() {
        List<Batch> found = new ArrayList<>();
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            add(found, each.stream());
        }
        return found;
    }

    /// Adds the batches of a stream that is not compressed.
    private static void add(List<Batch> found, byte[] stream) {
        OracleFile listing = OracleListing.list(stream);
        Message first = message(listing.messages().getFirst());
        Schema schema = new Schema();
        assertTrue(first.header(schema));
        ArrowSchema model = ArrowSchema.of(schema);
        BatchLayout layout = BatchLayout.compile(schema, first.version());
        Dictionaries dictionaries = new Dictionaries(layout);
        ValueVerifier verifier = new ValueVerifier(InputBatches.table(model), layout);
        if (listing.messages().stream().anyMatch(each -> each.codec() != null)) {
            return;
        }
        for (OracleMessage each : listing.messages()) {
            if (each.isSchema()) {
                continue;
            }
            Message message = message(each);
            byte[] body = each.bodyIn(MemorySegment.ofArray(stream)).toArray(ValueLayout.JAVA_BYTE);
            if (each.isDictionaryBatch()) {
                dictionaries.add(message, MemorySegment.ofArray(body));
            }
            if (body.length > 0 && body.length <= MOST_BYTES) {
                Long id = each.dictionaryId();
                found.add(new Batch(model, layout, verifier, dictionaries, id, message, body));
            }
        }
    }

    private static Message message(OracleMessage from) {
        return new Message().wrap(MemorySegment.ofArray(from.metadataBytes()));
    }

    @Test
    void faultsOfDamagedBodiesAreThoseOfTheReference() {
        List<Batch> all = batches();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(MOST_BYTES, 64);
            for (int i = 0; i < MUTANTS; i++) {
                Batch batch = all.get(i % all.size());
                byte[] damaged = batch.body.clone();
                BodyDamage.damage(ByteBuffer.wrap(damaged), random);
                MemorySegment body = MemorySegment.ofArray(damaged);
                if (random.nextBoolean()) {
                    body = memory.asSlice(0, damaged.length).copyFrom(body);
                }
                compare(batch, body);
                if (i % CHOSEN_EVERY == 0 && batch.dictionary == null) {
                    compareChosen(batch, body);
                }
            }
        }
        CaseCount.report(
                "%,d damaged bodies of %,d batches: %,d with faults, %,d without; by rule: %s",
                MUTANTS, all.size(), faulty, sound, faultsByRule);
        assertTrue(faulty > 0 && sound > 0 && chosenFaults > 0);
    }

    private void compare(Batch batch, MemorySegment body) {
        cursor.bind(batch.own(), batch.message).body(body);
        List<String> expected;
        List<String> found = new ArrayList<>();
        if (batch.dictionary == null) {
            expected = ReferenceValues.faults(batch.schema.fields(), cursor, batch.dictionaries);
            batch.verifier.verify(cursor, batch.dictionaries, f -> add(found, f));
        } else {
            ArrowField of = InputBatches.values(batch.schema.fields(), batch.dictionary);
            expected = ReferenceValues.faultsOfDictionary(of, cursor);
            batch.verifier.verifyDictionary(batch.dictionary, cursor, f -> add(found, f));
        }
        assertEquals(expected, found, () -> batch.schema.toString());
        assertEquals(0, batch.verifier.unchecked());
        FirstFault end = new FirstFault();
        boolean isSound =
                batch.dictionary == null
                        ? batch.verifier.verify(cursor, batch.dictionaries, end)
                        : batch.verifier.verifyDictionary(batch.dictionary, cursor, end);
        assertEquals(expected.isEmpty(), isSound);
        if (!isSound) {
            faulty++;
            ValueFault first = (ValueFault) end.fault();
            assertEquals(expected.getFirst(), text(first));
            faultsByRule.merge(first.rule().id(), 1, Integer::sum);
            return;
        }
        sound++;
        if (batch.dictionary == null) {
            read(batch);
        }
    }

    /// A layout of one field has the faults of this field, and of those above and below it.
    private void compareChosen(Batch batch, MemorySegment body) {
        int field = choice.nextInt(batch.layout.fieldCount());
        for (int f = batch.layout.parent(field); f >= 0; f = batch.layout.parent(f)) {
            field = WHOLE.contains(batch.layout.typeType(f)) ? f : field;
        }
        BatchLayout chosen = batch.layout.choose(field);
        List<Integer> fields =
                IntStream.range(0, chosen.fieldCount()).map(chosen::sourceField).boxed().toList();
        List<ValueFault> expected = new ArrayList<>();
        batch.verifier.verify(
                cursor.bind(batch.layout, batch.message).body(body),
                batch.dictionaries,
                fault -> expected.add((ValueFault) fault));
        expected.removeIf(each -> !fields.contains(each.field()));
        List<ValueFault> found = new ArrayList<>();
        new ValueVerifier(InputBatches.table(batch.schema), chosen)
                .verify(
                        cursor.bind(chosen, batch.message).body(body),
                        batch.dictionaries,
                        fault -> found.add((ValueFault) fault));
        // A struct may be longer than a child that is not chosen.
        expected.removeIf(each -> each.rule() == ValueRule.VALUE_CHILD_LENGTH);
        found.removeIf(each -> each.rule() == ValueRule.VALUE_CHILD_LENGTH);
        assertEquals(
                expected.stream().map(ValueMutantsTest::text).toList(),
                found.stream().map(ValueMutantsTest::text).toList());
        chosenFaults += found.size();
    }

    private static boolean add(List<String> found, dev.fletch.Fault fault) {
        return found.add(text((ValueFault) fault));
    }

    private static String text(ValueFault fault) {
        return fault.column() + " " + fault.rule().id() + " " + fault.row();
    }

    /// Reads all values, which must not throw.
    private void read(Batch batch) {
        for (int field = 0; field < batch.layout.fieldCount(); field++) {
            values.bind(cursor, field, batch.dictionaries);
            ValueType type = values.valueType();
            for (long row = 0; row < values.length(); row++) {
                values.isNull(row);
                if (type != ValueType.BOOL && type != ValueType.NONE) {
                    values.get(row, bytes);
                }
            }
        }
    }
}
