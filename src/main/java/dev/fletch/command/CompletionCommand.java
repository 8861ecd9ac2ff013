// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;

/// `fletch generate-completion`: picocli's completion script, plus a function that splits
/// `--option=value` into two words.
@Command(
        name = "generate-completion",
        description = "Prints a completion script for bash and zsh.",
        footerHeading = "%nExample:%n",
        footer = {"  source <(fletch generate-completion)"})
final class CompletionCommand implements Callable<Integer> {
    private static final String MORE = "completion.bash";

    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        CommandSpec root = spec.root();
        PrintWriter out = spec.commandLine().getOut();
        out.print(AutoComplete.bash(root.name(), root.commandLine()));
        out.println();
        try (InputStream more = CompletionCommand.class.getResourceAsStream(MORE)) {
            out.print(new String(more.readAllBytes(), StandardCharsets.UTF_8));
        }
        out.flush();
        return 0;
    }
}
