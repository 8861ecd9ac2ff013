// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.batch.BatchLayout;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.flatbuf.write.TargetTooSmallException;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.RewriteRig;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.ModelTables;
import dev.fletch.testdata.RandomSchemas;
import dev.fletch.verify.messages.SemanticVerifier;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Schemas back to bytes. `EmissionProducersTest` compares the orders with producers' own bytes.
class ModelWriteTest {
    /// Random schemas break rules.
    private static final Rule[] ANY = MeaningRule.values();

    private static final int SCHEMAS = CaseCount.of(200, 2_000);

    static byte[] write(ArrowSchema schema, EmissionOrder order) {
        FlatBufferWriter into = order.newWriter();
        schema.write(order, into, ANY);
        return into.toByteArray();
    }

    static byte[] writeMessage(ArrowSchema schema, EmissionOrder order) {
        FlatBufferWriter into = order.newWriter();
        schema.writeMessage(order, into, ANY);
        return into.toByteArray();
    }

    private static ArrowSchema read(byte[] schema) {
        return ModelReadTest.read(schema);
    }

    private static Message message(byte[] message) {
        return new Message().wrap(MemorySegment.ofArray(message));
    }

    @ParameterizedTest
    @EnumSource
    void writtenSchemaIsReadBackUnchanged(EmissionOrder order) {
        Verifier strict = new Verifier(Checks.STRICT);
        RewriteRig rig = new RewriteRig(order);
        for (int seed = 0; seed < SCHEMAS; seed++) {
            ArrowSchema schema = RandomSchemas.schema(seed);
            byte[] bytes = write(schema, order);
            assertEquals(schema, read(bytes), "seed " + seed);
            assertArrayEquals(rig.root("Schema", bytes), bytes, "seed " + seed);
            assertTrue(
                    strict.verify(Verifier.Root.SCHEMA, MemorySegment.ofArray(bytes)),
                    () -> "" + strict.fault());
            byte[] message = writeMessage(schema, order);
            assertTrue(
                    strict.verify(Verifier.Root.MESSAGE, MemorySegment.ofArray(message)),
                    () -> "" + strict.fault());
            Message read = message(message);
            assertEquals(schema, ModelTables.schema(read), "seed " + seed);
            assertEquals(MetadataVersion.V5, read.version());
            assertEquals(0, read.bodyLength());
        }
    }

    /// What is there as a table goes the same way as what was read.
    @Test
    void omittedValuesAreAbsentInTheTable() {
        Schema table =
                ArrowSchema.of()
                        .withAbsent(
                                Set.of(
                                        Schema.FIELDS_SLOT,
                                        Schema.CUSTOM_METADATA_SLOT,
                                        Schema.FEATURES_SLOT))
                        .toTable(MeaningRule.NO_FIELDS);
        assertFalse(table.isPresent(Schema.FIELDS_SLOT));
        assertFalse(table.isPresent(Schema.CUSTOM_METADATA_SLOT));
        assertFalse(table.isPresent(Schema.FEATURES_SLOT));
        Schema empty = ArrowSchema.of().withAbsent(Set.of()).toTable();
        assertTrue(empty.isPresent(Schema.FIELDS_SLOT));
        assertTrue(empty.isPresent(Schema.CUSTOM_METADATA_SLOT));
        assertTrue(empty.isPresent(Schema.FEATURES_SLOT));
    }

    /// arrow-java reads what was written in any order, and writes the bytes that are written in its
    /// own.
    @Test
    void arrowJavaWritesTheSameBytes() {
        EmissionOrder[] orders = EmissionOrder.values();
        long compared = 0;
        for (int seed = 0; seed < SCHEMAS; seed++) {
            ArrowSchema schema = JavaSchemas.written(RandomSchemas.schema(seed));
            EmissionOrder order = orders[seed % orders.length];
            byte[] bytes = write(schema, EmissionOrder.ARROW_JAVA);
            var theirs =
                    org.apache.arrow.vector.types.pojo.Schema.deserializeMessage(
                            ByteBuffer.wrap(Frames.frame(writeMessage(schema, order))));
            assertArrayEquals(bytes(theirs), bytes, "seed " + seed);
            compared += bytes.length;
        }
        System.out.printf("arrow-java: %d schemas of %d bytes%n", SCHEMAS, compared);
    }

    private static byte[] bytes(org.apache.arrow.vector.types.pojo.Schema schema) {
        var builder = new com.google.flatbuffers.FlatBufferBuilder();
        builder.finish(schema.getSchema(builder));
        return builder.sizedByteArray();
    }

