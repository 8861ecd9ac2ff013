// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.convert.Converted;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// What salvage reports of damaged dictionary batches, of a file whose footer is lost.
class SalvageDictionariesTest {
    private static final Path FILE =
            Path.of("src/test/resources/corpus/file/blocks-reversed-dictionaries.arrow");
    private static final ValueLayout.OfLong ID =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int SCHEMA = 0;
    private static final int DEFINITION = 1;
    private static final int DELTA = 2;
    private static final int BATCH = 3;

    private final byte[] file = bytes();
    private final List<OracleMessage> messages = OracleListing.list(file).messages();

    private static byte[] bytes() {
        try {
            return Files.readAllBytes(FILE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The definition is left out, so the dictionary is missing, and its delta means nothing.
    @ParameterizedTest
    @ValueSource(bytes = {0, 6, 99})
    void aDictionaryBatchOfAnUnknownKindIsMissing(byte kind) throws IOException {
        byte[] damaged = message(DEFINITION);
        MemorySegment metadata = metadata(damaged);
        Message message = new Message().wrap(metadata);
        damaged[prefix() + (int) message.position(Message.HEADER_TYPE_SLOT)] = kind;

        Converted salvaged =
                Converted.of(
                        file(damaged, message(DELTA), message(BATCH)), ArrowContainer.FILE, true);
        List<String> texts = salvaged.report().leftOut().stream().map(each -> each.text()).toList();
        String missing = "dictionaries are missing, so their columns have no values: ids=[5]";
        assertTrue(texts.contains(missing), texts.toString());
        String delta = "delta precedes its dictionary";
        assertTrue(texts.stream().anyMatch(each -> each.contains(delta)), texts.toString());
        assertEquals(1, salvaged.report().batches());
    }

    /// Deltas are compared with damage behind their dictionary, but not with each batch that
    /// defines another dictionary again.
    @Test
    @Timeout(30)
    void workIsProportionalToBatchesOfDictionaries() throws IOException {
        int count = 30_000;
        byte[][] all = new byte[2 * count + 3][];
        Arrays.fill(all, 1, count + 1, message(DELTA));
        all[0] = message(DEFINITION);
        for (int i = 0; i <= count; i++) {
            all[count + 1 + i] = other(i);
        }
        all[all.length - 1] = message(BATCH);
        Converted salvaged = Converted.of(file(all), ArrowContainer.FILE, true);
        assertEquals(1, salvaged.report().batches());
        // Those that define it again, and that no field has it.
        assertTrue(salvaged.report().leftOutCount() > count, salvaged.report().toString());
    }

    /// A batch of another dictionary, with a number in its first value.
    private byte[] other(int number) {
        byte[] batch = message(DEFINITION);
        Message message = new Message().wrap(metadata(batch));
        DictionaryBatch dictionary = new DictionaryBatch();
        message.header(dictionary);
        long position = prefix() + dictionary.position(DictionaryBatch.ID_SLOT);
        MemorySegment.ofArray(batch).set(ID, position, 6);
        MemorySegment.ofArray(batch).set(ID, batch.length - Long.BYTES, number);
        return batch;
    }

    private byte[] file(byte[]... behindSchema) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(file, 0, (int) messages.getFirst().offset());
        out.write(message(SCHEMA));
        for (byte[] each : behindSchema) {
            out.write(each);
        }
        return out.toByteArray();
    }

    private byte[] message(int index) {
        OracleMessage message = messages.get(index);
        int from = (int) message.offset();
        long length = message.prefixLength() + message.metadataLength() + message.bodyLength();
        return Arrays.copyOfRange(file, from, from + (int) length);
    }

    private int prefix() {
        return messages.getFirst().prefixLength();
    }

    private MemorySegment metadata(byte[] message) {
        long length = messages.get(DEFINITION).metadataLength();
        return MemorySegment.ofArray(message).asSlice(prefix(), length);
    }
}
