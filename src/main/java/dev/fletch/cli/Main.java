// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The `fletch` command: its subcommands, and what happens when one of them fails.
///
/// Exit status: 0 fine; 1 the input is invalid or differs; 2 wrong usage or I/O.
@Command(
        name = "fletch",
        description =
                "Looks into Apache Arrow IPC files and streams: headers only, never the data.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        subcommands = {GenerateCompletion.class})
final class Main implements Runnable {
    @Spec private CommandSpec spec;

    private Main() {}

    /// Runs the command and ends the process with its status.
    ///
    /// @param args the command line
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /// The whole command, ready to be executed; tests give it writers of their own.
    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setParameterExceptionHandler(Failures::wrongUsage)
                .setExecutionExceptionHandler(Failures::failed);
    }

    /// Called only when no subcommand was named.
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "missing command");
    }

    /// The version that the jar's manifest carries.
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"fletch " + (version == null ? "(not from a jar)" : version)};
        }
    }
}
