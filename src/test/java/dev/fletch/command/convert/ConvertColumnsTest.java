// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.convert;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.arrow.Arrow;
import dev.fletch.command.Cli;
import dev.fletch.command.WrittenOutput;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.corpus.CaseFile;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.remote.RangeSource;
import dev.fletch.testdata.ArrowBytes;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.RangeServer;

import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// `fletch convert --columns`: the chosen columns as a valid file or stream.
class ConvertColumnsTest {
    @TempDir Path folder;

    /// Files and streams of all versions; the footer's metadata is kept.
    @Test
    void columnsOfGoldensAreThoseThatArrowJavaReads() throws IOException {
        int compared = 0;
        for (Path golden : Goldens.all()) {
            if (golden.toString().contains("0.17.1") // arrow-java has no unions of version 4
                    || golden.toString().contains("duplicate_fieldnames")) {
                continue;
            }
            byte[] content = Goldens.read(golden);
            List<Field> fields = ArrowVectorReading.read(content).schema().getFields();
            for (Field each : Set.copyOf(List.of(fields.getFirst(), fields.getLast()))) {
                List<String> name = List.of(each.getName());
                for (ArrowContainer target : ArrowContainer.values()) {
                    ConvertOptions options = ConvertOptions.DEFAULT.withTarget(target);
                    byte[] written =
                            ArrowBytes.converted(content, options.withColumns(each.getName()));
                    WrittenOutput.check(content, written, name, false);
                    compared++;
                }
            }
        }
        System.out.printf("convert --columns: %d outputs compared%n", compared);
        assertTrue(compared > 100);
    }

    // ---- links

    private static final int WIDE = 20;
    private static final int WIDE_ROWS = 20_000;

    /// Three batches of 20 columns of numbers, 9.6 MB.
    private Path wide(ArrowContainer container) throws IOException {
        StringBuilder input = new StringBuilder(container.name().toLowerCase(Locale.ROOT) + " <");
        for (int i = 0; i < WIDE; i++) {
            input.append("c%d:new Int(bitWidth=64) ".formatted(i));
        }
        input.append('>');
        for (int batch = 0; batch < 3; batch++) {
            input.append(" | batch %d [%<d*%d] [".formatted(WIDE_ROWS, WIDE));
            for (int i = 0; i < WIDE; i++) {
                int number = WIDE * batch + i;
                input.append(" - repeat(%d i64(%d))".formatted(WIDE_ROWS, number));
            }
            input.append(']');
        }
        Path path = folder.resolve("wide." + container);
        return Files.write(path, CaseFile.input(input.toString()));
    }

    @Test
    void onlyChosenColumnsOfALinkAreRequested() throws IOException {
        for (ArrowContainer container : ArrowContainer.values()) {
            Path in = wide(container);
            byte[] local = ArrowBytes.converted(Files.readAllBytes(in), options(container));
            try (RangeServer server = new RangeServer(folder)) {
                Path out = folder.resolve("out");
                String link = server.link(in.getFileName().toString());
                Cli.Run result =
                        Cli.run(
                                "convert",
                                "--force",
                                "--to",
                                container == ArrowContainer.FILE ? "file" : "stream",
                                "--columns",
                                "c17,c3",
                                link,
                                out.toString());
                assertEquals(0, result.status(), result.err());
                assertArrayEquals(local, Files.readAllBytes(out));
                long columns = 3L * 2 * WIDE_ROWS * Long.BYTES;
                long requested = requested(server);
                System.out.printf(
                        "convert --columns of a link, %s: %d of %d bytes requested%n",
                        container, requested, Files.size(in));
                assertTrue(requested >= columns && requested < 2 * columns, "" + requested);
            }
            try (RangeSource source = RangeSource.open(in)) {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                Arrow.convert(source, Channels.newChannel(out), options(container));
                assertArrayEquals(local, out.toByteArray());
            }
        }
    }

    private static ConvertOptions options(ArrowContainer container) {
        return ConvertOptions.DEFAULT.withTarget(container).withColumns("c17", "c3");
    }

    /// The sum of all ranges.
    private static long requested(RangeServer server) {
        long sum = 0;
        for (String request : server.requests) {
            String[] ends = request.substring(request.indexOf('=') + 1).split("-", -1);
            sum +=
                    ends[0].isEmpty()
                            ? Long.parseLong(ends[1])
                            : Long.parseLong(ends[1]) - Long.parseLong(ends[0]) + 1;
        }
        return sum;
    }
}
