// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

/// Runs common command lines in one process while the JVM records the AOT cache. Started by the
/// launcher and the build, not part of the command.
final class Training {
    private static final String[][] COMMAND_LINES = {
        {"ls"},
        {"schema"},
        {"count"},
        {"verify"},
        {"ext"},
        {"columns"},
        {"map"},
        {"annotate"},
        {"ls", "--json"},
        {"schema", "--json"},
        {"count", "--json"},
        {"verify", "--strict", "--json"},
        {"columns", "--sort", "bytes", "--top", "10"},
        {"ls", "--help"}
    };

    private Training() {}

    /// @param files the inputs of each command line, at least one
    public static void main(String[] files) {
        for (String[] each : COMMAND_LINES) {
            String[] line = new String[each.length + files.length];
            System.arraycopy(each, 0, line, 0, each.length);
            System.arraycopy(files, 0, line, each.length, files.length);
            Main.run(line);
        }
    }
}
