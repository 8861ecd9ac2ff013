// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.corpus.CaseFile;
import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;

/// [FieldWalk] says what the flyweights say where each word of a small schema in turn leads to the
/// ends of the range, past them, or a little further than it should. What surrounds the range is
/// noise, so that whoever reads it says something else; or the memory ends with it.
class FieldWalkEdgesTest {
    private static final int AROUND = 32;
    private static final long THROWN = -4_711;

    private final FieldWalkReadings readings = new FieldWalkReadings();
    private final Random random = new Random(51);
    private int read;
    private int refused;

    /// All ways to have a parameter, children, a dictionary and pairs.
    private static byte[] schema() {
        return CaseFile.input(
                """
                let pair = KeyValue(key="k" value="value")
                let d = DictionaryEncoding(id=7)
                let zoned = some_column:Timestamp(unit=2 timezone="UTC")
                    {children=none custom_metadata=[pair]}
                let number = Int(bitWidth=16 is_signed=1)
                let nameless = any!:number{name=none children=none}
                flatbuffer <zoned
                    column:Union(mode=1 typeIds=[5 6])<zoned>
                    umn!:Decimal(precision=9 scale=2 bitWidth=64)
                    {dictionary=d custom_metadata=[pair]}
                    nameless
                    n!:Date(unit=0)<nameless>{custom_metadata=[pair]}
                    list!:FixedSizeList(listSize=3)
                    map!:Map(keysSorted=1){custom_metadata=[pair]}
                    whatever!:FixedSizeBinary(byteWidth=9){type_type=19}
                    >{custom_metadata=[pair]}
                """);
    }

    /// Memory that the bytes are put into, in turn with room behind them and without.
    private final class Memories implements AutoCloseable {
        private final Arena arena = Arena.ofConfined();
        private final int length;
        private final MemorySegment[][] all = new MemorySegment[2][];
        private int turn;

        Memories(int length) {
            this.length = length;
            for (int i = 0; i < 2; i++) {
                int size = AROUND + length + i * AROUND;
                all[i] =
                        new MemorySegment[] {
                            MemorySegment.ofArray(new byte[size]), arena.allocate(size)
                        };
            }
        }

        void compare(byte[] bytes) {
            List<Long> first = null;
            turn ^= 1;
            for (MemorySegment memory : all[turn]) {
                for (long i = 0; i < AROUND; i++) {
                    memory.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
                    long behind = memory.byteSize() - 1 - i;
                    memory.set(ValueLayout.JAVA_BYTE, behind, (byte) random.nextInt());
                }
                MemorySegment.copy(MemorySegment.ofArray(bytes), 0, memory, AROUND, length);
                Schema schema = new Schema();
                try {
                    schema.wrap(memory, AROUND, length);
                } catch (FletchException e) {
                    return;
                }
                List<Long> found = readings.byWalk(schema);
                assertEquals(readings.byFlyweights(schema), found);
                assertEquals(first == null ? found : first, found);
                first = found;
                boolean threw = found.getLast() == THROWN;
                refused += threw ? 1 : 0;
                read += threw ? 0 : 1;
            }
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    /// From one word that is changed to the next: half of them are aligned.
    private static final int WORD_STEP = CaseCount.of(10, 2);

    @Test
    void offsetsAroundTheEndsAreReadLikeTheFlyweights() {
        byte[] whole = schema();
        ByteBuffer bytes = ByteBuffer.wrap(whole.clone()).order(ByteOrder.LITTLE_ENDIAN);
        try (Memories memories = new Memories(whole.length)) {
            for (int at = 0; at <= whole.length - 4; at += WORD_STEP) {
                int word = bytes.getInt(at);
                for (int toEnd = -17; toEnd <= 1; toEnd++) {
                    bytes.putInt(at, whole.length - at + toEnd);
                    memories.compare(bytes.array());
                }
                // As the way to a vtable, which is counted backwards.
                for (int toEnd = -8; toEnd < -3 && at % 4 == 0; toEnd++) {
                    bytes.putInt(at, at - (whole.length + toEnd));
                    memories.compare(bytes.array());
                    memories.compare(bytes.array());
                }
                // As counts: of what is behind the word, in elements of one byte and of four.
                for (int add = -2; add <= 1; add++) {
                    bytes.putInt(at, (whole.length - at >> 2) + add);
                    memories.compare(bytes.array());
                }
                for (int add : new int[] {Integer.MIN_VALUE, 1 << 30, -1, 1, -4, 4, -8, 8, 16}) {
                    bytes.putInt(at, word + add);
                    memories.compare(bytes.array());
                }
                for (int other : new int[] {0, -1, at, at + 4, at - whole.length}) {
                    bytes.putInt(at, other);
                    memories.compare(bytes.array());
                }
                bytes.putInt(at, word);
            }
        }
        assertTrue(
                read > 10_000 / WORD_STEP && refused > 10_000 / WORD_STEP,
                read + " read, " + refused + " refused");
    }

    @Test
    void truncatedSchemasAreReadLikeTheFlyweights() {
        byte[] whole = schema();
        for (int length = 4; length <= whole.length; length++) {
            try (Memories memories = new Memories(length)) {
                memories.compare(whole);
                memories.compare(whole);
            }
        }
        assertTrue(read > 0 && refused > 100, read + " read, " + refused + " refused");
    }
}
