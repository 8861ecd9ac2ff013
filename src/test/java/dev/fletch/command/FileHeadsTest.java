// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.convert.Converted;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.convert.internal.Conversion;
import dev.fletch.format.Message;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.internal.FileHead;
import dev.fletch.ipc.internal.FileTail;
import dev.fletch.remote.CountingSource;
import dev.fletch.remote.SameFile;
import dev.fletch.remote.internal.RangeOptions;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.AssembledFile;
import dev.fletch.testdata.AssembledFile.WrongBlocks;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.RangeServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Files whose first message is at any offset: after the magic alone (arrow-swift), at 8 (usual),
/// at 64 (arrow-rs) or at another multiple of 8. Everything is found there, whole and damaged.
class FileHeadsTest {
    private static final int[] HEADS = {6, 8, 16, 24, 32, 40, 48, 56, 64};

    /// Messages of arrow-java, with what other writers do to them.
    private enum Writer {
        WITHOUT_DICTIONARY("texts"),
        WITH_DICTIONARY("dictionary_int8"),
        /// Prefixes of 4 bytes.
        LEGACY("legacy_framing_v5"),
        /// The schema message has no prefix, as in files of polars' streaming sink.
        BARE_SCHEMA("dictionary_int8"),
        /// As in files of arrow-js.
        WITHOUT_SCHEMA("dictionary_int8");

        private final byte[] sound;

        Writer(String name) {
            sound = ArrowVectorFiles.named(name).stream();
        }

        boolean hasFramedSchema() {
            return this != BARE_SCHEMA && this != WITHOUT_SCHEMA;
        }

        AssembledFile file(int head) {
            AssembledFile file = new AssembledFile(head, sound);
            List<OracleMessage> messages = OracleListing.list(sound).messages();
            OracleMessage schema = messages.getFirst();
            if (this == BARE_SCHEMA) {
                int at = (int) schema.metadataOffset();
                file.addBytes(Arrays.copyOfRange(sound, at, at + schema.metadataLength()));
            } else if (this != WITHOUT_SCHEMA) {
                file.add(sound, schema);
            }
            messages.stream().skip(1).forEach(each -> file.add(sound, each));
            return file;
        }
    }

    @TempDir Path folder;

    // ---- salvage

    /// The rows of the table, each for every head and writer.
    private enum Damage {
        WHOLE,
        WITHOUT_FOOTER,
        BLOCKS_ZERO,
        BLOCKS_SHIFTED,
        BLOCKS_WITH_SWAPPED_LENGTHS,
        BLOCKS_RANDOM,
        PADDING_NOT_ZERO;

        byte[] of(AssembledFile file, int head, SplittableRandom random) {
            return switch (this) {
                case WHOLE -> file.file();
                case WITHOUT_FOOTER -> file.withoutFooter();
                case BLOCKS_ZERO -> file.wrong(WrongBlocks.ZERO, random).file();
                case BLOCKS_SHIFTED -> file.wrong(WrongBlocks.SHIFTED, random).file();
                case BLOCKS_WITH_SWAPPED_LENGTHS ->
                        file.wrong(WrongBlocks.SWAPPED_LENGTHS, random).file();
                case BLOCKS_RANDOM -> file.wrong(WrongBlocks.RANDOM, random).file();
                case PADDING_NOT_ZERO -> {
                    byte[] bytes = file.file();
                    Arrays.fill(bytes, 6, head, (byte) 0x20);
                    yield bytes;
                }
            };
        }
    }

    @Test
    void salvageSavesEveryWholeBatchBehindEveryHead() {
        Map<Damage, Integer> inputs = new TreeMap<>();
        for (int head : heads()) {
            for (Writer writer : Writer.values()) {
                List<String> all = Converted.contents(writer.sound);
                for (Damage damage : Damage.values()) {
                    byte[] input =
                            damage.of(writer.file(head), head, new SplittableRandom(head + 1L));
                    String title = head + " " + writer + " " + damage;
                    if (writer == Writer.WITHOUT_SCHEMA && damage == Damage.WITHOUT_FOOTER) {
                        assertThrows(FletchException.class, () -> salvaged(input), title);
                        continue;
                    }
                    Converted saved = salvaged(input);
                    assertEquals(all, saved.contents(), title);
                    assertEquals(
                            ArrowVectorReading.read(writer.sound).values(),
                            ArrowVectorReading.read(saved.bytes()).values(),
                            title);
                    inputs.merge(damage, 1, Integer::sum);
                }
            }
        }
        System.out.printf("Heads: %d, all batches saved: %s%n", heads().length, inputs);
    }

    /// Those of the issue, and more lengths up to the limit.
    private static int[] heads() {
        IntStream more =
                IntStream.iterate(72, each -> each <= FileHead.MAX_BYTES, each -> each + 8)
                        .filter(each -> CaseCount.isFull() || each % 4_000 < 16);
        IntStream last = IntStream.of(FileHead.MAX_BYTES);
        return IntStream.concat(IntStream.of(HEADS), IntStream.concat(more, last))
                .distinct()
                .toArray();
    }

