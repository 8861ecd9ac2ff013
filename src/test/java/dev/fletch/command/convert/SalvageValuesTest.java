// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.arrow.Arrow;
import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
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
import dev.fletch.verify.CheckReport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// `fletch convert --values`, and [ConvertOptions#checksValues]: batches with wrong values are
/// damaged.
class SalvageValuesTest {
    // Offsets in the sample, as `fletch map` shows them.
    private static final int DICTIONARY_TEXT = 1096;
    private static final int SYMBOLS = 3776;
    private static final int MUTANTS = CaseCount.of(500, 8_000);
    private static final long MEMORY = 1 << 24;

    @TempDir Path folder;

    private Run convert(byte[] input, String... options) throws IOException {
        Path in = Files.write(folder.resolve("in"), input);
        List<String> all = new ArrayList<>(List.of("convert", "--force"));
        all.addAll(Arrays.asList(options));
        all.add(in.toString());
        all.add(folder.resolve("out.arrow").toString());
        Run run = Cli.run(all.toArray(String[]::new));
        String shown = run.err().replace(folder.toString(), "");
        return new Run(run.status(), run.out(), shown);
    }

    private static byte[] with(int at, int value) {
        byte[] file = TradesSample.file();
        file[at] = (byte) value;
        return file;
    }

    @Test
    void batchWithWrongIndexIsLeftOut() throws IOException {
        byte[] wrong = with(SYMBOLS, 77);
        assertEquals(
                new Run(
                        1,
                        "",
                        """
                        fletch: /in: message 2: offset %d: values are invalid: value-dictionary-index: index is \
                        outside its dictionary: row=0, value=77, limit=4, column=symbol
                        fletch: /in: columns without errors: time,price,size,side,venue,tags; \
                        --sound-columns writes these of all batches
                        fletch: /out.arrow: file written: batches=2, rows=550
                        """
                                .formatted(SYMBOLS)),
                convert(wrong, "--salvage", "--values"));
        assertEquals(0, Cli.run("verify", "--values", folder + "/out.arrow").status());
        assertEquals(0, convert(wrong, "--salvage").status());
        assertEquals(0, convert(wrong, "--salvage", "--values", "--columns", "price").status());
    }

    @Test
    void wrongValuesAreAnErrorWithoutSalvage() throws IOException {
        Run run = convert(with(SYMBOLS, 77), "--values");
        assertEquals(1, run.status());
        assertTrue(run.err().contains("; --salvage converts the complete batches"), run.err());
        assertFalse(Files.exists(folder.resolve("out.arrow")));
        assertEquals(0, convert(TradesSample.file(), "--values").status());
    }

    @Test
    void batchesThatNeedWrongDictionaryAreLeftOut() throws IOException {
        Run run = convert(with(DICTIONARY_TEXT, 0xFF), "--salvage", "--values");
        assertEquals(1, run.status());
        List<String> lines = run.err().lines().toList();
        assertTrue(lines.get(0).contains("value-not-utf8: text is not UTF-8: row=0"), run.err());
        assertTrue(lines.get(1).endsWith("dictionary that is left out: id=0"), run.err());
        assertTrue(lines.getLast().endsWith("file written: batches=0, rows=0"), run.err());
        Run others =
                convert(with(DICTIONARY_TEXT, 0xFF), "--salvage", "--values", "--columns", "price");
        assertEquals(
                new Run(0, "", "fletch: /out.arrow: file written: batches=3, rows=800\n"), others);
    }

    @Test
    void valuesAreNotCheckedWithoutColumns() throws IOException {
        ConvertOptions options =
                ConvertOptions.DEFAULT
                        .withColumns()
                        .withReading(ReadOptions.DEFAULT.withLevel(Level.VALUES));
        MemorySegment wrong = MemorySegment.ofArray(with(SYMBOLS, 77));
        var out = Channels.newChannel(new ByteArrayOutputStream());
        assertEquals(3, Arrow.convert(wrong, out, options).batches());
    }

    /// The output has no wrong values, and all batches without any.
    @Test
    void outputHasTheBatchesThatVerifyFindsSound() throws IOException {
        List<ArrowCase> cases = ArrowVectorFiles.cases();
        Random random = new Random(43);
        ReadOptions check =
                ReadOptions.VERIFY.withLevel(Level.VALUES).withDecompressedBytes(MEMORY);
        ConvertOptions options =
                ConvertOptions.DEFAULT
                        .salvaging()
                        .withReading(
                                ReadOptions.DEFAULT
                                        .withLevel(Level.VALUES)
                                        .withDecompressedBytes(MEMORY));
        int wrong = 0;
        for (int i = 0; i < MUTANTS; i++) {
            byte[] stream = cases.get(random.nextInt(cases.size())).stream().clone();
            if (!damageBody(stream, random)) {
                continue;
            }
            CheckReport before = Arrow.verify(MemorySegment.ofArray(stream), check, _ -> {});
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ConversionReport report =
                    Arrow.convert(MemorySegment.ofArray(stream), Channels.newChannel(out), options);
            String title = i + ": " + before + " " + report;
            assertEquals(before.isOk(), report.leftOutCount() == 0, title);
            CheckReport after =
                    Arrow.verify(MemorySegment.ofArray(out.toByteArray()), check, _ -> {});
            assertTrue(after.isOk(), title + " " + after);
            assertEquals(after.recordBatches(), report.batches(), title);
            wrong += before.isOk() ? 0 : 1;
        }
        CaseCount.report("%,d streams with damaged bodies, with wrong values: %,d", MUTANTS, wrong);
        assertTrue(wrong > MUTANTS / 10);
    }

    private static boolean damageBody(byte[] stream, Random random) {
        List<OracleMessage> messages =
                OracleListing.list(stream).messages().stream()
                        .filter(each -> each.bodyLength() > 0)
                        .toList();
        if (messages.isEmpty()) {
            return false;
        }
        OracleMessage one = messages.get(random.nextInt(messages.size()));
        long body = one.metadataOffset() + one.metadataLength();
        for (int flips = random.nextInt(4); flips >= 0; flips--) {
            stream[(int) (body + random.nextLong(one.bodyLength()))] = (byte) random.nextInt();
        }
        return true;
    }
}
