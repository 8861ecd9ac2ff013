// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static dev.fletch.format.ids.MetadataVersion.V5;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.Type;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.Random;

/// Schemas and batches with bytes changed: nothing comes out but what is documented, and layout
/// and scan still say the same.
public class LayoutDamageTest {
    private static final int ROUNDS = 30_000;

    private static final byte[] SCHEMA =
            Tree.message(
                    Tree.of("a", Type.INT),
                    Tree.union("u", 1, Tree.of("x", Type.UTF8_VIEW), Tree.of("y", Type.INT)),
                    Tree.of("e", Type.LIST, Tree.of("item", Type.INT)).encoded(4),
                    Tree.of("z", Type.UTF8));
    private static final byte[] BATCH = Tree.numberedBatch(6, 17, new long[] {4});

    @Test
    void damagedBatchesAreRejectedOrUsable() {
        Random random = new Random(12);
        int whole = 0;
        int refused = 0;
        BatchLayout layout = BatchLayout.compile(Bound.schema(SCHEMA), V5);
        MemorySegment body = MemorySegment.ofArray(new byte[8 * 17 + 8]);
        BatchCursor cursor = new BatchCursor();
        ByteSlice slice = new ByteSlice();
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = BATCH.clone();
            damage(bytes, random);
            try {
                RecordBatch batch = new RecordBatch();
                if (new Message().wrap(MemorySegment.ofArray(bytes)).header(batch)) {
                    cursor.bind(layout, batch).body(body);
                    for (int f = 0; f < layout.fieldCount(); f++) {
                        for (int i = 0; i < cursor.bufferCount(f); i++) {
                            cursor.buffer(f, i, slice);
                            cursor.content(f, i, slice);
                            assertTrue(cursor.uncompressedLength(f, i) >= 0);
                        }
                    }
                }
                whole++;
            } catch (FletchException e) {
                refused++;
            }
        }
        assertTrue(
                whole > ROUNDS / 30 && refused > ROUNDS / 30,
                whole + " whole, " + refused + " refused");
    }

    public static void damage(byte[] bytes, Random random) {
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(bytes.length);
            bytes[at] =
                    switch (random.nextInt(5)) {
                        case 0 -> (byte) random.nextInt();
                        case 1 -> (byte) (bytes[at] ^ 1 << random.nextInt(8));
                        case 2 -> (byte) (bytes[at] + 4);
                        case 3 -> (byte) (bytes[at] + 1);
                        default -> bytes[random.nextInt(bytes.length)];
                    };
        }
    }
}
