// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.io;

import dev.fletch.input.InputBytes;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

import java.util.Collections;
import java.util.List;

/// Refuses wrong command lines.
///
/// @param spec of the command; null if it runs without picocli, and so without options
public record Usage(CommandSpec spec) {
    private boolean isGiven(String option) {
        return spec != null && spec.commandLine().getParseResult().hasMatchedOption(option);
    }

    /// Refuses an option without another one.
    public void requires(String option, String other) {
        refuse(isGiven(option) && !isGiven(other), option + " requires " + other);
    }

    /// Refuses an option together with one of others.
    public void excludes(String option, String... others) {
        for (String each : others) {
            boolean isWrong = isGiven(option) && isGiven(each);
            refuse(isWrong, option + " and " + each + " cannot be combined");
        }
    }

    /// Refuses several inputs that are standard input.
    public void inputs(List<String> names) {
        int pipes = Collections.frequency(names, InputBytes.STANDARD_INPUT);
        refuse(pipes > 1, "standard input is given more than once");
    }

    /// Refuses to write binary data to a terminal, which would act on it.
    public void output(OutputFile file) {
        refuse(
                file.isTerminal(),
                "standard output is a terminal, and OUT is binary: name a file, or use a pipe");
    }

    /// Throws if the command line is wrong.
    public void refuse(boolean isWrong, String message) {
        if (isWrong) {
            throw wrong(message);
        }
    }

    /// The failure of a wrong command line.
    public ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
