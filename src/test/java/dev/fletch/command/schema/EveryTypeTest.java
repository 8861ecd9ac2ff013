// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.TypeVariants;
import dev.fletch.verify.messages.Meant;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;
import java.util.TreeMap;

/// `fletch schema` shows all that there is of a type: two that differ in one parameter are shown
/// differently, also those of a version of the format that is yet to come. It has errors where
/// `verify` finds some.
class EveryTypeTest {
    @ParameterizedTest
    @ValueSource(strings = {"text", "json", "fbs"})
    void typesWithOneDifferentParameterAreShownDifferently(String format) {
        Map<String, String> whatByOutput = new TreeMap<>();
        for (TypeVariants each : TypeVariants.all()) {
            byte[] stream = Frames.schemaStream(Meant.schema(each.field()));
            Run run = Cli.runWithInput(stream, "schema", "--format", format, "-");
            int errors = Cli.runWithInput(stream, "verify", "-").status();
            assertEquals(errors, run.status(), each.what());
            assertEquals(errors, run.err().lines().count(), each.what());
            String shown = run.out().replaceFirst(",\"fault\":.*", "");
            String other = whatByOutput.putIfAbsent(shown, each.what());
            assertNull(other, () -> each.what() + " is shown as " + other + " is");
        }
    }
}
