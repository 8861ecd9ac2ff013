// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.Rule.Severity;
import dev.fletch.ValueRule;
import dev.fletch.batch.Columns;
import dev.fletch.batch.Decompressor;
import dev.fletch.corpus.CaseFile;
import dev.fletch.corpus.Corpus;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.scan.internal.RowWalk;
import dev.fletch.vectors.VectorOptions;
import dev.fletch.vectors.VectorReader;

import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Dictionaries that are defined again and again, of which others have indices.
class RepeatedDictionariesTest {
    private static final int TIMES = 100;
    private static final String FIELDS =
            """
            let i8 = Int(bitWidth=8 is_signed=1)
            let text = text:Utf8{dictionary=DictionaryEncoding(id=3 indexType=i8)}
            let other = other:Utf8{dictionary=DictionaryEncoding(id=7 indexType=i8)}
            let struct = struct:Struct_<text>{dictionary=DictionaryEncoding(id=5 indexType=i8)}
            """;
    private static final String TEXTS = " 2 [2] [- i32(0 1 2) \"ab\"]";

    private static MemorySegment stream(String messages) {
        return MemorySegment.ofArray(CaseFile.input(FIELDS + "stream " + messages));
    }

    /// A stream whose dictionary 5 has many indices into dictionary 3; dictionary 7 has a column.
    ///
    /// @param again a dictionary that follows, again and again
    private static MemorySegment repeated(String again) {
        String indices = " | dictionary 5 10000 [10000*2] [- - zeros(10000)]";
        String others = " | dictionary 7" + TEXTS + (" | " + again + TEXTS).repeat(TIMES);
        String batch = " | batch 1 [1*2] [- i8(0) - i8(0)]";
        return stream("<struct other> | dictionary 3" + TEXTS + indices + others + batch);
    }

    /// 100 short messages do not cost the indices of the long one 100 times.
    @Test
    void indicesAreReadOnceAndNotForEachNewDictionary() throws IOException {
        for (String again : List.of("dictionary 7", "delta 7", "delta 3", "dictionary 3")) {
            try (BatchReader reader = Arrow.open(repeated(again), ReadOptions.UNTRUSTED)) {
                assertTrue(reader.next());
            }
            assertEquals(List.of(), faults(repeated(again)));
        }
    }

    /// A stream whose dictionaries are replaced one after the other: before the second record
    /// batch, one has indices into values that the other has no more, or does not have yet.
    private static MemorySegment replaced(String first, String second) {
        String before = " | dictionary 3" + TEXTS + " | dictionary 5 1 [1*2] [- - i8(0)]";
        String batch = " | batch 1 [1] [- i8(0)]";
        return stream("<struct>" + before + batch + " | " + first + " | " + second + batch);
    }

    @Test
    void indicesIntoAnotherDictionaryAreOfTheRecordBatchesBehindBoth() throws IOException {
        String shorter = "dictionary 3 1 [1] [- i32(0 1) \"c\"]";
        String longer = "dictionary 3 3 [3] [- i32(0 1 2 3) \"abc\"]";
        String more = "delta 3 1 [1] [- i32(0 1) \"c\"]";
        String last = "dictionary 5 2 [2*2] [- - i8(1 2)]";
        String zero = "dictionary 5 1 [1*2] [- - i8(0)]";
        List<MemorySegment> sound = new ArrayList<>();
        sound.add(replaced(shorter, zero));
        sound.add(replaced(zero, shorter));
        sound.add(replaced(longer, last));
        sound.add(replaced(last, longer));
        sound.add(replaced(last, more));
        for (MemorySegment each : sound) {
            assertEquals(List.of(), faults(each));
            try (BatchReader reader = Arrow.open(each, ReadOptions.UNTRUSTED)) {
                assertTrue(reader.next());
                assertTrue(reader.next());
                assertFalse(reader.next());
            }
            byte[] bytes = each.toArray(ValueLayout.JAVA_BYTE);
            assertArrayEquals(bytes, channel(each, ReadOptions.UNTRUSTED).stream().readAllBytes());
        }
        for (MemorySegment each : List.of(replaced(last, shorter), replaced(shorter, last))) {
            List<Fault> faults = faults(each);
            assertEquals(List.of(1L, 2L), faults.stream().map(Fault::value).toList());
            try (BatchReader reader = Arrow.open(each, ReadOptions.UNTRUSTED)) {
                assertTrue(reader.next());
                FletchException e = assertRule(ValueRule.VALUE_DICTIONARY_INDEX, reader::next);
                assertEquals(faults.getFirst().position(), e.offset());
                assertEquals(faults.getFirst().message(), e.fault().message());
            }
            assertHandsOnBefore(each, faults.getFirst().message(), ReadOptions.UNTRUSTED);
        }
    }

