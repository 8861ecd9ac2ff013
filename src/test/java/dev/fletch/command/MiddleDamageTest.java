// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import dev.fletch.command.Cli.Run;
import dev.fletch.command.convert.Converted;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.convert.internal.Conversion;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.AssembledFile;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.TradesSample;
import dev.fletch.verify.internal.InputCheck;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/// Streams, and files without a footer, with damage in the middle: every command steps over it,
/// shows the same complete messages, names the damage, and exits with status 1.
@Timeout(600)
class MiddleDamageTest {
    private static final List<String> COMMANDS = List.of("ls", "count", "columns", "map", "verify");
    private static final Pattern OFFSET = Pattern.compile("offset\"?[ :=](\\d+)");
    private static final Pattern STATED_LENGTHS =
            Pattern.compile("code=(validity|offsets|sizes|type-ids|views|data)-size\\b");
    private static final int WRONG_PREFIXES = CaseCount.of(2, 5);
    private static final List<String> SAMPLES =
            List.of("dictionary_int16", "dictionaries", "several_batches", "legacy_framing_v5");

    @TempDir Path folder;

    /// Sound bytes whose messages are `head` bytes further than in the stream.
    private record Sample(byte[] stream, byte[] bytes, int head) {
        static List<Sample> of(byte[] stream) {
            byte[] file = AssembledFile.of(8, stream).withoutFooter();
            return List.of(new Sample(stream, stream, 0), new Sample(stream, file, 8));
        }

        List<OracleMessage> messages() {
            return OracleListing.list(stream).messages();
        }

        boolean isFile() {
            return head > 0;
        }
    }

    /// What the commands and `convert --salvage` show of one input, from a file.
    private static final class Shown {
        final Map<String, Run> runs = new HashMap<>();
        final Map<String, Map<String, Object>> json = new HashMap<>();
        byte[] saved;

        Object of(String command, String key) {
            return json.get(command).get(key);
        }

        /// The offsets of the messages that `ls` lists.
        List<Long> offsets() {
            return ofMessages("offset");
        }

        /// The indices of the messages that `ls` lists.
        List<Long> indices() {
            return ofMessages("index");
        }

        private List<Long> ofMessages(String key) {
            List<Object> messages = JsonTree.array(of("ls", "messages"));
            return messages == null
                    ? List.of()
                    : messages.stream().map(each -> (Long) JsonTree.object(each).get(key)).toList();
        }

        /// Sum of the rows of the record batches that `map` shows.
        Long rowsOfMap() {
            long rows = 0;
            for (Object each : JsonTree.array(of("map", "batches"))) {
                Map<String, Object> batch = JsonTree.object(each);
                rows += batch.containsKey("dictionaryId") ? 0 : (long) batch.get("rows");
            }
            return rows;
        }
    }

    private Shown shown(byte[] bytes) throws IOException {
        Shown shown = new Shown();
        Path file = Files.write(folder.resolve("in"), bytes);
        Path out = folder.resolve("out");
        Files.deleteIfExists(out);
        for (String each : COMMANDS) {
            shown.runs.put(each, Cli.runAlone(each, "--json", file.toString()));
        }
        shown.runs.put(
                "convert",
                Cli.runAlone("convert", "--salvage", "--json", file.toString(), out.toString()));
        shown.runs.forEach(
                (command, run) -> shown.json.put(command, JsonTree.object(run.json().getFirst())));
        shown.saved = Files.exists(out) ? Files.readAllBytes(out) : null;
        return shown;
    }

    // ---- prefixes

    /// Writes zeros, 0xFF or random bytes over a prefix.
    private static byte[] withPrefix(byte[] sound, int at, int length, int how) {
        byte[] damaged = sound.clone();
        byte[] prefix = new byte[length];
        if (how == 1) {
            Arrays.fill(prefix, (byte) 0xFF);
        } else if (how > 1) {
            new SplittableRandom(at + 31L * how).nextBytes(prefix);
        }
        System.arraycopy(prefix, 0, damaged, at, length);
        return damaged;
    }

    @Test
    void aLostPrefixCostsOneMessageInEveryCommand() throws IOException {
        int inputs = 0;
        List<byte[]> streams = new ArrayList<>(List.of(TradesSample.stream()));
        for (String each : SAMPLES) {
            streams.add(ArrowVectorFiles.named(each).stream());
        }
        for (byte[] stream : streams) {
            for (Sample sample : Sample.of(stream)) {
                List<OracleMessage> messages = sample.messages();
                for (OracleMessage each : messages.subList(1, messages.size())) {
                    for (int how = 0; how < WRONG_PREFIXES; how++) {
                        if (how > 0 || each.index() < messages.size() - 1) {
                            assertCostsOnly(each, sample, how);
                            inputs++;
                        } // else zeros are an end-of-stream marker, and nothing follows
                    }
                }
            }
        }
        System.out.printf(
                "Damage in the middle: %d lost prefixes, each costs one message%n", inputs);
    }

