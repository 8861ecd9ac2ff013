// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.arrow.Arrow;
import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.JsonTree;
import dev.fletch.convert.ConversionReport;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.TradesSample;

import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/// `fletch convert --salvage` names the columns without errors, and `--sound-columns` writes them.
class SoundColumnsTest {
    private static final String ALL = "time,symbol,price,size,side,venue,tags";
    private static final int MUTANTS = CaseCount.of(300, 5_000);
    private static final long MEMORY = 1 << 24;

    @TempDir Path folder;

    private Run convert(byte[] input, String... options) throws IOException {
        Path in = Files.write(folder.resolve("in"), input);
        List<String> all = new ArrayList<>(List.of("convert", "--force", "--salvage"));
        all.addAll(Arrays.asList(options));
        all.addAll(List.of(in.toString(), folder.resolve("out").toString()));
        Run run = Cli.run(all.toArray(String[]::new));
        return new Run(run.status(), run.out(), run.err().replace(folder.toString(), ""));
    }

    /// Where the buffer of a field in a batch begins, as `fletch map` says.
    private int at(byte[] input, int message, String field, String role) throws IOException {
        Path in = Files.write(folder.resolve("map"), input);
        return Cli.run("map", in.toString())
                .out()
                .lines()
                .map(each -> each.trim().split(" {2,}"))
                .filter(each -> each.length > 4)
                .filter(each -> each[0].equals(field) && each[1].equals(Integer.toString(message)))
                .filter(each -> each[2].equals(role))
                .mapToInt(each -> Integer.parseInt(each[3].trim()))
                .findFirst()
                .orElseThrow();
    }

    private void damage(byte[] bytes, int message, String field, String role) throws IOException {
        Arrays.fill(
                bytes,
                at(bytes, message, field, role),
                at(bytes, message, field, role) + 8,
                (byte) 0x9F);
    }

    /// Checks what the columns and rows of the output are, and that it has no wrong values.
    private void assertWritten(Run run, String columns, int batches, int rows) throws IOException {
        assertEquals(1, run.status(), run.err());
        String last = run.err().lines().toList().getLast();
        assertTrue(last.contains("written: batches=" + batches + ", rows=" + rows), run.err());
        byte[] out = Files.readAllBytes(folder.resolve("out"));
        assertEquals(columns, String.join(",", columns(out)));
        Run checked = Cli.run("verify", "--values", folder.resolve("out").toString());
        assertTrue(checked.out().contains(": ok: "), checked.out());
    }

    private static List<String> columns(byte[] out) {
        ByteBuffer metadata = OracleListing.list(out).messages().getFirst().metadata().duplicate();
        Schema schema = (Schema) Message.getRootAsMessage(metadata).header(new Schema());
        return IntStream.range(0, schema.fieldsLength())
                .mapToObj(each -> schema.fields(each).name())
                .toList();
    }

    private static String without(String... columns) {
        List<String> names = new ArrayList<>(List.of(ALL.split(",")));
        names.removeAll(List.of(columns));
        return String.join(",", names);
    }

    @Test
    void columnsWithoutWrongValuesAreNamedAndWritten() throws IOException {
        for (byte[] bytes : List.of(TradesSample.file(), TradesSample.stream())) {
            damage(bytes, 2, "symbol", "data");
            Run named = convert(bytes, "--values");
            assertEquals(1, named.status());
            assertTrue(named.err().contains("batches=2, rows=550"), named.err());
            String note = "columns without errors: " + without("symbol") + "; --sound-columns";
            assertTrue(named.err().contains(note), named.err());
            Run run = convert(bytes, "--values", "--sound-columns");
            assertWritten(run, without("symbol"), 3, 800);
            assertTrue(
                    run.err().contains("column is left out: column=symbol: values are invalid: "),
                    run.err());
            assertFalse(run.err().contains("columns without errors"), run.err());
        }
    }

