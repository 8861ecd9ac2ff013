// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.testdata.Reports;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

/// What `fletch verify` says about inputs like those of public bug reports, in text and JSON.
class VerifyReportsTest {
    private static final String EMPTY = ": 0 of 1 record batches complete, 0 rows";

    @Test
    void reportedInputsHaveTheDocumentedFault() throws IOException {
        Object[][] cases = {
            {"nested-java12.arrow", 0, ""},
            {"nested-java12.arrows", 0, "deviation: message 1: meaning: dictionary-late"},
            {"zstd-huge.arrow", 1, "message 1: meaning: uncompressed-length"},
            {"tensor-neg.bin", 1, "message 0: meaning: tensor-dimension"},
            {"ree-nullcount.arrow", 0, "deviation: message 1: meaning: null-count-without-validity"}
        };
        for (Object[] each : cases) {
            String path = Reports.folder().resolve((String) each[0]).toString();
            Run run = Cli.run("verify", "--strict", path);
            assertEquals(each[1], run.status(), run.out());
            List<String> lines =
                    run.out()
                            .lines()
                            .filter(line -> !line.contains(": ok: ") && !line.equals(path + EMPTY))
                            .toList();
            assertEquals(each[0].equals("zstd-huge.arrow"), run.out().contains(path + EMPTY));
            assertEquals(((String) each[2]).isEmpty() ? 0 : 1, lines.size(), run.out());
            lines.forEach(line -> assertTrue(line.contains(path + ": " + each[2] + ": "), line));
        }
    }
}
