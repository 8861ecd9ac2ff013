// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.ipc.EncapsulatedMessageTest.assertFault;
import static dev.fletch.ipc.Frames.END;
import static dev.fletch.ipc.Frames.batch;
import static dev.fletch.ipc.Frames.body;
import static dev.fletch.ipc.Frames.dictionary;
import static dev.fletch.ipc.Frames.frame;
import static dev.fletch.ipc.Frames.join;
import static dev.fletch.ipc.Frames.schema;
import static dev.fletch.ipc.Frames.words;
import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FileRule;
import dev.fletch.FrameRule;
import dev.fletch.corpus.CaseFile;
import dev.fletch.format.Block;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.ipc.Frames.BlockNumbers;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.PlacedSegment;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

class ArrowFileTest {
    private static final byte[] FILE = ArrowVectorFiles.named("dictionaries").file();

    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();

    // ---- Opening ----

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#segments")
    void readsTheSameFromAnySegment(SegmentBacking backing) {
        Listing expected = Listing.ofFile(ArrowFile.of(MemorySegment.ofArray(FILE)));
        assertEquals(6, expected.messages().size());
        try (PlacedSegment placed = backing.place(FILE)) {
            MemorySegment memory = placed.segment().asSlice(placed.offset(), placed.length());
            ArrowFile file = ArrowFile.of(memory);
            assertEquals(expected, Listing.ofFile(file));
            file.recordBatch(0, frame, message);
            assertArrayEquals(
                    Arrays.copyOfRange(FILE, (int) frame.bodyOffset(), (int) frame.nextOffset()),
                    frame.bodySlice().toArray(ValueLayout.JAVA_BYTE));
        }
    }

    private static final String LARGE =
            "file <n:Int(bitWidth=64)> | batch 10000 [10000] [- zeros(80000)]";

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFileIsMappedOrReadUntilItIsClosed(boolean isSmall, @TempDir Path folder)
            throws IOException {
        byte[] bytes = isSmall ? FILE : CaseFile.input(LARGE);
        Path path = Files.write(folder.resolve("file"), bytes);
        ArrowFile file = ArrowFile.open(path);
        assertTrue(file.footer().schema(new Schema()));
        assertEquals(!isSmall, file.memory().isMapped());
        assertArrayEquals(bytes, file.memory().toArray(ValueLayout.JAVA_BYTE));
        assertTrue(file.memory().isReadOnly());
        file.close();
        assertFalse(file.memory().scope().isAlive());
        assertThrows(IllegalStateException.class, () -> file.recordBatch(0, frame, message));
        assertThrows(
                IllegalStateException.class, () -> file.footer().recordBatches(0, new Block()));
        file.close();
    }

    @Test
    void closingAFileLeavesTheCallersArenaOpen(@TempDir Path folder) throws IOException {
        Path path = Files.write(folder.resolve("file"), FILE);
        try (Arena arena = Arena.ofShared()) {
            ArrowFile file = ArrowFile.map(path, arena, ReadOptions.DEFAULT);
            file.close();
            file.recordBatch(0, frame, message);
            assertSame(arena.scope(), file.memory().scope());
        }
        assertFalse(frame.kind() == null);
    }

    @Test
    void aFooterMayFollowTheMagic() {
        byte[] bytes = Frames.file(new byte[0], Frames.footer(List.of(), List.of()));
        assertEquals(8, ArrowFile.of(MemorySegment.ofArray(bytes)).footerOffset());
    }

    @Test
    void anOldVersionInTheFooterIsAccepted() {
        byte[] bytes = FILE.clone();
        ArrowFile.of(MemorySegment.ofArray(bytes)).footer().setVersion(MetadataVersion.V1);
        assertEquals(
                Listing.ofFile(ArrowFile.of(MemorySegment.ofArray(FILE))),
                Listing.ofFile(ArrowFile.of(MemorySegment.ofArray(bytes))));
    }

    // ---- Order ----

    /// Gaps that no scan can cross, batches against the file's order, dictionaries behind batches.
    @Test
    void messagesAreOrderedByOffsetAcrossGaps() {
        byte[] gap = Arrays.copyOf(words(-7, 1, -3), 64);
        byte[][] parts = {
            frame(schema()),
            gap,
            frame(batch(8)),
            body(8),
            gap,
            frame(dictionary(0)),
            gap,
            frame(batch(16)),
            body(16),
            frame(dictionary(24)),
            body(24),
            frame(batch(0)),
            END
        };
        long[] at = new long[parts.length];
        for (int i = 1; i < at.length; i++) {
            at[i] = at[i - 1] + parts[i - 1].length;
        }
        byte[] footer =
                Frames.footer(
                        List.of(block(parts, at, 9, 24), block(parts, at, 5, 0)),
                        List.of(
                                block(parts, at, 11, 0),
                                block(parts, at, 2, 8),
                                block(parts, at, 7, 16)));
        ArrowFile file = ArrowFile.of(MemorySegment.ofArray(Frames.file(join(parts), footer)));
        Listing listing = Listing.ofFile(file);
        assertEquals(6, file.messageCount());
        assertEquals(
                List.of(8L, 8 + at[2], 8 + at[5], 8 + at[7], 8 + at[9], 8 + at[11]),
                listing.messages().stream().map(Listing.Line::offset).toList());
        file.recordBatch(0, frame, message);
        assertEquals(8 + at[11], frame.offset());
        file.dictionary(0, frame, message);
        assertEquals(24, frame.bodyLength());
        // The scan ends where the first gap begins.
        assertFault(
                FrameRule.NEGATIVE_METADATA_LENGTH,
                8 + at[1],
                () -> frame.wrap(file.memory(), 8 + at[1], file.footerOffset(), message));
    }

