// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import java.util.function.Predicate;

/// Says where two verifiers differ, by the least case that still shows it.
final class Difference {
    private Difference() {}

    /// @param number of the case in its run
    /// @param outcome what Fletch made of it
    static AssertionError of(VerifyCase found, long number, Outcome outcome, CppVerifier cpp) {
        boolean expected = cpp.decide(found);
        String decision = expected ? "accepts" : "refuses";
        Predicate<VerifyCase> stillDiffers =
                each -> cpp.decide(each) == expected && Outcome.inFull(each).isLike(outcome);
        if (!stillDiffers.test(found)) {
            return new AssertionError(
                    ("case %d: C++ %s, Fletch %s; but not by itself: only after the cases before"
                                    + " it%n%s")
                            .formatted(number, decision, outcome.text(), found),
                    outcome.thrown());
        }
        VerifyCase least = Shrinker.shrink(found, stillDiffers);
        return new AssertionError(
                "case %d: C++ %s, Fletch %s%nshrunk: %s%nas it was: %s"
                        .formatted(number, decision, Outcome.inFull(least).text(), least, found),
                outcome.thrown());
    }
}
