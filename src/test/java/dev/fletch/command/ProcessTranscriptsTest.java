// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FletchProcess;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.Processes;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/// The command in a process of its own does what the transcripts in `golden/processes` say.
@Order(1) // takes long
class ProcessTranscriptsTest {
    @TempDir Path temporary;

    @ParameterizedTest
    @ValueSource(strings = {"output", "files"})
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs a POSIX shell")
    void theCommandWritesWhatTheTranscriptSays(String name) throws IOException {
        check(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"linux", "names"})
    @EnabledOnOs(value = OS.LINUX, disabledReason = "needs /proc, /dev/full and names of any bytes")
    void namesAndDescriptorsLeadWhereTheTranscriptSays(String name) throws IOException {
        check(name);
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "needs a POSIX shell")
    void bashCompletesWhatTheTranscriptSays() throws IOException {
        Processes.assumePresent("bash");
        Processes.assumePresent("script");
        check("completion");
    }

    private void check(String name) throws IOException {
        Map<String, String> environment =
                Map.of(
                        "FLETCH",
                        FletchProcess.quoted(),
                        "REPOSITORY",
                        "" + Goldens.repositoryRoot());
        int statements =
                Transcript.check(
                        "processes/" + name + ".txt",
                        () -> new ShellSession(temporary, "processes.sh", environment));
        CaseCount.report("%s: %d statements", name, statements);
    }
}