    private static BlockNumbers block(byte[][] parts, long[] at, int part, long bodyLength) {
        return new BlockNumbers(8 + at[part], parts[part].length, bodyLength);
    }

    @Test
    void anyOrderOfBlocksIsSorted() {
        int count = 200;
        int length = frame(batch(0)).length;
        int first = 8 + frame(schema()).length;
        byte[][] parts = new byte[count + 1][];
        Arrays.fill(parts, frame(batch(0)));
        parts[0] = frame(schema());
        for (int step : new int[] {1, 3, 7, 77, 199}) {
            BlockNumbers[] blocks = new BlockNumbers[count];
            for (int i = 0; i < count; i++) {
                long offset = first + (long) (i * step % count) * length;
                blocks[i] = new BlockNumbers(offset, length, 0);
            }
            byte[] footer = Frames.footer(List.of(), Arrays.asList(blocks));
            ArrowFile file = ArrowFile.of(MemorySegment.ofArray(Frames.file(join(parts), footer)));
            for (int i = 0; i < count; i++) {
                file.message(i + 1, frame, message);
                assertEquals(first + (long) i * length, frame.offset());
            }
        }
    }

    @Test
    void blocksAtOneOffsetKeepTheFootersOrder() {
        byte[] schema = frame(schema());
        byte[] both = frame(dictionary(0));
        long at = 8 + schema.length;
        BlockNumbers first = new BlockNumbers(at, both.length, 0);
        BlockNumbers second = new BlockNumbers(at + both.length, both.length, 0);
        byte[] footer = Frames.footer(List.of(first, second), List.of(first));
        byte[] bytes = Frames.file(join(schema, both, both), footer);
        ArrowFile file = ArrowFile.of(MemorySegment.ofArray(bytes));
        file.message(1, frame, message);
        assertEquals(MessageHeader.DICTIONARY_BATCH, message.headerType());
        assertRule(FileRule.BLOCK_KIND, () -> file.message(2, frame, message));
    }

    /// A schema message that is too long is ignored: the footer's blocks determine the batches.
    @Test
    void schemaMessageEndsBeforeTheBatches() {
        byte[] schema = frame(schema());
        byte[] batch = frame(batch(0));
        BlockNumbers block = new BlockNumbers(8 + schema.length, batch.length, 0);
        byte[] bytes = Frames.file(join(schema, batch), Frames.footer(List.of(), List.of(block)));
        MemorySegment memory = MemorySegment.ofArray(bytes);
        assertTrue(ArrowFile.of(memory).hasSchemaMessage());
        memory.set(ValueLayout.JAVA_INT_UNALIGNED, 12, schema.length - 8 + 1);
        ArrowFile file = ArrowFile.of(memory);
        assertFalse(file.hasSchemaMessage());
        assertEquals(1, file.messageCount());
        file.message(0, frame, message);
        assertEquals(MessageHeader.RECORD_BATCH, message.headerType());
    }

    @Test
    void schemasBodyMustEndBeforeTheFooter() {
        byte[] schema = frame(Frames.metadata(MetadataVersion.V5, MessageHeader.SCHEMA, 8));
        byte[] footer = Frames.footer(List.of(), List.of());
        ArrowFile good =
                ArrowFile.of(MemorySegment.ofArray(Frames.file(join(schema, body(8)), footer)));
        good.message(0, frame, message);
        ArrowFile bad = ArrowFile.of(MemorySegment.ofArray(Frames.file(schema, footer)));
        assertFalse(bad.hasSchemaMessage());
    }

    @Test
    void indexesOutOfRangeThrow() {
        ArrowFile file = ArrowFile.of(MemorySegment.ofArray(FILE));
        for (int index : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 6}) {
            assertThrows(
                    IndexOutOfBoundsException.class, () -> file.message(index, frame, message));
            assertThrows(
                    IndexOutOfBoundsException.class, () -> file.recordBatch(index, frame, message));
            assertThrows(
                    IndexOutOfBoundsException.class, () -> file.dictionary(index, frame, message));
        }
    }
}
