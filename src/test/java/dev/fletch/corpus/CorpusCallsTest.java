// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Rule;
import dev.fletch.corpus.CorpusCalls.Call;
import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Each call of the corpus raises its rule, and the table of calls is that of the rows.
/// `-Dfletch.corpus.write=true` writes the table again.
class CorpusCallsTest {
    private static final Path TABLE = Corpus.FOLDER.resolve("calls.txt");
    private static final String HEAD = "# code | call | options, limits and input\n";

    @BeforeAll
    static void writeAgain() throws IOException {
        if (Boolean.getBoolean("fletch.corpus.write")) {
            Files.writeString(TABLE, table());
        }
    }

    private static String table() {
        return CorpusCalls.all().stream()
                .map(each -> each.line() + "\n")
                .collect(Collectors.joining("", HEAD, ""));
    }

    @Test
    void theTableIsThatOfTheRows() throws IOException {
        assertEquals(table(), Files.readString(TABLE));
    }

    @Test
    void eachCallRaisesItsRule() throws Exception {
        Map<String, String> wrong = new TreeMap<>();
        for (Call each : CorpusCalls.all()) {
            Rule raised = each.action().rule();
            if (!each.rule().equals(raised)) {
                wrong.put(each.line(), raised == null ? "nothing" : raised.id());
            }
        }
        CaseCount.report(
                "Calls: %d, rules: %d", CorpusCalls.all().size(), CorpusCalls.codes().size());
        assertTrue(wrong.isEmpty(), wrong::toString);
    }
}
