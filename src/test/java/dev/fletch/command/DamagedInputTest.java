// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.command.Cli.Run;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import picocli.CommandLine;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/// Bytes that are no Arrow data, or only half of it: one line that tells where and why, status 1,
/// and what was found before is printed.
class DamagedInputTest {

    private static final Pattern FAULT_LINE =
            Pattern.compile("fletch: [^:]+: (message \\d+: )?offset \\d+: [^\n]+\n");

    private static final List<List<String>> COMMANDS =
            List.of(
                    List.of("ls"),
                    List.of("ls", "--json"),
                    List.of("schema"),
                    List.of("schema", "--json"),
                    List.of("schema", "--format", "fbs"),
                    List.of("count"),
                    List.of("count", "--json"),
                    List.of("columns"),
                    List.of("columns", "--json"),
                    List.of("map"),
                    List.of("map", "--json"));

    @TempDir Path folder;

    private Path file(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("input"), bytes);
    }

    private static Run run(List<String> command, String file) {
        return Cli.run(with(command, file));
    }

    private static String[] with(List<String> command, String file) {
        String[] args = Arrays.copyOf(command.toArray(String[]::new), command.size() + 1);
        args[command.size()] = file;
        return args;
    }

    private static Object get(Object object, String key) {
        return JsonTree.object(object).get(key);
    }

    @Test
    void futureMetadataVersionIsAFault() {
        String file = Goldens.forwardCompatibility().toString();
        String fault =
                "fletch: %s: message 0: offset 30: metadata version is not supported: version=V6,"
                        + " supported=V4 and V5\n";
        for (List<String> command : COMMANDS) {
            Run run = run(command, file);
            assertEquals(1, run.status());
            assertEquals(fault.formatted(file), run.err());
        }
        Object listed = Cli.run("ls", "--json", file).json().getFirst();
        assertEquals(List.of(), JsonTree.object(listed).get("messages"));
    }

    /// What follows the schema is read by its headers: of a file and of a pipe, of a stream and of
    /// a file without its end. The schema is printed before that.
    @Test
    void damageAfterTheSchemaIsAFaultForCommandsThatPrintTheSchema() throws IOException {
        byte[] stream = TradesSample.stream();
        List<OracleMessage> messages = OracleListing.list(stream).messages();
        OracleMessage last = messages.getLast();
        byte[] wrong = stream.clone();
        wrong[(int) last.metadataOffset()] = 0x7F; // the root offset
        List<byte[]> damaged =
                List.of(
                        Arrays.copyOf(stream, (int) last.bodyOffset() + 1),
                        Arrays.copyOf(stream, (int) messages.get(1).offset() + 3),
                        Arrays.copyOf(TradesSample.file(), 20_000),
                        wrong);
        List<byte[]> sound =
                List.of(
                        stream,
                        TradesSample.file(),
                        Arrays.copyOf(stream, (int) last.offset()),
                        Arrays.copyOf(stream, (int) messages.get(1).offset()));
        List<List<String>> commands =
                List.of(
                        List.of("schema"),
                        List.of("schema", "--json"),
                        List.of("schema", "--format", "fbs"),
                        List.of("schema", "--column", "price"),
                        List.of("schema", "--group"),
                        List.of("ext"),
                        List.of("ext", "--json"),
                        List.of("json"));
        for (List<String> command : commands) {
            String whole = Cli.runWithInput(stream, with(command, "-")).out();
            for (byte[] each : sound) {
                String file = file(each).toString();
                assertEquals(0, run(command, file).status(), command.toString());
                Run piped = Cli.runWithInput(each, with(command, "-"));
                assertEquals(new Run(0, whole, ""), piped);
            }
            for (byte[] each : damaged) {
                String file = file(each).toString();
                Run run = run(command, file);
                assertEquals(1, run.status(), command.toString());
                assertTrue(FAULT_LINE.matcher(run.err()).matches(), run.err());
                assertEquals(Cli.run("ls", file).err(), run.err());
                Run piped = Cli.runWithInput(each, with(command, "-"));
                assertEquals(1, piped.status());
                assertEquals(Cli.runWithInput(each, "ls", "-").err(), piped.err());
                if (command.contains("--json")) {
                    Object fault = get(piped.json().getFirst(), "fault");
                    assertTrue(piped.err().endsWith(": " + get(fault, "text") + "\n"));
                    String text = piped.out().substring(0, piped.out().indexOf(",\"fault\":"));
                    assertEquals(whole.strip(), text + "}");
                } else if (command.contains("--group")) {
                    assertEquals("in no group, because unreadable: 1 file\n", piped.out());
                } else {
                    assertEquals(whole, piped.out());
                }
            }
        }
    }

    /// A schema of a stream that is still written is shown before the stream ends.
    @Test
    void schemaOfALiveStreamIsPrintedAtOnce() throws IOException {
        byte[] stream = TradesSample.stream();
        int end = (int) OracleListing.list(stream).messages().getFirst().endOffset();
        StringBuilder seen = new StringBuilder();
        StringWriter out = new StringWriter();
        InputStream slow =
                new ByteArrayInputStream(stream) {
                    @Override
                    public synchronized int read(byte[] into, int from, int count) {
                        if (pos > end && seen.isEmpty()) {
                            seen.append(out);
                        }
                        return super.read(into, from, Math.min(count, 8));
                    }
                };
        CommandLine command = Main.commandLine().setOut(new PrintWriter(out));
        assertEquals(0, (int) ThreadInput.with(slow, () -> command.execute("schema", "-")));
        assertTrue(seen.toString().startsWith("schema: 7 columns\n"), seen.toString());
        assertEquals(out.toString(), seen.toString());
    }

    /// Such as those of `/proc`: their size is told as 0.
    @Test
    void fileOfUnknownSizeIsRead() throws IOException {
        Path version = Path.of("/proc/version");
        assumeTrue(Files.isRegularFile(version) && Files.size(version) == 0, "no /proc here");
        byte[] bytes = Files.readAllBytes(version);
        for (String each : List.of("ls", "schema", "count", "columns", "map", "json")) {
            Run run = Cli.run(each, version.toString());
            assertTrue(run.err().contains("offset 0: neither an Arrow IPC file nor"), run.err());
        }
        assertTrue(Cli.run("annotate", version.toString()).out().contains(bytes.length + " bytes"));
        Path empty = file(new byte[0]);
        assertEquals(
                "fletch: " + empty + ": offset 0: input is empty: bytes=0\n",
                Cli.run("ls", empty.toString()).err());
    }
}