    // ---- refusals

    @Test
    void wrongDialectAndSmallTargetAreRejected() {
        ArrowSchema schema = ArrowSchema.of(ArrowField.of("a", ArrowType.Simple.UTF8));
        FlatBufferWriter java = new FlatBufferWriter().alignEmptyVectors(true);
        assertThrows(
                IllegalArgumentException.class, () -> schema.write(EmissionOrder.ARROW_CPP, java));
        FlatBufferWriter small = new FlatBufferWriter().wrap(MemorySegment.ofArray(new byte[20]));
        assertThrows(
                TargetTooSmallException.class, () -> schema.write(EmissionOrder.ARROW_CPP, small));
    }

    @Test
    void defaultsAreAbsentInTheTable() {
        ArrowSchema schema =
                ArrowSchema.of(
                        ArrowField.of("d", new ArrowType.Decimal(9, 0))
                                .withDictionary(DictionaryInfo.implicit(0, false)));
        Schema table = schema.toTable();
        var field = table.fields(0, new dev.fletch.format.Field());
        assertFalse(field.isPresent(dev.fletch.format.Field.NULLABLE_SLOT));
        var decimal = new dev.fletch.format.Decimal();
        assertTrue(field.type(decimal));
        assertEquals(
                List.of(true, false, false),
                List.of(decimal.isPresent(0), decimal.isPresent(1), decimal.isPresent(2)));
    }

    // ---- what `fletch verify` reports as a deviation

    private static final ArrowType STRUCT = ArrowType.Simple.STRUCT;
    private static final ArrowField INT32 = ArrowField.of("i", new ArrowType.Int(32, true));
    private static final ArrowField UTF8 = ArrowField.of("k", ArrowType.Simple.UTF8);

    private static ArrowField map(ArrowField entries) {
        return ArrowField.of("m", new ArrowType.Map(false), entries);
    }

    private static ArrowField metadata(String key, String value) {
        return INT32.withMetadata(Metadata.of(key, value));
    }

    private static Map<Rule, ArrowField> fields() {
        return Map.of(
                MeaningRule.RUN_ENDS_NULLABLE,
                ArrowField.of("r", ArrowType.Simple.RUN_END_ENCODED, INT32.nullable(), UTF8),
                MeaningRule.MAP_ENTRIES_NULLABLE,
                map(ArrowField.of("e", STRUCT, UTF8, INT32).nullable()),
                MeaningRule.MAP_KEY_NULLABLE,
                map(ArrowField.of("e", STRUCT, UTF8.nullable(), INT32)),
                MeaningRule.NO_KEY,
                metadata(null, "v"),
                MeaningRule.NO_VALUE,
                metadata("k", null));
    }

    @Test
    void deviationIsWrittenOnlyIfItsRuleIsAllowed() {
        fields().forEach(
                        (rule, field) -> {
                            ArrowSchema schema = ArrowSchema.of(UTF8, field);
                            var refused =
                                    assertThrows(InvalidSchemaException.class, schema::toTable);
                            assertEquals(rule, refused.rule());
                            String start =
                                    rule.id() + ": " + rule.description() + ": path=fields[1].";
                            assertEquals(start, refused.getMessage().substring(0, start.length()));
                            assertThrows(
                                    InvalidSchemaException.class,
                                    () -> schema.toTable(MeaningRule.RUN_END_NULLS));
                            Schema written = schema.toTable(rule);
                            assertEquals(List.of(rule.id()), faults(written));
                            ArrowSchema read = ArrowSchema.of(written);
                            assertEquals(schema, read);
                            assertEquals(schema.hashCode(), read.hashCode());
                            assertEquals(List.of(), schema.diff(read));
                            assertEquals(schema.toString(), read.toString());
                            BatchLayout.compile(written, MetadataVersion.V5);
                        });
    }

    private static List<String> faults(Schema schema) {
        List<String> found = new ArrayList<>();
        new SemanticVerifier(Checks.DEFAULT, fault -> found.add(fault.rule().id())).schema(schema);
        return found;
    }

    /// Two fields cannot share a dictionary of different types: no reader can trust that.
    @Test
    void errorsOfAWholeSchemaAreRefused() {
        DictionaryInfo dictionary = DictionaryInfo.implicit(7, false);
        ArrowSchema schema =
                ArrowSchema.of(INT32.withDictionary(dictionary), UTF8.withDictionary(dictionary));
        var refused = assertThrows(InvalidSchemaException.class, schema::toTable);
        assertEquals(MeaningRule.DICTIONARY_TYPE, refused.rule());
    }
}
