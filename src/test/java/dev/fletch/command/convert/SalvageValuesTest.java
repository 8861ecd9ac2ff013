// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.arrow.Arrow;
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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.util.List;
import java.util.Random;

/// `fletch convert --values`, and [ConvertOptions#checksValues]: batches with wrong values are
/// damaged.
class SalvageValuesTest {
    private static final int SYMBOLS = 3776;
    private static final int MUTANTS = CaseCount.of(500, 8_000);
    private static final long MEMORY = 1 << 24;

    private static byte[] with(int at, int value) {
        byte[] file = TradesSample.file();
        file[at] = (byte) value;
        return file;
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