    private static Converted salvaged(byte[] input) {
        return Converted.of(input, ArrowContainer.FILE, true);
    }

    @Test
    void everyTruncationKeepsTheCompleteMessages() {
        int cuts = 0;
        int saved = 0;
        for (int head : HEADS) {
            for (Writer writer : Writer.values()) {
                if (writer.hasFramedSchema()) {
                    byte[] whole = writer.file(head).file();
                    // Offsets of the same messages behind another head.
                    List<OracleMessage> messages = OracleListing.list(writer.sound).messages();
                    for (int length = 0; length < whole.length; length += CaseCount.of(53, 3)) {
                        saved += cut(Arrays.copyOf(whole, length), head, writer.sound, messages);
                        cuts++;
                    }
                }
            }
        }
        System.out.printf("Heads: %d cuts, %d batches and dictionaries saved%n", cuts, saved);
    }

    private static int cut(byte[] cut, int head, byte[] sound, List<OracleMessage> messages) {
        int length = cut.length - head;
        if (length < messages.getFirst().endOffset()) {
            assertThrows(FletchException.class, () -> salvaged(cut), head + ", " + cut.length);
            return 0;
        }
        List<String> complete =
                messages.stream()
                        .filter(each -> !each.isSchema() && each.endOffset() <= length)
                        .map(each -> Converted.content(sound, each))
                        .toList();
        assertEquals(complete, salvaged(cut).contents(), head + ", " + cut.length);
        return complete.size();
    }

    // ---- whole files: the library

    @ParameterizedTest
    @EnumSource
    void libraryFindsTheFirstMessage(Writer writer) throws IOException {
        int files = 0;
        for (int head : heads()) {
            byte[] bytes = writer.file(head).file();
            ArrowFile file = ArrowFile.of(MemorySegment.ofArray(bytes));
            boolean isFramed = writer.hasFramedSchema();
            int batches = Converted.contents(writer.sound).size();
            assertEquals(batches + (isFramed ? 1 : 0), file.messageCount(), "head=" + head);
            EncapsulatedMessage frame = new EncapsulatedMessage();
            Message message = new Message();
            file.message(0, frame, message);
            assertEquals(
                    isFramed ? MessageHeader.SCHEMA : MessageHeader.DICTIONARY_BATCH,
                    message.headerType());
            if (isFramed) {
                assertEquals(head, frame.offset());
            }
            SameFile.check(bytes, new CountingSource(bytes), RangeOptions.DEFAULT);
            files++;
        }
        System.out.printf("Heads: %d files of %s opened by the library%n", files, writer);
    }

    // ---- whole files: the commands

    @ParameterizedTest
    @EnumSource
    void commandsShowTheSameBehindEveryHead(Writer writer) throws IOException {
        byte[] usual = writer.file(FileHead.USUAL_BYTES).file();
        int runs = 0;
        try (RangeServer server = new RangeServer(folder)) {
            for (int head : HEADS) {
                byte[] bytes = writer.file(head).file();
                for (String command : List.of("ls", "count", "columns", "map")) {
                    Object expected = shown(json(command, usual), FileHead.USUAL_BYTES);
                    assertEquals(expected, shown(json(command, bytes), head), command + " " + head);
                    runs++;
                }
                assertVerified(bytes, head, writer);
                assertAnnotated(bytes, head, writer);
                if (CaseCount.isFull() || head == 6 || head == 64) {
                    assertLinkIsLikeFile(bytes, server);
                }
            }
        }
        System.out.printf("Heads: %d outputs of commands compared for %s%n", runs, writer);
    }

    /// Without footer, `verify` finds the messages that other commands show.
    @Test
    void verifyKnowsASchemaMessageWithoutPrefixIfTheFooterIsLost() throws IOException {
        for (int head : HEADS) {
            byte[] bytes = Writer.BARE_SCHEMA.file(head).withoutFooter();
            Path file = Files.write(folder.resolve("of.arrow"), bytes);
            String[] arguments = {"verify", "--values", "--json", file.toString()};
            Map<String, Object> verdict =
                    JsonTree.object(Cli.runAlone(arguments).json().getFirst());
            Set<Object> codes = new HashSet<>();
            for (Object each : JsonTree.array(verdict.get("faults"))) {
                codes.add(JsonTree.object(each).get("code"));
            }
            assertTrue(codes.contains("unframed-schema"), codes.toString());
            codes.removeAll(Set.of("unframed-schema", "head-length"));
            assertTrue(
                    Set.of("no-trailing-magic", "metadata-unaligned").containsAll(codes),
                    head + " " + codes);
            assertEquals(0L, verdict.get("uncheckedFields"));
            Run listed = Cli.runAlone("ls", "--json", file.toString());
            Map<String, Object> list = JsonTree.object(listed.json().getFirst());
            long messages = JsonTree.array(list.get("messages")).size();
            assertEquals(messages, verdict.get("messages"), "head=" + head);
        }
    }

