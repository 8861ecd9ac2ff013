// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.io;

import dev.fletch.UnreadableFileException;
import dev.fletch.cli.text.NearNames;
import dev.fletch.cli.text.Printable;
import dev.fletch.json.InvalidJsonException;

import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/// Turns what went wrong into one line on standard error and an exit status; a person who mistyped
/// or hit a damaged file has no use for a stack trace.
public final class Failures {
    /// The input is invalid, or differs.
    public static final int INVALID = 1;

    /// Wrong usage, or input or output failed. Also Fletch itself, where it has a bug.
    public static final int USAGE_OR_IO = ExitCode.USAGE;

    /// Any value lets a bug show where it is.
    private static final String DEBUG_VARIABLE = "FLETCH_DEBUG";

    // Stands in the JVM's arguments for what it could not decode.
    private static final char REPLACEMENT = '\uFFFD';

    private static final String SHORTENED =
            "could not be read to its end; has it changed meanwhile?";

    private Failures() {}

    public static int wrongUsage(ParameterException found, String[] args) {
        CommandLine command = found.getCommandLine();
        ParameterException failure = cause(found);
        PrintWriter err = command.getErr();
        if (isUnknownCommand(failure)) {
            unknownCommand((UnmatchedArgumentException) failure, command, err);
        } else {
            line(err, failure.getMessage());
            UnmatchedArgumentException.printSuggestions(failure, err);
        }
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        err.flush();
        return USAGE_OR_IO;
    }

    /// Where a word was taken for nothing, that is why a parameter is missing.
    private static ParameterException cause(ParameterException failure) {
        List<String> left = failure.getCommandLine().getUnmatchedArguments();
        return failure instanceof MissingParameterException && !left.isEmpty()
                ? new UnmatchedArgumentException(failure.getCommandLine(), left)
                : failure;
    }

    /// What begins with no command's name is all left over, its options as well.
    private static boolean isUnknownCommand(ParameterException failure) {
        return failure instanceof UnmatchedArgumentException unmatched
                && failure.getCommandLine().getParent() == null
                && !unmatched.getUnmatched().getFirst().startsWith("-");
    }

    private static void unknownCommand(
            UnmatchedArgumentException failure, CommandLine command, PrintWriter err) {
        String given = failure.getUnmatched().getFirst();
        List<String> all = List.copyOf(command.getSubcommands().keySet());
        List<String> near = NearNames.among(all, given);
        String hint = near.isEmpty() ? "" : "; did you mean " + String.join(", ", near) + "?";
        line(err, "unknown command: '" + given + "'" + hint);
        line(err, "commands: " + String.join(", ", all));
    }

    /// What a command lets through belongs to no input.
    public static int failed(Exception failure, CommandLine command, ParseResult parsed) {
        return failure instanceof OutputClosed closed
                ? output(closed, command.getErr())
                : report("", failure, command.getErr());
    }

    /// Standard output takes no more. A reader who closed it, such as `head`, knows that, and
    /// the status is that of what had been found until then.
    public static int output(OutputClosed failure, PrintWriter err) {
        String reason = String.valueOf(failure.getCause().getMessage());
        if (reason.contains("Broken pipe")) {
            return failure.status();
        }
        line(err, "standard output: " + reason);
        return USAGE_OR_IO;
    }

    /// One input could not be shown, or not to its end.
    public static int input(String name, Throwable failure, PrintWriter err) {
        return report(InputBytes.title(name) + ": ", failure, err);
    }

    /// Something to know about an input, and no failure.
    public static void note(String name, String text, PrintWriter err) {
        line(err, InputBytes.title(name) + ": " + text);
    }

    /// Nobody knows any more which input it was, if any.
    public static int uncaught(Throwable failure, PrintWriter err) {
        return report("", failure, err);
    }

    private static int report(String place, Throwable failure, PrintWriter err) {
        String known = describe(failure);
        line(err, place + (known == null ? "internal error: " + failure : known));
        if (known == null) {
            bug(failure, err);
        }
        return failure instanceof InvalidInput || failure instanceof InvalidJsonException
                ? INVALID
                : USAGE_OR_IO;
    }

    /// What to tell a person; null if nobody but Fletch itself is to blame.
    private static String describe(Throwable failure) {
        return switch (failure) {
            case InvalidInput e -> "offset " + e.offset() + ": " + e.getMessage();
            case InvalidJsonException e -> e.getMessage();
            case NoSuchColumn e -> e.getMessage();
            // How a mapped file answers that has lost its end since it was opened.
            case UnreadableFileException _ -> SHORTENED;
            case InternalError _ -> SHORTENED;
            case UncheckedIOException e -> describe(e.getCause());
            case NoSuchFileException e when isGarbled(e.getFile()) -> garbled();
            case NoSuchFileException _ -> "no such file";
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException e when e.getReason() != null -> e.getReason();
            case InvalidPathException e -> badName(e);
            case IOException e when e.getMessage() != null -> e.getMessage();
            case IOException e -> e.getClass().getSimpleName();
            case OutOfMemoryError _ -> "not enough memory";
            case StackOverflowError _ -> "not enough memory for so deep a schema";
            default -> null;
        };
    }

    /// What is wrong with something that was to name a file.
    public static String badName(InvalidPathException failure) {
        return isGarbled(failure.getInput())
                ? garbled()
                : "not a file name: " + failure.getReason();
    }

    /// Whether a name of the command line had bytes that Java could make nothing of.
    private static boolean isGarbled(String name) {
        return name != null && name.indexOf(REPLACEMENT) >= 0;
    }

    private static String garbled() {
        String charset = nameCharset();
        String remedy =
                charset.equals(StandardCharsets.UTF_8.name())
                        ? "rename the file, or give it as standard input (-)"
                        : "set LC_ALL to a UTF-8 locale, such as C.UTF-8";
        return "name has bytes that are no characters in this locale (" + charset + "): " + remedy;
    }

    /// How the JVM reads and writes file names.
    private static String nameCharset() {
        return System.getProperty("sun.jnu.encoding", "unknown");
    }

    private static void bug(Throwable failure, PrintWriter err) {
        if (System.getenv(DEBUG_VARIABLE) == null) {
            line(
                    err,
                    "this is a bug; with " + DEBUG_VARIABLE + "=1 in the environment it is traced");
        } else {
            failure.printStackTrace(err);
            err.flush();
        }
    }

    /// A message may quote a name from the command line or from a file.
    private static void line(PrintWriter err, String text) {
        err.println("fletch: " + Printable.text(text));
        err.flush();
    }
}