    private static VerifiedChannel channel(MemorySegment stream, ReadOptions options) {
        byte[] bytes = stream.toArray(ValueLayout.JAVA_BYTE);
        return VerifiedChannel.of(Channels.newChannel(new ByteArrayInputStream(bytes)), options);
    }

    /// The channel hands on all messages before a wrong one, and no byte of that.
    private static void assertHandsOnBefore(MemorySegment stream, int message, ReadOptions options)
            throws IOException {
        VerifiedChannel channel = channel(stream, options);
        ByteBuffer got = ByteBuffer.allocate((int) stream.byteSize());
        assertThrows(FletchException.class, () -> readAll(channel, got));
        EncapsulatedMessage frame = new EncapsulatedMessage();
        long end = 0;
        for (int i = 0; i < message; i++) {
            frame.wrap(stream, end, new Message());
            end = frame.nextOffset();
        }
        assertEquals(end, got.position());
        assertEquals(-1, stream.asSlice(0, end).mismatch(MemorySegment.ofBuffer(got.flip())));
    }

    private static void readAll(VerifiedChannel channel, ByteBuffer into) throws IOException {
        while (channel.read(into) >= 0) {}
    }

    /// A dictionary with a wrong index does not keep any number of messages waiting.
    @Test
    void dictionariesThatWaitForOthersHaveALimit() throws IOException {
        String wrong = " | dictionary 5 1 [1*2] [- - i8(2)]";
        String many = (" | dictionary 3" + TEXTS).repeat(TIMES);
        MemorySegment stream = stream("<struct> | dictionary 3" + TEXTS + wrong + many);
        for (long limit : new long[] {4_000, 1 << 20}) {
            var in = new ByteArrayInputStream(stream.toArray(ValueLayout.JAVA_BYTE));
            ReadOptions options = ReadOptions.UNTRUSTED.withDecompressedBytes(limit);
            VerifiedChannel channel = VerifiedChannel.of(Channels.newChannel(in), options);
            ByteBuffer got = ByteBuffer.allocate(1 << 20);
            FletchException e =
                    assertRule(ValueRule.VALUE_DICTIONARY_INDEX, () -> readAll(channel, got));
            assertEquals(2, e.fault().message());
            boolean isCut = in.available() > stream.byteSize() / 2;
            assertEquals(limit < stream.byteSize(), isCut, in.available() + " bytes are left");
            assertThrows(IllegalStateException.class, () -> channel.read(got));
        }
    }

    /// Dictionaries that need no other one, or whose values may stay unchecked, do not wait.
    @Test
    void dictionariesWithoutWrongIndicesAreHandedOnAtOnce() throws IOException {
        String empty = (" | dictionary 3 0 [0] [- - -]").repeat(TIMES);
        String undefined = " | dictionary 5 1 [1*2] [- - i8(0)]".repeat(TIMES);
        for (String messages : List.of(empty, undefined)) {
            MemorySegment stream = stream("<struct>" + messages);
            ReadOptions options =
                    ReadOptions.UNTRUSTED
                            .with(ValueRule.VALUES_UNCHECKED, false)
                            .withDecompressedBytes(4_000);
            var in = new ByteArrayInputStream(stream.toArray(ValueLayout.JAVA_BYTE));
            VerifiedChannel channel = VerifiedChannel.of(Channels.newChannel(in), options);
            ByteBuffer got = ByteBuffer.allocate((int) stream.byteSize());
            while (got.position() < stream.byteSize() / 2) {
                assertTrue(channel.read(got) > 0);
                long waiting = stream.byteSize() - in.available() - got.position();
                assertTrue(waiting < 8_000, waiting + " bytes are waiting");
            }
        }
    }

