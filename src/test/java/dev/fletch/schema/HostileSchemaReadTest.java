// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.verify.messages.Meant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.foreign.MemorySegment;
import java.util.Collections;

/// Small schemas that stand for endless ones: reading them ends, in the one way that is documented.
@Timeout(60)
class HostileSchemaReadTest {
    private static InvalidSchemaException refused(byte[] bytes, Limits limits) {
        return assertThrows(
                InvalidSchemaException.class,
                () -> ArrowSchema.of(new Schema().wrap(MemorySegment.ofArray(bytes)), limits));
    }

    private static byte[] schema(FbsValue.Table... fields) {
        return Meant.bytes(Meant.schema(fields));
    }

    private static byte[] nested(int levels) {
        FbsValue.Table field = Meant.struct("s");
        for (int i = 1; i < levels; i++) {
            field = Meant.struct("s", field);
        }
        return schema(field);
    }

    @Test
    void schemaDeeperThanTheLimitIsRefused() {
        ArrowField field = ModelReadTest.read(nested(128)).fields().getFirst();
        int levels = 1;
        while (!field.children().isEmpty()) {
            field = field.children().getFirst();
            levels++;
        }
        assertEquals(128, levels);
        var fault = refused(nested(129), Limits.DEFAULT);
        assertEquals("depth", fault.parameter());
        assertEquals(MeaningRule.SCHEMA_TOO_DEEP, fault.rule());
        Limits few = Limits.DEFAULT.withDepth(3).withFields(1_000_000);
        assertEquals("s.s.s.s", refused(nested(4), few.withUnfoldedBytes(64L << 20)).path());
    }

    /// A limit above the deepest level of values does not help.
    @Test
    void fieldsBelowTheDeepestLevelOfValuesAreRefused() {
        byte[] deep = nested(ArrowField.MAX_DEPTH + 1);
        assertEquals("depth", refused(deep, Limits.DEFAULT.withDepth(10_000)).parameter());
    }

    /// Ids are refused by their number before they are read.
    @Test
    void tooManyTypeIdsAreRefusedBeforeTheyAreRead() {
        FbsValue.Table type =
                Meant.table("Union", "mode", 1, "typeIds", Collections.nCopies(100_000, 1));
        var fault = refused(schema(Meant.field("u", Type.UNION, type)), Limits.DEFAULT);
        assertEquals(
                "number of type ids is not that of the union's children: field=u, typeIds=100000",
                fault.fault().text());
    }

    @Test
    void schemaAtTheLimitsIsRead() {
        FbsValue.Table leaf = Meant.utf8("leaf");
        byte[] schema = schema(leaf, Meant.struct("s", leaf));
        Schema flyweight = new Schema().wrap(MemorySegment.ofArray(schema));
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
