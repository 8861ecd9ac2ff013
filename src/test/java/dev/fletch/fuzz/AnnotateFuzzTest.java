// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.fletch.command.annotate.Annotated;
import dev.fletch.format.Verifier.Root;

import java.util.Arrays;

/// Takes any bytes apart, as `fletch annotate` does: each byte has one owner, each fault its place.
///
/// The first byte of an input says what the others are to be: 0 what they look like, else a root.
class AnnotateFuzzTest {
    private static final int CAPACITY = 1 << 13;
    private static final Root[] ROOTS = Root.values();

    @FuzzTest
    void anyBytesAreTakenApart(byte[] input) {
        if (input.length == 0 || input.length > CAPACITY) {
            return;
        }
        int kind = Byte.toUnsignedInt(input[0]) % (ROOTS.length + 1);
        byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
        Annotated.assertTold(bytes, kind == 0 ? null : ROOTS[kind - 1]);
    }
}
