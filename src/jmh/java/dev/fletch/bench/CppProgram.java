// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.differential.CppBuild;

import org.opentest4j.TestAbortedException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// The peer in C++, compiled as a release, where there is a compiler.
final class CppProgram {
    private static final String SOURCE = "src/jmh/cpp/peer.cpp";

    /// How it is compiled, for the table.
    static final String OPTIONS = "-O3 -DNDEBUG -march=native";

    private CppProgram() {}

    /// Returns the program, or nothing, after having said why, where a tool is missing.
    static Optional<Path> build() throws IOException {
        try {
            return Optional.of(CppBuild.program(SOURCE, OPTIONS.split(" ")));
        } catch (TestAbortedException e) {
            System.err.println("bench: left out C++: " + e.getMessage());
            return Optional.empty();
        }
    }
}