    /// Blocks of a file may lead to one small delta any number of times.
    @Test
    void deltasThatBlocksRepeatHaveALimit() throws IOException {
        String messages = "<text> | dictionary 3" + TEXTS + " | delta 3" + TEXTS;
        String blocks = " => set blocks 1" + " 2".repeat(2_000) + " 3";
        MemorySegment file =
                MemorySegment.ofArray(
                        CaseFile.input(
                                FIELDS + "file " + messages + " | batch 1 [1] [- i8(0)]" + blocks));
        ReadOptions enough = ReadOptions.VERIFY.withDecompressedBytes(8 << 20);
        try (BatchReader reader = Arrow.open(file, enough)) {
            reader.column("text");
            assertTrue(reader.next());
            assertEquals(2_001, reader.dictionaries().values(3).batchCount());
        }
        for (Level level : List.of(Level.STRUCTURE, Level.VALUES)) {
            try (BatchReader reader =
                    Arrow.open(file, enough.withLevel(level).withDecompressedBytes(1 << 20))) {
                reader.column("text");
                var e = assertRule(MeaningRule.TOO_MUCH_MEMORY, reader::next);
                assertEquals("dictionary=3", e.fault().details().split(",")[0]);
            }
        }
        ReadOptions less = enough.withLevel(Level.VALUES).withDecompressedBytes(1 << 20);
        var rows = new RowWalk(Input.of(InputBytes.of(file), less), List.of());
        rows.begin();
        assertEquals(MeaningRule.TOO_MUCH_MEMORY, rows.fault().rule());
        List<Fault> faults = new ArrayList<>();
        Arrow.verify(file, less, faults::add);
        assertEquals(ValueRule.VALUES_UNCHECKED, faults.getLast().rule());
        assertTrue(faults.getLast().text().contains("too much memory"), faults::toString);
        VectorOptions vectors = VectorOptions.DEFAULT.withReadOptions(enough);
        readVectors(file, vectors);
        VectorOptions few = vectors.withReadOptions(enough.withDecompressedBytes(1 << 20));
        assertRule(MeaningRule.TOO_MUCH_MEMORY, () -> readVectors(file, few));
        readVectors(file, few.withChecksValues(false)); // which keeps no batches
    }

    private static void readVectors(MemorySegment file, VectorOptions options) throws IOException {
        try (var allocator = new RootAllocator();
                var reader =
                        VectorReader.copying(
                                ArrowFile.of(file), allocator, Columns.named("text"), options)) {
            assertTrue(reader.loadNext());
        }
    }

    /// The copies of the bodies that a pipe does not keep count.
    @Test
    void dictionariesOfAPipeNeedMoreMemory() throws IOException {
        Path path = Corpus.FOLDER.resolve("file/bytes-behind-stream-dictionaries.arrows");
        byte[] bytes = Files.readAllBytes(path);
        ReadOptions options = ReadOptions.DEFAULT.withDecompressedBytes(2_406);
        var memory = Input.of(InputBytes.of(MemorySegment.ofArray(bytes)), options);
        var pipe = Input.of(InputBytes.of(new ByteArrayInputStream(bytes)), options);
        assertDoesNotThrow(() -> readRows(memory));
        assertRule(MeaningRule.TOO_MUCH_MEMORY, () -> readRows(pipe));
        var channel = Channels.newChannel(new ByteArrayInputStream(bytes));
        try (BatchReader reader = Arrow.open(channel, options)) {
            reader.schema().fields().forEach(each -> reader.column(each.name()));
            assertRule(MeaningRule.TOO_MUCH_MEMORY, reader::next);
        }
    }

    private static void readRows(Input input) throws IOException {
        RowWalk rows = new RowWalk(input, List.of());
        rows.begin();
        while (rows.next()) {}
    }

    private static List<Fault> faults(MemorySegment stream) {
        List<Fault> faults = new ArrayList<>();
        Arrow.verify(stream, ReadOptions.UNTRUSTED, faults::add);
        faults.removeIf(each -> each.rule().severity() == Severity.DEVIATION);
        return faults;
    }

    /// Of texts that cannot be read, the number is not known; of structs it is.
    @Test
    void indicesIntoStructsThatCannotBeReadAreVerified() {
        String texts = " | dictionary 3 zstd 2 [2] [- i32(0 1 2) \"ab\"]";
        String structs = " | dictionary 5 zstd 1 [1*2] [- - i8(0)]";
        MemorySegment stream = stream("<struct>" + texts + structs + " | batch 1 [1] [- i8(1)]");
        List<Fault> faults = new ArrayList<>();
        ReadOptions options = ReadOptions.UNTRUSTED.withDecompressor(Decompressor.NONE);
        Arrow.verify(stream, options, faults::add);
        List<String> found = faults.stream().map(Fault::toString).toList();
        assertEquals(2, found.size(), found::toString);
        assertTrue(found.getFirst().contains("value-dictionary-index"), found::toString);
        String fields = "reason=no decompressor, codec=ZSTD, fields=2, columns=text, struct.text";
        assertTrue(found.getLast().contains(fields), found::toString);
    }

