// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.Rule;
import dev.fletch.StructureRule;
import dev.fletch.format.Verifier.Root;
import dev.fletch.testdata.LargeSchemas;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What a verdict says: paths, texts, all faults of a buffer, and parts of one.
class VerifierReportsTest {
    private final byte[] message = LargeSchemas.schemaMessage(10);
    private final MemorySegment segment = MemorySegment.ofArray(message);
    private final ByteBuffer raw = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    private final Verifier verifier = new Verifier();

    private final Message root = new Message();
    private final Schema schema = new Schema();

    private Field field(int index) {
        root.wrap(segment);
        assertTrue(root.header(schema));
        return schema.fields(index, new Field());
    }

    /// Column 3 is a timestamp with a time zone.
    private int breakTimezone() {
        Timestamp type = new Timestamp();
        assertTrue(field(3).type(type));
        int zone = (int) type.targetPosition(Timestamp.TIMEZONE_SLOT);
        raw.putInt(zone, 1);
        return zone + 5;
    }

    @Test
    void aMissingSinkAndANegativeMaximumAreRefused() {
        long size = message.length;
        assertThrows(
                NullPointerException.class,
                () -> verifier.findFaults(Root.MESSAGE, segment, 0, size, null, 1));
        assertThrows(
                IllegalArgumentException.class,
                () -> verifier.findFaults(Root.MESSAGE, segment, 0, size, _ -> {}, -1));
        assertEquals(0, verifier.findFaults(Root.MESSAGE, segment, 0, size, _ -> {}, 0));
    }

    @Test
    void theExceptionHasRuleOffsetAndPath() {
        int end = breakTimezone();
        assertFalse(verifier.verify(Verifier.Root.MESSAGE, segment));
        FletchException e = verifier.fault().exception();
        assertEquals(StructureRule.STRING_UNTERMINATED, e.rule());
        assertEquals(end, e.offset());
        assertEquals("header.schema.fields[3].type.timezone", e.fault().path());
        assertEquals(verifier.fault().toString(), e.getMessage());
        // What was found stays as it is when the verifier goes on.
        Fault found = verifier.fault();
        assertTrue(
                verifier.verify(
                        Verifier.Root.MESSAGE,
                        MemorySegment.ofArray(LargeSchemas.schemaMessage(1))));
        assertNull(verifier.fault());
        assertEquals(e.getMessage(), found.toString());
    }

    @Test
    void descriptionsAreUniqueAndShort() {
        Set<String> texts = new HashSet<>();
        for (Rule rule : StructureRule.values()) {
            assertTrue(texts.add(rule.description()), rule::id);
            assertTrue(rule.description().length() < 60, rule::id);
        }
        assertEquals("vtable-size-odd", StructureRule.VTABLE_SIZE_ODD.id());
    }

    // ---- all faults

    private List<String> faults(int max) {
        List<String> found = new ArrayList<>();
        int count =
                verifier.findFaults(
                        Root.MESSAGE,
                        segment,
                        0,
                        message.length,
                        fault -> found.add(fault.path() + " " + fault.rule().id()),
                        max);
        assertEquals(Math.min(count, max), found.size());
        assertNull(verifier.fault());
        found.add("count " + count);
        return found;
    }

    @Test
    void allFaultsAreFoundUpToTheMaximum() {
        assertEquals(List.of("count 0"), faults(10));
        breakTimezone();
        int fields = (int) schema.targetPosition(Schema.FIELDS_SLOT);
        raw.putInt(fields + 4 + 4, 3); // column 1
        KeyValue pair = new KeyValue();
        field(0).customMetadata(1, pair);
        raw.putInt((int) pair.position(KeyValue.KEY_SLOT), 0);
        raw.putInt((int) pair.position(KeyValue.VALUE_SLOT), -1);
        List<String> all =
                List.of(
                        "header.schema.fields[0].customMetadata[1].key offset-zero",
                        "header.schema.fields[0].customMetadata[1].value offset-too-large",
                        "header.schema.fields[1] table-misaligned",
                        "header.schema.fields[3].type.timezone string-unterminated",
                        "count 4");
        assertEquals(all, faults(10));
        assertEquals(all, faults(4));
        assertEquals(
                List.of(all.get(0), all.get(1), all.get(2), "count 4"),
                faults(3),
                "one more than the sink takes");
        assertEquals(List.of(all.get(0), "count 2"), faults(1));
        // Afterwards the first fault ends it again.
        assertFalse(verifier.verify(Verifier.Root.MESSAGE, segment));
        assertEquals("header.schema.fields[0].customMetadata[1].key", verifier.fault().path());
    }

    @Test
    void allFaultsOfOneTableAreFound() {
        field(0);
        int table = (int) schema.position();
        int vtable = table - raw.getInt(table);
        raw.putShort(vtable + 4 + 2 * Schema.FIELDS_SLOT, (short) 6);
        raw.putShort(vtable + 4 + 2 * Schema.CUSTOM_METADATA_SLOT, (short) 0x7FFC);
        assertEquals(
                List.of(
                        "header.schema.fields offset-misaligned",
                        "header.schema.customMetadata offset-out-of-range",
                        "count 2"),
                faults(10));
    }

    // ---- parts

    @Test
    void shallowVerificationSkipsElements() {
        breakTimezone();
        assertTrue(verifier.verifyShallow(Root.MESSAGE, segment, 0, message.length));
        assertEquals(2, verifier.tablesVisited());
        assertFalse(verifier.verify(Verifier.Root.MESSAGE, segment), "the next one is whole again");
        for (int i = 0; i < schema.fieldsCount(); i++) {
            Field field = field(i);
            assertEquals(i != 3, verifier.field(field));
            if (i == 3) {
                assertEquals("type.timezone", verifier.fault().path());
            }
        }
        KeyValue pair = schema.customMetadata(0, new KeyValue());
        assertTrue(verifier.keyValue(pair));
        raw.putInt((int) pair.position(KeyValue.KEY_SLOT), 0);
        assertFalse(verifier.keyValue(pair));
        assertEquals("key", verifier.fault().path());
    }

    @Test
    void shallowVerificationChecksVectorCounts() {
        field(0);
        int fields = (int) schema.targetPosition(Schema.FIELDS_SLOT);
        raw.putInt(fields, message.length);
        assertFalse(verifier.verifyShallow(Root.MESSAGE, segment, 0, message.length));
        assertEquals(StructureRule.VECTOR_COUNT_OUT_OF_RANGE, verifier.fault().rule());
        assertEquals("header.schema.fields", verifier.fault().path());
    }

    @Test
    void shallowVerificationOfAFooterCoversSchemaAndBlocks() {
        byte[] footer = WholeTrees.full(Root.FOOTER);
        MemorySegment memory = MemorySegment.ofArray(footer);
        assertTrue(verifier.verifyShallow(Verifier.Root.FOOTER, memory, 0, footer.length));
        assertEquals(2, verifier.tablesVisited());
        assertTrue(verifier.verify(Verifier.Root.FOOTER, memory));
        assertTrue(verifier.tablesVisited() > 10);
    }

    @Test
    void verifyingAnUnboundPartThrows() {
        assertThrows(IllegalStateException.class, () -> verifier.field(new Field()));
        Field field = field(0);
        root.wrap(segment);
        assertThrows(IllegalStateException.class, () -> verifier.field(field));
    }
}
