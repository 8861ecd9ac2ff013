// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.io;

import dev.fletch.input.InputBytes;
import dev.fletch.input.InputFile;
import dev.fletch.input.InputFiles;
import dev.fletch.input.InvalidInput;
import dev.fletch.input.Links;
import dev.fletch.input.Need;
import dev.fletch.wire.Escaper;

import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Stack;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;

/// A command that shows something of each input. It works on several inputs at once, and prints what it
/// shows in their order.
///
/// A failure of one input is a line on standard error; the others are shown all the same. The status
/// is the highest of all: 2, something could not be read; 1, something is invalid; 0. If the reader of
/// the output closes it, the status is the highest of what had been found until then.
public abstract class FilesCommand implements Callable<Integer> {
    private static final int LINKS_AT_ONCE = 8;

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            parameterConsumer = Names.class,
            description = {
                "Arrow IPC files or streams: paths, https links, or - for standard input.",
                "Of a link no more is read than needed."
            })
    private List<String> names;

    @Option(
            names = {"-r", "--recursive"},
            description = {
                "For a folder, take the files in it at any depth that",
                "end in .arrow, .arrows, .feather or .ipc; no hidden",
                "ones, whose names begin with a dot."
            })
    private boolean recursive;

    @Spec private CommandSpec spec;

    // Where the command prints; null until it is known.
    private PrintWriter out;
    private PrintWriter err;

    // Used in the order of the inputs.
    private boolean hasHeading;
    private int status;

    protected FilesCommand() {}

    /// Takes names up to the next option. For each of them, picocli itself would try what it may be.
    private static final class Names implements IParameterConsumer {
        @Override
        public void consumeParameters(Stack<String> left, ArgSpec names, CommandSpec command) {
            List<String> taken = new ArrayList<>();
            do {
                taken.add(left.pop());
            } while (!left.isEmpty() && !isOption(left.peek()));
            List<String> before = names.getValue();
            if (before != null) {
                taken.addAll(0, before);
            }
            names.setValue(taken);
        }
    }

    /// Whether an argument is an option, not an input.
    public static boolean isOption(String argument) {
        return argument.startsWith("-") && !argument.equals(InputBytes.STANDARD_INPUT);
    }

    /// Shows one input. Called by several threads at once, for one input each.
    ///
    /// @return the status: 0, or [Failures#INVALID] if what was shown includes faults
    /// @throws InvalidInput if its bytes break the format
    protected abstract int show(String name, InputBytes bytes, InputOutput out) throws IOException;

    /// What is read of a remote input.
    protected Need need() {
        return Need.HEADERS;
    }

    /// Called after an input that failed, in the order of the inputs.
    protected void failed(InputOutput input, PrintWriter out) {}

    /// Called after the last input.
    ///
    /// @return the status of all inputs together, if that is higher than those of each
    protected int finish(PrintWriter out) throws IOException {
        return 0;
    }

    /// Called before the first input, to check that the options go together.
    protected void checkUsage() {}

    /// Runs the command without picocli: shows inputs that are given without an option.
    ///
    /// @return the exit status
    public final int show(List<String> inputs, PrintWriter output, PrintWriter errors)
            throws IOException {
        names = inputs;
        out = output;
        err = errors;
        return call();
    }

    @Override
    public Integer call() throws IOException {
        int pipes = Collections.frequency(names, InputBytes.STANDARD_INPUT);
        if (pipes > 1) {
            throw usage("standard input can be one of the inputs only once");
        }
        checkUsage();
        if (spec != null) {
            out = spec.commandLine().getOut();
            err = spec.commandLine().getErr();
        }
        int threads = Runtime.getRuntime().availableProcessors();
        if (names.stream().anyMatch(Links::isLink)) {
            threads = Math.max(threads, LINKS_AT_ONCE); // which mostly wait
        }
        threads = hasSeveral() && pipes == 0 ? threads : 1;
        InputFiles files = new InputFiles(names, recursive);
        try {
            new Turns(files, out, this::show, this::end, threads).run();
            status = Math.max(status, finish(out));
            out.flush();
            return status;
        } catch (OutputClosed e) {
            throw e.after(status);
        }
    }

    private void show(InputOutput input) {
        InputFile file = input.file();
        try (InputBytes bytes = file.open(need(), input)) {
            input.end(show(Links.shown(file.name()), bytes, input), null);
        } catch (OutputClosed | CancellationException e) {
            throw e;
        } catch (Throwable e) { // also an error: even memory is free again for the next input
            input.end(0, e);
        }
    }

    private void end(InputOutput input) {
        int found = input.status();
        if (input.failure() != null) {
            out.flush();
            found = Failures.input(input.file().name(), input.failure(), err);
            failed(input, out);
        } else {
            input.finish();
        }
        status = Math.max(status, found);
    }

    protected final ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    protected final List<String> names() {
        return names;
    }

    /// Whether folders are replaced by the files in them.
    protected final boolean isRecursive() {
        return recursive;
    }

    /// Whether there may be several inputs.
    protected final boolean hasSeveral() {
        return names.size() > 1 || recursive;
    }

    /// Prints the input's name above its lines, if there may be several inputs.
    protected final void heading(String name, InputOutput out) {
        if (hasSeveral()) {
            out.before(
                    target -> {
                        target.print(hasHeading ? System.lineSeparator() : "");
                        hasHeading = true;
                    });
            out.println(Escaper.text(InputBytes.title(name)) + ":");
        }
    }

    /// Standard error, for a command that runs.
    protected final PrintWriter err() {
        return err;
    }

    protected final CommandSpec spec() {
        return spec;
    }
}
