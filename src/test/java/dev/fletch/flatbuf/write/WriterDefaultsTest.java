// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.flatbuffers.FlatBufferBuilder;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.function.IntConsumer;

/// Fields that are left out, as they have their default: they keep to the rules of those that are
/// written, and leave no trace in the vtable.
class WriterDefaultsTest {
    private final FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);

    /// Sets a slot to its default, once in each way.
    private final List<IntConsumer> leftOut =
            List.of(
                    slot -> writer.addNumber(slot, Byte.BYTES, 1, 1),
                    slot -> writer.addNumber(slot, Byte.BYTES, 3, 3),
                    slot -> writer.addNumber(slot, Short.BYTES, 3, 3),
                    slot -> writer.addNumber(slot, Integer.BYTES, 3, 3),
                    slot -> writer.addNumber(slot, Long.BYTES, 3, 3),
                    slot -> writer.addOffset(slot, 0));

    @Test
    void aSlotIsSetOnceEvenToItsDefault() {
        for (int slot : new int[] {0, 3, 4, 7}) {
            for (IntConsumer each : leftOut) {
                writer.reset().startTable();
                each.accept(slot);
                String expected = "slot is already set: slot=" + slot;
                for (IntConsumer other : leftOut) {
                    IllegalStateException e =
                            assertThrows(IllegalStateException.class, () -> other.accept(slot));
                    assertEquals(expected, e.getMessage());
                }
                assertThrows(
                        IllegalStateException.class,
                        () -> writer.addNumber(slot, Byte.BYTES, 1, 0));
            }
        }
    }

    /// Tables of more than 255 bytes have their vtables found in another way.
    @Test
    void defaultsOfALargeTableLeaveNoTrace() {
        FlatBufferBuilder official = new FlatBufferBuilder();
        int root = 0;
        for (int leftOut : new int[] {6, 7, 5, 6}) {
            writer.startTable();
            writer.startStruct(300, 1);
            writer.pushPadding(300);
            writer.endStruct(2);
            writer.addNumber(leftOut, Integer.BYTES, 0, 0);
            root = writer.endTable();
            official.startTable(8);
            official.prep(1, 300);
            official.pad(300);
            official.addStruct(2, official.offset(), 0);
            official.addInt(leftOut, 0, 0);
            assertEquals(official.endTable(), root);
        }
        writer.finish(root);
        official.finish(root);
        assertArrayEquals(official.sizedByteArray(), writer.toByteArray());
    }
}
