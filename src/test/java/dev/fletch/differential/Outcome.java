// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

/// What became of a case.
///
/// @param accepted the decision; false where there was none
/// @param thrown what was thrown instead, else `null`
/// @param text the reason of a refusal
record Outcome(boolean accepted, Throwable thrown, String text) {
    private static final Outcome ACCEPTED = new Outcome(true, null, "accepts");
    private static final Outcome REFUSED = new Outcome(false, null, "refuses");

    /// Asks for a decision. The text is left to [#inFull], as it costs more than the decision.
    static Outcome of(FletchVerifier fletch, VerifyCase each) {
        try {
            boolean accepted = fletch.decide(each);
            if (accepted == (fletch.fault() != null)) {
                throw new AssertionError("accepted=" + accepted + ", fault=" + fletch.fault());
            }
            return accepted ? ACCEPTED : REFUSED;
        } catch (RuntimeException | Error e) {
            return new Outcome(false, e, "throws " + e);
        }
    }

    /// Asks a verifier of its own, which has seen no other case.
    static Outcome inFull(VerifyCase each) {
        try (FletchVerifier fletch = new FletchVerifier()) {
            Outcome outcome = of(fletch, each);
            return outcome.equals(REFUSED)
                    ? new Outcome(false, null, "refuses (" + fletch.fault() + ")")
                    : outcome;
        }
    }

    /// Tells whether it is a decision, and this one.
    boolean is(boolean decision) {
        return thrown == null && accepted == decision;
    }

    /// Tells whether two outcomes are wrong in the same way.
    boolean isLike(Outcome other) {
        return thrown == null
                ? other.is(accepted)
                : other.thrown != null && thrown.getClass() == other.thrown.getClass();
    }
}
