// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote;

import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.FletchException;
import dev.fletch.FrameRule;
import dev.fletch.Limits;
import dev.fletch.arrow.Arrow;
import dev.fletch.corpus.CaseFile;
import dev.fletch.format.Message;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.Frames;
import dev.fletch.ipc.Frames.BlockNumbers;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.remote.errors.RangeException;
import dev.fletch.remote.internal.ByteRange;
import dev.fletch.remote.internal.RangeOptions;
import dev.fletch.remote.internal.RangeReader;
import dev.fletch.remote.internal.RangedFile;
import dev.fletch.scan.FileScan;
import dev.fletch.testdata.ArrowBytes;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.Blocks;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

class RangedFileTest {
    private static final int HEADER = Frames.frame(Frames.batch(1)).length;

    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();

    /// A file of batches whose bodies are as long as this says, with one gap before each body's
    /// end.
    private static byte[] file(int batches, int bodyBytes) {
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        List<BlockNumbers> blocks = new ArrayList<>();
        for (int i = 0; i < batches; i++) {
            byte[] header = Frames.frame(Frames.batch(bodyBytes));
            blocks.add(new BlockNumbers(8L + messages.size(), header.length, bodyBytes));
            messages.writeBytes(header);
            messages.writeBytes(Frames.body(bodyBytes));
        }
        return Frames.file(messages.toByteArray(), Frames.footer(List.of(), blocks));
    }

    private static RangedFile open(RangeSource source, RangeOptions options) throws IOException {
        return RangedFile.open(source, ReadOptions.DEFAULT, options);
    }

    private void open(RangedFile file, int batch) throws IOException {
        file.message(MessageHeader.RECORD_BATCH, batch, frame, message);
    }

    private static RangedFile openLimited(CountingSource source, long metadataBytes)
            throws IOException {
        return RangedFile.open(
                source,
                ReadOptions.DEFAULT.withLimits(Limits.DEFAULT.withMetadataBytes(metadataBytes)),
                RangeOptions.DEFAULT);
    }

    // ---- requests

    @Test
    void smallFileIsOneRequest() throws IOException {
        CountingSource source = new CountingSource(file(20, 80));
        try (RangedFile file = open(source, RangeOptions.DEFAULT)) {
            for (int i = 0; i < 20; i++) {
                open(file, i);
            }
            assertEquals(1, source.reads.size());
            assertEquals(source.size(), source.bytesRead());
        }
        assertTrue(source.isClosed());
    }

    @Test
    void headerIsReadWithThoseAfterIt() throws IOException {
        CountingSource source = new CountingSource(file(50, 100_000));
        try (RangedFile file = open(source, SmallRanges.OF.endBytes(4_096).options())) {
            assertEquals(1, source.reads.size());
            assertEquals(4_096, source.bytesRead());
            open(file, 17);
            assertEquals(8 + 17L * (HEADER + 100_000), frame.offset());
            assertThrows(IllegalStateException.class, frame::bodySlice);
            for (int i = 17; i < 50; i++) {
                open(file, i);
            }
            assertEquals(1 + 33, source.reads.size());
            assertEquals(4_096 + 33 * HEADER, source.bytesRead());
            open(file, 10);
            assertEquals(1 + 40, source.reads.size());
            assertEquals(0, source.readTwice());
        }
    }

    @Test
    void longFooterIsReadInASecondStepWithoutReadingBytesTwice() throws IOException {
        CountingSource source = new CountingSource(file(5_000, 8));
        try (RangedFile file = open(source, RangeOptions.DEFAULT)) {
            assertTrue(file.index().footerLength() > 65_536);
            assertEquals(2, source.reads.size());
            assertEquals(file.index().footerLength() + 10, source.bytesRead());
            assertEquals(0, source.readTwice());
            open(file, 4_999);
            assertEquals(3, source.reads.size());
        }
    }

    @Test
    void headersAreRequestedInPortionsAndDropped() throws IOException {
        CountingSource source = new CountingSource(file(100, 1_000));
        RangeOptions options =
                SmallRanges.OF
                        .endBytes(1_024)
                        .mergeBytes(0)
                        .maxHeaderBytes(10 * HEADER + 1)
                        .options();
        try (RangedFile file = open(source, options)) {
            int opened = source.reads.size();
            for (int i = 0; i < 100; i++) {
                open(file, i);
                assertEquals(8 + i * (HEADER + 1_000L), frame.offset());
                assertEquals(opened + i / 5 * 5 + 5, source.reads.size());
            }
            for (int i = 99; i >= 0; i--) {
                open(file, i);
            }
            // Of two times five headers, five are read again with the sixth one before.
            assertTrue(source.reads.size() < opened + 100 + 2 * 90, "" + source.reads.size());
        }
    }