    @Test
    void eachBatchMayHaveAnotherWrongColumn() throws IOException {
        byte[] bytes = TradesSample.file();
        damage(bytes, 2, "symbol", "data");
        damage(bytes, 3, "tags", "offsets");
        damage(bytes, 4, "venue.code", "offsets");
        Run run = convert(bytes, "--values", "--sound-columns");
        assertWritten(run, without("symbol", "tags", "venue"), 3, 800);
        assertEquals(3, run.err().lines().filter(each -> each.contains("column is left")).count());
        List<Object> json = convert(bytes, "--values", "--sound-columns", "--json").json();
        assertEquals(
                List.of("time", "price", "size", "side"),
                JsonTree.array(((Map<?, ?>) json.getFirst()).get("soundColumns")));
    }

    /// With chosen columns, only these count; chosen fields of one column count by themselves.
    @Test
    void onlyChosenColumnsCount() throws IOException {
        byte[] bytes = TradesSample.file();
        damage(bytes, 2, "symbol", "data");
        damage(bytes, 3, "venue.code", "offsets");
        String chosen = "price,venue.code,venue.lit,time";
        Run run = convert(bytes, "--values", "--sound-columns", "--columns", chosen);
        assertWritten(run, "price,venue,time", 3, 800);
        assertTrue(run.err().contains("column=venue.code"), run.err());
        assertFalse(run.err().contains("symbol"), run.err());
        Run sound = convert(bytes, "--values", "--sound-columns", "--columns", "price,time");
        assertEquals(0, sound.status(), sound.err());
    }

    @Test
    void columnsOfAWrongOrMissingDictionaryAreLeftOut() throws IOException {
        byte[] wrong = TradesSample.stream();
        wrong[at(wrong, 1, "dictionary 0", "data")] = (byte) 0xFF;
        assertWritten(convert(wrong, "--values", "--sound-columns"), without("symbol"), 3, 800);
        byte[] stream = TradesSample.stream();
        List<OracleMessage> messages = OracleListing.list(stream).messages();
        int from = (int) messages.get(1).offset();
        int end = (int) messages.get(2).offset();
        byte[] missing = new byte[stream.length - (end - from)];
        System.arraycopy(stream, 0, missing, 0, from);
        System.arraycopy(stream, end, missing, from, stream.length - end);
        assertWritten(convert(missing, "--sound-columns"), without("symbol"), 3, 800);
        assertTrue(convert(missing).err().contains("columns without errors: " + without("symbol")));
    }

    /// Several columns share a dictionary, also inside of others.
    @Test
    void allColumnsOfADictionaryAreLeftOut() throws IOException {
        byte[] stream = ArrowVectorFiles.named("dictionaries").stream();
        List<OracleMessage> messages = OracleListing.list(stream).messages();
        OracleMessage shared =
                messages.stream()
                        .filter(each -> each.dictionaryId() != null && each.dictionaryId() == 1)
                        .findFirst()
                        .orElseThrow();
        zeroBuffers(stream, shared);
        Run run = convert(stream, "--sound-columns");
        assertEquals(1, run.status(), run.err());
        assertEquals(
                List.of("number", "struct_value"),
                columns(Files.readAllBytes(folder.resolve("out"))));
        assertEquals(3, run.err().lines().filter(each -> each.contains("column is left")).count());
    }

    /// Errors of lengths in metadata are those of columns without `--values`, too.
    @Test
    void columnsWithWrongLengthsAreLeftOut() throws IOException {
        for (byte[] bytes : List.of(TradesSample.file(), TradesSample.stream())) {
            OracleMessage batch = OracleListing.list(bytes).recordBatches().get(1);
            int size = firstBuffer(bytes, batch) + 6 * 16;
            Arrays.fill(bytes, size, size + 4 * 16, (byte) 0); // size, side
            Run named = convert(bytes);
            assertTrue(
                    named.err().contains("columns without errors: " + without("size", "side")),
                    named.err());
            assertWritten(convert(bytes, "--sound-columns"), without("size", "side"), 3, 800);
        }
    }

    /// A batch in which all columns have errors is left out; so is one that would leave no column.
    @Test
    void batchWithoutSoundColumnsIsLeftOut() throws IOException {
        byte[] bytes = TradesSample.file();
        zeroBuffers(bytes, OracleListing.list(bytes).recordBatches().get(1));
        assertWritten(convert(bytes, "--sound-columns"), ALL, 2, 400);
        damage(bytes, 2, "symbol", "data");
        assertWritten(convert(bytes, "--values", "--sound-columns"), without("symbol"), 2, 400);
        Run one = convert(bytes, "--values", "--sound-columns", "--columns", "symbol");
        assertWritten(one, "symbol", 1, 150);
    }

