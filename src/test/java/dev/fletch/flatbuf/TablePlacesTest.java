// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.flatbuffers.FlatBufferBuilder;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Places as flatbuffers-java works them out.
class TablePlacesTest {
    /// A byte, an `int`, a vector of `long`, a table, and a slot that has nothing.
    private static final long SIZES = 0x04_04_04_04_01L;

    private static final int SLOTS = 5;

    /// The generated classes' own base, which tells the places.
    private static final class Official extends com.google.flatbuffers.Table {
        Official(ByteBuffer buffer, int at) {
            __reset(at, buffer);
        }

        int at(int slot) {
            int distance = __offset(4 + 2 * slot);
            return distance == 0 ? 0 : bb_pos + distance;
        }

        int elementsAt(int slot) {
            int distance = __offset(4 + 2 * slot);
            return distance == 0 ? 0 : __vector(distance);
        }

        Official below(int slot) {
            return new Official(bb, __indirect(at(slot)));
        }
    }

    private static byte[] bytes() {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        builder.startTable(SLOTS);
        builder.addInt(1, 77, 0);
        int below = builder.endTable();
        builder.startVector(8, 3, 8);
        builder.addLong(1);
        builder.addLong(2);
        builder.addLong(3);
        int vector = builder.endVector();
        builder.startTable(SLOTS);
        builder.addOffset(3, below, 0);
        builder.addOffset(2, vector, 0);
        builder.addInt(1, 5, 0);
        builder.addByte(0, (byte) 1, 0);
        builder.finish(builder.endTable());
        return builder.sizedByteArray();
    }

    @Test
    void placesAreThoseOfTheOfficialClasses() {
        byte[] bytes = bytes();
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        Official root = new Official(buffer, buffer.getInt(0));
        TablePlaces places = new TablePlaces(SIZES);
        assertSame(places, places.wrap(bytes));
        TablePlaces below = new TablePlaces(SIZES);
        assertSame(below, below.wrap(places, 3));
        for (int slot = 0; slot < SLOTS; slot++) {
            assertEquals(root.at(slot), places.at(slot));
            assertEquals(root.below(3).at(slot), below.at(slot));
        }
        assertEquals(root.elementsAt(2), places.elementsAt(2));
        assertEquals(0, places.elementsAt(4));
        assertEquals(1, bytes[places.at(0)]);
        assertEquals(3, bytes[places.elementsAt(2)]);
        assertEquals(77, bytes[below.at(1)]);
    }

    @Test
    void aTableThatIsNotThereIsRefused() {
        TablePlaces places = new TablePlaces(SIZES).wrap(bytes());
        TablePlaces other = new TablePlaces(SIZES);
        assertThrows(IllegalArgumentException.class, () -> other.wrap(places, 4));
    }

    @Test
    void slotsThatNoTableHasAndTablesThatAreNotBoundAreRefused() {
        TablePlaces places = new TablePlaces(SIZES).wrap(bytes());
        for (int slot : new int[] {-1, 8, 12, Integer.MAX_VALUE}) {
            assertThrows(IndexOutOfBoundsException.class, () -> places.at(slot));
            assertThrows(IndexOutOfBoundsException.class, () -> places.elementsAt(slot));
        }
        TablePlaces nowhere = new TablePlaces(0);
        assertThrows(IllegalStateException.class, () -> nowhere.at(0));
        assertThrows(IllegalStateException.class, () -> nowhere.elementsAt(0));
        TablePlaces below = new TablePlaces(SIZES).wrap(places, 3);
        places.wrap(bytes());
        assertThrows(IllegalStateException.class, () -> below.at(1));
    }

    @Test
    void whatLeadsOutOfTheBufferIsRefused() {
        byte[] bytes = bytes();
        TablePlaces places = new TablePlaces(SIZES).wrap(bytes);
        int[] offsets = {0, places.at(2), places.at(3)};
        for (int at : offsets) {
            byte[] damaged = bytes.clone();
            ByteBuffer.wrap(damaged).order(ByteOrder.LITTLE_ENDIAN).putInt(at, 1 << 20);
            assertThrows(
                    FlatBufferFormatException.class,
                    () -> {
                        TablePlaces root = new TablePlaces(SIZES).wrap(damaged);
                        root.elementsAt(2);
                        new TablePlaces(SIZES).wrap(root, 3);
                    });
        }
    }
}
