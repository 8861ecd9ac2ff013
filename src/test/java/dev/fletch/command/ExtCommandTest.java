// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.command.Cli.Run;
import dev.fletch.testdata.Goldens;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;

/// `fletch ext` of goldens. What it prints of others is in `golden/commands/schema.txt`.
class ExtCommandTest {
    @Test
    void extensionTypesOfGoldensAreValid() {
        int listed = 0;
        for (Path golden : Goldens.all()) {
            Run each = Cli.run("ext", "--json", golden.toString());
            assertEquals(0, each.status(), each.err());
            listed += each.out().contains("\"ok\":true") ? 1 : 0;
        }
        assertEquals(4, listed);
    }
}