    private void assertCostsOnly(OracleMessage lost, Sample sample, int how) throws IOException {
        int at = sample.head + (int) lost.offset();
        byte[] damaged = withPrefix(sample.bytes, at, lost.prefixLength(), how);
        String title = lost + " " + how + " " + sample.head;
        Shown shown = shown(damaged);
        List<Long> offsets = new ArrayList<>();
        long rows = 0;
        long batches = 0;
        for (OracleMessage each : sample.messages()) {
            if (each.index() != lost.index()) {
                offsets.add(sample.head + each.offset());
                rows += each.isRecordBatch() ? each.rows() : 0;
                batches += each.isRecordBatch() ? 1 : 0;
            }
        }
        assertEquals(offsets, shown.offsets(), title);
        for (String each : List.of("count", "columns", "convert")) {
            assertEquals(rows, shown.of(each, "rows"), title);
            assertEquals(batches, shown.of(each, "batches"), title);
        }
        assertEquals(rows, shown.rowsOfMap(), title);
        assertEquals(batches, shown.of("verify", "recordBatches"), title);
        assertEquals(batches, shown.of("verify", "completeBatches"), title);
        assertEquals(rows, shown.of("verify", "completeRows"), title);
        assertEquals(false, shown.of("verify", "ok"), title);
        assertEquals(shown.indices(), annotatedIndices(shown.offsets()), title);
        shown.runs.forEach((command, run) -> assertEquals(1, run.status(), command + title));
        long length = lost.bodyOffset() - lost.offset();
        for (String each : COMMANDS) {
            String text = shown.runs.get(each).err() + shown.of(each, "faults");
            assertTrue(names(text, at, length), each + " " + title + text);
            assertPipedIsSame(each, damaged, shown);
        }
        assertTrue(names(shown.runs.get("convert").out(), at, length), title);
    }

    /// The indices of the messages at these offsets, by `annotate`.
    private List<Long> annotatedIndices(List<Long> offsets) {
        Run run = Cli.runAlone("annotate", "--json", folder.resolve("in").toString());
        Map<String, Object> json = JsonTree.object(run.json().getFirst());
        Map<Object, Long> indices = new HashMap<>();
        for (Object each : JsonTree.array(json.get("regions"))) {
            Map<String, Object> region = JsonTree.object(each);
            indices.put(region.get("offset"), (Long) region.get("message"));
        }
        return offsets.stream().map(indices::get).toList();
    }

    /// Whether a text has an offset in the lost prefix, or in the metadata after it.
    private static boolean names(String text, int at, long length) {
        return OFFSET.matcher(text)
                .results()
                .mapToLong(each -> Long.parseLong(each.group(1)))
                .anyMatch(offset -> offset >= at && offset <= at + length);
    }

    private void assertPipedIsSame(String command, byte[] bytes, Shown shown) {
        Run piped = Cli.runAloneWithInput(bytes, command, "--json", "-");
        String file = "\"" + folder.resolve("in") + "\"";
        String local = shown.runs.get(command).out().replace(file, "\"-\"");
        assertEquals(withoutSizes(local), withoutSizes(piped.out()), command);
        assertEquals(shown.runs.get(command).status(), piped.status(), command);
    }

    /// A piped stream has no uncompressed lengths.
    private static String withoutSizes(String json) {
        return json.replaceAll("\"uncompressedBytes\":[^,}]*", "");
    }

    /// Without its schema message a stream has batches, but no columns.
    @Test
    void aLostSchemaMessageLeavesTheRowsToLsAndCount() throws IOException {
        int inputs = 0;
        for (Sample sample : Sample.of(ArrowVectorFiles.named("dictionary_int16").stream())) {
            List<Long> offsets =
                    sample.messages().stream()
                            .skip(1)
                            .map(each -> sample.head + each.offset())
                            .toList();
            byte[] damaged = sample.bytes.clone();
            damaged[sample.head + 8] = 0x7F; // the root offset
            Shown shown = shown(damaged);
            shown.runs.forEach((command, run) -> assertEquals(1, run.status(), command));
            assertEquals(offsets, shown.offsets());
            assertEquals(15L, shown.of("count", "rows"));
            String refused = shown.runs.get("convert").err();
            assertTrue(refused.contains("no schema found, so nothing can be converted"), refused);
            assertEquals(null, shown.saved);
            inputs++;
        }
        assertEquals(2, inputs);
    }

    // ---- metadata

    @Test
    void aWrongByteOfMetadataIsTheSameFaultForEveryCommandAndCostsNoOtherMessage()
            throws IOException {
        int inputs = 0;
        int faults = 0;
        for (String name : List.of("dictionary_int16", "texts")) {
            for (Sample sample : Sample.of(ArrowVectorFiles.named(name).stream())) {
                for (OracleMessage each : sample.messages().subList(1, sample.messages().size())) {
                    int from = (int) each.metadataOffset();
                    int step = CaseCount.of(sample.isFile() ? 61 : 29, 3);
                    for (int at = from; at < each.bodyOffset(); at += step) {
                        faults += wrongByte(sample, each, at) ? 1 : 0;
                        inputs++;
                    }
                }
            }
        }
        assertTrue(faults > inputs / 4 && faults < inputs);
        System.out.printf(
                "Damage in the middle: %d wrong bytes of metadata, %d of them faults%n",
                inputs, faults);
    }

