// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// The same bytes have the same answer and the same exit status, whether they lie in a file or come
/// through a pipe: of every command, whatever is wrong with them.
class FileAndPipeTest {
    private static final String TRADES = TradesSample.path("trades.arrow").toString();
    private static final int FOOTER_LENGTH_BYTES = 4;
    private static final int MAGIC_BYTES = 6;

    /// From one command that an input is given to, to the next. The first one is another one each
    /// time, so that all commands see as many inputs.
    private static final int STEP = CaseCount.of(12, 1);

    private static final String[][] COMMANDS = {
        {"ls"},
        {"schema"},
        {"schema", "--format=fbs"},
        {"count"},
        {"verify"},
        {"verify", "--strict"},
        {"columns", "--json"},
        {"map"},
        {"map", "--totals"},
        {"annotate"},
        {"ext"},
        {"json"},
        {"diff", TRADES},
        {"diff", "--bytes", TRADES},
        {"ls", "--json"},
        {"schema", "--json"},
        {"count", "--json"},
        {"verify", "--json"},
        {"map", "--json"},
        {"annotate", "--json"},
        {"ext", "--json"},
        {"diff", "--json", TRADES},
        {"diff", "--json", "--bytes", TRADES}
    };

    @TempDir Path folder;
    private Path file;
    private int fine;
    private int faulty;
    private int inputs;

    @BeforeEach
    void nameFile() {
        file = folder.resolve("bytes");
    }

    // ---- tests

    @Test
    void goldensReadAlikeFromFileAndPipe() throws IOException {
        for (Path golden : Goldens.all()) {
            check(Goldens.title(golden), Goldens.read(golden));
        }
        assertTrue(fine > faulty, () -> fine + " " + faulty);
    }

    @Test
    void samplesReadAlikeFromFileAndPipe() throws IOException {
        for (Path sample : allSamples()) {
            check(sample.toString(), Files.readAllBytes(sample));
        }
        assertTrue(fine > faulty, () -> fine + " " + faulty);
    }

    @Test
    void footerOfZerosIsNoFooter() throws IOException {
        byte[] bytes = TradesSample.file();
        int tail = bytes.length - MAGIC_BYTES - FOOTER_LENGTH_BYTES;
        Arrays.fill(bytes, tail - 64, tail, (byte) 0);
        check("zeros", bytes);
        assertEquals(1, Cli.runWithInput(bytes, "count", "-").status());
    }

    @Test
    void shortInputsReadAlikeFromFileAndPipe() throws IOException {
        for (byte[] each : new byte[][] {TradesSample.file(), TradesSample.stream()}) {
            for (int length = 0; length < 40; length += 3) {
                check("length=" + length, Arrays.copyOf(each, length));
            }
        }
        check("mark", Frames.END);
    }

    /// More than memory holds of a pipe: the bytes behind the messages belong to nothing.
    @Test
    void longFileReadsAlikeFromFileAndPipe() throws IOException {
        byte[] whole = TradesSample.file();
        int tail = whole.length - MAGIC_BYTES - FOOTER_LENGTH_BYTES;
        int footer = tail - ((whole[tail] & 0xFF) | (whole[tail + 1] & 0xFF) << 8);
        byte[] end = Arrays.copyOfRange(whole, footer, whole.length);
        byte[] bytes = Frames.join(Arrays.copyOf(whole, footer), new byte[3 << 20], end);
        check("long", bytes);
        bytes[bytes.length - 1] = 'x';
        check("long and broken", bytes);
        assertEquals(0, Cli.run("count", TRADES).status());
        assertTrue(fine > 5 / STEP, () -> "fine=" + fine);
    }

    // ---- what they have in common

    private static List<Path> allSamples() throws IOException {
        List<Path> samples = new ArrayList<>();
        for (String each : List.of("samples", "arrow-cpp")) {
            Path resources = Goldens.repositoryRoot().resolve("src/test/resources");
            try (Stream<Path> files = Files.list(resources.resolve(each))) {
                files.filter(path -> path.toString().matches(".*\\.(arrow|arrows|stream)"))
                        .sorted()
                        .forEach(samples::add);
            }
        }
        return samples;
    }

    private void check(String what, byte[] bytes) throws IOException {
        Files.write(file, bytes);
        for (int i = inputs++ % STEP; i < COMMANDS.length; i += STEP) {
            String[] command = COMMANDS[i];
            String[] args = Arrays.copyOf(command, command.length + 1);
            args[command.length] = file.toString();
            Run byFile = Cli.run(args);
            args[command.length] = "-";
            Run byPipe = Cli.runWithInput(bytes, args);
            if (byFile.err().contains("uncompressed length")) {
                continue; // a pipe's are not read
            }
            String title = what + ": " + String.join(" ", command);
            assertEquals(common(byFile), common(byPipe), title);
            if (byFile.status() == 0) {
                fine++;
            } else {
                faulty++;
            }
        }
    }

    /// An answer without the input's name, and with columns of one width: that of a pipe's offsets
    /// is not known before its end.
    private String common(Run run) {
        String said = run.status() + "\n" + run.out() + "----\n" + run.err();
        return said.replace(file.toString(), "-")
                .replace("standard input", "-")
                .replaceAll("(\"uncompressedBytes\":)(\\d+|null)", "$1") // a pipe's are not read
                .replaceAll(" +", " ")
                .replaceAll("(?m)^ ", "");
    }
}
