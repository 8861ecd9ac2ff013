// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.repository.RunReport;

/// How many cases a test goes through: the first ones in every run, all of them in the long run,
/// `mvn verify -Pfull`.
///
/// A test numbers its cases, or draws them from a seed, so that a short run sees the same cases as
/// the beginning of a long one. What it asserts about their number grows with the number. This
/// class alone knows which run it is; properties of jqwik have their number of tries from
/// `pom.xml`.
public final class CaseCount {
    /// Set by the profile `full`.
    private static final boolean FULL = Boolean.getBoolean("fletch.full");

    private CaseCount() {}

    /// Prints what a campaign has gone through. In the long run the build's log has the first line.
    public static void report(String format, Object... arguments) {
        String text = String.format(format, arguments);
        System.out.println(text);
        if (FULL) {
            RunReport.line(text.lines().findFirst().orElseThrow());
        }
    }

    /// Tells whether this is the long run.
    public static boolean isFull() {
        return FULL;
    }

    /// Skips the calling test outside the long run.
    public static void assumeFull() {
        assumeTrue(FULL, "takes long, runs with -Pfull; skipped");
    }

    /// Returns the number of cases of this run.
    ///
    /// @param usual in every run
    /// @param full in the long one
    public static int of(int usual, int full) {
        return FULL ? full : usual;
    }

    /// Returns the number of cases of this run.
    ///
    /// @param usual in every run
    /// @param full in the long one
    public static long of(long usual, long full) {
        return FULL ? full : usual;
    }
}
