// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.JsonTree;
import dev.fletch.input.FileSuffixes;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Whether `fletch convert` writes a file or a stream, and what it says of that.
class ConvertTargetTest {
    @TempDir Path folder;

    private Run convert(Path in, Path out, String... options) {
        List<String> args = new ArrayList<>(List.of("convert", "--force"));
        args.addAll(List.of(options));
        args.addAll(List.of(in.toString(), out.toString()));
        return Cli.run(args.toArray(String[]::new));
    }

    private static String form(Path written) throws IOException {
        byte[] bytes = Files.readAllBytes(written);
        ArrowContainer found = ArrowContainer.detect(MemorySegment.ofArray(bytes));
        return found == ArrowContainer.FILE ? "file" : "stream";
    }

    /// Inputs with all rows, by name, and their form.
    private Map<Path, String> inputs() throws IOException {
        byte[] file = TradesSample.file();
        int footer = (int) OracleListing.list(file).footer().offset();
        Map<Path, String> inputs = new LinkedHashMap<>();
        // The names of inputs do not matter.
        inputs.put(Files.write(folder.resolve("a.stream"), file), "file");
        inputs.put(Files.write(folder.resolve("b.arrow"), TradesSample.stream()), "stream");
        inputs.put(
                Files.write(folder.resolve("c"), Base64.getEncoder().encode(TradesSample.stream())),
                "stream");
        inputs.put(Files.write(folder.resolve("d"), Arrays.copyOf(file, footer)), "file");
        return inputs;
    }

    private void assertWrites(String expected, Path in, Path out, String... options)
            throws IOException {
        Run text = convert(in, out, options);
        assertEquals(0, text.status(), text.err());
        assertEquals("", text.out());
        String summary = "fletch: " + out + ": " + expected + " written: batches=3, rows=800\n";
        assertTrue(text.err().endsWith(summary), text.err());
        assertEquals(expected, form(out), in + " to " + out);
        assertEquals(
                List.of(250, 400, 150),
                ArrowVectorReading.read(Files.readAllBytes(out)).batchRows());
        String[] withJson = Arrays.copyOf(options, options.length + 1);
        withJson[options.length] = "--json";
        Run json = convert(in, out, withJson);
        assertEquals(text.err().replace(summary, ""), json.err());
        Map<?, ?> object = JsonTree.object(json.json().getFirst());
        assertEquals(expected, object.get("to"));
        assertEquals(3L, object.get("batches"));
        assertEquals(800L, object.get("rows"));
        assertEquals(expected, form(out), in + " to " + out);
    }

    @Test
    void suffixOfTheOutputDecides() throws IOException {
        int cases = 0;
        Path dotted = Files.createDirectory(folder.resolve("folder.stream"));
        for (Path in : inputs().keySet()) {
            for (String suffix : FileSuffixes.ALL) {
                if (cases++ % CaseCount.of(4, 1) != 0) {
                    continue;
                }
                ArrowContainer container = FileSuffixes.container(Path.of("x" + suffix));
                String expected = container == ArrowContainer.FILE ? "file" : "stream";
                assertWrites(expected, in, folder.resolve("out" + suffix));
                assertWrites(expected, in, dotted.resolve("out" + suffix.toUpperCase()));
                assertWrites(expected, in, folder.resolve(suffix));
            }
        }
    }

    @Test
    void withoutAKnownSuffixTheFormOfTheInputStays() throws IOException {
        Path stream = Files.createDirectory(folder.resolve("folder.stream"));
        Path file = Files.createDirectory(folder.resolve("folder.arrow"));
        for (var in : inputs().entrySet()) {
            assertWrites(in.getValue(), in.getKey(), folder.resolve("out"));
            assertWrites(in.getValue(), in.getKey(), folder.resolve("out.bin"));
            assertWrites(in.getValue(), in.getKey(), folder.resolve("out.arrow.bak"));
            assertWrites(in.getValue(), in.getKey(), stream.resolve("out"));
            assertWrites(in.getValue(), in.getKey(), file.resolve("out"));
        }
    }

    @Test
    void nameOfAnotherFormatNeedsTheOption() throws IOException {
        Path in = Files.write(folder.resolve("in"), TradesSample.file());
        int cases = 0;
        for (String suffix :
                List.of(
                        ".parquet",
                        ".CSV",
                        ".json",
                        ".orc",
                        ".feather.gz",
                        ".arrow.ZST",
                        ".gz",
                        ".zip",
                        ".tar",
                        ".avro",
                        ".arrows.lz4",
                        ".Xlsx",
                        ".html",
                        ".txt")) {
            Path out = folder.resolve("out" + suffix);
            Run refused = convert(in, out);
            assertEquals(2, refused.status(), suffix);
            String last = suffix.substring(suffix.lastIndexOf('.')).toLowerCase(Locale.ROOT);
            assertTrue(
                    refused.err()
                            .startsWith("fletch: " + out + ": " + last + " stands for another"),
                    refused.err());
            assertFalse(Files.exists(out));
            assertWrites("file", in, out, "--to=file");
            assertWrites("stream", in, out, "--to=stream");
            cases++;
        }
        assertWrites("file", in, folder.resolve("out.parquet.arrow"));
        assertWrites("stream", in, folder.resolve("out.gz.arrows"));
        assertWrites("file", in, folder.resolve("parquet"));
        Path csv = Files.createDirectory(folder.resolve("folder.csv"));
        assertWrites("file", in, csv.resolve("out"));
        System.out.printf("convert: %d suffixes of other formats%n", cases);
    }

    @Test
    void optionDecidesBeforeTheSuffix() throws IOException {
        for (Path in : inputs().keySet()) {
            assertWrites("file", in, folder.resolve("out.stream"), "--to=file");
            assertWrites("stream", in, folder.resolve("out.arrow"), "--to=stream");
        }
    }
}
