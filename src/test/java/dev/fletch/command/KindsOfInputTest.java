// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli.Run;
import dev.fletch.corpus.Corpus;
import dev.fletch.testdata.OracleFile.Flatbuffer;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.TradesSample;
import dev.fletch.verify.messages.Meant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What each command does with each kind of input, and with base64 of it, as the table in
/// `docs/reference/commands.md` says.
class KindsOfInputTest {
    private static final List<List<String>> COMMANDS =
            List.of(
                    List.of("ls", "count"),
                    List.of("schema", "ext", "json", "diff"),
                    List.of("columns"),
                    List.of("head"),
                    List.of("map"),
                    List.of("verify"),
                    List.of("annotate"),
                    List.of("convert"));

    @TempDir Path folder;

    private static Map<String, List<byte[]>> kinds() throws IOException {
        byte[] file = TradesSample.file();
        byte[] stream = TradesSample.stream();
        byte[] tensor =
                Files.readAllBytes(Corpus.FOLDER.resolve("meaning/compressed-axis-2.sound.arrows"));
        byte[] schema = OracleListing.only(stream, OracleMessage::isSchema);
        List<byte[]> batches =
                Stream.of(1, 2) // a dictionary batch and a record batch
                        .map(index -> OracleListing.only(stream, each -> each.index() == index))
                        .toList();
        Path sample = TradesSample.path("trades.stream");
        byte[] json = Cli.run("json", sample.toString()).out().getBytes(StandardCharsets.UTF_8);
        Map<String, List<byte[]>> kinds = new LinkedHashMap<>();
        kinds.put("file or stream", List.of(file, stream));
        kinds.put("schema message with prefix", List.of(schema));
        kinds.put("batch message with prefix", batches);
        kinds.put("tensor message with prefix", List.of(tensor));
        kinds.put("schema message without prefix", List.of(bare(schema, "Message")));
        kinds.put(
                "batch message without prefix",
                batches.stream().map(each -> bare(each, "Message")).toList());
        kinds.put("tensor message without prefix", List.of(bare(tensor, "Message")));
        byte[] table = Meant.bytes(Meant.table("Schema", "fields", List.of(Meant.INT32)));
        kinds.put("footer, schema table", List.of(bare(file, Flatbuffer.FOOTER), table));
        kinds.put("JSON, or another format", List.of(json, new byte[] {'P', 'A', 'R', '1', 0, 0}));
        return kinds;
    }

    private static byte[] bare(byte[] input, String kind) {
        return OracleListing.list(input).flatbuffers().stream()
                .filter(each -> kind.equals(Flatbuffer.FOOTER) == each.isFooter())
                .findFirst()
                .orElseThrow()
                .bytes();
    }

    @Test
    void commandsDoWhatTheTableSays() throws IOException {
        List<String> lines = new ArrayList<>();
        for (Map.Entry<String, List<byte[]>> kind : kinds().entrySet()) {
            List<String> cells = new ArrayList<>(List.of(kind.getKey()));
            for (List<String> column : COMMANDS) {
                TreeSet<String> found = new TreeSet<>();
                for (byte[] each : kind.getValue()) {
                    for (String command : column) {
                        found.add(outcome(command, each));
                        found.add(outcome(command, Base64.getEncoder().encode(each)));
                    }
                }
                cells.add(String.join(" / ", found));
            }
            lines.add("| " + String.join(" | ", cells) + " |");
        }
        String table =
                CommandsPage.more("fletch")
                        .lines()
                        .filter(line -> line.startsWith("| "))
                        .skip(1)
                        .collect(Collectors.joining("\n"));
        assertEquals(String.join("\n", lines), table);
    }

    /// What the error of other commands names.
    @Test
    void commandsThatReadASchemaAloneAreNamed() throws IOException {
        byte[] footer = kinds().get("footer, schema table").getFirst();
        List<String> reading = new ArrayList<>();
        for (String command : COMMANDS.stream().flatMap(List::stream).toList()) {
            if (outcome(command, footer).equals("yes")) {
                reading.add(command);
            }
        }
        String last = " and " + reading.removeLast() + " read it";
        Path in = Files.write(folder.resolve("in"), footer);
        String error = Cli.run("count", in.toString()).err();
        assertTrue(error.contains("; " + String.join(", ", reading) + last), error);
    }

    /// `yes`, `no` if there is only an error, or `partly` if there is also output.
    private String outcome(String command, byte[] input) throws IOException {
        Path in = Files.write(folder.resolve("in"), input);
        Path out = folder.resolve("out.arrow");
        Run run =
                switch (command) {
                    case "diff" -> Cli.run(command, in.toString(), in.toString());
                    case "convert" -> Cli.run(command, in.toString(), out.toString());
                    default -> Cli.run(command, in.toString());
                };
        Files.deleteIfExists(out);
        int errorLines = command.equals("verify") ? 1 : 0;
        return run.status() == 0 ? "yes" : run.lines().size() > errorLines ? "partly" : "no";
    }
}
