// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.FrameRule;
import dev.fletch.Rule;
import dev.fletch.ValueRule;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.Decompressor;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.corpus.CaseFile;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.ipc.MessageDecoder;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.TradesSample;

import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// What [ReadOptions#UNTRUSTED] refuses beyond errors.
@Isolated("counts allocations")
class UntrustedTest {
    /// Every so many lengths of a body are tried.
    private static final int STEP = CaseCount.of(29, 1);

    private static final int PADDING = 64;

    private static MemorySegment memory(byte[] bytes) {
        return MemorySegment.ofArray(bytes);
    }

    private static BatchReader channel(byte[] bytes, ReadOptions options) throws IOException {
        return Arrow.open(new ByteArrayInputStream(bytes), options);
    }

    /// The number of batches; -1 if a fault ends the stream.
    private static int batches(BatchReader reader) throws IOException {
        int batches = 0;
        while (reader.next()) {
            batches++;
        }
        return batches;
    }

    private static int batches(byte[] stream, boolean isInMemory, ReadOptions options)
            throws IOException {
        try (BatchReader reader =
                isInMemory ? Arrow.open(memory(stream), options) : channel(stream, options)) {
            return batches(reader);
        } catch (FletchException e) {
            assertTrue(e.isInInput());
            return -1;
        }
    }

    // ---- frames

