// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// The names that a mistyped one may mean.
public final class SimilarNames {
    private static final int MOST = 3;
    // The names that are compared, and the most characters of one.
    private static final int COMPARED = 1_000;
    private static final int MOST_CHARS = 64;

    /// The most bytes of a name that can be similar.
    static final int MOST_BYTES = 3 * MOST_CHARS;

    // The least characters that count as the start of a name.
    private static final int LEAST_START = 2;

    private record Candidate(String name, int edits) {}

    private SimilarNames() {}

    /// The most similar names, at most three: those that differ in one of three characters at most,
    /// or in upper and lower case, or that begin with the name.
    public static List<String> of(String name, Stream<String> names) {
        String lower = name.toLowerCase(Locale.ROOT);
        int limit = Math.max(1, name.length() / 3);
        return names.limit(COMPARED)
                .filter(each -> Math.max(each.length(), name.length()) <= MOST_CHARS)
                .map(each -> new Candidate(each, edits(lower, each.toLowerCase(Locale.ROOT))))
                .filter(each -> each.edits <= limit && each.edits < name.length())
                .sorted(Comparator.comparingInt(Candidate::edits))
                .map(Candidate::name)
                .distinct()
                .limit(MOST)
                .toList();
    }

    /// The least number of characters to insert, remove or replace; 1 for the start of a name.
    private static int edits(String from, String to) {
        if (from.length() >= LEAST_START && to.startsWith(from)) {
            return Math.min(1, to.length() - from.length());
        }
        int[] before = new int[to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            int[] row = new int[to.length() + 1];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = i > 0 && from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
                row[j] =
                        i == 0
                                ? j
                                : Math.min(
                                        before[j - 1] + replaced,
                                        1 + Math.min(before[j], row[j - 1]));
            }
            before = row;
        }
        return before[to.length()];
    }
}