    @Test
    void soundColumnsNeedSalvage() {
        Run run = Cli.run("convert", "--sound-columns", "a", "b");
        assertEquals(2, run.status());
        assertTrue(run.err().contains("--sound-columns needs --salvage"), run.err());
    }

    private static void zeroBuffers(byte[] bytes, OracleMessage message) {
        int first = firstBuffer(bytes, message);
        int count = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(first - 4);
        Arrays.fill(bytes, first, first + 16 * count, (byte) 0);
    }

    /// Follows message, header and buffers by hand.
    private static int firstBuffer(byte[] bytes, OracleMessage message) {
        ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int root = (int) message.metadataOffset();
        int batch = follow(words, root + words.getInt(root), 2);
        batch = message.dictionaryId() == null ? batch : follow(words, batch, 1);
        return follow(words, batch, 2) + Integer.BYTES;
    }

    private static int follow(ByteBuffer words, int table, int slot) {
        int at = table + words.getShort(table - words.getInt(table) + 4 + 2 * slot);
        return at + words.getInt(at);
    }

    // ---- damage at random

    /// The columns that are written are those in which `verify` finds nothing, column by column;
    /// then no batch is left out.
    @Test
    void writtenColumnsAreThoseThatVerifyFindsSound() throws IOException {
        List<ArrowCase> cases =
                ArrowVectorFiles.cases().stream()
                        .filter(each -> each.schema().getFields().size() > 1)
                        .filter(each -> each.schema().getFields().size() < 50)
                        .toList();
        Random random = new Random(61);
        ConvertOptions options =
                ConvertOptions.DEFAULT
                        .salvagingColumns()
                        .withReading(
                                ReadOptions.DEFAULT
                                        .withLevel(Level.VALUES)
                                        .withDecompressedBytes(MEMORY));
        int wrong = 0;
        int some = 0;
        for (int i = 0; i < MUTANTS; i++) {
            ArrowCase from = cases.get(random.nextInt(cases.size()));
            byte[] stream = from.stream().clone();
            List<OracleMessage> bodies =
                    OracleListing.list(stream).messages().stream()
                            .filter(each -> each.bodyLength() > 0)
                            .toList();
            for (int flips = random.nextInt(3); flips >= 0 && !bodies.isEmpty(); flips--) {
                OracleMessage one = bodies.get(random.nextInt(bodies.size()));
                int at = (int) (one.bodyOffset() + random.nextLong(one.bodyLength()));
                stream[at] = (byte) random.nextInt();
            }
            List<String> all = from.schema().getFields().stream().map(Field::getName).toList();
            if (all.stream().distinct().count() < all.size()) {
                continue;
            }
            List<String> sound = all.stream().filter(each -> isSound(stream, each)).toList();
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ConversionReport report;
            if (sound.isEmpty()) {
                continue;
            }
            report =
                    Arrow.convert(MemorySegment.ofArray(stream), Channels.newChannel(out), options);
            String title = from.name() + " " + i + ": " + report;
            assertEquals(sound, columns(out.toByteArray()), title);
            assertEquals(
                    OracleListing.list(stream).recordBatches().size(), report.batches(), title);
            assertEquals(all.size() - sound.size(), report.leftOutCount(), title);
            assertEquals(
                    sound.size() == all.size() ? List.of() : sound, report.soundColumns(), title);
            wrong += sound.size() < all.size() ? 1 : 0;
            some++;
        }
        CaseCount.report("%,d damaged streams with sound columns, %,d with others", some, wrong);
        assertTrue(wrong > MUTANTS / 10, wrong + " of " + some);
    }

    private static boolean isSound(byte[] stream, String column) {
        ReadOptions check =
                ReadOptions.VERIFY.withLevel(Level.VALUES).withDecompressedBytes(MEMORY);
        return Arrow.verify(MemorySegment.ofArray(stream), check, _ -> {}, column).isOk();
    }
}
