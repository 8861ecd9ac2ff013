// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.format.Message;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleFile.Container;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.RealInput;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.FileInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Real files and streams, read in every way that there is, against flatc's generated classes.
class RealDataTest {
    @TempDir Path folder;

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.RealInput#listed")
    void inputReadsLikeTheGeneratedClasses(RealInput input) throws IOException {
        byte[] bytes = input.bytes();
        OracleFile oracle = OracleListing.list(bytes);
        assertReadsLike(oracle, bytes);
        List<Listing.Line> expected = lines(oracle);
        Path path = Files.write(folder.resolve("input"), bytes);
        if (oracle.container() == Container.FILE) {
            try (ArrowFile file = ArrowFile.open(path)) {
                assertFile(oracle, expected, file);
            }
            return;
        }
        try (MessageReader reader = MessageReader.of(FileChannel.open(path), ReadOptions.DEFAULT)) {
            assertStream(oracle, expected, Listing.ofReader(reader));
        }
        try (MessageReader reader =
                MessageReader.of(new FileInputStream(path.toFile()), ReadOptions.DEFAULT)) {
            assertStream(oracle, expected, Listing.ofReader(reader));
        }
    }

    @Test
    void messageOfALaterVersionIsRefusedByName() throws IOException {
        byte[] bytes = Goldens.read(Goldens.forwardCompatibility());
        assertEquals(ArrowContainer.STREAM, ArrowContainer.detect(MemorySegment.ofArray(bytes)));
        Listing.Failure failure = Listing.ofStream(bytes).failure();
        assertEquals(MeaningRule.UNSUPPORTED_VERSION, failure.fault());
        assertEquals(30, failure.offset());
        assertEquals(failure, Listing.ofReader(Frames.reader(bytes)).failure());
        EncapsulatedMessage frame = new EncapsulatedMessage();
        FletchException e =
                assertThrows(
                        FletchException.class,
                        () -> frame.wrap(MemorySegment.ofArray(bytes), 0, new Message()));
        assertEquals(
                "offset 30: metadata version is not supported: version=V6, supported=V4 and V5",
                e.getMessage());
    }

    private static void assertReadsLike(OracleFile oracle, byte[] bytes) {
        MemorySegment memory = MemorySegment.ofArray(bytes);
        List<Listing.Line> expected = lines(oracle);
        boolean isFile = oracle.container() == Container.FILE;
        assertEquals(
                isFile ? ArrowContainer.FILE : ArrowContainer.STREAM,
                ArrowContainer.detect(memory));
        if (isFile) {
            assertFile(oracle, expected, ArrowFile.of(memory));
            return;
        }
        assertStream(oracle, expected, Listing.ofStream(bytes));
        assertStream(oracle, expected, Listing.ofStream(ByteBuffer.wrap(bytes)));
        assertStream(oracle, expected, Listing.ofReader(Frames.reader(bytes)));
    }

    private static void assertStream(
            OracleFile oracle, List<Listing.Line> expected, Listing listing) {
        assertNull(listing.failure());
        assertEquals(expected, listing.messages());
        long end = oracle.endOffset();
        int mark = oracle.end().lengthBytes();
        String kind = mark == 0 ? "END_OF_INPUT" : "END_OF_STREAM";
        assertEquals(
                "%s of %d bytes at %d, then %d".formatted(kind, mark, end, end + mark),
                listing.ending());
    }

    private static void assertFile(OracleFile oracle, List<Listing.Line> expected, ArrowFile file) {
        Listing listing = Listing.ofFile(file);
        assertNull(listing.failure());
        assertEquals(expected, listing.messages());
        assertEquals(oracle.footer().offset(), file.footerOffset());
        assertEquals(oracle.footer().length(), file.footerLength());
        assertEquals(oracle.recordBatches().size(), file.recordBatchCount());
        assertEquals(oracle.dictionaryBatches().size(), file.dictionaryCount());
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        for (int i = 0; i < file.recordBatchCount(); i++) {
            file.recordBatch(i, frame, message);
            assertEquals(oracle.footer().recordBlocks().get(i).offset(), frame.offset());
            assertEquals(frame.bodyLength(), frame.bodySlice().byteSize());
            assertTrue(frame.isBodyComplete());
        }
        for (int i = 0; i < file.dictionaryCount(); i++) {
            file.dictionary(i, frame, message);
            assertEquals(oracle.footer().dictionaryBlocks().get(i).offset(), frame.offset());
        }
    }

    private static List<Listing.Line> lines(OracleFile oracle) {
        return oracle.messages().stream().map(Listing.Line::of).toList();
    }
}
