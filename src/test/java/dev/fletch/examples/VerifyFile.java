// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.arrow.ContainerVerifier;
import dev.fletch.verify.CheckOptions;

import java.nio.file.Path;

/// Verifies a complete file or stream, and prints each fault as JSON.
public class VerifyFile {
    public static void main(String[] args) throws Exception {
        var options = CheckOptions.STRICT;
        var verifier = new ContainerVerifier(options); // keep it: threads may share it
        var report = verifier.verify(Path.of(args[0]), fault -> System.out.println(fault.toJson()));
        System.out.println(report.recordBatches() + " batches, " + report.errors() + " errors");
    }
}
