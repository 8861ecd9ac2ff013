// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.FletchException;
import dev.fletch.WorkMonitor;
import dev.fletch.command.Cli;
import dev.fletch.convert.ConversionReport;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.remote.RangeSource;
import dev.fletch.testdata.TradesSample;
import dev.fletch.verify.CheckReport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CancellationException;

/// Programs get from [Converter] what `fletch convert` writes.
class ConvertTest {
    @TempDir Path folder;

    private static byte[] sample(String name) throws IOException {
        return Files.readAllBytes(TradesSample.path(name));
    }

    private interface Conversion {
        ConversionReport to(WritableByteChannel output) throws IOException;
    }

    @Test
    void writesWhatTheCommandWritesFromAllSources() throws IOException {
        Path in = folder.resolve("in");
        Path out = folder.resolve("out");
        for (String name : new String[] {"trades.arrow", "trades.stream"}) {
            byte[] whole = sample(name);
            for (int length : new int[] {whole.length, 40_000, 20_000}) {
                byte[] bytes = Arrays.copyOf(whole, Math.min(length, whole.length));
                Files.write(in, bytes);
                for (ArrowContainer target : ArrowContainer.values()) {
                    String to = target.name().toLowerCase(Locale.ROOT);
                    Cli.run("convert", "--salvage", "--force", "--to", to, in + "", out + "");
                    CheckReport written = Arrow.verify(out, ReadOptions.VERIFY, _ -> {});
                    ConvertOptions options = ConvertOptions.DEFAULT.withTarget(target).salvaging();
                    InputStream stream = new ByteArrayInputStream(bytes);
                    List<Conversion> conversions =
                            List.of(
                                    channel -> Arrow.convert(in, channel, options),
                                    channel ->
                                            Arrow.convert(
                                                    MemorySegment.ofArray(bytes), channel, options),
                                    channel -> Arrow.convert(stream, channel, options),
                                    channel ->
                                            Arrow.convert(RangeSource.open(in), channel, options));
                    Set<ConversionReport> reports = new HashSet<>();
                    for (Conversion each : conversions) {
                        ByteArrayOutputStream found = new ByteArrayOutputStream();
                        reports.add(each.to(Channels.newChannel(found)));
                        assertArrayEquals(Files.readAllBytes(out), found.toByteArray());
                    }
                    assertEquals(1, reports.size());
                    ConversionReport report = reports.iterator().next();
                    assertEquals(target, report.target());
                    assertEquals(written.recordBatches(), report.batches());
                }
            }
        }
    }

    @Test
    void monitorCanStopAConversion() throws IOException {
        CancellationException cancelled = new CancellationException();
        WorkMonitor stopping =
                (_, _) -> {
                    throw cancelled;
                };
        ConvertOptions options =
                ConvertOptions.DEFAULT.withReading(ReadOptions.DEFAULT.withMonitor(stopping));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        MemorySegment memory = MemorySegment.ofArray(sample("trades.arrow"));
        assertEquals(
                cancelled,
                assertThrows(
                        CancellationException.class,
                        () -> Arrow.convert(memory, Channels.newChannel(out), options)));
        assertEquals(0, out.size());
    }

    @Test
    void valuesAreNotCheckedWithoutColumns() throws IOException {
        byte[] wrong = sample("trades.arrow");
        wrong[3776] = 77; // an index of the dictionary
        ConvertOptions options =
                ConvertOptions.DEFAULT.withReading(ReadOptions.DEFAULT.withLevel(Level.VALUES));
        MemorySegment file = MemorySegment.ofArray(wrong);
        var out = Channels.newChannel(new ByteArrayOutputStream());
        assertThrows(FletchException.class, () -> Arrow.convert(file, out, options));
        assertEquals(3, Arrow.convert(file, out, options.withColumns()).batches());
    }
}
