// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/// `docs/reference/commands.md`, made from the commands' own help and, for what help has no room
/// for, from a text per command in the resources.
final class CommandsPage {
    private CommandsPage() {}

    /// The whole page.
    static String text() throws IOException {
        StringBuilder page = new StringBuilder("# The commands\n\n");
        CommandLine fletch = Main.commandLine();
        page.append(more("fletch")).append('\n').append(help(fletch));
        for (var each : fletch.getSubcommands().entrySet()) {
            page.append("\n## `fletch ").append(each.getKey()).append("`\n\n");
            page.append(help(each.getValue())).append('\n').append(more(each.getKey()));
        }
        return page.toString();
    }

    /// What is said of a command beside its help.
    static String more(String command) throws IOException {
        try (InputStream text =
                CommandsPage.class.getResourceAsStream("commands/" + command + ".md")) {
            if (text == null) {
                throw new IOException("nothing is said of " + command);
            }
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String help(CommandLine command) {
        return "```text\n"
                + command.getUsageMessage(Ansi.OFF).replace("\r", "").stripTrailing()
                + "\n```\n";
    }
}
