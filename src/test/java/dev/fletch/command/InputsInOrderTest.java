// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli.Run;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Processes;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Inputs that are worked on at the same time are shown as one after the other: lines, errors
/// between them, and status.
@Timeout(120)
class InputsInOrderTest {
    private static final int INPUTS = CaseCount.of(16, 100);

    @TempDir Path folder;

    /// Good, damaged, empty and missing inputs, of very different lengths.
    private List<String> inputs() throws IOException {
        Random random = new Random(5);
        byte[] file = TradesSample.file();
        byte[] stream = Files.readAllBytes(TradesSample.path("trades.stream"));
        byte[][] batches = new byte[CaseCount.of(800, 3_000)][];
        Arrays.fill(batches, Frames.recordBatch(1, 0));
        byte[] great = Frames.join(Frames.emptySchema(), Frames.join(batches));
        List<String> names = new ArrayList<>();
        for (int i = 0; i < INPUTS; i++) {
            byte[] whole = random.nextBoolean() ? file : stream;
            byte[] content =
                    switch (random.nextInt(8)) {
                        case 0 -> Arrays.copyOf(whole, random.nextInt(whole.length));
                        case 1 -> new byte[0];
                        case 2 -> "no Arrow at all".getBytes();
                        case 3 -> great;
                        case 4 -> {
                            byte[] wrong = whole.clone();
                            wrong[random.nextInt(2_000)] ^= 1;
                            yield wrong;
                        }
                        default -> whole;
                    };
            Path path = folder.resolve("%03d".formatted(i));
            if (random.nextInt(16) > 0) {
                Files.write(path, content);
            }
            names.add(path.toString());
        }
        return names;
    }

    /// Both outputs in one, as a terminal has them.
    private static Run merged(List<String> call) {
        StringWriter both = new StringWriter();
        PrintWriter out = new PrintWriter(both);
        int status = Cli.run(out, out, call.toArray(String[]::new));
        return new Run(status, both.toString(), "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ls",
                "ls --json",
                "schema",
                "schema --json",
                "schema --format fbs",
                "schema --column price",
                "count",
                "count --json",
                "columns",
                "columns --json",
                "verify",
                "verify --json --strict",
                "map --totals",
                "map --json",
                "annotate",
                "annotate --json",
                "ext",
                "ext --json",
                "json"
            })
    void outputIsThatOfOneInputAfterTheOther(String command) throws IOException {
        List<String> call = new ArrayList<>(List.of(command.split(" ")));
        call.add("-r"); // so that one input is shown as one of several
        List<String> all = new ArrayList<>(call);
        StringBuilder expected = new StringBuilder();
        int status = 0;
        boolean hasHeading = false;
        for (String name : inputs()) {
            all.add(name);
            List<String> single = new ArrayList<>(call);
            single.add(name);
            Run run = merged(single);
            status = Math.max(status, run.status());
            boolean isHeaded = run.out().startsWith(name + ":\n");
            expected.append(isHeaded && hasHeading ? "\n" : "");
            hasHeading |= isHeaded;
            expected.append(command.equals("count") ? withoutTotal(run.out()) : run.out());
        }
        Run found = merged(all);
        String out = command.equals("count") ? withoutTotal(found.out()) : found.out();
        assertEquals(expected.toString(), out);
        assertEquals(status, found.status());
        assertEquals(found, merged(all));
    }

    private static String withoutTotal(String lines) {
        StringBuilder rest = new StringBuilder();
        lines.lines()
                .filter(each -> !each.endsWith("  file"))
                .filter(each -> !each.matches(".*  total( \\((damaged|incomplete)\\))?"))
                .forEach(each -> rest.append(each).append('\n'));
        return rest.toString();
    }

    /// The first input is written last.
    @Test
    void slowFirstInputIsShownFirst() throws Exception {
        Path slow = Processes.pipe(folder.resolve("slow"));
        List<String> call = new ArrayList<>(List.of("ls", slow.toString()));
        call.addAll(inputs());
        Thread writer =
                Thread.ofPlatform()
                        .daemon()
                        .start(
                                () -> {
                                    try {
                                        Thread.sleep(1_000);
                                        Files.write(slow, TradesSample.file());
                                    } catch (IOException | InterruptedException e) {
                                        throw new IllegalStateException(e);
                                    }
                                });
        Run run = merged(call);
        writer.join();
        assertTrue(run.out().startsWith(slow + ":\nindex "), run.out().substring(0, 100));
        call.set(1, TradesSample.path("trades.arrow").toString());
        assertEquals(merged(call).out().replace(call.get(1), slow.toString()), run.out());
    }

    /// Work ends though one of the inputs would never end.
    @ParameterizedTest
    @ValueSource(strings = {"ls", "map --totals", "verify --json"})
    void closedOutputEndsAllWork(String command) throws Exception {
        List<String> call = new ArrayList<>(List.of(command.split(" ")));
        for (int i = 0; i < 500; i++) {
            call.add(TradesSample.path("trades.arrow").toString());
        }
        call.add(Processes.pipe(folder.resolve("endless")).toString());
        assertEquals(new Run(0, "", ""), Cli.runIntoClosed(call.toArray(String[]::new)));
    }

    /// An input that comes before standard input is shown before that is read to its end, as ever.
    @Test
    void standardInputIsShownAfterTheFilesBeforeIt() throws IOException {
        List<String> names = inputs();
        List<String> call = new ArrayList<>(List.of("count", "--json"));
        call.addAll(names);
        Run without = Cli.run(call.toArray(String[]::new));
        call.add("-");
        Run with = Cli.runWithInput(TradesSample.file(), call.toArray(String[]::new));
        assertEquals(
                without.out()
                        + "{\"file\":\"-\",\"container\":\"file\",\"batches\":3,\"rows\":800}\n",
                with.out());
        assertEquals(without.err(), with.err());
    }
}
