// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.io;

import dev.fletch.cli.text.Printable;

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
/// One that fails has its line on standard error, and the others are shown all the same. The status
/// is the worst of all: 2, something could not be read, over 1, something is invalid, over 0. If
/// whoever reads the output has had enough, it is the worst of what had been found until then.
public abstract class FilesCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = {
                "Arrow IPC files or streams, whatever their names; - is standard input."
            })
    private List<String> names;

    @Spec private CommandSpec spec;

    private boolean headed;

    protected FilesCommand() {}

    /// Shows one input.
    ///
    /// @return the status: 0, or [Failures#INVALID] if that is part of what was shown
    /// @throws InvalidInput if its bytes are not what the format says
    protected abstract int show(String name, InputBytes bytes, PrintWriter out) throws IOException;

    /// Called after an input that was invalid or could not be opened.
    ///
    /// @param index of the input, from 0
    protected void failed(int index, PrintWriter out) {}

    /// Called after the last input.
    protected void finish(PrintWriter out) {}

    /// Called before the first input, to refuse options that contradict each other.
    protected void checkUsage() {}

    @Override
    public Integer call() {
        if (Collections.frequency(names, InputBytes.STANDARD_INPUT) > 1) {
            throw new ParameterException(
                    spec.commandLine(), "standard input can be one of the inputs only once");
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
        try (InputBytes bytes = InputBytes.open(name)) {
            return show(name, bytes, out);
        } catch (OutputClosed e) {
            throw e;
        } catch (Throwable e) {
            // Whatever it is, it concerns this input: even memory is free again for the next one.
            out.flush();
            int status = Failures.input(name, e, spec.commandLine().getErr());
            failed(index, out);
            return status;
        }
    }

    protected final List<String> names() {
        return names;
    }

    protected final boolean hasSeveral() {
        return names.size() > 1;
    }

    /// Before something for a person that has lines of its own: which input it is about.
    protected final void heading(String name, PrintWriter out) {
        if (!hasSeveral()) {
            return;
        }
        if (headed) {
            out.println();
        }
        headed = true;
        out.print(Printable.text(InputBytes.title(name)));
        out.println(':');
    }

    protected final CommandSpec spec() {
        return spec;
    }
}
