// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.text;

import java.util.Comparator;
import java.util.List;

/// Names that resemble a misspelt one.
public final class NearNames {
    /// The most names to compare. Names are compared in a time that grows with the product of their
    /// lengths, and with their number: beyond these limits a hint is not worth it.
    public static final int MOST = 10_000;

    private static final int COMPARED_CHARS = 80;

    /// A name, and its distance from the misspelt one.
    public record Candidate(String name, int distance) {}

    private NearNames() {}

    /// The names of these that are like another one, the nearest first.
    public static List<String> among(List<String> names, String wanted) {
        String compared = shortened(wanted);
        return names.stream()
                .map(name -> new Candidate(name, distance(name, compared)))
                .filter(candidate -> candidate.distance <= near(compared))
                .sorted(Comparator.comparingInt(Candidate::distance))
                .map(Candidate::name)
                .toList();
    }

    /// So many characters may be wrong in a name that is near this one.
    public static int near(String wanted) {
        return (wanted.length() + 1) / 3;
    }

    public static String shortened(String text) {
        return text.length() <= COMPARED_CHARS ? text : text.substring(0, COMPARED_CHARS) + "…";
    }

    /// How many characters have to be added, taken away or changed, upper and lower case being one.
    public static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int change = same(a.charAt(i - 1), b.charAt(j - 1)) ? 0 : 1;
                row[j] = Math.min(diagonal + change, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[b.length()];
    }

    private static boolean same(char a, char b) {
        return Character.toLowerCase(a) == Character.toLowerCase(b);
    }
}
