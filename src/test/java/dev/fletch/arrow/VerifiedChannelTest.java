// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.FletchException;
import dev.fletch.FrameRule;
import dev.fletch.Limits;
import dev.fletch.Rule;
import dev.fletch.ValueRule;
import dev.fletch.corpus.CaseFile;
import dev.fletch.corpus.Corpus;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.testdata.AllValues;
import dev.fletch.testdata.ArrowBytes;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.RealInput;
import dev.fletch.testdata.Sources;
import dev.fletch.testdata.Threads;
import dev.fletch.testdata.TradesSample;
import dev.fletch.testdata.VectorTexts;
import dev.fletch.verify.messages.BodyDamage;

import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.util.ValueVectorUtility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// Bytes are handed on unchanged, and only after they were verified.
class VerifiedChannelTest {
    private static final int SPLITS = CaseCount.of(2_000, 100_000);
    private static final int MUTANTS = CaseCount.of(1_000, 50_000);
    private static final int VALUE_MUTANTS = CaseCount.of(3_000, 50_000);

    @TempDir private Path folder;

    // ---- sources

    /// A channel that gives pieces of random lengths.
    private static ReadableByteChannel inPieces(byte[] bytes, int most, Random random) {
        return new Sources.Dripping(bytes, () -> 1 + random.nextInt(most));
    }

    private static ReadableByteChannel channel(byte[] bytes) {
        return Channels.newChannel(new ByteArrayInputStream(bytes));
    }

    /// What a channel hands on.
    ///
    /// @param fault null if it ends without one
    record Handed(byte[] bytes, FletchException fault) {}

