// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.format.Schema;
import dev.fletch.schema.ArrowType.TimeResolution;
import dev.fletch.testdata.ModelTables;

import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// Texts in bytes that are no UTF-8: as values they would be others, so they are refused.
class MalformedTextTest {
    /// Stands where a byte is replaced.
    private static final String MARK = "né!";

    private static ArrowSchema schema(String name, String key, String value, String zone) {
        ArrowType time = new ArrowType.Timestamp(TimeResolution.SECOND, zone);
        ArrowField child = ArrowField.of(name, time).withMetadata(Metadata.of(key, value));
        return ArrowSchema.of(ArrowField.of("s", ArrowType.Simple.STRUCT, child));
    }

    private static void refused(String message, ArrowSchema schema) {
        byte[] bytes = ModelTables.bytes(schema, 3);
        String mark =
                new String(MARK.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(mark);
        bytes[at + 2] = 'A'; // the continuation byte of é
        String expected = message.replace("OFFSET", "offset=" + (at + 1));
        for (int lead : new int[] {0, 24}) {
            byte[] inside = new byte[bytes.length + lead];
            System.arraycopy(bytes, 0, inside, lead, bytes.length);
            assertRefused(expected, at + 1, MemorySegment.ofArray(inside).asSlice(lead));
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy =
                    arena.allocate(bytes.length, 8).copyFrom(MemorySegment.ofArray(bytes));
            assertRefused(expected, at + 1, copy);
        }
    }

    private static void assertRefused(String message, long offset, MemorySegment memory) {
        Schema table = new Schema().wrap(memory);
        var fault = assertThrows(InvalidSchemaException.class, () -> ArrowSchema.of(table));
        assertEquals(message, fault.getMessage());
        assertEquals(offset, fault.offset());
    }

    @Test
    void everyMalformedTextIsRejected() {
        String rule = "text must be UTF-8: ";
        refused(rule + "field=s.n\uFFFDA!, OFFSET, name=n\uFFFDA!", schema(MARK, "k", "v", "UTC"));
        refused(rule + "field=s.a, OFFSET, metadata key=n\uFFFDA!", schema("a", MARK, "v", "UTC"));
        refused(
                rule + "field=s.a, OFFSET, metadata value=n\uFFFDA!",
                schema("a", "k", MARK, "UTC"));
        refused(rule + "field=s.a, OFFSET, timezone=n\uFFFDA!", schema("a", "k", "v", MARK));
        refused(
                rule + "OFFSET, metadata value=n\uFFFDA!",
                schema("a", "k", "v", "UTC").withMetadata(Metadata.of("k", MARK)));
    }

    @Test
    void replacementCharacterIsAccepted() {
        ArrowSchema schema = schema("a\uFFFDb", "\uFFFD", "\uFFFD", "\uFFFD");
        Schema table = new Schema().wrap(MemorySegment.ofArray(ModelTables.bytes(schema, 3)));
        assertEquals(schema.fields(), ArrowSchema.of(table).fields());
    }
}
