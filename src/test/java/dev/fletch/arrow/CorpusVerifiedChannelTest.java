// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.FletchException;
import dev.fletch.FrameRule;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.corpus.Corpus;
import dev.fletch.corpus.CorpusCase;
import dev.fletch.corpus.CorpusCase.Container;
import dev.fletch.format.Block;
import dev.fletch.format.Field;
import dev.fletch.format.Footer;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.testdata.ArrowBytes;
import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// [VerifiedChannel] hands on no byte of an invalid message, and all bytes of a sound stream.
class CorpusVerifiedChannelTest {
    private static final ReadOptions OPTIONS =
            ReadOptions.UNTRUSTED.withLimits(Limits.DEFAULT).withDecompressedBytes(64 << 20);

    /// What no reader of a stream can know: what follows its end marker, or whether the end of a
    /// body is a message of its own.
    private static final Set<Rule> BEHIND =
            Set.of(
                    FrameRule.END_BETWEEN_MESSAGES,
                    FrameRule.MESSAGE_OVERLAP,
                    FileRule.STREAM_FOLLOWS,
                    FileRule.BYTES_BEHIND_END);

    @TempDir private Path folder;

    private static List<Fault> faults(byte[] bytes) {
        return ArrowBytes.faults(bytes, OPTIONS);
    }

    @Test
    void noByteOfAnInvalidMessageIsHandedOnAndAllOfASoundStream() throws IOException {
        Map<String, String> wrong = new TreeMap<>();
        int refused = 0;
        int compared = 0;
        for (CorpusCase each : Corpus.cases()) {
            if (each.container() == Container.STREAM) {
                compared++;
                refused += check(each.file(), each.broken(), wrong) ? 1 : 0;
                check(each.soundFile(), each.sound(), wrong);
            }
        }
        CaseCount.report(
                "Verified channel: %d streams of the corpus, %d refused", compared, refused);
        assertEquals(Map.of(), wrong);
        assertTrue(refused > 400, "" + refused);
    }

    /// @return whether the channel refuses the stream
    private static boolean check(String file, byte[] bytes, Map<String, String> wrong)
            throws IOException {
        List<Fault> faults = faults(bytes);
        VerifiedChannelTest.Handed found = VerifiedChannelTest.handed(bytes, OPTIONS);
        int length = found.bytes().length;
        assertArrayEquals(Arrays.copyOf(bytes, length), found.bytes(), file);
        List<Rule> refused =
                faults.stream().map(Fault::rule).filter(OPTIONS::refuses).distinct().toList();
        FletchException fault = found.fault();
        if (fault != null) {
            int message = fault.fault().message();
            boolean isPart =
                    message != Fault.NO_MESSAGE
                            && length > VerifiedChannelTest.boundaries(bytes).get(message);
            // Streams of tensors, and two streams without a marker between them, are no stream.
            boolean isSound =
                    refused.isEmpty()
                            && fault.rule() != FileRule.NO_LEADING_SCHEMA
                            && fault.rule() != MeaningRule.HEADER_KIND;
            if (isPart || isSound) {
                wrong.put(file, isPart + ", a part is handed on: " + fault.getMessage());
            }
        } else if (!BEHIND.containsAll(refused)) {
            wrong.put(file, "is handed on: " + faults);
        } else if (length < bytes.length
                && faults.stream().noneMatch(each -> BEHIND.contains(each.rule()))) {
            wrong.put(file, "ends at " + length + " of " + bytes.length);
        }
        return fault != null;
    }

    @Test
    void invalidFilesAreRefusedAndSoundOnesCopied() throws IOException {
        Map<String, String> wrong = new TreeMap<>();
        for (CorpusCase each : Corpus.cases()) {
            if (each.container() != Container.FILE) {
                continue;
            }
            List<Fault> faults = faults(each.broken());
            boolean isSound = faults.stream().noneMatch(f -> OPTIONS.refuses(f.rule()));
            Path path = Files.write(folder.resolve("file"), each.broken());
            try (SeekableByteChannel channel = VerifiedChannel.open(path, OPTIONS)) {
                ByteBuffer all = ByteBuffer.allocate(each.broken().length);
                while (all.hasRemaining() && channel.read(all) >= 0) {}
                assertArrayEquals(each.broken(), all.array());
                if (!isSound) {
                    wrong.put(each.file(), "is opened");
                }
            } catch (FletchException e) {
                if (isSound) {
                    wrong.put(each.file(), e.getMessage());
                }
            }
        }
        assertEquals(Map.of(), wrong);
    }

