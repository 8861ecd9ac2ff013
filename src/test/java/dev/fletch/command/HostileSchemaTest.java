// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static dev.fletch.command.SchemaTables.schema;
import static dev.fletch.command.SchemaTables.stream;
import static dev.fletch.command.SchemaTables.struct;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli.Run;
import dev.fletch.testdata.FbsValue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;

/// Small schemas that stand for endless ones: a walk through them ends, with one line.
@Timeout(60)
class HostileSchemaTest {
    private static final List<List<String>> FORMS =
            List.of(
                    List.of("schema", "-"),
                    List.of("schema", "--json", "-"),
                    List.of("schema", "--format", "fbs", "-"),
                    List.of("schema", "--column", "nothing", "-"));

    // Of the levels that are verified, message, schema and the innermost type take one each.
    private static final int MAX_FIELDS = 128 - 3;

    private static void assertRefused(FbsValue.Table schema, String reason) {
        byte[] stream = stream(schema);
        for (List<String> form : FORMS) {
            Run run = Cli.runWithInput(stream, form.toArray(String[]::new));
            if (form.contains("nothing") && run.status() == 2) {
                continue; // looking for a name visits one level only
            }
            assertEquals(1, run.status(), form::toString);
            assertTrue(
                    run.err()
                            .matches(
                                    "fletch: standard input: message 0: offset \\d+: "
                                            + reason
                                            + ".*\n"),
                    run.err());
            if (form.contains("--json")) {
                assertTrue(run.out().startsWith("{\"file\":\"-\",\"fault\":{"), run.out());
                assertEquals(1, run.out().lines().count());
            } else {
                assertEquals("", run.out());
            }
            assertTrue(run.out().length() <= 10_000, form::toString);
        }
        for (String command : List.of("verify", "json", "ext")) {
            Run run = Cli.runWithInput(stream, command, "-");
            assertEquals(1, run.status(), command);
            assertTrue(run.out().length() <= 300L * stream.length, command);
            assertTrue(!run.err().contains("internal error"), run.err());
        }
    }

    @Test
    void tooDeepSchemaIsAFault() {
        assertRefused(
                schema(nested(MAX_FIELDS + 1)),
                "metadata does not verify: tables are nested deeper than the limit: code=");
    }

    @Test
    void deepSchemaIsPrinted() {
        byte[] stream = stream(schema(nested(MAX_FIELDS)));
        Run run = Cli.runWithInput(stream, "schema", "-");
        assertEquals(0, run.status(), run.err());
        assertEquals(1 + MAX_FIELDS, run.lines().size());
        assertEquals(0, Cli.runWithInput(stream, "schema", "--json", "-").status());
        String path = "s.".repeat(MAX_FIELDS - 1) + "s";
        assertEquals(
                path + ": struct\n",
                Cli.runWithInput(stream, "schema", "--column", path, "-").out());
    }

    private static FbsValue.Table nested(int levels) {
        FbsValue.Table field = struct("s");
        for (int i = 1; i < levels; i++) {
            field = struct("s", field);
        }
        return field;
    }
}
