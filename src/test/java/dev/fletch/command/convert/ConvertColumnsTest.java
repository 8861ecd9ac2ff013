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
import dev.fletch.convert.ConversionReport;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.format.FieldNode;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.remote.RangeSource;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.RangeServer;
import dev.fletch.testdata.TradesSample;

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
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// `fletch convert --columns`: the chosen columns as a valid file or stream.
class ConvertColumnsTest {
    private static final int SIZE_NODE = 3;

    @TempDir Path folder;

    private static byte[] converted(byte[] content, ConvertOptions options) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Arrow.convert(MemorySegment.ofArray(content), Channels.newChannel(out), options);
        return out.toByteArray();
    }

    /// The cells of chosen columns, batch by batch and row by row.
    private static List<List<String>> cells(ArrowVectorReading reading, int... columns) {
        return reading.values().stream()
                .flatMap(String::lines)
                .map(
                        line -> {
                            String[] all = line.split("\t", -1);
                            return Arrays.stream(columns).mapToObj(c -> all[c]).toList();
                        })
                .toList();
    }

    @Test
    void chosenColumnsAreWrittenInTheirOrder() throws IOException {
        Path in = TradesSample.path("trades.arrow");
        for (String name : new String[] {"out.arrow", "out.arrows"}) {
            Path out = folder.resolve(name);
            Cli.Run result =
                    Cli.run("convert", "--columns", "price,symbol", in.toString(), out.toString());
            assertEquals(0, result.status(), result.err());
            ArrowVectorReading all = ArrowVectorReading.read(Files.readAllBytes(in));
            ArrowVectorReading found = ArrowVectorReading.read(Files.readAllBytes(out));
            assertEquals(
                    List.of("price", "symbol"),
                    found.schema().getFields().stream().map(Field::getName).toList());
            assertEquals(all.schema().getCustomMetadata(), found.schema().getCustomMetadata());
            assertEquals(all.batchRows(), found.batchRows());
            assertEquals(cells(all, 2, 1), cells(found, 0, 1));
            assertEquals(0, Cli.run("verify", "--strict", out.toString()).status());
        }
    }

    @Test
    void childrenOfStructsAreChosenByPath() throws IOException {
        Path in = TradesSample.path("trades.arrow");
        Path out = folder.resolve("venues.arrow");
        ArrowVectorReading all = ArrowVectorReading.read(Files.readAllBytes(in));
        Field venue = all.schema().findField("venue");
        String child = venue.getChildren().getLast().getName();
        Cli.Run result =
                Cli.run("convert", "--columns", "venue." + child, in.toString(), out.toString());
        assertEquals(0, result.status(), result.err());
        ArrowVectorReading found = ArrowVectorReading.read(Files.readAllBytes(out));
        Field only = found.schema().getFields().getFirst();
        assertEquals(List.of(venue.getChildren().getLast()), only.getChildren());
        assertEquals(all.batchRows(), found.batchRows());
    }

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
            ArrowVectorReading all = ArrowVectorReading.read(content);
            List<Field> fields = all.schema().getFields();
            List<String> names = fields.stream().map(Field::getName).toList();
            for (int each : IntStream.of(0, fields.size() - 1).distinct().toArray()) {
                String name = names.get(each);
                int column = names.indexOf(name); // the first of several
                for (ArrowContainer target : ArrowContainer.values()) {
                    byte[] written =
                            converted(
                                    content,
                                    ConvertOptions.DEFAULT.withTarget(target).withColumns(name));
                    ArrowVectorReading found = ArrowVectorReading.read(written);
                    assertEquals(List.of(fields.get(column)), found.schema().getFields());
                    assertEquals(all.batchRows(), found.batchRows());
                    assertEquals(cells(all, column), cells(found, 0));
                    if (target == ArrowContainer.FILE && OracleListing.isFile(content)) {
                        assertEquals(footerMetadata(content), footerMetadata(written));
                    }
                    compared++;
                }
            }
        }
        System.out.printf("convert --columns: %d outputs compared%n", compared);
        assertTrue(compared > 100);
    }

    private static int footerMetadata(byte[] file) {
        return ArrowFile.of(MemorySegment.ofArray(file)).footer().customMetadataCount();
    }

    // ---- damage

    /// The sample, with a change of its second batch.
    private static byte[] changed(Consumer<RecordBatch> change) throws IOException {
        byte[] bytes = Files.readAllBytes(TradesSample.path("trades.arrow"));
        RecordBatch batch = new RecordBatch();
        Message message = new Message();
        ArrowFile.of(MemorySegment.ofArray(bytes))
                .recordBatch(1, new EncapsulatedMessage(), message);
        assertTrue(message.header(batch));
        change.accept(batch);
        return bytes;
    }

    /// The sample, with a wrong length of the column `size` in its second batch.
    private static byte[] damaged() throws IOException {
        return changed(batch -> batch.nodes(SIZE_NODE, new FieldNode()).set(1_000_000, 0));
    }

    private static void assertPricesOfTheSample(Path out) throws IOException {
        byte[] sample = Files.readAllBytes(TradesSample.path("trades.arrow"));
        assertEquals(
                cells(ArrowVectorReading.read(sample), 2),
                cells(ArrowVectorReading.read(Files.readAllBytes(out)), 0));
    }

    @Test
    void programsChooseColumnsToo() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ConversionReport report =
                Arrow.convert(
                        TradesSample.path("trades.stream"),
                        Channels.newChannel(out),
                        ConvertOptions.DEFAULT.withColumns("size", "time"));
        assertEquals(800, report.rows());
        ArrowVectorReading found = ArrowVectorReading.read(out.toByteArray());
        assertEquals(
                List.of("size", "time"),
                found.schema().getFields().stream().map(Field::getName).toList());
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
            byte[] local = converted(Files.readAllBytes(in), options(container));
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

    @Test
    void aDamagedLinkIsSalvaged() throws IOException {
        Path in = Files.write(folder.resolve("damaged.arrow"), damaged());
        try (RangeServer server = new RangeServer(folder)) {
            Path out = folder.resolve("saved.arrow");
            Cli.Run result =
                    Cli.run(
                            "convert",
                            "--salvage",
                            "--columns",
                            "price",
                            server.link("damaged.arrow"),
                            out.toString());
            assertEquals(0, result.status(), result.err());
            assertPricesOfTheSample(out);
        }
    }
}
