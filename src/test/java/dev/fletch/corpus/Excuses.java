// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/// What commands do not have to agree on, and why.
final class Excuses {
    private final Map<String, Integer> counts = new TreeMap<>();
    private final Map<String, Integer> inputs = new TreeMap<>();

    /// The last input with each reason.
    private final Map<String, Integer> last = new HashMap<>();

    private int input;

    void beginInput() {
        input++;
    }

    /// @param what is not compared, or does not agree
    /// @param reason counted once for each input
    void add(String what, String reason) {
        counts.merge(what + ", since: " + reason, 1, Integer::sum);
        if (!Integer.valueOf(input).equals(last.put(reason, input))) {
            inputs.merge(reason, 1, Integer::sum);
        }
    }

    /// Requires that each reason is known, and holds for few inputs.
    ///
    /// @param most for each reason, the percentage of the inputs
    void require(Map<String, Integer> most) {
        Map<String, String> tooMany = new TreeMap<>();
        inputs.forEach(
                (reason, count) -> {
                    if (100L * count > (long) most.getOrDefault(reason, 0) * input) {
                        tooMany.put(reason, count + " of " + input);
                    }
                });
        assertEquals(Map.of(), tooMany);
    }

    @Override
    public String toString() {
        StringBuilder lines = new StringBuilder("Excused, inputs=" + input);
        inputs.forEach((reason, count) -> lines.append("\n  " + reason + ": inputs=" + count));
        counts.forEach((what, count) -> lines.append("\n  " + count + " x " + what));
        return lines.toString();
    }
}