    /// A dictionary of structs, whose texts share 10,000 bytes.
    private static MemorySegment shared() {
        String one = "(0 0) (0 8) (8 10000) ";
        String input =
                "stream <shared> | dictionary 9 1 [1*41] [- - i32(0 10000) zeros(10000)"
                        + " - - -".repeat(39)
                        + "] | batch 1 [1] [- i8(0)]";
        String buffers = "1.header.data.buffers = [(0 0) " + one.repeat(40).strip() + "]";
        String row =
                "- values-unchecked shared \"texts share their bytes\" must-refuse => " + buffers;
        String columns =
                "let shared = shared:Struct_<utf8*40>{dictionary=DictionaryEncoding(id=9"
                        + " indexType=i8)}\n";
        String text = FIELDS + "let utf8 = utf8:Utf8\n" + columns + input + "\n" + row;
        return MemorySegment.ofArray(CaseFile.of(text).getFirst().broken());
    }

    @Test
    void dictionaryAboveTheLimitOfWorkHasOneNote() throws IOException {
        List<Fault> faults = faults(shared());
        assertEquals(1, faults.size(), faults::toString);
        assertEquals(ValueRule.VALUES_UNCHECKED, faults.getFirst().rule());
        String text = faults.getFirst().toString();
        assertTrue(text.contains("too many bytes to verify for the size of the input"), text);
        assertTrue(text.contains("fields=42"), text);
        try (BatchReader reader = Arrow.open(shared(), ReadOptions.UNTRUSTED)) {
            FletchException e = assertRule(ValueRule.VALUES_UNCHECKED, reader::next);
            assertEquals(1, e.fault().message());
        }
    }

    /// Offsets of values count from the start of the body, also in dictionaries.
    @Test
    void wrongValuesOfReceivedDictionariesHaveTheirOffset() {
        MemorySegment memory = stream("<text> | dictionary 3 1 [1] [- i32(0 9) \"a\"]");
        BatchReceiver receiver = Arrow.receive(ReadOptions.UNTRUSTED);
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        assertEquals(FrameKind.MESSAGE, frame.wrap(memory, 0, message));
        receiver.receive(header(memory, frame), MemorySegment.ofArray(new byte[0]));
        assertEquals(FrameKind.MESSAGE, frame.wrap(memory, frame.nextOffset(), message));
        MemorySegment header = header(memory, frame);
        MemorySegment body = frame.bodySlice();
        FletchException e =
                assertRule(ValueRule.VALUE_OFFSET_RANGE, () -> receiver.receive(header, body));
        assertEquals(1, e.fault().message());
        assertEquals(Integer.BYTES, e.offset());
    }

    private static MemorySegment header(MemorySegment memory, EncapsulatedMessage frame) {
        return memory.asSlice(frame.metadataOffset(), frame.metadataLength());
    }

    /// Also if values are not checked: no batch gets the values of the dictionary before.
    @Test
    void vectorsBehindADictionaryThatCannotBeLoadedAreRefused() throws IOException {
        String batch = " | batch 1 [1] [- i8(0)]";
        String lost = " | dictionary 3 2 [3] [- i32(0 1 2) \"ab\"]" + batch;
        String more = " | delta 3" + TEXTS + batch + " | dictionary 3" + TEXTS + batch;
        byte[] stream =
                stream("<text> | dictionary 3" + TEXTS + batch + lost + more)
                        .toArray(ValueLayout.JAVA_BYTE);
        for (boolean checks : new boolean[] {true, false}) {
            VectorOptions options = VectorOptions.DEFAULT.withChecksValues(checks);
            try (var allocator = new RootAllocator();
                    var reader =
                            VectorReader.open(
                                    new ByteArrayInputStream(stream),
                                    allocator,
                                    Columns.named("text"),
                                    options)) {
                assertTrue(reader.loadNext());
                assertThrows(FletchException.class, reader::loadNext);
                for (String each : List.of("batch", "delta", "batch")) {
                    FletchException e =
                            assertRule(MeaningRule.DICTIONARY_UNDEFINED, reader::loadNext);
                    assertTrue(e.isInInput(), each);
                }
                assertTrue(reader.loadNext());
                assertFalse(reader.loadNext());
            }
        }
    }
}
