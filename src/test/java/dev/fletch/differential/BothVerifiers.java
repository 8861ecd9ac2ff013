// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.Fault;
import dev.fletch.Rule;
import dev.fletch.format.RawBuffer;
import dev.fletch.format.Verifier.Root;

import org.opentest4j.TestAbortedException;

/// Holds a known decision against both verifiers, in both modes. Where there is no C++ verifier,
/// against Fletch's alone.
final class BothVerifiers implements AutoCloseable {
    private final FletchVerifier fletch = new FletchVerifier();
    private final CppVerifier cpp;
    private final String reason;
    private int cases;

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
        accept(VerifyCase.of(root, raw.bytes()));
    }

    void accept(VerifyCase each) {
        decide(each, null);
        decide(each.unaligned(), null);
    }

    /// Fails unless these bytes are refused for this reason, aligned or not.
    void refuse(Rule code, Root root, RawBuffer raw) {
        refuse(code, VerifyCase.of(root, raw.bytes()));
    }

    void refuse(Rule code, VerifyCase each) {
        decide(each, code);
        decide(each.unaligned(), code);
    }

    /// Fails unless these bytes are refused for this reason, and accepted where alignment is not
    /// checked.
    void refuseAligned(Rule code, Root root, RawBuffer raw) {
        VerifyCase each = VerifyCase.of(root, raw.bytes());
        decide(each, code);
        decide(each.unaligned(), null);
    }

    /// Fails unless these bytes are refused, for a reason that depends on the mode.
    void refuse(Rule aligned, Rule unaligned, Root root, RawBuffer raw) {
        VerifyCase each = VerifyCase.of(root, raw.bytes());
        decide(each, aligned);
        decide(each.unaligned(), unaligned);
    }

    /// @param code of the fault, `null` to be accepted
    private void decide(VerifyCase each, Rule code) {
        cases++;
        if (cpp != null) {
            assertEquals(code == null, cpp.decide(each), () -> "C++: " + each);
        }
        boolean accepted = fletch.decide(each);
        assertEquals(code, fletch.fault().rule(), () -> fletch.fault() + ": " + each);
        assertEquals(code == null, accepted);
    }

    /// The fault of the last decision by Fletch.
    Fault fault() {
        return fletch.fault();
    }

    /// Its position from the first byte of the case.
    long faultPosition() {
        return fletch.faultPosition();
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
