// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.Checks;
import dev.fletch.format.Verifier;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/// Verifies a message without its frame, and prints its first ten faults.
public class VerifyAndReport {
    public static void main(String[] args) throws Exception {
        var bytes = MemorySegment.ofArray(Files.readAllBytes(Path.of(args[0])));
        var verifier = new Verifier(Checks.STRICT); // keep it, use it again
        if (verifier.verify(Verifier.Root.MESSAGE, bytes)) {
            System.out.println("valid");
        } else {
            verifier.findFaults(
                    Verifier.Root.MESSAGE, bytes, 0, bytes.byteSize(), System.out::println, 10);
        }
    }
}
