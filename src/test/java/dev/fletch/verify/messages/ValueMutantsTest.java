// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.ColumnValues;
import dev.fletch.batch.Dictionaries;
import dev.fletch.batch.ValueType;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Endianness;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// Damaged bodies: the faults are those of a plain reference, with the same columns, rules and
/// rows. What has no fault can be read completely.
class ValueMutantsTest {
    private static final int MUTANTS =
            Integer.getInteger("fletch.value.mutants", CaseCount.of(20_000, 600_000));
    private static final int MOST_BYTES = 4_000;

    private final Random random = new Random(43);
    private final BatchCursor cursor = new BatchCursor();
    private final ColumnValues values = new ColumnValues();
    private final ByteSlice bytes = new ByteSlice();
    private final Map<String, Integer> faultsByRule = new TreeMap<>();
    private int sound;
    private int faulty;

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
            add(found, MemorySegment.ofArray(each.stream()));
        }
        return found;
    }

    private void add(List<Batch> found, MemorySegment stream) {
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        Schema schema = new Schema();
        DictionaryBatch dictionary = new DictionaryBatch();
        ArrowSchema model = null;
        BatchLayout layout = null;
        Dictionaries dictionaries = null;
        ValueVerifier verifier = null;
        int first = found.size();
        for (long at = 0;
                frame.wrap(stream, at, message) == FrameKind.MESSAGE;
                at = frame.nextOffset()) {
            if (message.header(schema)) {
                model = ArrowSchema.of(schema);
                layout = BatchLayout.compile(schema, message.version());
                dictionaries = new Dictionaries(layout);
                verifier = new ValueVerifier(Batches.table(model), layout);
                continue;
            }
            boolean isDictionary = message.header(dictionary);
            Long id = isDictionary ? dictionary.id() : null;
            MemorySegment body = input(stream, frame);
            Message copy =
                    new Message()
                            .wrap(
                                    MemorySegment.ofArray(
                                            stream.asSlice(
                                                            frame.metadataOffset(),
                                                            frame.metadataLength())
                                                    .toArray(
                                                            java.lang.foreign.ValueLayout
                                                                    .JAVA_BYTE)));
            Batch batch =
                    new Batch(
                            model,
                            layout,
                            verifier,
                            dictionaries,
                            id,
                            copy,
                            body.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
            cursor.bind(batch.own(), copy);
            if (cursor.isCompressed() || layout.endianness() != Endianness.LITTLE) {
                while (found.size() > first) {
                    found.removeLast();
                }
                return;
            }
            if (isDictionary) {
                dictionaries.add(copy, MemorySegment.ofArray(batch.body));
            }
            if (batch.body.length > 0 && batch.body.length <= MOST_BYTES) {
                found.add(batch);
            }
        }
    }

    private static MemorySegment input(MemorySegment stream, EncapsulatedMessage frame) {
        return stream.asSlice(frame.bodyOffset(), frame.bodyLength());
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
            }
        }
        CaseCount.report(
                "%,d damaged bodies of %,d batches: %,d with faults, %,d without; by rule: %s",
                MUTANTS, all.size(), faulty, sound, faultsByRule);
        assertTrue(faulty > 0 && sound > 0);
    }

    private void compare(Batch batch, MemorySegment body) {
        cursor.bind(batch.own(), batch.message).body(body);
        List<String> expected;
        List<String> found = new ArrayList<>();
        if (batch.dictionary == null) {
            expected = ReferenceValues.faults(batch.schema.fields(), cursor, batch.dictionaries);
            batch.verifier.collect(cursor, batch.dictionaries, f -> add(found, f), 1 << 20);
        } else {
            ArrowField of = Batches.values(batch.schema.fields(), batch.dictionary);
            expected = ReferenceValues.faultsOfDictionary(of, cursor);
            batch.verifier.collectDictionary(batch.dictionary, cursor, f -> add(found, f), 1 << 20);
        }
        assertEquals(expected, found, () -> batch.schema.toString());
        assertEquals(0, batch.verifier.unchecked());
        boolean isSound =
                batch.dictionary == null
                        ? batch.verifier.verify(cursor, batch.dictionaries)
                        : batch.verifier.collectDictionary(batch.dictionary, cursor, _ -> {}, 1);
        assertEquals(expected.isEmpty(), isSound);
        if (!isSound) {
            faulty++;
            ValueFault first = batch.verifier.fault();
            assertEquals(expected.getFirst(), text(first));
            faultsByRule.merge(first.rule().id(), 1, Integer::sum);
            return;
        }
        sound++;
        if (batch.dictionary == null) {
            read(batch);
        }
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
