// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/// What commands do not have to agree on, and why.
final class Excuses {
    /// Why commands may differ, and for how many inputs in 100: damaged ones, and of the corpus.
    enum Reason {
        /// A pipe keeps no bodies: it is not searched for messages in bytes that were read.
        PIPE_NOT_SEARCHED(15, 2),
        /// Only `columns` reads the lengths in bodies, and a pipe keeps none of these.
        LENGTHS_IN_BODIES(3, 3),
        /// `columns` and `map` name columns: they need a valid schema. `count` adds up rows.
        NO_VALID_SCHEMA(10, 15),
        /// `salvage` finds Arrow data inside other formats, which other commands only name.
        OTHER_FORMAT(1, 10),
        /// Of two schemas of a file, `salvage` uses that with fewer errors, others the footer's.
        OTHER_SCHEMA(1, 3),
        /// Bytes behind a message may belong to it: only salvage leaves it out, or the next one.
        STRAY_BYTES(4, 0);

        final int ofDamaged;
        final int ofCorpus;

        Reason(int ofDamaged, int ofCorpus) {
            this.ofDamaged = ofDamaged;
            this.ofCorpus = ofCorpus;
        }
    }

    private final Map<String, Integer> counts = new TreeMap<>();
    private final Map<Reason, Integer> inputs = new EnumMap<>(Reason.class);

    /// The last input with each reason.
    private final Map<Reason, Integer> last = new EnumMap<>(Reason.class);

    private int input;

    void beginInput() {
        input++;
    }

    /// @param what is not compared, or does not agree
    /// @param reason counted once for each input
    void add(String what, Reason reason) {
        counts.merge(what + ", since: " + reason, 1, Integer::sum);
        if (!Integer.valueOf(input).equals(last.put(reason, input))) {
            inputs.merge(reason, 1, Integer::sum);
        }
    }

    /// Requires that each reason holds for few inputs.
    void require(boolean isCorpus) {
        Map<Reason, String> tooMany = new EnumMap<>(Reason.class);
        inputs.forEach(
                (reason, count) -> {
                    int most = isCorpus ? reason.ofCorpus : reason.ofDamaged;
                    if (100L * count > (long) most * input) {
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
