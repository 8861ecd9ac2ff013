// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Commands print what the transcripts in `golden/commands` say: see [CommandSession].
class CommandTranscriptsTest {
    @TempDir Path temporary;

    static List<String> transcripts() throws IOException {
        return Transcript.names("commands");
    }

    @ParameterizedTest
    @MethodSource("transcripts")
    void commandsPrintWhatTheTranscriptSays(String name) throws IOException {
        int statements = Transcript.check(name, () -> new CommandSession(temporary));
        CaseCount.report(
                "%s: %d statements; outputs of convert: %s",
                name, statements, WrittenOutput.counts());
        assertTrue(statements > 1, name);
    }
}
