// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.Rule;
import dev.fletch.corpus.CorpusCalls.Action;
import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.TreeMap;

/// Each call of the corpus raises the rule of its row, and each row has a call.
class CorpusCallsTest {
    @Test
    void eachCallRaisesItsRule() throws Exception {
        Map<String, String> raised = new TreeMap<>();
        for (Map.Entry<String, Action> each : CorpusCalls.all().entrySet()) {
            Rule rule = each.getValue().rule();
            raised.put(each.getKey(), rule == null ? "nothing" : rule.id());
        }
        CaseCount.report("Calls: %d, rules: %d", raised.size(), CorpusCalls.codes().size());
        assertEquals(new TreeMap<>(CorpusCalls.table()), raised);
    }
}
