// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.io;

import com.fasterxml.jackson.core.JsonGenerator;

import dev.fletch.FletchException;
import dev.fletch.input.FileName;
import dev.fletch.input.FileSuffixes;
import dev.fletch.input.InputBytes;
import dev.fletch.input.InputFile;
import dev.fletch.input.InputFiles;
import dev.fletch.input.Links;
import dev.fletch.input.Need;
import dev.fletch.remote.HttpOptions;
import dev.fletch.wire.Escaper;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;

/// A command that prints something about each input. It processes several inputs in parallel and
/// prints in their order.
///
/// A failed input is reported on standard error; the others are still printed. The exit status is
/// the highest of all inputs: 2 for usage or I/O errors, 1 for invalid input, 0. If standard output
/// is closed early, it is the highest status found so far.
public abstract class FilesCommand implements Callable<Integer> {
    private static final int LINKS_AT_ONCE = 8;

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = {
                "Arrow IPC files or streams: paths, https links, or - for standard input.",
                "A link is read only as far as needed."
            })
    private List<String> names;

    @Option(
            names = {"-r", "--recursive"},
            description = {
                "Replace a folder by its files, at any depth, that end",
                "in " + FileSuffixes.FILES + ",",
                FileSuffixes.STREAMS + ",",
                "in upper or lower case. Read each file once. Skip",
                "files and folders whose names begin with a dot."
            })
    private boolean recursive;

    @Option(
            names = "--suffix",
            paramLabel = "SUFFIX",
            split = ",",
            description = {
                "With -r: also take files whose names end in this,",
                "such as .idx. Can be repeated."
            })
    private List<String> suffixes = List.of();

    @Mixin private LinkOptions links = new LinkOptions();

    @Spec private CommandSpec spec;

    // Standard output and error of a command that runs without picocli; else null.
    private PrintWriter plainOut;
    private PrintWriter plainErr;

    // Updated in the order of the inputs.
    private boolean hasHeading;
    private int status;

    /// `--json`.
    public static final class JsonOption {
        @Option(
                names = "--json",
                description = "Print one JSON object per file, each on its own line.")
        private boolean isGiven;

        public boolean isGiven() {
            return isGiven;
        }
    }

    /// `--at`.
    public static final class AtOption {
        @Option(
                names = "--at",
                paramLabel = "OFFSET",
                description = "Show only what contains this byte of the input, from 0.")
        private Long offset;

        /// Null if it is not given.
        public Long offset() {
            return offset;
        }
    }

    /// `--read-bodies`.
    public static final class PrefixOption {
        @Option(
                names = "--read-bodies",
                description = {
                    "For a link, also read the uncompressed sizes at",
                    "the start of compressed buffers, in the bodies."
                })
        private boolean isGiven;

        /// Loads these sizes, if it is given.
        public void load(InputBytes bytes) throws IOException {
            if (isGiven) {
                bytes.loadPrefixes();
            }
        }
    }

    /// Prints one input. Called by several threads, each for another input.
    ///
    /// @return the exit status: 0, or [Failures#INVALID] if the output includes faults
    /// @throws FletchException if its bytes break the format
    protected abstract int show(String name, InputBytes bytes, InputOutput out) throws IOException;

    /// The parts of a remote input to read.
    protected Need need() {
        return Need.HEADERS;
    }

    /// Whether each input gets a JSON object, also one that is invalid or cannot be read: with
    /// `--json`.
    protected boolean answersInJson() {
        return spec != null
                && spec.commandLine().getParseResult().matchedOptionValue("--json", false);
    }

    /// Called after a failed input, in the order of the inputs.
    protected void failed(InputOutput input, PrintWriter out) {}

    /// Called after the last input. Returns an exit status, which counts like that of an input.
    protected int finish(PrintWriter out) throws IOException {
        return 0;
    }

    /// Checks the options before the first input.
    protected void check(Usage usage) {}

    /// Runs the command without picocli, for inputs without options. Returns the exit status.
    public final int show(List<String> inputs, PrintWriter output, PrintWriter errors)
            throws IOException {
        names = inputs;
        plainOut = output;
        plainErr = errors;
        return call();
    }

    @Override
    public Integer call() throws IOException {
        Usage usage = usage();
        usage.inputs(names);
        checkSuffixes(usage);
        check(usage);
        for (String each : names) {
            OutputFile.refuseStandardOutput(each);
        }
        int threads = Runtime.getRuntime().availableProcessors();
        if (names.stream().anyMatch(Links::isLink)) {
            threads = Math.max(threads, LINKS_AT_ONCE); // their threads mostly wait
        }
        boolean isPiped = names.contains(InputBytes.STANDARD_INPUT);
        threads = hasSeveral() && !isPiped ? threads : 1;
        InputFiles files = new InputFiles(names, recursive, suffixes);
        PrintWriter out = out();
        try {
            new OrderedOutput(files, out, this::show).run(threads);
            status = Math.max(status, finish(out));
            out.flush();
            return status;
        } catch (OutputClosed e) {
            throw e.after(status);
        }
    }

    private void checkSuffixes(Usage usage) {
        usage.requires("--suffix", "--recursive");
        for (String each : suffixes) {
            FileName.requireDecoded(each);
            usage.refuse(
                    each.isEmpty() || each.contains("/"),
                    "--suffix is not the end of a file name: '" + each + "'");
        }
    }

    private void show(InputOutput input) {
        String name = Links.shown(input.file.name());
        refuseStandardOutput(input.file);
        try (InputBytes bytes = open(input)) {
            int found = show(name, bytes, input);
            input.atEnd(() -> status = Math.max(status, found));
        } catch (OutputClosed | CancellationException e) {
            throw e;
        } catch (Throwable e) { // also an error: after it, memory is free for the next input
            input.atFailure(() -> fail(input, e));
        }
    }

    private InputBytes open(InputOutput input) throws IOException {
        try {
            return input.file.open(need(), links.http(), input::waitForTurn);
        } catch (FileNotFoundException e) {
            throw new IOException(e.getMessage() + "; -r reads the files in it", e);
        }
    }

    /// Ends the command if standard output is a file that was found in a folder.
    private static void refuseStandardOutput(InputFile file) {
        try {
            if (file.path() != null) {
                OutputFile.refuseStandardOutput(file.name());
            }
        } catch (IOException e) {
            throw new OutputClosed(e);
        }
    }

    private void fail(InputOutput input, Throwable failure) {
        PrintWriter out = out();
        out.flush();
        String name = input.file.name();
        status = Math.max(status, Failures.input(name, failure, err()));
        if (answersInJson() && input.isEmpty()) {
            try (JsonGenerator json = JsonOutput.object(Links.shown(name), out)) {
                JsonOutput.failure(json, failure);
            } catch (IOException e) {
                throw new OutputClosed(e);
            }
        }
        failed(input, out);
    }

    /// Checks `--html`, whose file is null without it.
    protected final void checkPage(Path page, Usage usage) {
        usage.refuse(page != null && hasSeveral(), "--html takes only one input");
        usage.excludes("--html", "--json");
        usage.requires("--force", "--html");
    }

    protected final Usage usage() {
        return new Usage(spec);
    }

    protected final HttpOptions http() {
        return links.http();
    }

    protected final List<String> names() {
        return names;
    }

    /// Whether there may be several inputs.
    protected final boolean hasSeveral() {
        return names.size() > 1 || recursive;
    }

    /// Prints the input's name above its lines if there may be several inputs.
    protected final void heading(String name, InputOutput out) {
        if (hasSeveral()) {
            titled(InputBytes.title(name), out);
        }
    }

    /// Prints a title above the lines that follow.
    final void titled(String title, InputOutput out) {
        if (out.isEmpty()) {
            out.before(
                    target -> {
                        target.print(hasHeading ? System.lineSeparator() : "");
                        hasHeading = true;
                    });
        } else {
            out.println();
        }
        out.println(Escaper.text(title) + ":");
    }

    private PrintWriter out() {
        return plainOut == null ? spec.commandLine().getOut() : plainOut;
    }

    protected final PrintWriter err() {
        return plainErr == null ? spec.commandLine().getErr() : plainErr;
    }
}
