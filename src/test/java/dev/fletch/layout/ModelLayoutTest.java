// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import static dev.fletch.format.MetadataVersion.V4;
import static dev.fletch.format.MetadataVersion.V5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Limits;
import dev.fletch.Rule;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.FormatRules;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.model.ArrowSchema;
import dev.fletch.semantics.SemanticRules;
import dev.fletch.semantics.SemanticRun;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.RandomSchemas;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.stream.LongStream;

/// A schema that is a value has the plan of the same schema in bytes.
class ModelLayoutTest {
    /// Random schemas break rules.
    private static final Rule[] ANY = SemanticRules.all().toArray(Rule[]::new);

    private int fields;

    private void compare(BatchLayout expected, BatchLayout layout) {
        assertEquals(expected.version(), layout.version());
        assertEquals(expected.endianness(), layout.endianness());
        assertEquals(Flat.rowsOf(expected), Flat.rowsOf(layout));
        assertEquals(expected.columnCount(), layout.columnCount());
        assertEquals(expected.bufferCount(), layout.bufferCount());
        assertEquals(expected.viewCount(), layout.viewCount());
        assertEquals(expected.firstUnknown(), layout.firstUnknown());
        for (int f = 0; f < expected.fieldCount(); f++) {
            assertEquals(expected.valueBits(f), layout.valueBits(f));
        }
        for (int c = 0; c < expected.columnCount(); c++) {
            assertEquals(expected.columnField(c), layout.columnField(c));
        }
        fields += expected.fieldCount();
    }

    private void compare(Schema bytes, ArrowSchema value, int version) {
        BatchLayout expected = BatchLayout.compile(bytes, version);
        BatchLayout layout = BatchLayout.compile(value.toTable(ANY), version);
        compare(expected, layout);
        assertEquals(expected.dictionaryCount(), layout.dictionaryCount());
        for (int i = 0; i < expected.dictionaryCount(); i++) {
            long id = expected.dictionary(i);
            assertEquals(id, layout.dictionary(i));
            compare(expected.dictionaryLayout(id), layout.dictionaryLayout(id));
        }
    }

    @Test
    void layoutsOfRandomSchemasAgree() {
        EmissionOrder[] orders = EmissionOrder.values();
        for (int seed = 0; seed < 600; seed++) {
            ArrowSchema value = RandomSchemas.schema(seed);
            EmissionOrder order = orders[seed % orders.length];
            FlatBufferWriter writer = new FlatBufferWriter(order.dialect());
            value.write(order, writer, ANY);
            Schema bytes = new Schema().wrap(MemorySegment.ofArray(writer.toByteArray()));
            compare(bytes, value, seed % 2 == 0 ? V4 : V5);
        }
        assertTrue(fields > 1_000, fields + " fields");
    }

    @Test
    void layoutsOfGoldensAgree() {
        for (Path golden : Goldens.all()) {
            if (Goldens.isStream(golden)) {
                byte[] bytes =
                        SemanticRun.bytesOf(
                                OracleListing.list(Goldens.read(golden)).messages().getFirst());
                Schema schema = new Schema();
                assertTrue(new Message().wrap(MemorySegment.ofArray(bytes)).header(schema));
                compare(schema, ArrowSchema.of(schema), V5);
                compare(schema, ArrowSchema.of(schema), V4);
            }
        }
        assertTrue(fields > 500, fields + " fields");
    }

    @Test
    void limitsAndVersionsAreChecked() {
        ArrowSchema value = RandomSchemas.schema(7);
        assertEquals(
                FormatRules.UNSUPPORTED_VERSION,
                assertThrows(
                                LayoutException.class,
                                () -> BatchLayout.compile(value.toTable(ANY), 2))
                        .rule());
        Limits one = Limits.DEFAULT.withDepth(9).withFields(1);
        ArrowSchema large =
                LongStream.range(0, 100)
                        .mapToObj(RandomSchemas::schema)
                        .filter(each -> each.fields().size() > 1)
                        .findFirst()
                        .orElseThrow();
        assertEquals(
                LayoutRules.TOO_MANY_FIELDS,
                assertThrows(
                                LayoutException.class,
                                () -> BatchLayout.compile(large.toTable(ANY), V5, one))
                        .rule());
    }
}
