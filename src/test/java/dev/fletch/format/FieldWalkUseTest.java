// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.testdata.LargeSchemas;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;

/// What a [FieldWalk] does besides reading: where it begins, and what it refuses.
class FieldWalkUseTest {
    private static Message message(int columns) {
        return new Message().wrap(MemorySegment.ofArray(LargeSchemas.schemaMessage(columns)));
    }

    private static Schema schema(Message message) {
        Schema schema = new Schema();
        assertTrue(message.header(schema));
        return schema;
    }

    @Test
    void passesAllFields() {
        FieldWalk walk = new FieldWalk().wrap(schema(message(30)));
        int fields = 0;
        while (walk.next()) {
            fields++;
        }
        assertEquals(LargeSchemas.fieldCount(30), fields);
        assertThrows(IllegalStateException.class, walk::field);
    }

    @Test
    void bindsTheFlyweightOfTheTypeOnly() {
        FieldWalk walk = new FieldWalk();
        walk.wrap(schema(message(2)));
        walk.column(1); // utf8
        assertFalse(walk.field().type(new Int()));
        assertFalse(walk.field().type(new Timestamp()));
        assertEquals(UnionMode.SPARSE, walk.unionMode());
        assertEquals(0, walk.valueBits());
    }

    @Test
    void refusesToGoOnWhenItsRootHasWrappedSomethingElse() {
        Message message = message(5);
        FieldWalk walk = new FieldWalk();
        walk.wrap(schema(message));
        assertTrue(walk.next());
        message.wrap(MemorySegment.ofArray(LargeSchemas.schemaMessage(5)));
        assertThrows(IllegalStateException.class, walk::next);
        assertThrows(
                IllegalStateException.class, () -> walk.field().customMetadata(0, new KeyValue()));
    }

    /// The end of a subtree comes before what is behind it, not before children that were skipped.
    @Test
    void skippedChildrenStaySkippedWhereTheSubtreeEnds() {
        FieldWalk walk = new FieldWalk();
        walk.wrap(schema(message(30)));
        int withChildren = 0;
        for (int i = 0; i < 29; i++) {
            walk.column(i);
            withChildren += walk.field().childrenCount() > 0 ? 1 : 0;
            walk.skipChildren();
            assertFalse(walk.nextBelow(0));
            assertTrue(walk.next());
            assertEquals(0, walk.depth());
            assertEquals(i + 1, walk.column());
        }
        assertTrue(withChildren > 0);
    }

    @Test
    void showsNothingBeforeItIsWrapped() {
        FieldWalk walk = new FieldWalk();
        assertFalse(walk.next());
        assertEquals(0, walk.columnCount());
        assertThrows(IndexOutOfBoundsException.class, () -> walk.column(0));
        assertThrows(IllegalStateException.class, () -> walk.field());
    }
}
