// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli.Run;
import dev.fletch.command.convert.Converted;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;

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
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/// Several streams in one input: every command shows the first one, as arrow-java reads it, and
/// says where the next one begins.
class SecondStreamsTest {
    @TempDir Path folder;

    /// What is between two streams.
    private record Between(String name, boolean hasMarker, int zeros) {}

    private static final List<Between> ALL_BETWEEN =
            List.of(
                    new Between("a marker", true, 0),
                    new Between("a marker and padding to 64 bytes", true, 40),
                    new Between("a marker and zeros that are no multiple of 8", true, 37),
                    new Between("a marker and 1 MiB of zeros", true, 1 << 20),
                    new Between("no marker", false, 0),
                    new Between("an old marker", false, 4),
                    new Between("zeros in place of a marker", false, 56));

    private static byte[] stream(String name) {
        return ArrowVectorFiles.named(name).stream();
    }

    private static byte[] first(byte[] stream, Between between) {
        int end = between.hasMarker ? stream.length : (int) OracleListing.list(stream).endOffset();
        return Frames.join(Arrays.copyOf(stream, end), new byte[between.zeros]);
    }

    @Test
    void everyCommandShowsTheFirstStreamAndWhereTheNextBegins() throws IOException {
        int inputs = 0;
        for (String name : List.of("dictionary_int16", "several_batches")) {
            // The same stream, another schema, other dictionaries of the same id, and a schema
            // alone.
            List<String> others = List.of(name, "nested", "dictionary_int8", "no_batches");
            for (String next : others.subList(0, CaseCount.of(1, others.size()))) {
                for (Between between : ALL_BETWEEN) {
                    byte[] first = first(stream(name), between);
                    byte[] bytes = Frames.join(first, stream(next));
                    String title = name + ", " + next + ", " + between;
                    assertShown(stream(name), bytes, first.length, between, title);
                    inputs++;
                }
            }
        }
        System.out.printf("Second streams: %d inputs, by name and through a pipe%n", inputs);
    }

    private void assertShown(byte[] first, byte[] bytes, long next, Between between, String title)
            throws IOException {
        OracleFile listing = OracleListing.list(first);
        // The end of the marker, or of the word of zeros that is taken for one.
        long marked = between.hasMarker ? first.length : Math.min(listing.endOffset() + 4, next);
        Map<String, Object> verdict = null;
        for (boolean isPiped : new boolean[] {false, true}) {
            for (String command : List.of("ls", "count", "columns", "map")) {
                Map<String, Object> shown = json(command, bytes, isPiped, title);
                assertEquals(next, shown.get("nextStream"), command + ", " + title);
                if (command.equals("ls")) {
                    assertEquals(
                            listing.messages().size(),
                            JsonTree.array(shown.get("messages")).size(),
                            title);
                } else if (!command.equals("map")) {
                    assertEquals(listing.rows(), shown.get("rows"), title);
                    assertEquals(
                            (long) listing.recordBatches().size(), shown.get("batches"), title);
                }
            }
            assertEquals(
                    json("schema", first, isPiped, title).get("schema"),
                    json("schema", bytes, isPiped, title).get("schema"),
                    title);
            verdict = json("verify", bytes, isPiped, title);
            assertEquals(true, verdict.get("ok"), title);
            String code =
                    between.hasMarker || between.zeros > 0 ? "stream-follows" : "repeated-schema";
            List<String> found = new ArrayList<>(List.of(code + " at " + next));
            if (marked < next && !code.equals("repeated-schema")) {
                found.addFirst("bytes-behind-end at " + marked);
            }
            assertEquals(found, findings(verdict), title);
        }
        Converted converted = Converted.of(bytes, ArrowContainer.STREAM, false);
        assertEquals(
                ArrowVectorReading.read(first).values(),
                ArrowVectorReading.read(converted.bytes()).values(),
                title);
        List<String> notes = new ArrayList<>();
        if (marked < next) {
            String range = "offset=" + marked + ", bytes=" + (next - marked);
            notes.add("bytes after the end-of-stream marker are left out: " + range);
        }
        notes.add("another stream follows and is not converted: offset=" + next);
        assertEquals(notes, converted.report().notes(), title);
    }

    private static List<String> findings(Map<String, Object> verdict) {
        return JsonTree.array(verdict.get("faults")).stream()
                .map(JsonTree::object)
                .map(each -> each.get("code") + " at " + each.get("offset"))
                .toList();
    }

