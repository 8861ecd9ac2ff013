// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.flatbuffers.FlatBufferBuilder;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Places are those at which the official builder has put the fields.
class TablePlacesTest {
    private static final int NUMBER = 0x01020304;
    private static final long ELEMENT = 0x0807060504030201L;

    /// A number in slot 0, a vector of one element in slot 2, a table in slot 7 whose slot 1 is full.
    private static byte[] table() {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        builder.startVector(Long.BYTES, 1, Long.BYTES);
        builder.addLong(ELEMENT);
        int vector = builder.endVector();
        builder.startTable(2);
        builder.addByte(1, (byte) 99, 0);
        int inner = builder.endTable();
        builder.startTable(8);
        builder.addInt(0, NUMBER, 0);
        builder.addOffset(2, vector, 0);
        builder.addOffset(7, inner, 0);
        builder.finish(builder.endTable());
        return builder.sizedByteArray();
    }

    @Test
    void fieldsAndElementsAreAtTheirPlaces() {
        byte[] buffer = table();
        ByteBuffer bytes = ByteBuffer.wrap(buffer).order(ByteOrder.LITTLE_ENDIAN);
        TablePlaces places = new TablePlaces(0x0400_0000_0004_0004L).wrap(buffer);
        assertEquals(NUMBER, bytes.getInt(places.at(0)));
        assertEquals(ELEMENT, bytes.getLong(places.elementsAt(2)));
        TablePlaces inner = new TablePlaces(0x0100).wrap(places, 7);
        assertEquals(99, bytes.get(inner.at(1)));
        assertEquals(0, places.at(1));
        assertEquals(0, places.elementsAt(1));
        assertThrows(IllegalArgumentException.class, () -> inner.wrap(places, 1));
    }

    @Test
    void slotsThatNoTableHasAndTablesThatAreNotThere() {
        TablePlaces places = new TablePlaces(0x0400_0000_0004_0004L).wrap(table());
        for (int slot : new int[] {-1, 8, 12, Integer.MAX_VALUE}) {
            assertThrows(IndexOutOfBoundsException.class, () -> places.at(slot));
            assertThrows(IndexOutOfBoundsException.class, () -> places.elementsAt(slot));
        }
        TablePlaces nowhere = new TablePlaces(0);
        assertThrows(IllegalStateException.class, () -> nowhere.at(0));
        assertThrows(IllegalStateException.class, () -> nowhere.elementsAt(0));
        TablePlaces inner = new TablePlaces(0x0100).wrap(places, 7);
        places.wrap(table());
        assertThrows(IllegalStateException.class, () -> inner.at(1));
    }
}