    /// @return whether the commands report a fault
    private boolean wrongByte(Sample sample, OracleMessage of, int at) throws IOException {
        byte[] damaged = sample.bytes.clone();
        damaged[sample.head + at] ^= (byte) 0xFF;
        String title = of + " byte " + (at - of.metadataOffset()) + " " + sample.head;
        Shown shown = shown(damaged);
        int status = shown.runs.get("count").status();
        assertEquals(status, shown.runs.get("columns").status(), title);
        assertEquals(status, shown.runs.get("map").status(), title);
        assertTrue(shown.runs.get("ls").status() <= status, title);
        assertEquals(shown.of("count", "rows"), shown.of("columns", "rows"), title);
        assertEquals(shown.of("count", "batches"), shown.of("columns", "batches"), title);
        assertEquals(shown.of("count", "rows"), shown.rowsOfMap(), title);
        boolean isSound = (boolean) shown.of("verify", "ok");
        assertTrue(status == 0 || !isSound, title);
        Object complete = isSound ? null : shown.of("convert", "rows");
        assertEquals(complete, shown.of("verify", "completeRows"), title);
        boolean isComplete = (long) shown.of("convert", "leftOutCount") == 0;
        assertTrue(isComplete || !isSound, title);
        if (!isUnseenInHeaders(shown)) {
            assertEquals(shown.of("count", "rows"), shown.of("convert", "rows"), title);
        }
        List<String> saved = Converted.contents(shown.saved);
        for (OracleMessage each : sample.messages()) {
            boolean isOther = each.index() != of.index();
            if (isOther) {
                assertTrue(shown.offsets().contains(sample.head + each.offset()), title);
            }
            if (isOther && !each.isSchema()) {
                assertTrue(saved.contains(Converted.content(sample.stream, each)), title);
            }
        }
        return !isComplete;
    }

    /// `count` and `columns` take a negative null count for an unknown one, and do not compare the
    /// lengths of buffers with the rows; both are errors all the same.
    private static boolean isUnseenInHeaders(Shown shown) {
        String faults = shown.of("verify", "faults").toString();
        return faults.contains("null-count-range") && faults.contains("nulls=-")
                || STATED_LENGTHS.matcher(faults).find();
    }

    // ---- after the end

    /// The pages of the file that are read are counted, not the time.
    @ParameterizedTest
    @ValueSource(strings = {"stream", "stream without marker", "file without footer"})
    void twentyGigabytesOfZerosAfterTheEndAreNotRead(String kind) throws IOException {
        Path maps = Path.of("/proc/self/smaps");
        assumeTrue(Files.isReadable(maps), "no /proc/self/smaps here; skipped");
        boolean isFile = kind.startsWith("file");
        byte[] bytes = isFile ? TradesSample.file() : TradesSample.stream();
        int footer =
                isFile ? ByteBuffer.wrap(bytes).order(LITTLE_ENDIAN).getInt(bytes.length - 10) : 0;
        int marker = kind.equals("stream") ? 0 : 8;
        int kept = bytes.length - (isFile ? 10 + footer : 0) - marker;
        Path file = Files.write(folder.resolve("sparse"), Arrays.copyOf(bytes, kept));
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(20L << 30);
        }
        try (InputBytes mapped = InputBytes.open(file, () -> {})) {
            Input input = Input.of(mapped);
            while (input.next()) {}
            assertEquals(800, input.rows());
            assertTrue(input.endsCleanly());
            Conversion conversion =
                    new Conversion(Input.of(mapped), ConvertOptions.DEFAULT.salvaging());
            conversion.find();
            assertEquals(0, conversion.report().leftOutCount());
            new InputCheck(ReadOptions.VERIFY, finding -> {}).run(mapped);
            long kilobytes = residentKilobytes(maps, file);
            assertTrue(kilobytes > 0 && kilobytes < 64 << 10, kilobytes + " kB");
            System.out.printf("20 GB of zeros after a %s: %d kB are read%n", kind, kilobytes);
        }
        for (String command : List.of("ls", "count", "schema", "map", "columns", "annotate")) {
            String said = Cli.runAlone(command, file.toString()).out();
            assertTrue(
                    said.contains("400") || said.contains("800") || said.contains("symbol"), said);
        }
        assertFalse(Cli.runAlone("convert", file.toString(), folder + "/o").err().isEmpty());
    }

    /// The part of a mapped file that was read.
    private static long residentKilobytes(Path maps, Path file) throws IOException {
        long sum = 0;
        boolean isOfFile = false;
        for (String line : Files.readAllLines(maps)) {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                isOfFile = line.endsWith(file.toString());
            } else if (isOfFile && line.startsWith("Rss:")) {
                sum += Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        return sum;
    }
}
