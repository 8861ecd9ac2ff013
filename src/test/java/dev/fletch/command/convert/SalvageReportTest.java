// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.JsonTree;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.ReportedInput;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/// What `convert --salvage` reports, in text and JSON, against what arrow-java and the oracle find
/// in its output.
class SalvageReportTest {
    private static final long SEED = 39;
    private static final int MOST_NAMED = 20;

    @TempDir Path folder;
    private Path in;
    private Path out;

    @BeforeEach
    void paths() {
        in = folder.resolve("in");
        out = folder.resolve("out");
    }

    /// What a run reports.
    private record Report(
            byte[] output,
            long batches,
            long rows,
            long leftOut,
            List<Object> parts,
            List<Object> notes) {}

    /// Converts with `--salvage` in text and JSON, and compares both reports with the output.
    private Report salvaged(byte[] input, String title) throws IOException {
        Files.write(in, input);
        String[] names = {in.toString(), out.toString()};
        Run json = Cli.runAlone(with(names, "--json"));
        byte[] output = Files.readAllBytes(out);
        Map<String, Object> told = JsonTree.object(json.json().getFirst());
        OracleFile written = OracleListing.list(output);
        assertEquals((long) written.recordBatches().size(), told.get("batches"), title);
        assertEquals(written.rows(), told.get("rows"), title);
        long count = (long) told.get("leftOutCount");
        assertEquals(count == 0 ? 0 : 1, json.status(), title);
        List<Object> parts = JsonTree.array(told.get("leftOut"));
        assertEquals(Math.min(count, MOST_NAMED), parts.size(), title);
        StringBuilder lines = new StringBuilder();
        long before = 0;
        for (Object each : parts) {
            Map<String, Object> part = JsonTree.object(each);
            long offset = (long) part.get("offset");
            assertTrue(offset >= before && offset <= input.length, title + ": " + parts);
            before = offset;
            lines.append("fletch: %s: %s%n".formatted(in, JsonTree.placed(part)));
        }
        assertEquals(count == 0, told.get("fault") == null, title);
        Run text = Cli.runAlone(with(names));
        assertEquals(json.status(), text.status(), title);
        assertTrue(Arrays.equals(output, Files.readAllBytes(out)), title);
        String summary =
                ("fletch: %s: %s written: batches=%d, rows=%d;"
                                + " values were not checked: --values checks them%n")
                        .formatted(
                                out,
                                told.get("to"),
                                written.recordBatches().size(),
                                written.rows());
        List<Object> notes = JsonTree.array(told.get("notes"));
        StringBuilder expected = new StringBuilder();
        notes.forEach(each -> expected.append("fletch: %s: %s%n".formatted(in, each)));
        expected.append(lines);
        String all = text.err().replaceAll("fletch: [^\n]* more parts are left out[^\n]*\n", "");
        assertEquals(
                (expected + summary).lines().sorted().toList(),
                all.lines()
                        .filter(each -> !each.contains("columns without errors"))
                        .sorted()
                        .toList(),
                title);
        assertTrue(all.endsWith(summary), title);
        return new Report(
                output, written.recordBatches().size(), written.rows(), count, parts, notes);
    }

    private static String[] with(String[] names, String... more) {
        List<String> arguments = new ArrayList<>(List.of("convert", "--salvage", "--force"));
        arguments.addAll(List.of(more));
        arguments.addAll(List.of(names));
        return arguments.toArray(String[]::new);
    }

    /// Nothing but a complete conversion is written without `--salvage`.
    ///
    /// @return whether it was written
    private boolean convertsAllOrNothing(byte[] input, String title) throws IOException {
        Files.write(in, input);
        Files.deleteIfExists(out);
        Run run = Cli.runAlone("convert", "--json", in.toString(), out.toString());
        Map<String, Object> told = JsonTree.object(run.json().getFirst());
        if (run.status() == 0) {
            OracleFile written = OracleListing.list(Files.readAllBytes(out));
            assertEquals(0L, told.get("leftOutCount"), title);
            assertEquals((long) written.recordBatches().size(), told.get("batches"), title);
            assertEquals(written.rows(), told.get("rows"), title);
        } else {
            assertEquals(1, run.status(), title + run.err());
            assertFalse(Files.exists(out), title);
            assertFalse(told.containsKey("batches"), title);
            assertTrue(told.get("fault") != null, title);
        }
        return run.status() == 0;
    }

