// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.ShellSession;
import dev.fletch.command.Transcript;
import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// What `./fletch` does before Java takes over is what the transcripts in `golden/launcher` say.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the launcher is a POSIX shell script")
class LauncherTest {
    private static final Map<String, String> ENVIRONMENT =
            Map.of("REPOSITORY", "" + Repository.root(), "JDK", System.getProperty("java.home"));

    @TempDir Path temporary;

    static List<String> transcripts() throws IOException {
        return Transcript.names("launcher");
    }

    @ParameterizedTest
    @MethodSource("transcripts")
    void theLauncherDoesWhatTheTranscriptSays(String name) throws IOException {
        int statements =
                Transcript.check(
                        name, () -> new ShellSession(temporary, "launcher.sh", ENVIRONMENT));
        CaseCount.report("%s: %d statements", name, statements);
        assertTrue(statements > 1, name);
    }
}
