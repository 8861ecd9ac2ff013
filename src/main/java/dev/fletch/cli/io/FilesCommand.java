// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.io;

import dev.fletch.input.InputBytes;
import dev.fletch.input.InvalidInput;
import dev.fletch.input.Links;
import dev.fletch.input.Need;
import dev.fletch.wire.Escaper;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;

/// A command that shows something of each input in turn.
///
/// A failure of one input is a line on standard error; the others are shown all the same. The status
/// is the highest of all: 2, something could not be read; 1, something is invalid; 0. If the reader of
/// the output closes it, the status is the highest of what had been found until then.
public abstract class FilesCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = {
                "Arrow IPC files or streams: paths, https links, or - for standard input.",
                "Of a link no more is read than needed."
            })
    private List<String> names;

    @Spec private CommandSpec spec;

    private boolean hasHeading;

    protected FilesCommand() {}

    /// Shows one input.
    ///
    /// @return the status: 0, or [Failures#INVALID] if what was shown includes faults
    /// @throws InvalidInput if its bytes break the format
    protected abstract int show(String name, InputBytes bytes, PrintWriter out) throws IOException;

    /// What is read of a remote input.
    protected Need need() {
        return Need.HEADERS;
    }

    /// Called after an input that failed.
    ///
    /// @param index of the input, from 0
    protected void failed(int index, PrintWriter out) {}

    /// Called after the last input.
    protected void finish(PrintWriter out) {}

    /// Called before the first input, to check that the options go together.
    protected void checkUsage() {}

    @Override
    public Integer call() {
        if (Collections.frequency(names, InputBytes.STANDARD_INPUT) > 1) {
            throw usage("standard input can be one of the inputs only once");
        }
        checkUsage();
        PrintWriter out = spec.commandLine().getOut();
        int status = 0;
        try {
            for (int i = 0; i < names.size(); i++) {
                Progress.at(names.get(i), i, names.size());
                status = Math.max(status, showOne(i, out));
            }
            finish(out);
            out.flush();
            return status;
        } catch (OutputClosed e) {
            throw e.after(status);
        }
    }

    private int showOne(int index, PrintWriter out) {
        String name = names.get(index);
        try (InputBytes bytes = InputBytes.open(name, need(), Progress::reached)) {
            return show(Links.shown(name), bytes, out);
        } catch (OutputClosed e) {
            throw e;
        } catch (Throwable e) { // also an error: even memory is free again for the next input
            out.flush();
            int status = Failures.input(name, e, spec.commandLine().getErr());
            failed(index, out);
            return status;
        }
    }

    protected final ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    protected final List<String> names() {
        return names;
    }

    protected final boolean hasSeveral() {
        return names.size() > 1;
    }

    /// Prints the input's name above its lines, if there are several inputs.
    protected final void heading(String name, PrintWriter out) {
        if (hasSeveral()) {
            out.print(hasHeading ? System.lineSeparator() : "");
            out.println(Escaper.text(InputBytes.title(name)) + ":");
            hasHeading = true;
        }
    }

    protected final CommandSpec spec() {
        return spec;
    }
}
