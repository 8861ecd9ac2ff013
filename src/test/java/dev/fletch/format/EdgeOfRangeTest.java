// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsType;
import dev.fletch.flatbuf.Table;
import dev.fletch.testdata.FbsValue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Each field of each table at the very end of the range: with all its bytes it is read, with one
/// of them missing the table is refused.
class EdgeOfRangeTest {
    private static final int STEP_BYTES = 64;

    @ParameterizedTest
    @MethodSource("dev.fletch.format.TablePath#all")
    void aFieldNeedsAllItsBytes(TablePath path) {
        for (FieldDecl field : Flyweights.ARROW.table(path.target()).fields()) {
            int size = field.type().inlineBytes();
            for (int distance : new int[] {4, 5, 8, 11, 200, 32_768, 65_535}) {
                byte[] fits = bytes(path, field, distance, size);
                Table table = path.bind(fits);
                assertTrue(table.isPresent(field.slot()), field.name());
                if (field.type().isScalar()) {
                    assertEquals(0, Flyweights.scalar(table, field));
                }
                readAmidOtherBytes(path, fits, 0);
                for (int there = 0; there < size; there++) {
                    assertRefused(path, field, bytes(path, field, distance, there));
                }
            }
        }
    }

    /// A vector of one element near the end: not of two, nor of counts that come out as one when
    /// their bytes are multiplied in 32 bits, and not elsewhere.
    @ParameterizedTest
    @MethodSource("dev.fletch.format.TablePath#all")
    void aVectorNeedsAllItsElements(TablePath path) {
        for (FieldDecl field : Flyweights.ARROW.table(path.target()).fields()) {
            if (!(field.type() instanceof FbsType.Vector(FbsType element))) {
                continue;
            }
            int size = element.inlineBytes();
            int room = 2 * size - 1; // of two elements, one byte is missing
            byte[] bytes = bytes(path, field, 4, 8 + room);
            int at = bytes.length - room - 8;
            ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            for (int offset : new int[] {Integer.MIN_VALUE, -4, -1, Integer.MAX_VALUE, room + 5}) {
                words.putInt(at, offset);
                assertRefused(path, field, bytes);
            }
            words.putInt(at, 4).putInt(at + 4, 1);
            path.bind(bytes);
            readAmidOtherBytes(path, bytes, 0);
            for (int high = 0; high < 8; high++) {
                int count = (int) ((1L << 32) / size + 1) ^ high << 29;
                words.putInt(at + 4, count == 1 ? 2 : count);
                assertRefused(path, field, bytes);
            }
        }
    }

    private static void assertRefused(TablePath path, FieldDecl field, byte[] bytes) {
        String what = path + "." + field.name();
        assertThrows(FletchException.class, () -> path.bind(bytes), what);
        readAmidOtherBytes(path, bytes, DamageRig.MEMORIES);
    }

    /// Only for short distances, as it takes its time.
    private static void readAmidOtherBytes(TablePath path, byte[] bytes, int faults) {
        if (bytes.length < 1_000) {
            try (DamageRig rig = new DamageRig(bytes.length)) {
                rig.read(path.root(), bytes, "at the edge");
                assertEquals(0, rig.walk().indexFaults());
                assertEquals(faults, rig.walk().formatFaults());
            }
        }
    }

    /// A buffer that ends `there` bytes behind the start of the only field of the table that the
    /// path leads to. The field is all zeros: an offset leads to itself, and to a length of 0.
    private static byte[] bytes(TablePath path, FieldDecl field, int distance, int there) {
        int steps = path.steps().size();
        int target = (steps + 1) * STEP_BYTES;
        RawBuffer buffer = new RawBuffer(target + Math.max(4, distance + there));
        buffer.offset(0, steps == 0 ? target : STEP_BYTES);
        for (int i = 0; i < steps; i++) {
            int next = i == steps - 1 ? target : (i + 2) * STEP_BYTES;
            step(buffer, path.steps().get(i), (i + 1) * STEP_BYTES, next);
        }
        int[] slots = new int[field.slot() + 1];
        slots[field.slot()] = distance;
        // In the last bytes before the table, which no step uses.
        return buffer.vtable(target - 24, slots).table(target, target - 24).bytes();
    }

    /// A table that has nothing but the field that leads on, and the tag that this may need.
    private static void step(RawBuffer buffer, TablePath.Step step, int at, int next) {
        FieldDecl field = step.field();
        int[] slots = new int[field.slot() + 1];
        slots[field.slot()] = 4;
        if (field.type() instanceof FbsType.Union(String union)) {
            slots[field.slot() - 1] = 16;
            FbsValue tag = TablePath.tag(union, step.to());
            buffer.u8(at + 16, (int) ((FbsValue.Number) tag).value());
        }
        buffer.vtable(at - 24, slots).table(at, at - 24);
        if (field.type() instanceof FbsType.Vector) {
            buffer.offset(at + 4, at + 8).i32(at + 8, 1).offset(at + 12, next);
        } else {
            buffer.offset(at + 4, next);
        }
    }

    /// What is there when nothing is: the same buffers without the field.
    @ParameterizedTest
    @MethodSource("dev.fletch.format.TablePath#all")
    void aTableWithoutFieldsNeedsFourBytes(TablePath path) {
        FieldDecl field = Flyweights.ARROW.table(path.target()).fields().getFirst();
        Table table = path.bind(bytes(path, field, 0, 4));
        assertFalse(table.isPresent(field.slot()));
    }
}
