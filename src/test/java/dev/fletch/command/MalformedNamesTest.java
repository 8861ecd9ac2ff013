// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli.Run;
import dev.fletch.corpus.CaseFile;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Commands that show or compare a schema show each byte of its texts that is not UTF-8 as an
/// escape.
class MalformedNamesTest {
    @TempDir Path folder;

    /// A file with bytes in place of the letter before each dot.
    ///
    /// @param values for the first such text, and for the others
    private static byte[] malformed(String input, int... values) {
        byte[] bytes = CaseFile.input(input);
        String all = new String(bytes, StandardCharsets.ISO_8859_1);
        int count = 0;
        for (int at = all.indexOf("Q."); at >= 0; at = all.indexOf("Q.", at + 1)) {
            bytes[at] = (byte) values[Math.min(count++, values.length - 1)];
        }
        return bytes;
    }

    /// Name, time zone, key and value of metadata, and an extension have such a byte.
    private String file(String name, int value) throws IOException {
        String input =
                """
                file <"nQ.":Int(bitWidth=8 is_signed=1){custom_metadata=[
                 KeyValue(key="ARROW:extension:name" value="eQ.") KeyValue(key="kQ." value="vQ.")]}
                 t:Timestamp(unit=0 timezone="zQ.")> | batch 1 [1 1] [- i8(1) - i64(1)]
                """;
        return Files.write(folder.resolve(name), malformed(input, value)).toString();
    }

    @Test
    void extensionsAreListed() throws IOException {
        Run run = Cli.run("ext", file("a.arrow", 0xFF));
        assertEquals(new Run(0, "unknown  \"n\\\\xff.\": \"e\\\\xff.\"\n", ""), run);
    }

    @Test
    void jsonHasEscapes() throws IOException {
        Run run = Cli.run("json", file("a.arrow", 0xFF));
        assertEquals(0, run.status(), run.err());
        for (String text : List.of("n", "z", "k", "v", "e")) {
            String escaped = "\"" + text + "\\\\xff.\"";
            assertTrue(run.out().contains(escaped), () -> escaped + ": " + run.out());
        }
    }

    @Test
    void differentBytesAreDifferences() throws IOException {
        String first = file("a.arrow", 0xFF);
        assertEquals(new Run(0, "", ""), Cli.run("diff", first, file("b.arrow", 0xFF)));
        Run other = Cli.run("diff", first, file("c.arrow", 0xFE));
        assertEquals(1, other.status());
        assertEquals("", other.err());
        assertTrue(other.out().contains("xff"), other.out());
        assertTrue(other.out().contains("xfe"), other.out());
        Run grouped = Cli.run("schema", "--group", first, file("d.arrow", 0xFE));
        assertTrue(grouped.out().contains("group 2: "), grouped.out());
    }

    /// Two malformed texts are compared as well.
    @Test
    void footerAndSchemaMessageAreCompared() throws IOException {
        String input = "file <\"nQ.\":Int(bitWidth=8 is_signed=1)> | batch 1 [1] [- i8(1)]";
        byte[] file = malformed(input, 0xFF, 0xFE);
        Run run = Cli.runWithInput(file, "verify", "-");
        assertTrue(run.out().contains(": schema-differs: "), run.out());
    }
}