    /// Neither where the end of the file leads to it, nor where the messages end.
    @Test
    void footerOverTheLimitIsNotUsed() throws IOException {
        byte[] bytes = Writer.WITHOUT_SCHEMA.file(FileHead.USUAL_BYTES).file();
        int footer = ArrowFile.of(MemorySegment.ofArray(bytes)).footerLength();
        for (boolean isEndDamaged : new boolean[] {false, true}) {
            bytes[bytes.length - 1] ^= (byte) (isEndDamaged ? 1 : 0);
            assertEquals("converted", converted(bytes, footer + FileTail.BYTES));
            String refused = converted(bytes, footer - 1);
            assertTrue(refused.contains("no schema found"), refused);
        }
    }

    private static String converted(byte[] input, long metadataBytes) throws IOException {
        Limits limits = Limits.DEFAULT.withMetadataBytes(metadataBytes);
        ConvertOptions options =
                ConvertOptions.DEFAULT
                        .withTarget(ArrowContainer.STREAM)
                        .withReading(ReadOptions.DEFAULT.withLimits(limits));
        try (Input opened = Conversion.open(InputBytes.of(MemorySegment.ofArray(input)), options)) {
            new Conversion(opened, options).find();
            return "converted";
        } catch (FletchException e) {
            return e.getMessage();
        }
    }

    private Map<String, Object> json(String command, byte[] bytes) throws IOException {
        Path file = Files.write(folder.resolve("of.arrow"), bytes);
        Run run = Cli.runAlone(command, "--json", file.toString());
        assertEquals(0, run.status(), run.err());
        assertEquals("", run.err());
        return JsonTree.object(run.json().getFirst());
    }

    /// What does not depend on the head, with offsets from the first message.
    private static Object shown(Object value, int head) {
        if (value instanceof List<?> list) {
            return list.stream().map(each -> shown(each, head)).toList();
        }
        if (!(value instanceof Map<?, ?>)) {
            return value;
        }
        Map<String, Object> shown = new TreeMap<>();
        JsonTree.object(value)
                .forEach(
                        (key, of) -> {
                            boolean isOffset = key.equals("offset") && of instanceof Long;
                            shown.put(
                                    key, isOffset ? (Object) ((long) of - head) : shown(of, head));
                        });
        List.of("size", "share", "footer", "totals").forEach(shown::remove);
        return shown;
    }

    private void assertVerified(byte[] bytes, int head, Writer writer) throws IOException {
        Map<String, Object> verdict = json("verify", bytes);
        long batches = OracleListing.list(writer.sound).recordBatches().size();
        assertEquals(batches, verdict.get("recordBatches"));
        List<Object> codes = new ArrayList<>();
        for (Object each : JsonTree.array(verdict.get("faults"))) {
            Map<String, Object> fault = JsonTree.object(each);
            if (fault.get("code").equals("head-length")) {
                assertEquals((long) head, fault.get("offset"));
                assertEquals("note", fault.get("severity"));
            }
            codes.add(fault.get("code"));
        }
        List<String> expected = new ArrayList<>();
        if (head != FileHead.USUAL_BYTES) {
            expected.add("head-length");
        }
        if (writer == Writer.BARE_SCHEMA) {
            expected.add("unframed-schema");
        }
        if (writer == Writer.WITHOUT_SCHEMA) {
            expected.add("no-schema-message");
        }
        codes.removeIf(code -> code.equals("metadata-unaligned") || code.equals("block-unaligned"));
        assertEquals(expected, codes, head + " " + writer);
    }

    private void assertAnnotated(byte[] bytes, int head, Writer writer) throws IOException {
        List<Object> regions = JsonTree.array(json("annotate", bytes).get("regions"));
        long at = 0;
        long schemaAt = -1;
        for (Object each : regions) {
            Map<String, Object> region = JsonTree.object(each);
            assertEquals(at, region.get("offset"));
            at += (long) region.get("length");
            if (region.get("part") instanceof String part && part.startsWith("message 0: Schema")) {
                schemaAt = (long) region.get("offset");
            }
        }
        assertEquals(bytes.length, at);
        assertEquals(writer.hasFramedSchema() ? head : -1, schemaAt, head + " " + writer);
    }

    private void assertLinkIsLikeFile(byte[] bytes, RangeServer server) throws IOException {
        String file = Files.write(folder.resolve("linked.arrow"), bytes).toString();
        String link = server.link("linked.arrow");
        for (String command : List.of("ls", "count", "columns", "map", "annotate", "verify")) {
            for (String option : List.of("--json", "")) {
                String[] of = {command, option, file};
                String[] linked = {command, option, link};
                Run local = Cli.runAlone(withoutEmpty(of));
                Run remote = Cli.runAlone(withoutEmpty(linked));
                assertEquals(0, local.status(), local.err());
                assertEquals(local.out().replace(file, ""), remote.out().replace(link, ""));
                assertEquals(local.err(), remote.err());
                assertEquals(local.status(), remote.status());
                assertTrue(!local.out().isEmpty());
            }
        }
    }

    private static String[] withoutEmpty(String... arguments) {
        return Stream.of(arguments).filter(each -> !each.isEmpty()).toArray(String[]::new);
    }
}