    /// Unless the length leads exactly to a later message, or to the end: then the rest is a sound
    /// stream with fewer messages.
    @Test
    void noDamagedBodyLengthEndsAStreamEarly() throws IOException {
        int mutants = 0;
        int early = 0;
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            byte[] stream = each.stream();
            boolean isLegacy = ByteBuffer.wrap(stream).getInt() != -1;
            if (isLegacy || stream.length > 100_000) {
                continue; // without continuation, zeros are a marker of the stream's own kind
            }
            int whole = batches(stream, true, ReadOptions.UNTRUSTED);
            List<long[]> bodies = new ArrayList<>();
            Set<Long> boundaries = new TreeSet<>();
            for (OracleMessage one : OracleListing.list(stream).messages()) {
                Message message = new Message();
                message.wrap(memory(stream), one.metadataOffset(), one.metadataLength());
                long place = message.position(Message.BODY_LENGTH_SLOT);
                bodies.add(new long[] {place, one.bodyOffset(), one.bodyLength()});
                boundaries.add(one.endOffset());
            }
            boundaries.add((long) stream.length);
            for (long[] body : bodies) {
                for (long length = body[2] % STEP; length <= body[2] + PADDING; length++) {
                    boolean isNear = Math.abs(length - body[2]) <= PADDING;
                    if (length == body[2] || !isNear && length % STEP != 0) {
                        continue;
                    }
                    byte[] damaged = stream.clone();
                    ByteBuffer.wrap(damaged)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong((int) body[0], length);
                    boolean isInMemory = mutants++ % 2 == 0;
                    int found = batches(damaged, isInMemory, ReadOptions.UNTRUSTED);
                    if (found >= 0 && found < whole && !boundaries.contains(body[1] + length)) {
                        early++;
                        System.out.println(each.name() + ", body " + body[2] + " as " + length);
                    }
                }
            }
        }
        CaseCount.report("Untrusted streams: %d mutants of body lengths", mutants);
        assertEquals(0, early);
        assertTrue(mutants > 10_000);
    }

    /// Without a continuation word, as before Arrow 0.15.0.
    @Test
    void anEndMarkerOfAnotherKindThanTheMessagesIsRefused() throws IOException {
        byte[] sound = TradesSample.stream();
        byte[] stream = Arrays.copyOf(sound, sound.length - Integer.BYTES);
        int marker = stream.length - Integer.BYTES;
        Arrays.fill(stream, marker, stream.length, (byte) 0);
        ReadOptions usual = ReadOptions.DEFAULT.withLevel(Level.VALUES);
        for (boolean isInMemory : new boolean[] {true, false}) {
            assertEquals(3, batches(stream, isInMemory, usual));
            try (BatchReader reader =
                    isInMemory
                            ? Arrow.open(memory(stream), ReadOptions.UNTRUSTED)
                            : channel(stream, ReadOptions.UNTRUSTED)) {
                FletchException e =
                        assertRule(FrameRule.END_BETWEEN_MESSAGES, () -> batches(reader));
                assertEquals(marker, e.offset());
            }
        }
        MessageDecoder decoder = new MessageDecoder(ReadOptions.UNTRUSTED);
        Message message = new Message();
        ByteBuffer input = ByteBuffer.wrap(stream);
        assertRule(
                FrameRule.END_BETWEEN_MESSAGES,
                () -> {
                    while (decoder.next(input, message) != FrameKind.NEED_MORE) {
                        assertTrue(input.position() <= marker);
                    }
                });
        decoder.reset();
        ByteBuffer zeros = ByteBuffer.allocate(Integer.BYTES);
        assertEquals(FrameKind.END_OF_STREAM, decoder.next(zeros, message));
    }

    /// A reader of streams ends at the first marker, and refuses it.
    @Test
    void verifierRefusesAMarkerOfAnotherKindThanTheMessagesAlsoIfAStreamFollows()
            throws IOException {
        byte[] sound = TradesSample.stream();
        byte[] other = Arrays.copyOf(sound, sound.length - Integer.BYTES);
        int marker = other.length - Integer.BYTES;
        Arrays.fill(other, marker, other.length, (byte) 0);
        byte[] legacy =
                CaseFile.input("stream v4 legacy <u:Utf8> | batch 2 [2] [- i32(0 1 3) \"abc\"]");
        legacy = Arrays.copyOf(legacy, legacy.length + Integer.BYTES);
        assertEquals(List.of(), markers(sound, legacy, sound));
        assertEquals(List.of(marker), markers(other, sound));
        int second = sound.length + legacy.length;
        assertEquals(List.of(second + marker), markers(sound, legacy, other, sound));
        assertEquals(List.of(marker, second + marker), markers(other, new byte[4], legacy, other));
    }

    /// The offsets of the markers that are refused; each way to verify finds the same.
    private static List<Integer> markers(byte[]... streams) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] each : streams) {
            all.writeBytes(each);
        }
        List<Fault> found = new ArrayList<>();
        Arrow.verify(memory(all.toByteArray()), ReadOptions.UNTRUSTED, found::add);
        List<Fault> piped = new ArrayList<>();
        ByteArrayInputStream in = new ByteArrayInputStream(all.toByteArray());
        Arrow.verify(in, ReadOptions.UNTRUSTED, piped::add);
        assertEquals(found, piped);
        return found.stream()
                .filter(each -> each.rule() == FrameRule.END_BETWEEN_MESSAGES)
                .map(each -> (int) each.position())
                .toList();
    }

    // ---- values

    @Test
    void valuesThatCannotBeCheckedPassOnlyIfAllowed() throws IOException {
        byte[] stream = compressed(CodecType.ZSTD).stream();
        ReadOptions unable = ReadOptions.UNTRUSTED.withDecompressor(Decompressor.NONE);
        try (BatchReader reader = Arrow.open(memory(stream), unable)) {
            assertRule(ValueRule.VALUES_UNCHECKED, () -> batches(reader));
        }
        ReadOptions allowing = unable.with(ValueRule.VALUES_UNCHECKED, false);
        int batches = batches(stream, true, ReadOptions.UNTRUSTED);
        assertTrue(batches > 0);
        assertEquals(batches, batches(stream, true, allowing));
        assertEquals(unable, allowing.with(ValueRule.VALUES_UNCHECKED, true));
    }

    private static ArrowCase compressed(CodecType codec) {
        return ArrowVectorFiles.cases().stream()
                .filter(each -> each.writing().codec() == codec)
                .findFirst()
                .orElseThrow();
    }

    /// A decompressor that counts.
    private static final class Counting implements Decompressor {
        private final Decompressor library = new LibraryDecompressor();
        private int calls;

        @Override
        public boolean knows(int codec) {
            return library.knows(codec);
        }

        @Override
        public int decompress(
                int codec, MemorySegment compressed, byte[] into, int at, int length) {
            calls++;
            return library.decompress(codec, compressed, into, at, length);
        }
    }

    @Test
    void errorsAreRefusedByAnyOptions() {
        for (Rule each : Rule.all()) {
            boolean isError = each.severity() == Rule.Severity.ERROR;
            boolean isRefused = ReadOptions.UNTRUSTED.refused().contains(each);
            assertEquals(isError, ReadOptions.DEFAULT.withRefused(Set.of()).refuses(each));
            assertEquals(isError || isRefused, ReadOptions.UNTRUSTED.refuses(each));
        }
    }

    /// Also those of a dictionary, which each batch needs.
    @Test
    void eachBufferIsDecompressedOnce() throws IOException {
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            if (each.writing().codec() == CodecType.NO_COMPRESSION) {
                continue;
            }
            Counting counting = new Counting();
            ReadOptions options = ReadOptions.UNTRUSTED.withDecompressor(counting);
            try (BatchReader reader = Arrow.open(memory(each.stream()), options)) {
                List<Column> columns =
                        reader.schema().fields().stream()
                                .map(field -> reader.column(field.name()))
                                .toList();
                while (reader.next()) {
                    for (Column column : columns) {
                        for (long row = 0; row < column.length(); row++) {
                            column.isNull(row);
                        }
                    }
                }
            }
            assertEquals(compressedBuffers(each.stream()), counting.calls, each.name());
        }
    }

    /// The buffers that hold compressed bytes: not empty, and not stored as they are.
    private static int compressedBuffers(byte[] stream) {
        int count = 0;
        ByteBuffer bytes = ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN);
        for (OracleMessage each : OracleListing.list(stream).messages()) {
            RecordBatch batch = each.batch();
            for (int i = 0; batch != null && i < batch.buffersLength(); i++) {
                int from = (int) (each.bodyOffset() + batch.buffers(i).offset());
                count += batch.buffers(i).length() > Long.BYTES && bytes.getLong(from) > 0 ? 1 : 0;
            }
        }
        return count;
    }

    @Test
    void theMemoryOfABatchIsKnownBeforeItIsDecompressed() throws IOException {
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            Counting counting = new Counting();
            ReadOptions options = ReadOptions.UNTRUSTED.withDecompressor(counting);
            try (BatchReader reader = channel(each.stream(), options)) {
                while (reader.nextHeader()) {
                    int before = counting.calls;
                    long bytes = reader.loadedBytes();
                    assertEquals(before, counting.calls);
                    assertEquals(bytes, reader.loadedBytes());
                    reader.load();
                    assertEquals(bytes, buffers(reader), each.name());
                }
            }
        }
    }

    @Test
    void theMemoryOfAReceivedBatchIsKnownBeforeItIsDecompressed() {
        int batches = 0;
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            Counting counting = new Counting();
            BatchReceiver receiver =
                    Arrow.receive(ReadOptions.UNTRUSTED.withDecompressor(counting));
            MemorySegment memory = memory(each.stream());
            for (OracleMessage one : OracleListing.list(each.stream()).messages()) {
                int before = counting.calls;
                if (receiver.receiveHeader(one.metadataIn(memory), one.bodyIn(memory))) {
                    long bytes = receiver.loadedBytes();
                    assertEquals(before, counting.calls);
                    if (batches++ % 3 != 0) { // others are left out
                        receiver.load();
                        assertEquals(bytes, buffers(receiver), each.name());
                    }
                } else {
                    assertThrows(IllegalStateException.class, receiver::loadedBytes);
                }
            }
        }
        assertTrue(batches > 100, "" + batches);
    }

    private static long buffers(Batches reader) {
        BatchCursor cursor = reader.cursor();
        ByteSlice bytes = new ByteSlice();
        long sum = 0;
        for (int field = 0; field < cursor.layout().fieldCount(); field++) {
            for (int i = 0; i < cursor.bufferCount(field); i++) {
                sum +=
                        cursor.isCompressed(field, i)
                                ? cursor.uncompressedLength(field, i)
                                : cursor.content(field, i, bytes).length();
            }
        }
        return sum;
    }
}
