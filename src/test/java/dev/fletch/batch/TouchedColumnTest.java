// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static dev.fletch.format.ids.MetadataVersion.V5;
import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.fletch.Checks;
import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.StructureRule;
import dev.fletch.format.Field;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.testdata.FileBatches;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;

/// One column of a file whose columns have not been verified: the one that is found is, and what
/// nobody asks for plays no part.
class TouchedColumnTest {
    private static final ReadOptions TOUCHED = ReadOptions.DEFAULT.withLevel(Level.TOUCHED);

    private final byte[] bytes = TradesSample.file();
    private final Schema schema = new Schema();

    /// Where the footer has a name, or other text.
    private int inFooter(String text) {
        byte[] wanted = text.getBytes(StandardCharsets.UTF_8);
        for (int at = bytes.length - wanted.length; at > 0; at--) {
            boolean isWord = bytes[at - 4] == wanted.length && bytes[at + wanted.length] == 0;
            if (isWord && Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
                return at;
            }
        }
        throw new AssertionError(text);
    }

    @Test
    void anUnterminatedColumnNameIsRefusedWhenTouched() {
        bytes[inFooter("price") + 5] = 'x';
        try (ArrowFile file = ArrowFile.of(MemorySegment.ofArray(bytes), TOUCHED)) {
            Columns price = Columns.named("price");
            assertRule(StructureRule.STRING_UNTERMINATED, () -> FileBatches.of(file, price));
            FileBatches other = FileBatches.of(file, Columns.named("size"));
            assertEquals("size", other.layout().nameString(0));

            file.footer().schema(schema);
            FletchException e =
                    assertRule(
                            StructureRule.STRING_UNTERMINATED, () -> layout(price, this::verify));
            assertEquals("name", e.fault().path());
            assertEquals("price", layout(price, null).nameString(0));
        }
    }

    private BatchLayout layout(Columns columns, Consumer<Field> verify) {
        return BatchLayout.compile(schema, V5, Limits.DEFAULT, columns, verify);
    }

    private void verify(Field field) {
        Verifier verifier = new Verifier(Checks.DEFAULT);
        if (!verifier.field(field)) {
            throw verifier.fault().exception();
        }
    }

    /// All bytes but those of the footer's own tables, the wanted column and the wanted batch's
    /// header are damaged: nothing of them is looked at.
    @Test
    void onlyTheWantedColumnIsRead() {
        String expected = located(bytes);
        byte[] before = bytes.clone();
        byte[] renamed = bytes.clone();
        for (String other : new String[] {"time", "symbol", "size", "side", "venue", "tags"}) {
            int at = inFooter(other);
            Arrays.fill(renamed, at, at + other.length() + 1, (byte) 0xEE);
        }
        System.arraycopy(renamed, 0, bytes, 0, bytes.length);
        try (ArrowFile file = ArrowFile.of(MemorySegment.ofArray(bytes), TOUCHED)) {
            // What the blocks lead to, but for the second batch; and the bodies of all.
            EncapsulatedMessage frame = new EncapsulatedMessage();
            Message message = new Message();
            file.recordBatch(1, frame, message);
            int from = (int) frame.offset();
            int to = (int) frame.bodyOffset();
            Arrays.fill(bytes, 8, from, (byte) 0xEE);
            Arrays.fill(bytes, to, (int) file.footerOffset(), (byte) 0xEE);
        }
        assertFalse(Arrays.equals(before, bytes));
        assertEquals(expected, located(bytes));
    }

    /// Where the second batch has the column `price`.
    private String located(byte[] memory) {
        try (ArrowFile file = ArrowFile.of(MemorySegment.ofArray(memory), TOUCHED)) {
            file.footer().schema(schema);
            EncapsulatedMessage frame = new EncapsulatedMessage();
            Message message = new Message();
            file.recordBatch(1, frame, message);
            BatchCursor cursor =
                    new BatchCursor()
                            .bind(layout(Columns.named("price"), this::verify), message)
                            .body(file.memory(), frame.bodyOffset(), frame.bodyLength());
            return "%d %d %d %d"
                    .formatted(
                            cursor.length(0),
                            cursor.bufferIndex(0, 1),
                            cursor.bufferOffset(0, 1),
                            cursor.bufferLength(0, 1));
        }
    }
}
