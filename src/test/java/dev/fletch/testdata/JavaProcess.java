// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A main class of the tests in a process of its own, with their class path.
public final class JavaProcess {
    private JavaProcess() {}

    /// Runs it to its end, and fails if the exit status is not 0.
    ///
    /// @param options of the JVM
    /// @return what it prints
    public static String run(List<String> options, Class<?> main, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return Processes.printed(new ProcessBuilder(command));
    }
}