    @Test
    void reportOfEveryReportedInputIsWhatItsOutputHas() throws IOException {
        int inputs = 0;
        int complete = 0;
        for (ReportedInput each : ReportedInput.all()) {
            Report report = salvaged(each.bytes(), each.name());
            assertEquals(
                    each.isComplete(),
                    report.leftOut == 0,
                    each.name() + report.parts + report.notes);
            assertEquals(each.rows(), report.rows, each.name());
            assertEquals(each.batches().size(), report.batches, each.name());
            boolean isWritten = convertsAllOrNothing(each.bytes(), each.name());
            assertTrue(each.isComplete() || !isWritten, each.name());
            complete += isWritten ? 1 : 0;
            inputs++;
        }
        System.out.printf(
                "convert --salvage: %d reported inputs, report and output agree; %d converted"
                        + " without --salvage%n",
                inputs, complete);
    }

    // ---- damaged footers

    private enum Damage {
        BITS,
        BYTES,
        TRUNCATED;

        byte[] of(byte[] file, int footer, SplittableRandom random) {
            if (this == TRUNCATED) {
                return Arrays.copyOf(file, random.nextInt(footer, file.length));
            }
            byte[] damaged = file.clone();
            int places = random.nextInt(1, this == BITS ? 4 : 40);
            for (int i = 0; i < places; i++) {
                int at = random.nextInt(footer, file.length);
                damaged[at] =
                        (byte)
                                (this == BITS
                                        ? damaged[at] ^ 1 << random.nextInt(8)
                                        : random.nextInt());
            }
            return damaged;
        }
    }

    @Test
    void reportOfADamagedFooterIsWhatItsOutputHasAndNoBatchIsLost() throws IOException {
        SplittableRandom random = new SplittableRandom(SEED);
        List<byte[]> files = new ArrayList<>();
        for (String each :
                List.of("several_batches", "dictionary_int16", "texts", "dictionaries")) {
            files.add(ArrowVectorFiles.named(each).file());
        }
        int cases = CaseCount.of(80, 1_500);
        int written = 0;
        for (int i = 0; i < cases; i++) {
            byte[] file = files.get(i % files.size());
            int footer = (int) OracleListing.list(file).footer().offset();
            Damage damage = Damage.values()[i % Damage.values().length];
            byte[] input = damage.of(file, footer, random);
            String title = "case " + i + " " + damage;
            Report report = salvaged(input, title);
            assertEquals(
                    sorted(Converted.contents(file)),
                    sorted(Converted.contents(report.output)),
                    title);
            assertEquals(0, report.leftOut, title + report.parts + report.notes);
            assertReadable(file, report, title);
            written += convertsAllOrNothing(input, title) ? 1 : 0;
        }
        System.out.printf(
                "convert --salvage: %d damaged footers, report and output agree; %d converted"
                        + " without --salvage%n",
                cases, written);
    }

    private static <T> List<T> sorted(List<T> of) {
        return of.stream().sorted().toList();
    }

    /// arrow-java reads the file's values from the output. If a note says that the schema has
    /// changed, they may differ, and arrow-java refuses some schemas, such as binary values of no
    /// bytes.
    private static void assertReadable(byte[] file, Report report, String title) {
        if (!report.notes.toString().contains("different schemas")) {
            assertEquals(
                    sorted(ArrowVectorReading.read(file).values()),
                    sorted(ArrowVectorReading.read(report.output).values()),
                    title);
        }
    }
}
