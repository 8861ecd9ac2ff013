// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.FletchException;
import dev.fletch.FrameRule;
import dev.fletch.Limits;
import dev.fletch.Rule;
import dev.fletch.Rule.Severity;
import dev.fletch.arrow.Arrow;
import dev.fletch.arrow.VerifiedChannel;
import dev.fletch.corpus.CorpusCase.Container;
import dev.fletch.format.Message;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// [VerifiedChannel] hands on no byte of an invalid message, and all bytes of a sound stream.
class CorpusVerifiedChannelTest {
    private static final ReadOptions OPTIONS =
            ReadOptions.UNTRUSTED
                    .withLimits(Limits.DEFAULT)
                    .withDecompressedBytes(AllValuesOf.MOST_BYTES);

    /// What no reader of a stream can know: what follows its end marker, or whether the end of a body
    /// is a message of its own.
    private static final Set<Rule> BEHIND =
            Set.of(
                    FrameRule.END_BETWEEN_MESSAGES,
                    FrameRule.MESSAGE_OVERLAP,
                    FileRule.STREAM_FOLLOWS,
                    FileRule.BYTES_BEHIND_END);

    @TempDir private Path folder;

    private static List<Fault> faults(byte[] bytes) {
        List<Fault> faults = new ArrayList<>();
        Arrow.verify(MemorySegment.ofArray(bytes), OPTIONS, faults::add);
        return faults;
    }

    /// @return the bytes, and the fault that ends them or null
    private static Map.Entry<byte[], FletchException> handedOn(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteBuffer piece = ByteBuffer.allocate(1_000);
        var source = Channels.newChannel(new ByteArrayInputStream(bytes));
        FletchException fault = null;
        try (VerifiedChannel channel = VerifiedChannel.of(source, OPTIONS)) {
            while (channel.read(piece.clear()) >= 0) {
                out.write(piece.array(), 0, piece.position());
            }
        } catch (FletchException e) {
            fault = e;
        }
        return new SimpleEntry<>(out.toByteArray(), fault);
    }

    /// Offset of the message whose number is given.
    private static long offsetOf(byte[] stream, int message) {
        EncapsulatedMessage frame = new EncapsulatedMessage();
        long at = 0;
        for (int i = 0; i < message; i++) {
            frame.wrap(MemorySegment.ofArray(stream), at, new Message());
            at = frame.nextOffset();
        }
        return at;
    }

    @Test
    void noByteOfAnInvalidMessageIsHandedOn() throws IOException {
        Map<String, String> wrong = new TreeMap<>();
        Set<String> sound = new TreeSet<>();
        int refused = 0;
        int compared = 0;
        for (CorpusCase each : Corpus.cases()) {
            if (each.container() != Container.STREAM) {
                continue;
            }
            compared++;
            byte[] bytes = each.broken();
            List<Fault> faults = faults(bytes);
            var found = handedOn(bytes);
            int length = found.getKey().length;
            assertArrayEquals(Arrays.copyOf(bytes, length), found.getKey(), each.file());
            boolean isInvalid =
                    faults.stream()
                            .map(Fault::rule)
                            .anyMatch(rule -> OPTIONS.refuses(rule) && !BEHIND.contains(rule));
            FletchException fault = found.getValue();
            if (fault == null) {
                if (isInvalid) {
                    wrong.put(each.file(), "is handed on: " + faults);
                } else if (length < bytes.length
                        && faults.stream().noneMatch(f -> BEHIND.contains(f.rule()))) {
                    wrong.put(each.file(), "ends at " + length + " of " + bytes.length);
                } else {
                    faults.stream()
                            .filter(f -> f.rule().severity() == Severity.DEVIATION)
                            .forEach(f -> sound.add(f.rule().id()));
                }
                continue;
            }
            refused++;
            int message = fault.fault().message();
            if (message != Fault.NO_MESSAGE && length > offsetOf(bytes, message)) {
                wrong.put(each.file(), "a part is handed on: " + fault.getMessage());
            }
        }
        CaseCount.report(
                "Verified channel: %d streams of the corpus, %d refused; sound: %s",
                compared, refused, sound);
        assertEquals(Map.of(), wrong);
        assertTrue(refused > 400, "" + refused);
    }

    @Test
    void soundTwinsAreHandedOnCompletely() throws IOException {
        for (CorpusCase each : Corpus.cases()) {
            byte[] bytes = each.sound();
            List<Fault> faults = faults(bytes);
            boolean isSound = faults.stream().noneMatch(f -> OPTIONS.refuses(f.rule()));
            if (each.container() == Container.STREAM && isSound) {
                var found = handedOn(bytes);
                boolean isLonger = faults.stream().anyMatch(f -> BEHIND.contains(f.rule()));
                if (found.getValue() != null
                        && found.getValue().rule() == FileRule.NO_LEADING_SCHEMA) {
                    continue; // tensors, which are no batches
                }
                int length = isLonger ? found.getKey().length : bytes.length;
                assertArrayEquals(
                        Arrays.copyOf(bytes, length), found.getKey(), () -> each.file() + found);
            }
        }
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
}
