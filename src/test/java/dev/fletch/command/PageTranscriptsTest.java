// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Pages of `map --html` and `annotate --html` do in a browser what the transcripts in
/// `golden/pages` say: see [PageSession].
@Timeout(300)
@ResourceLock(Chromium.LOCK)
class PageTranscriptsTest {
    @TempDir Path temporary;

    static List<String> transcripts() throws IOException {
        return Transcript.names("pages");
    }

    @ParameterizedTest
    @MethodSource("transcripts")
    void pagesDoWhatTheTranscriptSays(String name) throws IOException {
        Chromium.assumeInstalled();
        int statements = Transcript.check(name, () -> new PageSession(temporary));
        CaseCount.report("%s: %d statements", name, statements);
        assertTrue(statements > 1, name);
    }
}
