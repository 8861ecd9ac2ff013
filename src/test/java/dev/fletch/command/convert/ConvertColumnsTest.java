// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.convert;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.arrow.Arrow;
import dev.fletch.batch.BatchBuilder;
import dev.fletch.batch.BatchLayout;
import dev.fletch.command.Cli;
import dev.fletch.command.WrittenOutput;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.remote.RangeSource;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.testdata.ArrowBytes;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.RangeServer;

import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
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
        ArrowField[] fields = new ArrowField[WIDE];
        Arrays.setAll(fields, i -> ArrowField.of("c" + i, new ArrowType.Int(64, true)));
        ArrowSchema schema = ArrowSchema.of(fields);
        BatchBuilder batch =
                new BatchBuilder(BatchLayout.compile(schema.toTable(), MetadataVersion.V5));
        Path path = folder.resolve("wide." + container);
        try (MessageWriter out = MessageWriter.of(container, new FileOutputStream(path.toFile()))) {
            out.write(schema.toMessage(EmissionOrder.ARROW_CPP));
            for (int i = 0; i < 3; i++) {
                batch.begin(WIDE_ROWS);
                for (int column = 0; column < WIDE; column++) {
                    long[] values = new Random(WIDE * i + column).longs(WIDE_ROWS).toArray();
                    batch.buffer(column, BufferRole.DATA, MemorySegment.ofArray(values));
                }
                out.write(batch);
            }
            out.finish();
        }
        return path;
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
