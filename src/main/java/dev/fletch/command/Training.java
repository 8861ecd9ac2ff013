// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import java.util.Arrays;
import java.util.stream.Stream;

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
        {"head"},
        {"map"},
        {"annotate"},
        {"ls", "--json"},
        {"schema", "--json"},
        {"count", "--json"},
        {"verify", "--strict", "--json"},
        {"columns", "--sort", "bytes", "--top", "10"},
        {"ls", "--help"}
    };

    private static final String[][] FOLDER_LINES = {
        {"count", "-r"},
        {"ls", "-r"},
        {"columns", "-r"},
        {"verify", "-r"},
        {"schema", "--group", "-r"}
    };

    private Training() {}

    /// @param inputs a file, and folders of files, streams and damaged inputs
    public static void main(String[] inputs) {
        String file = inputs[0];
        for (String[] each : COMMAND_LINES) {
            Main.run(line(each, file));
        }
        Main.run(new String[] {"convert", "--to=stream", file, "-"});
        String[] folders = Arrays.copyOfRange(inputs, 1, inputs.length);
        for (String[] each : FOLDER_LINES) {
            Main.run(line(each, folders));
        }
    }

    private static String[] line(String[] words, String... inputs) {
        return Stream.of(words, inputs).flatMap(Stream::of).toArray(String[]::new);
    }
}