    private static Handed handed(VerifiedChannel channel, int most, Random random)
            throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteBuffer piece = ByteBuffer.allocate(most);
        try {
            while (channel.read(piece.clear().limit(1 + random.nextInt(most))) >= 0) {
                out.write(piece.array(), 0, piece.position());
            }
            return new Handed(out.toByteArray(), null);
        } catch (FletchException e) {
            assertThrows(IllegalStateException.class, () -> channel.read(piece.clear()));
            return new Handed(out.toByteArray(), e);
        }
    }

    static Handed handed(byte[] bytes, ReadOptions options) throws IOException {
        return handed(VerifiedChannel.of(channel(bytes), options), 1 << 16, new Random(1));
    }

    /// Offsets after each message, and of the end of the stream.
    static List<Long> boundaries(byte[] stream) {
        List<Long> boundaries = new ArrayList<>(List.of(0L));
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        MemorySegment memory = MemorySegment.ofArray(stream);
        try {
            long at = 0;
            while (frame.wrap(memory, at, message) == FrameKind.MESSAGE) {
                at = frame.nextOffset();
                boundaries.add(at);
            }
            boundaries.add(frame.nextOffset());
        } catch (FletchException _) {
            // No message begins behind a damaged one.
        }
        return boundaries;
    }

    private static List<byte[]> streams() {
        return ArrowVectorFiles.cases().stream().map(ArrowCase::stream).toList();
    }

    // ---- sound streams

    @Test
    void soundStreamsAreHandedOnUnchanged() throws IOException {
        List<byte[]> streams = new ArrayList<>(streams());
        streams.add(TradesSample.stream());
        for (byte[] stream : streams) {
            for (Level level : Level.values()) {
                Handed found = handed(stream, ReadOptions.UNTRUSTED.withLevel(level));
                assertArrayEquals(stream, found.bytes);
            }
        }
    }

    @Test
    void anySplitGivesTheSameBytes() throws IOException {
        List<byte[]> streams = streams().stream().filter(each -> each.length < 8_000).toList();
        Random random = new Random(3);
        for (int i = 0; i < SPLITS; i++) {
            byte[] stream = streams.get(i % streams.size());
            int most = i % 50 == 0 ? 1 : 1 + random.nextInt(2_000);
            ReadableByteChannel source = inPieces(stream, most, random);
            VerifiedChannel channel = VerifiedChannel.of(source, ReadOptions.UNTRUSTED);
            Handed found = handed(channel, 1 + random.nextInt(3_000), random);
            assertArrayEquals(stream, found.bytes, () -> "" + found.fault);
        }
        CaseCount.report("Verified channel: %d splits", SPLITS);
    }

    @Test
    void streamsThatAreReadByTurnsAndAtOnceDoNotMixTheirBytes() throws Exception {
        List<byte[]> streams = streams().stream().filter(each -> each.length < 8_000).toList();
        Threads.results(20, seed -> readByTurns(streams, new Random(seed)));
    }

    private static Void readByTurns(List<byte[]> streams, Random random) throws IOException {
        List<VerifiedChannel> left = new ArrayList<>();
        List<byte[]> expected = new ArrayList<>(streams);
        List<ByteArrayOutputStream> found = new ArrayList<>();
        for (byte[] each : streams) {
            left.add(VerifiedChannel.of(channel(each), ReadOptions.UNTRUSTED));
            found.add(new ByteArrayOutputStream());
        }
        ByteBuffer piece = ByteBuffer.allocate(2_000);
        while (!left.isEmpty()) {
            int i = random.nextInt(left.size());
            if (left.get(i).read(piece.clear()) >= 0) {
                found.get(i).write(piece.array(), 0, piece.position());
            } else {
                assertEquals(-1, left.remove(i).read(piece.clear()));
                assertArrayEquals(expected.remove(i), found.remove(i).toByteArray());
            }
        }
        assertTrue(found.isEmpty());
        return null;
    }

    @Test
    void whatFollowsTheEndMarkerStaysInTheSource() throws IOException {
        byte[] stream = TradesSample.stream();
        byte[] more = Arrays.copyOf(stream, stream.length + 5);
        Arrays.fill(more, stream.length, more.length, (byte) 'x');
        ReadableByteChannel source = channel(more);
        VerifiedChannel channel = VerifiedChannel.of(source, ReadOptions.UNTRUSTED);
        assertArrayEquals(stream, channel.stream().readAllBytes());
        assertEquals(-1, channel.read(ByteBuffer.allocate(1)));
        assertEquals(5, source.read(ByteBuffer.allocate(10)));
    }

    @Test
    void aStreamMayEndBetweenMessages() throws IOException {
        byte[] stream = Arrays.copyOf(TradesSample.stream(), TradesSample.stream().length - 8);
        assertArrayEquals(stream, handed(stream, ReadOptions.UNTRUSTED).bytes);
    }

    // ---- invalid streams

    /// Whole messages before the fault of a reader, which finds what `verify` finds: see
    /// `BatchReaderTest`.
    @Test
    void nothingOfAnInvalidMessageIsHandedOn() throws IOException {
        Random random = new Random(11);
        ReadOptions options =
                ReadOptions.UNTRUSTED.withLimits(Limits.DEFAULT.withBodyBytes(1 << 20));
        List<byte[]> streams = streams().stream().filter(each -> each.length < 20_000).toList();
        int refused = 0;
        for (int i = 0; i < MUTANTS; i++) {
            byte[] bytes = streams.get(i % streams.size()).clone();
            for (int n = random.nextInt(1, 4); n > 0; n--) {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            String name = "mutant " + i;
            Handed found = handed(bytes, options);
            int length = found.bytes.length;
            assertArrayEquals(Arrays.copyOf(bytes, length), found.bytes, name);
            assertTrue(boundaries(bytes).contains((long) length), name);
            assertTrue(found.fault == null || length < bytes.length, name);
            refused += found.fault == null ? 0 : 1;
            String expected = outcome(bytes, options);
            String rule =
                    found.fault == null ? "" : found.fault.rule().id() + "@" + found.fault.offset();
            assertEquals(expected, rule, name);
        }
        CaseCount.report("Verified channel: %d mutants, %d refused", MUTANTS, refused);
        assertTrue(refused > MUTANTS / 5);
    }

    /// The rules of values that arrow-java has, too. It also has [ValueRule#VALUE_OFFSET_ORDER], but
    /// accepts a first offset that is negative, and [ValueRule#VALUE_UNION_OFFSET], but see
    /// [#CHILD_TOO_SHORT].
    private static final Set<Rule> OF_BOTH =
            Set.of(
                    ValueRule.VALUE_OFFSET_RANGE,
                    ValueRule.VALUE_VIEW_LENGTH,
                    ValueRule.VALUE_VIEW_BUFFER,
                    ValueRule.VALUE_VIEW_RANGE);

    /// arrow-java gives a child of a dense union as many values as there are type ids of it: a type
    /// id that was changed leaves one child too short for its offsets, and lets those of the other
    /// be too large.
    private static final String CHILD_TOO_SHORT = "offset exceeds sub-vector boundary";

    /// Damaged bodies only. What is accepted, arrow-java validates and reads; what breaks rules that
    /// it has, too, it refuses.
    @Test
    void mutantsOfValuesAreRefusedOrRead() throws IOException {
        Random random = new Random(17);
        List<byte[]> streams =
                ArrowVectorFiles.cases().stream()
                        .filter(ArrowCase::isReadByArrowJava)
                        .map(ArrowCase::stream)
                        .filter(each -> each.length < 20_000)
                        .filter(each -> !bytesOfBodies(each).isEmpty())
                        .toList();
        List<BitSet> bodies = streams.stream().map(VerifiedChannelTest::bytesOfBodies).toList();
        List<Boolean> validated =
                streams.stream().map(VerifiedChannelTest::isValidatedByArrowJava).toList();
        Set<Rule> refusedByBoth = new HashSet<>();
        int refused = 0;
        for (int i = 0; i < VALUE_MUTANTS; i++) {
            int number = i % streams.size();
            byte[] bytes = streams.get(number).clone();
            damage(bytes, bodies.get(number), random);
            List<Fault> faults = ArrowBytes.faults(bytes, ReadOptions.UNTRUSTED);
            faults.removeIf(each -> !ReadOptions.UNTRUSTED.refuses(each.rule()));
            Handed found = handed(bytes, ReadOptions.UNTRUSTED);
            assertEquals(faults.isEmpty(), found.fault == null, () -> found.fault + " " + faults);
            if (found.fault != null) {
                refused++;
                Rule rule = found.fault.rule();
                assertTrue(faults.stream().anyMatch(each -> each.rule() == rule), "mutant " + i);
                assertTrue(boundaries(bytes).contains((long) found.bytes.length));
                assertTrue(
                        rule == ValueRule.VALUES_UNCHECKED
                                || found.fault.offset() >= found.bytes.length);
                List<OracleMessage> messages = OracleListing.list(bytes).messages();
                for (Fault each : faults) {
                    // It does not validate dictionaries.
                    boolean isOfBoth =
                            OF_BOTH.contains(each.rule())
                                    && messages.get(each.message()).isRecordBatch();
                    if (isOfBoth && validated.get(number)) {
                        assertNotNull(refusal(bytes), each::toString);
                        refusedByBoth.add(each.rule());
                    }
                }
            } else if (validated.get(number)) {
                String refusal = refusal(bytes);
                assertTrue(refusal == null || refusal.contains(CHILD_TOO_SHORT), refusal);
            } else {
                reading(VerifiedChannel.of(channel(bytes), ReadOptions.UNTRUSTED));
            }
        }
        CaseCount.report(
                "Verified channel: %d mutants of values, %d refused, of %d streams",
                VALUE_MUTANTS, refused, streams.size());
        assertTrue(refused > VALUE_MUTANTS / 10, "" + refused);
        assertEquals(OF_BOTH, refusedByBoth);
    }

    /// Changes bits of any bodies, or numbers of one record batch.
    private static void damage(byte[] bytes, BitSet body, Random random) {
        List<ByteBuffer> batches =
                OracleListing.list(bytes).recordBatches().stream()
                        .filter(each -> each.codec() == null && each.bodyLength() > 0)
                        .map(each -> each.bodyIn(MemorySegment.ofArray(bytes)).asByteBuffer())
                        .toList();
        if (!batches.isEmpty() && random.nextInt(4) > 0) {
            BodyDamage.damage(batches.get(random.nextInt(batches.size())), random);
            return;
        }
        for (int n = random.nextInt(1, 4); n > 0; n--) {
            int at = body.nextSetBit(random.nextInt(body.length()));
            bytes[at] ^= (byte) (1 << random.nextInt(8));
        }
    }

    /// Not of compressed streams, whose lengths it does not limit, and of some types.
    private static boolean isValidatedByArrowJava(byte[] stream) {
        return OracleListing.list(stream).messages().stream().allMatch(e -> e.codec() == null)
                && refusal(stream) == null;
    }

    /// What arrow-java throws; null if it loads, validates and reads all values.
    private static String refusal(byte[] stream) {
        try (var allocator = new RootAllocator();
                var reader = ArrowVectorReading.reader(stream, allocator)) {
            while (reader.loadNextBatch()) {
                ValueVectorUtility.validateFull(reader.getVectorSchemaRoot());
                reader.getVectorSchemaRoot().getFieldVectors().forEach(AllValues::read);
            }
            return null;
        } catch (RuntimeException | IOException e) {
            return e.toString();
        }
    }

    private static BitSet bytesOfBodies(byte[] stream) {
        BitSet bytes = new BitSet();
        for (OracleMessage each : OracleListing.list(stream).messages()) {
            bytes.set((int) each.bodyOffset(), (int) each.endOffset());
        }
        return bytes;
    }

    /// What a reader of the same bytes says.
    private static String outcome(byte[] bytes, ReadOptions options) throws IOException {
        try (BatchReader reader = Arrow.open(new ByteArrayInputStream(bytes), options)) {
            while (reader.next()) {
                reader.cursor();
            }
            return "";
        } catch (FletchException e) {
            return e.rule().id() + "@" + e.offset();
        }
    }

    /// Also without a batch behind it.
    @Test
    void aDictionaryIsVerifiedWhenItArrives() throws IOException {
        byte[] stream = ArrowVectorFiles.named("dictionaries").stream();
        OracleMessage first = OracleListing.list(stream).dictionaryBatches().getFirst();
        // The offsets of its first texts.
        byte[] wrong = Arrays.copyOf(stream, (int) first.endOffset());
        int offsets = (int) (first.bodyOffset() + first.batch().buffers(1).offset());
        ByteBuffer.wrap(wrong).order(ByteOrder.LITTLE_ENDIAN).putInt(offsets + 4, 1 << 20);
        Handed found = handed(wrong, ReadOptions.UNTRUSTED);
        assertEquals("values", found.fault.rule().level());
        assertEquals(first.offset(), found.bytes.length);
    }

    /// A damaged length may cover exactly the messages behind it, and the rest is a sound stream.
    @Test
    void messagesInABodyAreRefused() throws IOException {
        int refused = 0;
        for (byte[] stream : streams()) {
            List<Long> boundaries = boundaries(stream);
            EncapsulatedMessage frame = new EncapsulatedMessage();
            Message message = new Message();
            for (int i = 1; i + 2 < boundaries.size(); i++) { // behind the schema message
                long at = boundaries.get(i);
                frame.wrap(MemorySegment.ofArray(stream), at, message);
                if (!message.isPresent(Message.BODY_LENGTH_SLOT)) {
                    continue; // there is no body
                }
                int place = (int) message.position(Message.BODY_LENGTH_SLOT);
                for (int last = i + 2; last + 1 < boundaries.size(); last++) {
                    byte[] bytes = stream.clone();
                    long length = boundaries.get(last) - frame.bodyOffset();
                    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(place, length);
                    Handed found = handed(bytes, ReadOptions.UNTRUSTED);
                    assertEquals(FrameRule.BODY_LONGER, found.fault.rule());
                    assertEquals(at, found.bytes.length);
                    assertEquals("body-longer@" + place, outcome(bytes, ReadOptions.UNTRUSTED));
                    refused++;
                }
            }
        }
        CaseCount.report("Verified channel: %d lengths that cover messages", refused);
        assertTrue(refused > 50, "" + refused);
    }

    // ---- misuse

    @Test
    void nothingIsReadAfterClose() throws IOException {
        Sources.Closing in = new Sources.Closing(TradesSample.stream());
        VerifiedChannel channel =
                VerifiedChannel.of(Channels.newChannel(in), ReadOptions.UNTRUSTED);
        ByteBuffer some = ByteBuffer.allocate(10);
        assertEquals(10, channel.read(some));
        assertEquals(0, channel.read(some));
        assertTrue(channel.isOpen());
        channel.stream().close();
        channel.close();
        assertFalse(channel.isOpen());
        assertTrue(in.isClosed);
        assertThrows(ClosedChannelException.class, () -> channel.read(some.clear()));
    }

    /// Also inside the body of a dictionary, which is not read before it is handed on if values are
    /// not verified.
    @Test
    void aSourceThatFailsAnywhereEndsTheChannel() throws IOException {
        byte[] stream = TradesSample.stream();
        for (int length = 0; length < stream.length; length += CaseCount.of(61, 7)) {
            byte[] sent = Arrays.copyOf(stream, length);
            InputStream in =
                    new SequenceInputStream(
                            new ByteArrayInputStream(sent),
                            new InputStream() {
                                @Override
                                public int read() throws IOException {
                                    throw new IOException("broken");
                                }
                            });
            VerifiedChannel channel =
                    VerifiedChannel.of(Channels.newChannel(in), ReadOptions.VERIFY);
            ByteBuffer into = ByteBuffer.allocate(stream.length);
            assertThrows(
                    IOException.class,
                    () -> {
                        while (channel.read(into) >= 0) {}
                    });
            int found = into.position();
            assertArrayEquals(Arrays.copyOf(stream, found), Arrays.copyOf(into.array(), found));
            assertThrows(IllegalStateException.class, () -> channel.read(into));
        }
    }

    @Test
    void aStreamWithTheEndOfAFileIsNoFile() throws IOException {
        byte[] file = TradesSample.file();
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.write(TradesSample.stream());
        both.write(file, file.length - 400, 400);
        Path path = Files.write(folder.resolve("both"), both.toByteArray());
        assertThrows(
                FletchException.class, () -> VerifiedChannel.open(path, ReadOptions.UNTRUSTED));
    }

    @Test
    void aSourceWithoutBytesEndsTheChannel() {
        var source = new Sources.Dripping(TradesSample.stream(), 0);
        VerifiedChannel channel = VerifiedChannel.of(source, ReadOptions.UNTRUSTED);
        ByteBuffer some = ByteBuffer.allocate(10);
        assertThrows(IllegalBlockingModeException.class, () -> channel.read(some));
        assertThrows(IllegalStateException.class, () -> channel.read(some));
    }

    // ---- arrow-java

    /// Reads a file, whose channel can seek, or a stream.
    private static ArrowVectorReading reading(ReadableByteChannel source) throws IOException {
        var codecs = CommonsCompressionFactory.INSTANCE;
        try (var allocator = new RootAllocator();
                ArrowReader reader =
                        source instanceof SeekableByteChannel file
                                ? new ArrowFileReader(file, allocator, codecs)
                                : new ArrowStreamReader(source, allocator, codecs)) {
            return ArrowVectorReading.read(reader);
        }
    }

    /// What arrow-java reads, it reads behind the channel, or the channel says why not.
    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.RealInput#all")
    void arrowJavaReadsTheSameBehindIt(RealInput input) throws IOException {
        byte[] bytes = input.bytes();
        Path path = Files.write(folder.resolve("input"), bytes);
        boolean isFile = OracleListing.isFile(bytes);
        ArrowVectorReading expected;
        try {
            expected = reading(isFile ? FileChannel.open(path) : channel(bytes));
        } catch (Exception | AssertionError e) {
            return; // arrow-java does not read it
        }
        try {
            if (isFile) {
                SeekableByteChannel copy = VerifiedChannel.open(path, ReadOptions.UNTRUSTED);
                Files.write(path, new byte[100]); // does not matter
                assertEquals(expected, reading(copy));
            } else {
                ReadableByteChannel source = channel(bytes);
                assertEquals(expected, reading(VerifiedChannel.of(source, ReadOptions.UNTRUSTED)));
            }
        } catch (FletchException e) {
            assertFalse(input.name().startsWith("arrow-vector/"), e::toString);
            List<Fault> faults = ArrowBytes.faults(bytes, ReadOptions.UNTRUSTED);
            assertTrue(faults.stream().anyMatch(each -> each.rule() == e.rule()), e::toString);
            System.out.println(input + ": " + e.getMessage());
        }
    }

    /// It reads as many dictionary batches as there are dictionaries. So files with deltas are
    /// refused, unless the options let them pass.
    @Test
    void deltasOfFilesWhichArrowJavaLacksAreRefused() throws IOException {
        byte[] file =
                Corpus.cases().stream()
                        .filter(each -> each.file().endsWith("index-past-delta-second-batch.arrow"))
                        .findFirst()
                        .orElseThrow()
                        .sound();
        try (var allocator = new RootAllocator();
                var reader = ArrowVectorReading.reader(file, allocator);
                var vectors = VectorTexts.reader(file, allocator)) {
            reader.loadNextBatch();
            vectors.loadNext();
            long id = reader.getDictionaryIds().iterator().next();
            assertEquals(2, reader.lookup(id).getVector().getValueCount());
            assertEquals(3, vectors.lookup(id).getVector().getValueCount());
        }
        Path path = Files.write(folder.resolve("delta"), file);
        ReadOptions options = ReadOptions.UNTRUSTED;
        FletchException e =
                assertRule(
                        FileRule.DELTA_IN_FILE, () -> VerifiedChannel.open(path, options).close());
        List<Fault> verified = new ArrayList<>();
        Arrow.verify(path, options, verified::add);
        assertEquals(List.of(e.fault()), verified);
        Arrow.verify(path, ReadOptions.VERIFY, verified::add);
        assertEquals(1, verified.size());
        VerifiedChannel.open(path, options.with(FileRule.DELTA_IN_FILE, false)).close();
        try (BatchReader reader = Arrow.open(path, options)) {
            assertTrue(reader.next());
        }
    }

    // ---- files

    /// A reader behind the channel would take its bytes for another message.
    @Test
    void whatIsNoFileOrStreamIsNotHandedOn() throws IOException {
        byte[] stream = TradesSample.stream();
        int end = (int) OracleListing.list(stream).messages().getFirst().bodyOffset();
        byte[] flatbuffer = Arrays.copyOfRange(stream, EncapsulatedMessage.PREFIX_BYTES, end);
        for (byte[] other : List.of(flatbuffer, Base64.getEncoder().encode(stream))) {
            Path path = Files.write(folder.resolve("other"), other);
            assertRule(
                    FileRule.NO_MESSAGE, () -> VerifiedChannel.open(path, ReadOptions.UNTRUSTED));
        }
    }

    @Test
    void filesAreCopiedVerifiedAndReadOnly() throws IOException {
        Path path = Files.write(folder.resolve("file"), TradesSample.file());
        SeekableByteChannel channel = VerifiedChannel.open(path, ReadOptions.UNTRUSTED);
        assertEquals(TradesSample.file().length, channel.size());
        ByteBuffer two = ByteBuffer.allocate(2);
        assertEquals(2, channel.position(channel.size() - 2).read(two));
        assertEquals("W1", new String(two.array()));
        assertEquals(-1, channel.read(two.clear()));
        assertEquals(channel.size(), channel.position());
        assertEquals(-1, channel.position(Long.MAX_VALUE).read(two));
        assertEquals(2, channel.position(0).read(two));
        assertEquals("AR", new String(two.array()));
        assertThrows(IllegalArgumentException.class, () -> channel.position(-1));
        assertThrows(NonWritableChannelException.class, () -> channel.write(two));
        assertThrows(NonWritableChannelException.class, () -> channel.truncate(0));
        channel.close();
        channel.close();
        assertThrows(ClosedChannelException.class, () -> channel.read(two));
        assertThrows(ClosedChannelException.class, channel::size);
        assertThrows(ClosedChannelException.class, channel::position);
        assertThrows(ClosedChannelException.class, () -> channel.position(0));
    }

    @Test
    void largeFilesAreCopiedIntoATemporaryFile() throws IOException {
        byte[] before =
                CaseFile.input(
                        "file <n:Int(bitWidth=64)> | batch 200000 [200000] [- zeros(1600000)]");
        assertTrue(before.length > 1 << 20);
        Path path = Files.write(folder.resolve("large"), before);
        SeekableByteChannel channel = VerifiedChannel.open(path, ReadOptions.UNTRUSTED);
        Files.write(path, new byte[10]);
        ByteBuffer all = ByteBuffer.allocate(before.length);
        while (all.hasRemaining() && channel.read(all) > 0) {}
        assertArrayEquals(before, all.array());
        channel.close();
        channel.close();
        assertFalse(channel.isOpen());
    }
}
