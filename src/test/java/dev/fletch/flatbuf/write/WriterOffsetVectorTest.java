// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.flatbuffers.FlatBufferBuilder;

import org.junit.jupiter.api.Test;

import java.util.stream.Stream;

/// A vector of offsets that is written at once: what is wrong with one is told of the first such
/// one, and nothing is written then.
class WriterOffsetVectorTest {
    private final FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);

    private static int[] texts(FlatBufferWriter into) {
        return Stream.of("one", "two", "three").mapToInt(into::createString).toArray();
    }

    /// What the offset is refused with as that of the root.
    private static String refused(int object) {
        FlatBufferWriter single = new FlatBufferWriter().alignEmptyVectors(true);
        texts(single);
        return assertThrows(IllegalArgumentException.class, () -> single.finish(object))
                .getMessage();
    }

    private void assertRefused(int wrong, int... objects) {
        int size = writer.size();
        for (int from = 0; from <= wrong; from++) {
            int first = from;
            IllegalArgumentException e =
                    assertThrows(
                            IllegalArgumentException.class,
                            () ->
                                    writer.createOffsetVector(
                                            objects, first, objects.length - first));
            assertEquals(refused(objects[wrong]), e.getMessage());
            assertEquals(size, writer.size());
        }
    }

    @Test
    void theFirstInvalidOffsetIsReportedAndNothingIsWritten() {
        int[] texts = texts(writer);
        for (int wrong : new int[] {0, -4, 1, 2, 33, 36, Integer.MIN_VALUE}) {
            assertRefused(0, wrong, texts[1]);
            assertRefused(1, texts[0], wrong);
            assertRefused(2, texts[0], texts[2], wrong, texts[1], 7);
        }
        int[] all = {texts[2], texts[0], texts[1], texts[2]};
        writer.finish(writer.createOffsetVector(all, 1, 3));
        FlatBufferBuilder official = new FlatBufferBuilder();
        int[] same = Stream.of("one", "two", "three").mapToInt(official::createString).toArray();
        official.finish(official.createVectorOfTables(same));
        assertArrayEquals(official.sizedByteArray(), writer.toByteArray());
    }

    /// Neither is the padding, which a vector needs where the buffer is at 2 mod 4.
    @Test
    void aRefusedVectorLeavesNoPadding() {
        writer.startTable();
        writer.addNumber(0, Byte.BYTES, 1, 0);
        int table = writer.endTable();
        int size = writer.size();
        assertEquals(2, size % 4);
        for (int wrong : new int[] {0, 2, size + 2}) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> writer.createOffsetVector(new int[] {table, wrong}, 0, 2));
            assertEquals(size, writer.size());
        }
    }
}
