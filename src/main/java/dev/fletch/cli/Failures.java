// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/// Turns what went wrong into one line on standard error and an exit status; a person who mistyped
/// or hit a damaged file has no use for a stack trace.
final class Failures {
    /// The input is invalid, or differs.
    static final int INVALID = 1;

    /// Wrong usage, or input or output failed.
    static final int USAGE_OR_IO = ExitCode.USAGE;

    private Failures() {}

    static int wrongUsage(ParameterException failure, String[] args) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("fletch: " + failure.getMessage());
        UnmatchedArgumentException.printSuggestions(failure, err);
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        err.flush();
        return USAGE_OR_IO;
    }

    static int failed(Exception failure, CommandLine command, ParseResult parsed) {
        PrintWriter err = command.getErr();
        err.println("fletch: " + describe(failure));
        err.flush();
        boolean io = failure instanceof IOException || failure instanceof UncheckedIOException;
        return io ? USAGE_OR_IO : INVALID;
    }

    private static String describe(Exception failure) {
        return switch (failure) {
            case UncheckedIOException e -> describe(e.getCause());
            case NoSuchFileException e -> e.getFile() + ": no such file";
            case AccessDeniedException e -> e.getFile() + ": permission denied";
            case FileNotFoundException e -> e.getMessage();
            case Exception e when e.getMessage() == null -> e.getClass().getSimpleName();
            case Exception e -> e.getMessage();
        };
    }
}
