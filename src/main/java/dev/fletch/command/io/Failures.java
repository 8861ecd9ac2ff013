// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.io;

import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.FletchException;
import dev.fletch.format.internal.SimilarNames;
import dev.fletch.input.FileName;
import dev.fletch.input.InputBytes;
import dev.fletch.input.Links;
import dev.fletch.input.ReadFailure;
import dev.fletch.remote.errors.HttpNotAllowedException;
import dev.fletch.wire.Escaper;

import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.InvalidPathException;
import java.util.List;
import java.util.Set;

/// Reports a failure as one line on standard error and an exit status. A bug in Fletch also prints
/// its stack trace if `FLETCH_DEBUG` is set.
public final class Failures {
    /// The input is invalid or differs.
    public static final int INVALID = 1;

    /// A usage error, an I/O error, or a bug in Fletch.
    public static final int USAGE_OR_IO = ExitCode.USAGE;

    private static final String DEBUG_VARIABLE = "FLETCH_DEBUG";

    private Failures() {}

    /// Handles a usage error, for picocli.
    public static int wrongUsage(ParameterException failure, String[] args) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        String unknown = unknown(failure);
        if (unknown == null || unknown.startsWith("-")) {
            ParameterException shown =
                    unknown == null || failure instanceof UnmatchedArgumentException
                            ? failure
                            : new UnmatchedArgumentException(command, List.of(unknown));
            line(err, shown.getMessage());
            UnmatchedArgumentException.printSuggestions(shown, err);
        } else if (command.getParent() != null) {
            line(err, "unexpected argument: '" + unknown + "'");
        } else {
            Set<String> commands = command.getSubcommands().keySet();
            List<String> similar = SimilarNames.of(unknown, commands.stream());
            String hint = similar.isEmpty() ? "" : "; similar: " + String.join(", ", similar);
            line(err, "unknown command: '" + unknown + "'" + hint);
            line(err, "commands: " + String.join(", ", commands));
        }
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        err.flush();
        return USAGE_OR_IO;
    }

    /// The unknown argument that is the likely cause of a usage error, also of a missing parameter;
    /// null if there is none.
    private static String unknown(ParameterException failure) {
        List<String> unmatched = failure.getCommandLine().getUnmatchedArguments();
        return switch (failure) {
            case UnmatchedArgumentException e -> e.getUnmatched().getFirst();
            case MissingParameterException _ when !unmatched.isEmpty() -> unmatched.getFirst();
            case ParameterException e when e.getArgSpec() == null -> e.getValue(); // of `help`
            default -> null;
        };
    }

    /// Handles a failure that no command handled.
    public static int uncaught(Throwable failure, PrintWriter err) {
        return failure instanceof OutputClosed closed
                ? output(closed, err)
                : report("", failure, err);
    }

    /// Handles a failed write to standard output. A closed pipe (`| head`) prints no message and
    /// keeps the status found so far.
    private static int output(OutputClosed failure, PrintWriter err) {
        String reason = String.valueOf(failure.getCause().getMessage());
        if (reason.contains("Broken pipe")) {
            return failure.status();
        }
        line(err, "standard output: " + reason);
        return USAGE_OR_IO;
    }

    /// Handles the failure of one input.
    public static int input(String name, Throwable failure, PrintWriter err) {
        return report(InputBytes.title(name) + ": ", failure, err);
    }

    /// The fault that an input has no byte at an offset.
    public static Fault noSuchByte(long position, long size) {
        return Fault.of(FileRule.NO_SUCH_BYTE, position, 0).because("size=" + size);
    }

    /// The failure of an option that does not fit an input, such as a column that it lacks.
    public static IOException wrongOption(String option, RuntimeException cause) {
        return new IOException(option + ": " + cause.getMessage(), cause);
    }

    /// Prints a fault of an input.
    public static void input(String name, Fault fault, PrintWriter err) {
        line(err, InputBytes.title(name) + ": " + fault.placed());
    }

    /// Prints a note about an input or output, which is no failure.
    public static void note(String title, String text, PrintWriter err) {
        line(err, title + ": " + text);
    }

    /// The text of a failure, on one line, without queries of links.
    static String text(Throwable failure) {
        String known = describe(failure);
        return Links.cleaned(known == null ? "internal error: " + failure : known);
    }

    private static int report(String place, Throwable failure, PrintWriter err) {
        String known = describe(failure);
        line(err, place + text(failure));
        if (known == null && System.getenv(DEBUG_VARIABLE) != null) {
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace));
            err.print(Links.cleaned(trace.toString()));
            err.flush();
        } else if (known == null) {
            String variable = DEBUG_VARIABLE + "=1";
            line(err, "this is a bug in Fletch; set " + variable + " to print the stack trace");
        }
        return switch (failure) {
            case FletchException _ -> INVALID;
            default -> USAGE_OR_IO;
        };
    }

    /// The message of an expected failure; null for a bug.
    private static String describe(Throwable failure) {
        return switch (failure) {
            case FletchException e -> e.getMessage();
            case OutOfMemoryError _ -> "not enough memory";
            case StackOverflowError _ -> "schema is nested too deeply for the stack";
            case IOException e when e.getCause() instanceof HttpNotAllowedException ->
                    e.getMessage() + "; " + LinkOptions.ALLOW_HTTP + " permits it";
            case InvalidPathException e when FileName.mustBeRenamed(e) ->
                    ReadFailure.text(e) + ", or give it as standard input (-)";
            default -> ReadFailure.text(failure);
        };
    }

    /// Prints a line. Escapes its text, and removes queries of links: names come from the command
    /// line or from a file.
    private static void line(PrintWriter err, String text) {
        err.println("fletch: " + Escaper.text(Links.cleaned(text)));
        err.flush();
    }
}
