// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import dev.fletch.convert.ConvertOptions;
import dev.fletch.convert.internal.Conversion;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.testdata.TradesSample;
import dev.fletch.verify.internal.InputCheck;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// Zeros behind the end of a stream, or of the messages of a file, are not read.
@Timeout(600)
class ZerosBehindEndTest {
    @TempDir Path folder;

    /// The pages of the file that are read are counted, not the time.
    @ParameterizedTest
    @ValueSource(strings = {"stream", "stream without marker", "file without footer"})
    void twentyGigabytesOfZerosAfterTheEndAreNotRead(String kind) throws IOException {
        Path maps = Path.of("/proc/self/smaps");
        assumeTrue(Files.isReadable(maps), "no /proc/self/smaps here; skipped");
        boolean isFile = kind.startsWith("file");
        byte[] bytes = isFile ? TradesSample.file() : TradesSample.stream();
        int footer =
                isFile ? ByteBuffer.wrap(bytes).order(LITTLE_ENDIAN).getInt(bytes.length - 10) : 0;
        int marker = kind.equals("stream") ? 0 : 8;
        int kept = bytes.length - (isFile ? 10 + footer : 0) - marker;
        Path file = Files.write(folder.resolve("sparse"), Arrays.copyOf(bytes, kept));
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(20L << 30);
        }
        try (InputBytes mapped = InputBytes.open(file, () -> {})) {
            Input input = Input.of(mapped);
            while (input.next()) {}
            assertEquals(800, input.rows());
            assertTrue(input.endsCleanly());
            Conversion conversion =
                    new Conversion(Input.of(mapped), ConvertOptions.DEFAULT.salvaging());
            conversion.find();
            assertEquals(0, conversion.report().leftOutCount());
            new InputCheck(ReadOptions.VERIFY, finding -> {}).run(mapped);
            long kilobytes = residentKilobytes(maps, file);
            assertTrue(kilobytes > 0 && kilobytes < 64 << 10, kilobytes + " kB");
            System.out.printf("20 GB of zeros after a %s: %d kB are read%n", kind, kilobytes);
        }
        for (String command : List.of("ls", "count", "schema", "map", "columns", "annotate")) {
            String said = Cli.run(command, file.toString()).out();
            assertTrue(
                    said.contains("400") || said.contains("800") || said.contains("symbol"), said);
        }
        assertFalse(Cli.run("convert", file.toString(), folder + "/o").err().isEmpty());
    }

    /// The part of a mapped file that was read.
    private static long residentKilobytes(Path maps, Path file) throws IOException {
        long sum = 0;
        boolean isOfFile = false;
        for (String line : Files.readAllLines(maps)) {
            if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
                isOfFile = line.endsWith(file.toString());
            } else if (isOfFile && line.startsWith("Rss:")) {
                sum += Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        return sum;
    }
}
