// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.testdata.OracleFile.Container;
import dev.fletch.testdata.OracleFile.EndOfStream;
import dev.fletch.testdata.OracleFile.OracleBlock;
import dev.fletch.testdata.OracleListing.MalformedException;

import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.ArrowBlock;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// The listing finds what arrow-vector's own readers find, in all goldens and in all that
/// arrow-vector writes.
class OracleListingTest {
    /// What arrow-vector does not read: unions of that old a version, structs with two children of
    /// one name, decimals of fewer than 128 bits.
    private static final Set<String> UNREADABLE =
            Set.of(
                    "0.17.1/generated_union.arrow_file",
                    "0.17.1/generated_union.stream",
                    "1.0.0-littleendian/generated_duplicate_fieldnames.arrow_file",
                    "1.0.0-littleendian/generated_duplicate_fieldnames.stream",
                    "decimals_of_32_and_64_bits");

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Goldens#parameters")
    void listsGoldens(Path golden) throws IOException {
        byte[] bytes = Goldens.read(golden);
        OracleFile listed = OracleListing.list(bytes);
        assertEquals(Goldens.isFile(golden), listed.container() == Container.FILE);
        assertWhole(bytes, listed);
        assertSameAsArrowVector(Goldens.title(golden), bytes, listed);
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.ArrowVectorFiles#cases")
    void listsWhatArrowVectorWrites(ArrowCase each) throws IOException {
        byte[] stream = each.stream();
        OracleFile listed = OracleListing.list(stream);
        assertEquals(Container.STREAM, listed.container());
        assertEquals(each.batchRows(), rows(listed));
        assertWhole(stream, listed);
        assertSameAsArrowVector(each.name(), stream, listed);
        if (each.hasFile()) {
            byte[] file = each.file();
            OracleFile listedFile = OracleListing.list(file);
            assertEquals(Container.FILE, listedFile.container());
            assertEquals(each.batchRows(), rows(listedFile));
            assertWhole(file, listedFile);
            assertSameAsArrowVector(each.name(), file, listedFile);
            assertEquals(listed.messages().size(), listedFile.messages().size());
        }
    }

    private static List<Integer> rows(OracleFile listed) {
        return listed.recordBatches().stream().map(each -> Math.toIntExact(each.rows())).toList();
    }

    /// Message follows message, from the first byte to the last; a footer says the same.
    private static void assertWhole(byte[] bytes, OracleFile listed) {
        long position = listed.container() == Container.FILE ? 8 : 0;
        for (OracleMessage each : listed.messages()) {
            assertEquals(position, each.offset());
            position = each.endOffset();
        }
        assertEquals(position, listed.endOffset());
        position += listed.end().lengthBytes();
        if (listed.container() == Container.STREAM) {
            assertEquals(bytes.length, position);
            assertNull(listed.footer());
            return;
        }
        assertEquals(position, listed.footer().offset());
        assertEquals(bytes.length, position + listed.footer().length() + 10);
        assertEquals(
                listed.recordBatches().stream().map(OracleBlock::of).toList(),
                listed.footer().recordBlocks());
        assertEquals(
                listed.dictionaryBatches().stream().map(OracleBlock::of).toList(),
                listed.footer().dictionaryBlocks());
    }

    private static void assertSameAsArrowVector(String name, byte[] bytes, OracleFile listed)
            throws IOException {
        if (UNREADABLE.contains(name)) {
            assertThrows(RuntimeException.class, () -> ArrowVectorReading.read(bytes));
            return;
        }
        ArrowVectorReading reading = ArrowVectorReading.read(bytes);
        assertEquals(reading.batchRows(), rows(listed));
        assertEquals(readSchema(bytes), Schema.convertSchema(listed.schema()));
        if (listed.container() == Container.FILE) {
            assertEquals(blocks(reading.recordBlocks()), listed.footer().recordBlocks());
            assertEquals(blocks(reading.dictionaryBlocks()), listed.footer().dictionaryBlocks());
            assertEquals(
                    Schema.convertSchema(listed.schema()),
                    Schema.convertSchema(listed.footer().footer().schema()));
        }
    }

    private static List<OracleBlock> blocks(List<ArrowBlock> blocks) {
        return blocks.stream()
                .map(
                        each ->
                                new OracleBlock(
                                        each.getOffset(),
                                        each.getMetadataLength(),
                                        each.getBodyLength()))
                .toList();
    }

    /// The schema of the first message, by arrow-vector's own reading of the framing.
    private static Schema readSchema(byte[] bytes) throws IOException {
        int start = OracleListing.isFile(bytes) ? 8 : 0;
        var in = new ByteArrayInputStream(bytes, start, bytes.length - start);
        return MessageSerializer.deserializeSchema(new ReadChannel(Channels.newChannel(in)));
    }

    // ---- Ways to end, and not to ----

    @Test
    void endsInEachWay() {
        byte[] stream = ArrowVectorFiles.named("bool").stream();
        byte[] legacy = ArrowVectorFiles.named("legacy_framing_v5").stream();
        assertEquals(EndOfStream.CONTINUATION, OracleListing.list(stream).end());
        assertEquals(EndOfStream.LEGACY, OracleListing.list(legacy).end());
        OracleFile cut = OracleListing.list(Arrays.copyOf(stream, stream.length - 8));
        assertEquals(EndOfStream.INPUT, cut.end());
        assertEquals(OracleListing.list(stream).messages(), cut.messages());
        OracleFile empty = OracleListing.list(new byte[0]);
        assertEquals(List.of(), empty.messages());
        assertEquals(EndOfStream.INPUT, empty.end());
    }

    @Test
    void tellsBothPrefixes() {
        assertTrue(
                listed("legacy_framing_v4").messages().stream()
                        .allMatch(each -> each.prefixLength() == 4 && each.version().equals("V4")));
        assertTrue(
                listed("version_v4").messages().stream()
                        .allMatch(each -> each.prefixLength() == 8 && each.version().equals("V4")));
    }

    @Test
    void tellsDictionaries() {
        OracleFile replaced = listed("dictionary_replaced");
        assertEquals(3, replaced.dictionaryBatches().size());
        for (OracleMessage each : replaced.dictionaryBatches()) {
            assertEquals(1L, each.dictionaryId());
            assertEquals(5L, each.rows());
            assertFalse(each.delta());
        }
        assertNull(replaced.messages().getFirst().rows());
        assertNull(replaced.recordBatches().getFirst().dictionaryId());
    }

    private static OracleFile listed(String name) {
        return OracleListing.list(ArrowVectorFiles.named(name).stream());
    }

    @ParameterizedTest
    @ValueSource(ints = {-2, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void refusesSizes(int size) {
        byte[] stream = ArrowVectorFiles.named("bool").stream();
        ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN).putInt(4, size);
        assertThrows(MalformedException.class, () -> OracleListing.list(stream));
    }

    @Test
    void refusesCutInput() {
        byte[] file = ArrowVectorFiles.named("bool").file();
        byte[] stream = ArrowVectorFiles.named("bool").stream();
        for (int length : new int[] {1, 7, 100, stream.length - 9, stream.length - 1}) {
            byte[] cut = Arrays.copyOf(stream, length);
            assertThrows(MalformedException.class, () -> OracleListing.list(cut));
        }
        for (int length : new int[] {6, 8, 100, file.length - 1}) {
            byte[] cut = Arrays.copyOf(file, length);
            assertThrows(MalformedException.class, () -> OracleListing.list(cut));
        }
    }
}
