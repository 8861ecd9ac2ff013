// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import static dev.fletch.verify.messages.Meant.with;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.format.Schema;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.FbsValueWriter;
import dev.fletch.testdata.ModelTables;
import dev.fletch.testdata.RandomTables;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.List;

/// Small schemas that stand for endless ones: reading them ends, in the one way that is documented.
@Timeout(60)
class HostileSchemaReadTest {
    private static final FbsValue.Table LEAF =
            ModelTables.field(ArrowField.of("leaf", ArrowType.Simple.UTF8));

    private static FbsValue.Table struct(FbsValue... children) {
        FbsValue.Table empty = ModelTables.field(ArrowField.of("s", ArrowType.Simple.STRUCT));
        return with(empty, "children", List.of(children));
    }

    private static FbsValue.Table schema(FbsValue... fields) {
        return with(ModelTables.schema(ArrowSchema.of()), "fields", List.of(fields));
    }

    private static InvalidSchemaException refused(FbsValue.Table schema, Limits limits) {
        byte[] bytes = FbsValueWriter.write(RandomTables.ARROW, schema, 0);
        return assertThrows(
                InvalidSchemaException.class,
                () -> ArrowSchema.of(new Schema().wrap(MemorySegment.ofArray(bytes)), limits));
    }

    private static FbsValue.Table nested(int levels) {
        FbsValue.Table field = struct();
        for (int i = 1; i < levels; i++) {
            field = struct(field);
        }
        return schema(field);
    }

    @Test
    void schemaDeeperThanTheLimitIsRefused() {
        byte[] deepest = FbsValueWriter.write(RandomTables.ARROW, nested(128), 0);
        ArrowField field = ModelReadTest.read(deepest).fields().getFirst();
        int levels = 1;
        while (!field.children().isEmpty()) {
            field = field.children().getFirst();
            levels++;
        }
        assertEquals(128, levels);
        var fault = refused(nested(129), Limits.DEFAULT);
        assertEquals("depth", fault.parameter());
        assertEquals(MeaningRule.SCHEMA_TOO_DEEP, fault.rule());
        assertEquals(
                "s.s.s.s",
                refused(
                                nested(4),
                                Limits.DEFAULT
                                        .withDepth(3)
                                        .withFields(1_000_000)
                                        .withUnfoldedBytes(64L << 20))
                        .path());
    }

    /// A limit above the deepest level of values does not help.
    @Test
    void fieldsBelowTheDeepestLevelOfValuesAreRefused() {
        FbsValue.Table deep = nested(ArrowField.MAX_DEPTH + 1);
        assertEquals("depth", refused(deep, Limits.DEFAULT.withDepth(10_000)).parameter());
    }

    /// Ids are refused by their number before they are read.
    @Test
    void tooManyTypeIdsAreRefusedBeforeTheyAreRead() {
        FbsValue.Table union = ModelTables.field(ArrowField.of("u", ArrowType.Union.dense()));
        FbsValue.Table type = (FbsValue.Table) union.fields().get("type");
        FbsValue.Table many = with(type, "typeIds", Collections.nCopies(100_000, 1));
        var fault = refused(schema(with(union, "type", many)), Limits.DEFAULT);
        assertEquals(
                "number of type ids is not that of the union's children: field=u, typeIds=100000",
                fault.getMessage());
    }

    @Test
    void schemaAtTheLimitsIsRead() {
        FbsValue.Table schema = schema(LEAF, struct(LEAF));
        byte[] bytes = FbsValueWriter.write(RandomTables.ARROW, schema, 0);
        Schema flyweight = new Schema().wrap(MemorySegment.ofArray(bytes));
        int size = 3 * 256 + 9;
        Limits exact = Limits.DEFAULT.withDepth(2).withFields(3).withUnfoldedBytes(size);
        assertEquals(2, ArrowSchema.of(flyweight, exact).fields().size());
        assertEquals("depth", refused(schema, exact.withDepth(1)).parameter());
        var tooMany = refused(schema, exact.withFields(2));
        assertEquals("fields", tooMany.parameter());
        assertEquals(MeaningRule.TOO_MANY_FIELDS, tooMany.rule());
        Limits less = exact.withUnfoldedBytes(size - 1);
        assertThrows(FletchException.class, () -> ArrowSchema.of(flyweight, less));
    }

    /// A message stays on a line whatever it quotes.
    @Test
    void hostileNameStaysOnOneLineOfTheMessage() {
        String name = "\u001b[2J\n" + "y".repeat(1_000);
        var fault =
                assertThrows(
                        InvalidSchemaException.class,
                        () -> ArrowField.of(name, ArrowType.Simple.LIST));
        assertEquals(name, fault.path());
        assertTrue(fault.getMessage().length() < 300, fault::getMessage);
        assertTrue(fault.getMessage().contains("\\u001b[2J\\n"), fault::getMessage);
        assertTrue(fault.getMessage().chars().noneMatch(Character::isISOControl));
    }
}
