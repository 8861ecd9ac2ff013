// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli.Run;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// `--all-streams`: an input with several streams in a row is shown stream by stream.
class AllStreamsTest {
    private static final byte[] FIRST = TradesSample.stream();
    private static final byte[] SECOND = ArrowVectorFiles.named("several_batches").stream();
    private static final byte[] BOTH = Frames.join(FIRST, SECOND);

    @TempDir Path folder;

    private Path file(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("in.arrows"), bytes);
    }

    /// The answers about each stream alone, and about both in one input, by name and through a
    /// pipe.
    private List<Map<String, Object>> objects(byte[] bytes, String... command) throws IOException {
        List<String> args = new ArrayList<>(List.of(command));
        args.add("--all-streams");
        args.add("-");
        Run piped = Cli.runAloneWithInput(bytes, args.toArray(String[]::new));
        args.set(args.size() - 1, file(bytes).toString());
        Run mapped = Cli.runAlone(args.toArray(String[]::new));
        assertEquals(mapped.out().replace(file(bytes).toString(), "-"), piped.out());
        assertEquals(mapped.status(), piped.status());
        return mapped.json().stream().map(JsonTree::object).toList();
    }

    @Test
    void eachStreamHasTheObjectThatItHasAlone() throws IOException {
        for (String command : List.of("count", "schema", "ext")) {
            List<Map<String, Object>> both = objects(BOTH, command, "--json");
            assertEquals(2, both.size(), command);
            Map<String, Object> first = both.getFirst();
            assertEquals((long) FIRST.length, both.getLast().remove("streamOffset"), command);
            if (!command.equals("json")) {
                assertEquals((long) FIRST.length, first.remove("nextStream"), command);
            }
            assertEquals(objects(FIRST, command, "--json").getFirst(), first, command);
            assertEquals(objects(SECOND, command, "--json").getFirst(), both.getLast(), command);
        }
    }

    @Test
    void messagesAreCountedOnAndColumnsAreThoseOfTheirStream() throws IOException {
        List<Map<String, Object>> listed = objects(BOTH, "ls", "--json");
        List<Long> indexes = new ArrayList<>();
        List<Long> offsets = new ArrayList<>();
        for (Map<String, Object> each : listed) {
            for (Object message : JsonTree.array(each.get("messages"))) {
                indexes.add((Long) JsonTree.object(message).get("index"));
                offsets.add((Long) JsonTree.object(message).get("offset"));
            }
        }
        for (int i = 0; i < indexes.size(); i++) {
            assertEquals(i, indexes.get(i));
        }
        long second = OracleListing.list(SECOND).messages().get(1).offset();
        assertTrue(offsets.contains(FIRST.length + second), offsets.toString());

        List<Map<String, Object>> columns = objects(BOTH, "columns", "--json");
        assertEquals((long) FIRST.length, columns.getFirst().get("size"));
        assertEquals((long) SECOND.length, columns.getLast().get("size"));
        assertEquals(7L, columns.getFirst().get("columnCount"));
        assertEquals(2L, columns.getLast().get("columnCount"));
    }

    @Test
    void textHasATitleForEachStreamAndATotalOfRows() throws IOException {
        Path file = file(BOTH);
        String title = file + ", stream at offset " + FIRST.length;
        for (String command : List.of("ls", "schema", "columns", "map", "ext")) {
            Run run = Cli.run(command, "--all-streams", file.toString());
            assertEquals(0, run.status(), run.err());
            assertEquals(1, run.lines().stream().filter(each -> each.equals(file + ":")).count());
            assertEquals(1, run.lines().stream().filter(each -> each.equals(title + ":")).count());
            assertEquals("", run.err());
        }
        List<String> counted = Cli.run("count", "--all-streams", file.toString()).lines();
        assertTrue(counted.get(1).endsWith("800        3  " + file), counted.toString());
        assertTrue(counted.get(2).endsWith("1137        6  " + title), counted.toString());
        assertTrue(counted.get(3).endsWith("1937        9  total"), counted.toString());
    }

    @Test
    void aDamagedStreamDoesNotHideTheNextOne() throws IOException {
        byte[] damaged = BOTH.clone();
        int at = (int) OracleListing.list(FIRST).recordBatches().getFirst().metadataOffset();
        damaged[at + 1] = (byte) 0x80;
        for (String command : List.of("count", "columns")) {
            List<Map<String, Object>> both = objects(damaged, command, "--json");
            assertEquals(550L, both.getFirst().get("rows"), command);
            assertTrue(both.getFirst().containsKey("fault"), command);
            assertEquals(1137L, both.getLast().get("rows"), command);
            assertEquals(1, Cli.run(command, "--all-streams", file(damaged).toString()).status());
        }
        int next = (int) OracleListing.list(SECOND).recordBatches().getFirst().metadataOffset();
        damaged[FIRST.length + next + 1] = (byte) 0x80;
        Run run = Cli.run("count", "--all-streams", file(damaged).toString());
        assertEquals(1, run.err().lines().count(), run.err());
        assertTrue(run.err().contains("offset " + (FIRST.length + next)), run.err());
    }

    @Test
    void withoutAllStreamsTheOffsetOfTheNextStreamIsPrinted() throws IOException {
        Path file = file(BOTH);
        String note =
                "fletch: %s: another stream follows: offset=%d; --all-streams reads it%n"
                        .formatted(file, FIRST.length);
        for (String command : List.of("ls", "count", "columns", "map", "schema", "ext", "json")) {
            Run run = Cli.run(command, file.toString());
            assertEquals(note, run.err(), command);
            assertEquals(0, run.status(), command);
        }
    }
}
