// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import java.util.Arrays;
import java.util.function.Predicate;

/// Makes a case smaller and plainer for as long as it stays interesting: cuts the end off, and puts
/// zeros where other bytes are, first in large pieces, then in ever smaller ones.
final class Shrinker {
    private final Predicate<VerifyCase> interesting;
    private VerifyCase best;

    private Shrinker(VerifyCase found, Predicate<VerifyCase> interesting) {
        this.best = found;
        this.interesting = interesting;
    }

    /// Returns the least case that was found.
    static VerifyCase shrink(VerifyCase found, Predicate<VerifyCase> interesting) {
        Shrinker shrinker = new Shrinker(found, interesting);
        boolean again = true;
        while (again) {
            again = shrinker.cut() | shrinker.zero();
        }
        return shrinker.best;
    }

    private boolean keep(byte[] bytes) {
        VerifyCase next = best.withBytes(bytes);
        if (!interesting.test(next)) {
            return false;
        }
        best = next;
        return true;
    }

    private boolean cut() {
        boolean any = false;
        for (int piece = best.bytes().length; piece > 0; piece /= 2) {
            while (piece <= best.bytes().length
                    && keep(Arrays.copyOf(best.bytes(), best.bytes().length - piece))) {
                any = true;
            }
        }
        return any;
    }

    private boolean zero() {
        boolean any = false;
        for (int piece = best.bytes().length; piece > 0; piece /= 2) {
            for (int at = 0; at < best.bytes().length; at += piece) {
                byte[] bytes = best.bytes().clone();
                Arrays.fill(bytes, at, Math.min(bytes.length, at + piece), (byte) 0);
                if (!Arrays.equals(bytes, best.bytes()) && keep(bytes)) {
                    any = true;
                }
            }
        }
        return any;
    }
}