    /// Readers of files do not need the schema message. A block that leads to what is no message is
    /// an error, even if the schema message is damaged, too.
    @Test
    void aDamagedSchemaMessageHidesNoDamagedMessage() {
        Map<String, String> wrong = new TreeMap<>();
        int damaged = 0;
        for (CorpusCase each : Corpus.cases()) {
            int nameAt = each.container() == Container.FILE ? nameAt(each.sound()) : -1;
            if (nameAt < 0 || isRefused(each.sound())) {
                continue;
            }
            ByteBuffer sound = ByteBuffer.wrap(each.sound()).order(ByteOrder.LITTLE_ENDIAN);
            for (int prefixAt : messagesOfBatches(each.sound())) {
                int tableAt = prefixAt + Long.BYTES + sound.getInt(prefixAt + Long.BYTES);
                for (int changes = 0; changes < 4; changes++) {
                    byte[] bytes = each.sound().clone();
                    ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
                    words.putInt(prefixAt + Integer.BYTES, 0); // an end-of-stream marker
                    words.putInt(nameAt, changes % 2 == 0 ? sound.getInt(nameAt) : 0);
                    words.putInt(tableAt, changes < 2 ? sound.getInt(tableAt) : 0); // no vtable
                    damaged++;
                    if (!isRefused(bytes)) {
                        wrong.put(each.file() + " " + prefixAt, "changes=" + changes);
                    }
                }
            }
        }
        assertEquals(Map.of(), wrong);
        assertTrue(damaged > 1_000, "" + damaged);
    }

    /// It is not checked, as no block leads to it.
    @Test
    void aBatchInPlaceOfTheSchemaMessageMayHaveAnyVersion() {
        int read = 0;
        for (CorpusCase each : Corpus.cases()) {
            if (each.rule() != FileRule.NO_SCHEMA_MESSAGE) {
                continue;
            }
            String found = faults(each.broken()).toString();
            if (!found.contains("found=")) {
                continue; // a block leads to the first message
            }
            byte[] bytes = each.broken().clone();
            Message first = new Message();
            new EncapsulatedMessage().wrap(MemorySegment.ofArray(bytes), Long.BYTES, first);
            if (first.isPresent(Message.VERSION_SLOT)) {
                first.setVersion(MetadataVersion.V1);
                assertEquals(found, faults(bytes).toString());
                read++;
            }
        }
        assertTrue(read > 1);
    }

    private static boolean isRefused(byte[] bytes) {
        return faults(bytes).stream().anyMatch(f -> OPTIONS.refuses(f.rule()));
    }

    /// Offset of the reference to the first column's name in the schema message of a file; -1 if
    /// there is none.
    private static int nameAt(byte[] file) {
        MemorySegment memory = MemorySegment.ofArray(file);
        Message message = new Message();
        Schema schema = new Schema();
        Field column = new Field();
        try {
            boolean isSchema =
                    new EncapsulatedMessage().wrap(memory, Long.BYTES, message) == FrameKind.MESSAGE
                            && message.header(schema)
                            && schema.fieldsCount() > 0
                            && schema.fields(0, column).isPresent(Field.NAME_SLOT);
            return isSchema ? (int) column.position(Field.NAME_SLOT) : -1;
        } catch (FletchException _) {
            return -1; // no schema message, or one without prefix
        }
    }

    /// Offsets of the messages with continuation words that the blocks of record batches lead to.
    private static List<Integer> messagesOfBatches(byte[] file) {
        List<Integer> offsets = new ArrayList<>();
        Footer footer = ArrowFile.of(MemorySegment.ofArray(file)).footer();
        Block block = new Block();
        for (int i = 0; i < footer.recordBatchesCount(); i++) {
            int at = (int) footer.recordBatches(i, block).offset();
            if (ByteBuffer.wrap(file).getInt(at) == -1) {
                offsets.add(at);
            }
        }
        return offsets;
    }
}