    @Test
    void openedMessagesStayValidWhenTheirHeadersAreDropped() throws IOException {
        RangeOptions options = SmallRanges.OF.endBytes(1_024).maxHeaderBytes(1).options();
        try (RangedFile file = open(new CountingSource(file(10, 1_000)), options)) {
            open(file, 0);
            file.message(MessageHeader.RECORD_BATCH, 1, new EncapsulatedMessage(), new Message());
            assertEquals(1_000, message.bodyLength());
        }
    }

    @Test
    void indexesAreChecked() throws IOException {
        try (RangedFile file = open(new CountingSource(file(3, 8)), RangeOptions.DEFAULT)) {
            for (int wrong : new int[] {-1, 3}) {
                assertThrows(IndexOutOfBoundsException.class, () -> open(file, wrong));
            }
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> file.message(MessageHeader.DICTIONARY_BATCH, 0, frame, message));
            assertThrows(IllegalArgumentException.class, () -> file.index().block(1, 0));
        }
    }

    // ---- hostile files

    @Test
    void manyBlocksThatLeadToOneMessageAreOneRequest() throws IOException {
        byte[] message0 = Frames.join(Frames.frame(Frames.batch(100_000)), new byte[100_000]);
        byte[] footer =
                Frames.footer(
                        List.of(),
                        Collections.nCopies(100_000, new BlockNumbers(8, HEADER, 100_000)));
        CountingSource source = new CountingSource(Frames.file(message0, footer));
        try (RangedFile file = open(source, SmallRanges.OF.maxHeaderBytes(HEADER).options())) {
            int opened = source.reads.size();
            open(file, 0);
            open(file, 99_999);
            assertEquals(opened + 1, source.reads.size());
            assertEquals(footer.length + 10 + HEADER, source.bytesRead());
        }
    }

    /// Each block says that its metadata is all of the file from there on.
    @Test
    void overlappingBlocksNeedNoMoreThanTheFile() throws IOException {
        byte[] messages = new byte[200_000];
        List<BlockNumbers> blocks = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            blocks.add(new BlockNumbers(8 + 8L * i, messages.length - 8 * i, 0));
        }
        CountingSource source =
                new CountingSource(Frames.file(messages, Frames.footer(List.of(), blocks)));
        try (RangedFile file = open(source, SmallRanges.OF.endBytes(1_024).options())) {
            var failure = assertRule(FileRule.BLOCK_WITHOUT_MESSAGE, () -> open(file, 3));
            assertTrue(source.reads.stream().mapToLong(ByteRange::length).sum() <= source.size());
            assertEquals(0, source.readTwice());
            assertEquals("memory", failure.file());
        }
    }

    @Test
    void wrongBlockEndsARequestBeforeIt() throws IOException {
        byte[] messages = Frames.join(Frames.frame(Frames.batch(500)), new byte[500]);
        BlockNumbers right = new BlockNumbers(8, HEADER, 500);
        BlockNumbers wrong = new BlockNumbers(-8, HEADER, 500);
        byte[] footer = Frames.footer(List.of(), List.of(right, right, wrong, right));
        RangeOptions options = SmallRanges.OF.endBytes(400).options();
        CountingSource source = new CountingSource(Frames.file(messages, footer));
        try (RangedFile file = open(source, options)) {
            open(file, 1);
            assertRule(FileRule.BLOCK_NEGATIVE, () -> open(file, 2));
            int requests = source.reads.size();
            open(file, 3);
            assertEquals(requests, source.reads.size());
        }
    }

    @Test
    void limitsOfFooterAndMetadataAreEnforced() throws IOException {
        byte[] bytes = file(5_000, 8);
        int footer = ArrowFile.of(MemorySegment.ofArray(bytes)).footerLength();
        CountingSource source = new CountingSource(bytes);
        FletchException failure =
                assertRule(FrameRule.METADATA_OVER_LIMIT, () -> openLimited(source, footer - 1));
        assertEquals("memory", failure.file());
        assertEquals(1, source.reads.size());
        assertTrue(source.isClosed());
        openLimited(source, footer).close();
    }

    /// Of metadata above the limit, only the prefix is read.
    @Test
    void metadataAboveTheLimitFailsAsInMemory() throws IOException {
        byte[] header = Frames.frame(Arrays.copyOf(Frames.batch(8), 2_000));
        byte[] messages = Frames.join(header, new byte[8], new byte[100_000]);
        List<Integer> lengths = List.of(header.length, header.length + 8, header.length - 8);
        for (int length : lengths) {
            byte[] footer = Frames.footer(List.of(), List.of(new BlockNumbers(8, length, 8)));
            byte[] bytes = Frames.file(messages, footer);
            for (int limit : new int[] {2_000, 1_999, 1_000, footer.length, footer.length - 1}) {
                Limits limits = Limits.DEFAULT.withMetadataBytes(limit);
                ReadOptions options = ReadOptions.DEFAULT.withLimits(limits);
                String title = "length=" + length + ", limit=" + limit;
                CountingSource source = new CountingSource(bytes);
                outcomeAsInMemory(title, source, options, RangeOptions.DEFAULT);
                boolean isRead = limit >= length - 8;
                long most = RangeOptions.DEFAULT.endBytes() + (isRead ? length : 8);
                assertTrue(source.bytesRead() <= most, title);
                ReadOptions all = ReadOptions.VERIFY.withLimits(limits);
                List<Fault> found = new ArrayList<>();
                Arrow.verify(new CountingSource(bytes), all, found::add);
                assertEquals(ArrowBytes.faults(bytes, all), found, title);
            }
        }
    }

    @Test
    void footerLengthsThatDoNotFitAreRefusedBeforeAnythingIsAllocated() {
        for (int length : new int[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 983}) {
            byte[] bytes =
                    Frames.join(Frames.MAGIC, new byte[984], Frames.words(length), Frames.MAGIC);
            CountingSource source = new CountingSource(bytes);
            FletchException failure =
                    assertRule(
                            FileRule.FOOTER_LENGTH,
                            () -> open(source, SmallRanges.OF.endBytes(64).options()));
            assertEquals(990, failure.offset());
            assertEquals(1, source.reads.size());
        }
    }

    /// Its first bytes are not read.
    @Test
    void longInputThatIsNoArrowFileIsRefusedByItsEnd() {
        FletchException failure =
                assertRule(
                        FileRule.NO_TRAILING_MAGIC,
                        () -> open(new CountingSource(new byte[100_000]), RangeOptions.DEFAULT));
        assertEquals("memory", failure.file());
    }

    // ---- damage

    /// What a file shows, or how it fails.
    private interface Reading {
        void read() throws IOException;
    }

    private static String outcome(Reading reading) throws IOException {
        try {
            reading.read();
            return "fine";
        } catch (FletchException e) {
            return e.rule().id() + " " + e.offset() + e.fault().text();
        }
    }

    private static String outcomeAsInMemory(
            String title, CountingSource source, ReadOptions options, RangeOptions ranges)
            throws IOException {
        String expected =
                outcome(() -> Blocks.of(ArrowFile.of(source.bytes, options), (_, _) -> {}));
        String found =
                outcome(
                        () -> {
                            try (RangedFile file = RangedFile.open(source, options, ranges)) {
                                Blocks.of(file, (_, _) -> {});
                            }
                        });
        assertEquals(expected, found, title);
        return found;
    }

    @ParameterizedTest
    @EnumSource(Level.class)
    void damagedFilesFailAsTheyDoInMemory(Level verification) throws IOException {
        byte[] whole = ArrowVectorFiles.named("dictionaries").file();
        ReadOptions options = ReadOptions.DEFAULT.withLevel(verification);
        RangeOptions little = SmallRanges.OF.endBytes(64).mergeBytes(0).options();
        int failures = 0;
        for (int at = 8; at < whole.length; at += 11) {
            for (int bit = 1; bit <= 128; bit *= 16) {
                byte[] damaged = whole.clone();
                damaged[at] ^= (byte) bit;
                CountingSource source = new CountingSource(damaged);
                String title = "at=" + at + ", bit=" + bit;
                String found = outcomeAsInMemory(title, source, options, little);
                failures += found.equals("fine") ? 0 : 1;
            }
        }
        assertTrue(failures > 50, "failures=" + failures);
    }

    @Test
    void footerWithoutSchemaFailsAsInMemory() throws IOException {
        byte[] file = CaseFile.input("file <> => @slot(footer.schema) i16(0)");
        CountingSource source = new CountingSource(file);
        RangeOptions little = SmallRanges.OF.endBytes(64).options();
        String found = outcomeAsInMemory("", source, ReadOptions.DEFAULT, little);
        assertTrue(found.startsWith("footer-without-schema"), found);
    }

    @Test
    void failureOfTheSourceIsThrownAndTheSourceClosed() {
        CountingSource broken =
                new CountingSource(
                        MemorySegment.ofArray(file(3, 8)),
                        range -> {
                            throw new IOException("broken");
                        });
        var failure = assertThrows(RangeException.class, () -> open(broken, RangeOptions.DEFAULT));
        assertTrue(failure.getMessage().startsWith("memory: last 65536 bytes: "));
        assertTrue(broken.isClosed());
    }

    @Test
    void rangesAreChecked() {
        assertThrows(IllegalArgumentException.class, () -> new ByteRange(1, Long.MAX_VALUE));
        assertThrows(IllegalArgumentException.class, () -> new ByteRange(-1, 1));
        assertFalse(new ByteRange(5, 5).contains(new ByteRange(4, 2)));
        assertTrue(new ByteRange(5, 5).contains(new ByteRange(10, 0)));
    }

    // ---- sources that break their contract

    /// A source whose sizes are these, one after another; the last one stays.
    private static RangeSource sized(byte[] bytes, Long... sizes) {
        List<Long> left = new ArrayList<>(List.of(sizes));
        return new CountingSource(bytes) {
            @Override
            public long size() {
                return left.size() > 1 ? left.removeFirst() : left.getFirst();
            }
        };
    }

    @Test
    void negativeSizesAreReported() throws IOException {
        for (long size : new long[] {-1, Long.MIN_VALUE}) {
            IOException e =
                    assertThrows(
                            IOException.class,
                            () -> open(sized(new byte[100], size), RangeOptions.DEFAULT));
            assertTrue(e.getMessage().contains("size=" + size), e.getMessage());
            RangeReader reader = new RangeReader(sized(new byte[100], size), RangeOptions.DEFAULT);
            List<MemorySegment> into = List.of(MemorySegment.ofArray(new byte[4]));
            assertThrows(
                    RangeException.class, () -> reader.read(List.of(new ByteRange(0, 4)), into));
            IOException ofChannel = assertThrows(IOException.class, () -> odd(size, 1));
            assertTrue(ofChannel.getMessage().contains("name=odd, size=" + size));
        }
    }

    @Test
    void sizesThatChangeAreReported() throws IOException {
        byte[] file = file(3, 80);
        long size = file.length;
        for (long other : new long[] {size - 1, size + 1, 0, -1, Long.MAX_VALUE}) {
            for (int same = 1; same < 5; same++) {
                Long[] sizes = Collections.nCopies(same + 1, size).toArray(Long[]::new);
                sizes[same] = other;
                RangeOptions options = SmallRanges.OF.endBytes(1_024).options();
                try (RangedFile opened = open(sized(file, sizes), options)) {
                    for (int i = 0; i < 3; i++) {
                        open(opened, i);
                    }
                    opened.read(
                            List.of(new ByteRange(0, 4)),
                            List.of(MemorySegment.ofArray(new byte[4])));
                } catch (IOException e) {
                    assertTrue(e.getMessage().contains("size"), e.getMessage());
                }
            }
        }
    }

    @Test
    void wrongNumbersOfBytesAreReported() {
        byte[] file = file(3, 80);
        for (byte[] end : new byte[][] {null, {}, new byte[10], new byte[file.length + 1]}) {
            RangeSource source =
                    new CountingSource(file) {
                        @Override
                        public byte[] readEnd(int most) {
                            return end;
                        }
                    };
            RangeException e =
                    assertThrows(RangeException.class, () -> open(source, RangeOptions.DEFAULT));
            assertTrue(e.getMessage().contains("expected=" + file.length), e.getMessage());
            String scanned = new FileScan().of(source).fault().text();
            assertEquals(e.getMessage(), "memory: " + scanned);
        }
    }

    /// A channel that claims to have read more bytes than it was asked for.
    @Test
    void channelsThatReadTooMuchAreReported() throws IOException {
        for (int read : new int[] {0, 5, Integer.MAX_VALUE}) {
            try (RangeSource source = odd(100, read)) {
                RangeException e =
                        assertThrows(
                                RangeException.class,
                                () -> source.read(0, MemorySegment.ofArray(new byte[4])));
                assertTrue(e.getMessage().contains("returned " + read + " bytes"));
            }
        }
    }

    /// @param readBytes what each call says that it has read
    private static RangeSource odd(long size, int readBytes) throws IOException {
        MemoryChannel channel =
                new MemoryChannel(new byte[4], 4) {
                    @Override
                    public int read(ByteBuffer into) {
                        return readBytes;
                    }
                };
        channel.truncate(size);
        return RangeSource.of(channel, "odd");
    }
}
