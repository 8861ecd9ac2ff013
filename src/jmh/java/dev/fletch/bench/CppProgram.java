// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.differential.CppBuild;

import org.opentest4j.TestAbortedException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// The C++ peer, compiled with optimization, if a compiler is available.
final class CppProgram {
    private static final String SOURCE = "src/jmh/cpp/peer.cpp";

    /// The compiler and its options, for the table.
    static final String OPTIONS = "-O3 -DNDEBUG -march=native";

    private CppProgram() {}

    /// Builds the program; if a tool is missing, prints a warning and returns nothing.
    static Optional<Path> build() throws IOException {
        try {
            return Optional.of(CppBuild.program(SOURCE, OPTIONS.split(" ")));
        } catch (TestAbortedException e) {
            System.err.println("bench: C++ is not measured: " + e.getMessage());
            return Optional.empty();
        }
    }
}