    private Map<String, Object> json(String command, byte[] bytes, boolean isPiped, String title)
            throws IOException {
        Path file = Files.write(folder.resolve("in"), bytes);
        Run run =
                isPiped
                        ? Cli.runAloneWithInput(bytes, command, "--json", "-")
                        : Cli.runAlone(command, "--json", file.toString());
        assertEquals(0, run.status(), command + ", " + title + run.err() + run.out());
        return JsonTree.object(run.json().getFirst());
    }

    /// What is between two streams, or behind the last one.
    enum Lost {
        ZEROS,
        JUNK,
        ONE_BYTE,
        STREAM_WITH_DAMAGED_SCHEMA,
        SCHEMA_ALONE_DAMAGED;

        byte[] bytes() {
            return switch (this) {
                case ZEROS -> new byte[45_160];
                case ONE_BYTE -> new byte[] {1};
                case JUNK -> {
                    byte[] bytes = new byte[45_160];
                    new Random(58).nextBytes(bytes);
                    yield bytes;
                }
                case STREAM_WITH_DAMAGED_SCHEMA, SCHEMA_ALONE_DAMAGED -> {
                    boolean hasBatches = this == STREAM_WITH_DAMAGED_SCHEMA;
                    byte[] bytes = stream(hasBatches ? "several_batches" : "no_batches").clone();
                    Arrays.fill(bytes, 20, 60, (byte) 0xEE);
                    yield bytes;
                }
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void bytesThatBelongToNoStreamAreReported(Lost lost) throws IOException {
        byte[] a = stream("several_batches");
        byte[] c = stream("dictionary_int16");
        int runs = 0;
        for (byte[] last : new byte[][] {{}, c}) {
            byte[] bytes = Frames.join(a, lost.bytes(), last);
            String range = "offset=" + a.length + ", bytes=" + lost.bytes().length;
            Path file = Files.write(folder.resolve("in"), bytes);
            List<Object> rows = new ArrayList<>();
            for (boolean isPiped : new boolean[] {false, true}) {
                for (String command : Cli.INPUT_COMMANDS) {
                    for (String option : List.of("", "--all-streams")) {
                        List<String> call = new ArrayList<>(List.of(command));
                        if (!option.isEmpty() && !List.of("verify", "annotate").contains(command)) {
                            call.add(option);
                        }
                        call.add(isPiped ? "-" : file.toString());
                        String[] arguments = call.toArray(String[]::new);
                        Run run =
                                isPiped
                                        ? Cli.runAloneWithInput(bytes, arguments)
                                        : Cli.runAlone(arguments);
                        assertEquals(0, run.status(), call + run.err());
                        String said =
                                call.get(0).matches("verify|annotate") ? run.out() : run.err();
                        String code = "bytes follow the end-of-stream marker: ";
                        assertTrue(
                                said.contains(code + range)
                                        || said.contains(code + range.split(", ")[1]),
                                call + said);
                        if (command.equals("count")) {
                            rows.add(run.lines().get(1).strip().split(" ")[0]);
                        }
                        runs++;
                    }
                }
            }
            assertEquals(Set.of("" + OracleListing.list(a).rows()), Set.copyOf(rows));
            Run verified = Cli.run("verify", "--fail-on", "deviation", file.toString());
            assertEquals(1, verified.status());
            assertTrue(verified.out().contains("bytes-behind-end: offset=" + a.length));
            Converted converted = Converted.of(bytes, ArrowContainer.STREAM, false);
            assertArrayEquals(a, converted.bytes());
            assertTrue(converted.report().notes().getFirst().endsWith(range));
        }
        System.out.printf("Bytes of no stream, %s: %d runs%n", lost, runs);
    }

    /// Each stream has its own schema, and its messages are counted from those before.
    @Test
    void allStreamsOfAnInputCanBeRead() throws IOException {
        List<String> names = List.of("several_batches", "dictionary_int16", "no_batches", "nested");
        for (Between between : ALL_BETWEEN) {
            byte[] bytes = new byte[0];
            List<Long> rows = new ArrayList<>();
            List<Long> starts = new ArrayList<>();
            for (String each : names) {
                starts.add((long) bytes.length);
                rows.add(OracleListing.list(stream(each)).rows());
                bytes = Frames.join(bytes, first(stream(each), between));
            }
            List<Long> found = new ArrayList<>();
            List<Long> places = new ArrayList<>();
            Input input = Input.of(InputBytes.of(MemorySegment.ofArray(bytes)));
            while (input != null) {
                places.add(input.start());
                while (input.next()) {}
                assertTrue(input.endsCleanly(), between.name);
                found.add(input.rows());
                input = input.following();
            }
            assertEquals(rows, found, between.name);
            assertEquals(starts, places, between.name);
        }
    }
}
