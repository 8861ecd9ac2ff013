// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.text;

import java.util.Comparator;
import java.util.List;

/// Finds names similar to a misspelt one.
public final class NearNames {
    /// The most names to compare. Time grows with their number and the product of the lengths.
    public static final int MOST = 10_000;

    private static final int COMPARED_CHARS = 80;

    private record Candidate(String name, int distance) {}

    private NearNames() {}

    /// Names similar to a name, the nearest first. Long names are [#shortened].
    public static List<String> among(List<String> names, String wanted) {
        String compared = shortened(wanted);
        int most = (compared.length() + 1) / 3;
        return names.stream()
                .map(NearNames::shortened)
                .map(name -> new Candidate(name, distance(name, compared)))
                .filter(candidate -> candidate.distance <= most)
                .sorted(Comparator.comparingInt(Candidate::distance))
                .map(Candidate::name)
                .toList();
    }

    public static String shortened(String text) {
        return text.length() <= COMPARED_CHARS ? text : text.substring(0, COMPARED_CHARS) + "…";
    }

    /// The Levenshtein distance, ignoring case.
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                char next = Character.toLowerCase(b.charAt(j - 1));
                int change = Character.toLowerCase(a.charAt(i - 1)) == next ? 0 : 1;
                row[j] = Math.min(diagonal + change, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
