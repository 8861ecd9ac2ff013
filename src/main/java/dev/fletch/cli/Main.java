// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import dev.fletch.cli.annotate.AnnotateCommand;
import dev.fletch.cli.convert.ConvertCommand;
import dev.fletch.cli.diff.DiffCommand;
import dev.fletch.cli.io.Failures;
import dev.fletch.cli.io.OutputClosed;
import dev.fletch.cli.io.Progress;
import dev.fletch.cli.io.StandardOutput;
import dev.fletch.cli.map.ColumnsCommand;
import dev.fletch.cli.map.MapCommand;
import dev.fletch.cli.schema.SchemaCommand;
import dev.fletch.cli.text.Terminal;
import dev.fletch.cli.text.Version;
import dev.fletch.cli.verify.VerifyCommand;
import dev.fletch.input.ReadFailure;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// The `fletch` command: its subcommands, and the handling of their failures.
///
/// Exit status: 0 fine; 1 the input is invalid or differs; 2 wrong usage or I/O. With several inputs
/// it is the highest of theirs.
@Command(
        name = "fletch",
        description =
                "Looks into Apache Arrow IPC files and streams: headers only, never the data.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {
            LsCommand.class,
            SchemaCommand.class,
            CountCommand.class,
            ColumnsCommand.class,
            VerifyCommand.class,
            MapCommand.class,
            AnnotateCommand.class,
            ExtCommand.class,
            JsonCommand.class,
            ConvertCommand.class,
            DiffCommand.class,
            CompletionCommand.class,
            HelpCommand.class
        },
        footerHeading =
                "%nExit status: 0 fine; 1 the input is invalid, or differs; 2 wrong usage or"
                        + " I/O.%n",
        footer = {
            "%nExample:",
            "  fletch ls trades.arrow",
            "%nIn a clone, ./fletch bench runs the benchmarks."
        })
public final class Main implements Runnable {
    /// The least that picocli takes.
    static final int LEAST_HELP_WIDTH = 55;

    static final int USUAL_HELP_WIDTH = 80;

    @Spec private CommandSpec spec;

    private Main() {}

    /// Runs the command and ends the process with its status.
    ///
    /// @param args the command line
    public static void main(String[] args) {
        int status = run(args);
        if (status != 0) { // exit is slower than return
            System.exit(status);
        }
    }

    private static int run(String[] args) {
        try (Progress progress = Progress.on(StandardOutput.error())) {
            return run(args, StandardOutput.out(progress), StandardOutput.err(progress));
        }
    }

    private static int run(String[] args, PrintWriter out, PrintWriter err) {
        try {
            CommandLine command =
                    commandLine()
                            .setOut(out)
                            .setErr(err)
                            .setColorScheme(Help.defaultColorScheme(ansi()));
            command.setUsageHelpWidth(helpWidth(args));
            int status = command.execute(args);
            out.flush();
            err.flush();
            return status;
        } catch (Throwable e) { // an error of a mapped file can come late
            return Failures.uncaught(e, err);
        }
    }

    /// Help is coloured as `fletch annotate` is.
    private static Help.Ansi ansi() {
        return Terminal.isColored(Terminal.Color.AUTO) ? Help.Ansi.ON : Help.Ansi.OFF;
    }

    /// Help fits the terminal, as far as picocli goes. Only help asks for the terminal's width: this
    /// starts a process.
    private static int helpWidth(String[] args) {
        List<String> given = Arrays.asList(args);
        boolean asked = given.contains("--help") || given.contains("-h") || given.contains("help");
        return asked
                ? Math.clamp(Terminal.width(), LEAST_HELP_WIDTH, USUAL_HELP_WIDTH)
                : USUAL_HELP_WIDTH;
    }

    /// The whole command, ready to execute; tests set their own writers.
    public static CommandLine commandLine() {
        return ready(new CommandLine(new Main()));
    }

    /// Prepares a command or a single subcommand for execution.
    static CommandLine ready(CommandLine command) {
        return command.setCaseInsensitiveEnumValuesAllowed(true)
                .setExpandAtFiles(false) // a file name may begin with @
                .registerConverter(Path.class, Main::path)
                .setExecutionStrategy(Main::execute)
                .setParameterExceptionHandler(Failures::wrongUsage)
                .setExecutionExceptionHandler(Failures::failed);
    }

    private static Path path(String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new TypeConversionException(ReadFailure.badName(e));
        }
    }

    /// Catches what picocli does not pass to the exception handler: a failure to print help or version.
    private static int execute(CommandLine.ParseResult parsed) {
        try {
            return new CommandLine.RunLast().execute(parsed);
        } catch (OutputClosed e) {
            return Failures.uncaught(e, parsed.commandSpec().commandLine().getErr());
        }
    }

    /// Called only when no subcommand was named.
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "missing command");
    }
}
