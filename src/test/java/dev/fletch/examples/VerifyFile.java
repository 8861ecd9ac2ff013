// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.Checks;
import dev.fletch.arrow.Arrow;
import dev.fletch.ipc.ReadOptions;

import java.nio.file.Path;

/// Verifies a complete file or stream, and prints each fault as JSON.
public class VerifyFile {
    public static void main(String[] args) throws Exception {
        var options = ReadOptions.VERIFY.withChecks(Checks.STRICT.enabled());
        var report =
                Arrow.verify(
                        Path.of(args[0]), options, fault -> System.out.println(fault.toJson()));
        System.out.println(
                report.completeBatches() + " complete batches, " + report.errors() + " errors");
    }
}
