// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.format.internal.FieldWalk;
import dev.fletch.testdata.LargeSchemas;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;

/// What a [FieldWalk] does besides reading: where it begins, and what it refuses.
class FieldWalkStateTest {
    private static Message message(int columns) {
        return new Message().wrap(MemorySegment.ofArray(LargeSchemas.schemaMessage(columns)));
    }

    private static Schema schema(Message message) {
        Schema schema = new Schema();
        assertTrue(message.header(schema));
        return schema;
    }

    @Test
    void onlyTheFlyweightOfTheFieldsTypeIsBound() {
        FieldWalk walk = new FieldWalk();
        walk.wrap(schema(message(2)));
        walk.column(1); // utf8
        assertFalse(walk.field().type(new Int()));
        assertFalse(walk.field().type(new Timestamp()));
    }

    @Test
    void anOutdatedWalkIsRefused() {
        Message message = message(5);
        FieldWalk walk = new FieldWalk();
        walk.wrap(schema(message));
        assertTrue(walk.next());
        message.wrap(MemorySegment.ofArray(LargeSchemas.schemaMessage(5)));
        assertThrows(IllegalStateException.class, walk::next);
        assertThrows(
                IllegalStateException.class, () -> walk.field().customMetadata(0, new KeyValue()));
    }

    @Test
    void anUnboundWalkHasNoFields() {
        FieldWalk walk = new FieldWalk();
        assertFalse(walk.next());
        assertEquals(0, walk.columnCount());
        assertThrows(IndexOutOfBoundsException.class, () -> walk.column(0));
        assertThrows(IllegalStateException.class, () -> walk.field());
    }
}
