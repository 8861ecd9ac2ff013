// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.fletch.testdata.Goldens;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Command lines that start without picocli, or with one subcommand alone, do what they do with
/// all.
class PlainCommandLineTest {
    private interface Start {
        int run(PrintWriter out, PrintWriter err);
    }

    private static Cli.Run run(Start start) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = start.run(new PrintWriter(out), new PrintWriter(err));
        return new Cli.Run(status, out.toString(), err.toString());
    }

    private static void assertSame(String... args) {
        assertEquals(
                run((out, err) -> Main.commandLine().setOut(out).setErr(err).execute(args)),
                run((out, err) -> Main.run(args, out, err)),
                () -> String.join(" ", args));
    }

    @ParameterizedTest
    @FieldSource("dev.fletch.command.Cli#INPUT_COMMANDS")
    void inputsAloneAreShownAsWithPicocli(String command, @TempDir Path folder) throws Exception {
        Path sample = Goldens.repositoryRoot().resolve("src/test/resources/samples/trades.arrow");
        String good = sample.toString();
        byte[] bytes = Files.readAllBytes(sample);
        bytes[bytes.length / 2] ^= 1;
        String cut = Files.write(folder.resolve("cut.arrow"), List.of("ARROW1")).toString();
        String odd = Files.write(folder.resolve("@odd name.arrow"), bytes).toString();
        String missing = folder.resolve("missing").toString();
        assertSame(command, good);
        assertSame(command, good, odd);
        assertSame(command, cut);
        assertSame(command, missing, good, cut);
        assertSame(command, folder.toString());
        assertSame(command, "");
        assertSame(command, "a\0b");
        assertSame(command, "-", "-");
        assertSame(command, "--", good);
        assertSame(command);
    }

    @Test
    void onlyLinesWithoutOptionsArePlain() {
        for (String each : List.of("ls", "schema", "count")) {
            assertNotNull(Main.plain(new String[] {each, "a", "b"}));
            assertNotNull(Main.plain(new String[] {each, "-"}));
            assertNull(Main.plain(new String[] {each}));
            assertNull(Main.plain(new String[] {each, "a", "--json"}));
            assertNull(Main.plain(new String[] {each, "-h"}));
            assertNull(Main.plain(new String[] {each, "a", "-"}));
        }
        assertNull(Main.plain(new String[] {"lss", "a"}));
        assertNull(Main.plain(new String[] {"diff", "a", "b"}));
        assertNull(Main.plain(new String[] {}));
    }

    @Test
    void optionsHelpAndWrongLinesAreAsWithAllSubcommands() {
        for (String each : Main.COMMANDS) {
            assertSame(each, "--help");
            assertSame(each, "--no-such-option");
            assertSame("help", each);
        }
        Stream.of("", "--help", "-h", "lss", "--version", "generate-completion", "help")
                .forEach(PlainCommandLineTest::assertSame);
        assertSame();
        assertSame("-h", "ls");
        assertSame("ls", "schema");
    }

    @Test
    void theWholeCommandHasAllSubcommandsInTheOrderOfTheHelp() {
        Set<String> all = Main.commandLine().getSubcommands().keySet();
        assertEquals(Main.COMMANDS, List.copyOf(all));
        assertFalse(all.isEmpty());
    }
}
