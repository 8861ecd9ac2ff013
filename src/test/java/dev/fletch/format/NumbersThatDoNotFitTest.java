// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.Limits;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.Columns;
import dev.fletch.corpus.CaseFile;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.MetadataEdit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import java.lang.foreign.MemorySegment;

/// Numbers that a field cannot store are refused, and not cut.
class NumbersThatDoNotFitTest {
    private static final String BATCH =
            "RecordBatch(length=1 nodes=[(1 0)] buffers=[(0 0) (0 8)]"
                    + " compression=BodyCompression(codec=1))";
    private final byte[] bytes =
            CaseFile.input("flatbuffer Message(version=4 header_type=3 header=" + BATCH + ")");
    private final byte[] before = bytes.clone();
    private final Message message = new Message().wrap(MemorySegment.ofArray(bytes));

    private static void refused(String text, Executable call) {
        assertEquals(text, assertThrows(IllegalArgumentException.class, call).getMessage());
    }

    @Test
    void settersRefuseNumbersOfMoreBits() {
        RecordBatch batch = new RecordBatch();
        BodyCompression compression = new BodyCompression();
        message.header(batch);
        batch.compression(compression);
        String bits16 = "number has more than 16 bits: value=";
        refused(bits16 + "70000, limit=32767", () -> message.setVersion(70_000));
        refused(bits16 + "-32769, limit=-32768", () -> message.setVersion(-32_769));
        String bits8 = "number has more than 8 bits: value=";
        refused(bits8 + "128, limit=127", () -> compression.setCodec(128));
        refused(bits8 + "-129, limit=-128", () -> compression.setCodec(-129));
        assertArrayEquals(before, bytes);
        message.setVersion(Short.MAX_VALUE);
        assertEquals(Short.MAX_VALUE, message.version());
        compression.setCodec(Byte.MIN_VALUE);
        assertEquals(Byte.MIN_VALUE, compression.codec());
    }

    @Test
    void editsRefuseVersionsOfMoreBitsAndFieldsThatCannotBe() {
        MetadataEdit edit = new MetadataEdit();
        refused(
                "version has more than 16 bits: version=70000, limit=32767",
                () -> edit.version(70_000));
        refused(
                "not a field: number=1, index=-1, end=2, limit=2",
                () -> edit.choose(new int[] {1, -1}, new int[] {2, 2}));
        refused(
                "not a field: number=1, index=0, end=3, limit=2",
                () -> edit.choose(new int[] {1, 0, 2}, new int[] {2, 3, 3}));
        refused(
                "not a field: number=0, index=1, end=0, limit=1",
                () -> edit.choose(new int[] {1}, new int[] {0}));
    }

    @Test
    void columnsThatALayoutDoesNotHaveAreRefused() {
        String fields = "<int8:Int(bitWidth=8 is_signed=1) other:Int(bitWidth=8 is_signed=1)>";
        byte[] bytes = CaseFile.input("flatbuffer " + fields);
        Schema schema = new Schema().wrap(MemorySegment.ofArray(bytes));
        BatchLayout layout =
                BatchLayout.compile(schema, MetadataVersion.V5, Limits.DEFAULT, Columns.at(1));
        assertEquals(0, Columns.at(1).order(layout).getFirst());
        for (int other : new int[] {-1, 0, 2}) {
            refused(
                    "layout does not have the column: column=" + other,
                    () -> Columns.at(1, other).order(layout));
        }
    }
}
