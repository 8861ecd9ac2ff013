// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// `fletch map`: which bytes belong to which column of which batch.
@Command(
        name = "map",
        description = {
            "Shows which bytes belong to which column of which batch, and what each byte of the",
            "input is for. Only headers are read."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        footerHeading = "%nExample:%n",
        footer = {
            "  fletch map trades.arrow",
            "  fletch map --html trades.html trades.arrow",
            "%n'message' is the index that 'fletch ls' shows; offsets count from the input's first",
            "byte. Behind a buffer, what fills up to a multiple of 64 bytes is padding, behind a",
            "message to one of 8; other bytes that nothing leads to are unreferenced."
        })
final class MapCommand extends InputCommand {
    @Option(names = "--json", description = "Print one JSON object per line and file.")
    private boolean json;

    @Option(names = "--totals", description = "Print the totals without the table.")
    private boolean onlyTotals;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = {
                "Write a page with a drawing of the input to scale, and print the totals;",
                "- is standard output, which then gets nothing else."
            })
    private Path html;

    MapCommand() {}

    @Override
    void checkUsage() {
        String conflict = null;
        if (json && onlyTotals) {
            conflict = "--totals and --json exclude each other: JSON has both";
        } else if (html != null && hasSeveral()) {
            conflict = "--html draws one input";
        } else if (isPageOnOutput() && json) {
            conflict = "--html - and --json exclude each other: there is one standard output";
        }
        if (conflict != null) {
            throw new ParameterException(spec().commandLine(), conflict);
        }
    }

    private boolean isPageOnOutput() {
        return html != null && html.toString().equals(InputBytes.STANDARD_INPUT);
    }

    @Override
    void show(String name, Input input, PrintWriter out) throws IOException {
        List<MapSink> sinks = new ArrayList<>();
        if (json) {
            json(name, input, sinks, out);
            return;
        }
        if (!isPageOnOutput()) {
            heading(name, out);
            sinks.add(new MapText(out, input, !onlyTotals && html == null));
        }
        run(name, input, sinks, out);
    }

    private void json(String name, Input input, List<MapSink> sinks, PrintWriter out)
            throws IOException {
        try (MapJson object = new MapJson(name, out)) {
            sinks.add(object);
            try {
                run(name, input, sinks, out);
            } catch (OutputClosed e) {
                throw e;
            } catch (RuntimeException e) {
                InvalidInput fault = InvalidInput.of(e, input);
                if (fault == null) {
                    throw e;
                }
                object.fault(fault);
                throw fault;
            }
        }
    }

    private void run(String name, Input input, List<MapSink> sinks, PrintWriter out)
            throws IOException {
        if (html == null) {
            new MapWalk(input, sinks).run();
        } else {
            page(name, input, sinks, out);
        }
    }

    // ---- the page

    /// Draws in a place of its own first: a faulty input leaves no half of a page, and the page that
    /// was there before as it was.
    private void page(String name, Input input, List<MapSink> sinks, PrintWriter out)
            throws IOException {
        refuseInput(name);
        Path drawn = Files.createTempFile("fletch", ".html");
        try {
            try (BufferedWriter writer = Files.newBufferedWriter(drawn)) {
                sinks.add(new MapPage(name, writer));
                new MapWalk(input, sinks).run();
            }
            if (isPageOnOutput()) {
                try (Reader reader = Files.newBufferedReader(drawn)) {
                    reader.transferTo(out);
                }
            } else {
                write(drawn);
            }
        } finally {
            Files.deleteIfExists(drawn);
        }
    }

    private void refuseInput(String name) throws IOException {
        boolean isInput =
                !name.equals(InputBytes.STANDARD_INPUT)
                        && Files.exists(html)
                        && Files.isSameFile(html, Path.of(name));
        if (isInput) {
            throw new IOException("page would overwrite the input");
        }
    }

    private void write(Path drawn) throws IOException {
        try (OutputStream target = Files.newOutputStream(html)) {
            Files.copy(drawn, target);
        } catch (IOException e) {
            throw new IOException("cannot write " + html + ": " + reason(e), e);
        }
    }

    private static String reason(IOException failure) {
        return switch (failure) {
            case NoSuchFileException _ -> "no such folder";
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException e when e.getReason() != null -> e.getReason();
            default -> String.valueOf(failure.getMessage());
        };
    }
}
