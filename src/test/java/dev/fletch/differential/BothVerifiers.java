// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.Rule;
import dev.fletch.format.RawBuffer;
import dev.fletch.format.Verdicts;
import dev.fletch.format.Verifier.Root;

import org.opentest4j.TestAbortedException;

/// Holds a known decision against both verifiers, in both modes, and a small buffer in every kind
/// of memory. Where there is no C++ verifier, against Fletch's alone.
final class BothVerifiers implements AutoCloseable {
    private final FletchVerifier fletch = new FletchVerifier();
    private final CppVerifier cpp;
    private final String reason;
    private int cases;

    /// Of the last case that was refused.
    private long position;

    private String path;

    BothVerifiers() {
        CppVerifier found = null;
        String why = null;
        try {
            found = CppVerifier.start();
        } catch (TestAbortedException e) {
            why = e.getMessage();
        }
        cpp = found;
        reason = why;
    }

    /// Fails unless these bytes are accepted, aligned or not.
    void accept(Root root, RawBuffer raw) {
        VerifyCase each = VerifyCase.of(root, raw.bytes());
        decideEverywhere(each, null);
        decideEverywhere(each.unaligned(), null);
    }

    void accept(VerifyCase each) {
        decide(each, null);
        decide(each.unaligned(), null);
    }

    /// Fails unless these bytes are refused for this reason, aligned or not.
    BothVerifiers refuse(Rule code, Root root, RawBuffer raw) {
        return refuse(code, code, root, raw);
    }

    void refuse(Rule code, VerifyCase each) {
        decide(each, code);
        decide(each.unaligned(), code);
    }

    /// Fails unless these bytes are refused, for a reason that depends on the mode.
    BothVerifiers refuse(Rule aligned, Rule unaligned, Root root, RawBuffer raw) {
        VerifyCase each = VerifyCase.of(root, raw.bytes());
        decideEverywhere(each, aligned);
        decideEverywhere(each.unaligned(), unaligned);
        return this;
    }

    /// Fails unless the last case was refused here.
    ///
    /// @param at from the first byte
    BothVerifiers at(long at, String where) {
        assertEquals(at + " " + where, position + " " + path);
        return this;
    }

    /// Fails unless both decide the same.
    ///
    /// @param isEverywhere whether Fletch has to do so in all memories
    /// @return whether they accept
    boolean agree(String name, VerifyCase each, boolean isEverywhere) {
        boolean isAccepted = fletch.decide(each);
        Rule code = isAccepted ? null : fletch.fault().rule();
        try {
            if (isEverywhere) {
                decideEverywhere(each, code);
            } else {
                decide(each, code);
            }
        } catch (AssertionError e) {
            throw new AssertionError(name + ": " + e.getMessage(), e);
        }
        return isAccepted;
    }

    private void decideEverywhere(VerifyCase each, Rule code) {
        decide(each, code);
        Checks options = FletchVerifier.options(each);
        if (code == null) {
            Verdicts.accepts(options, each.root(), each.bytes());
        } else {
            Verdicts.refuses(options, each.root(), each.bytes(), code, position, path);
        }
    }

    /// @param code of the fault, `null` to be accepted
    private void decide(VerifyCase each, Rule code) {
        cases++;
        if (cpp != null) {
            assertEquals(code == null, cpp.decide(each), () -> "C++: " + each);
        }
        boolean accepted = fletch.decide(each);
        assertEquals(code == null, accepted, () -> fletch.fault() + ": " + each);
        if (!accepted) {
            assertEquals(code, fletch.fault().rule(), () -> fletch.fault() + ": " + each);
            position = fletch.faultPosition();
            path = fletch.fault().path();
        }
    }

    /// The fault of the last decision by Fletch.
    Fault fault() {
        return fletch.fault();
    }

    @Override
    public String toString() {
        return cases + (cpp == null ? " cases by Fletch alone, " + reason : " cases, also by C++");
    }

    @Override
    public void close() {
        fletch.close();
        if (cpp != null) {
            cpp.close();
        }
    }
}
