// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cluster;

import dev.fletch.input.Links;

import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The arguments of a job: folders, lists of names, and the folder for the result.
final class Arguments {
    static final String USAGE = "[FOLDER...] [--list FILE]... [--ignore-metadata] --output FOLDER";

    @Parameters(paramLabel = "FOLDER")
    private List<Path> folders = List.of();

    @Option(names = "--list", paramLabel = "FILE")
    private List<Path> lists = List.of();

    @Option(names = "--ignore-metadata")
    private boolean ignoresMetadata;

    @Option(names = "--output", paramLabel = "FOLDER", required = true)
    private Path output;

    private Arguments() {}

    /// Reads the arguments.
    ///
    /// @throws IllegalArgumentException if they are wrong
    static Arguments parse(String... given) {
        Arguments arguments = new Arguments();
        try {
            new CommandLine(arguments).setExpandAtFiles(false).parseArgs(given);
        } catch (ParameterException e) {
            throw wrong(e.getMessage());
        }
        arguments.check();
        return arguments;
    }

    private void check() {
        if (folders.isEmpty() && lists.isEmpty()) {
            throw wrong("no folder and no list of names");
        }
        for (Path each : folders) {
            if (!Files.isDirectory(each)) {
                throw wrong("no such folder (names of files and links go into a list): " + each);
            }
        }
        for (Path each : lists) {
            if (!Files.isRegularFile(each) || !Files.isReadable(each)) {
                throw wrong("no such list, or it cannot be read: " + each);
            }
        }
        if (Files.exists(output) && !Files.isDirectory(output)) {
            throw wrong("output is no folder: " + output);
        }
        for (String each : List.of(Result.FILES, Result.FAULTS, Result.GROUPS, Result.TOTAL)) {
            if (Files.exists(output.resolve(each))) {
                throw wrong("output has a result already: " + output.resolve(each));
            }
        }
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(Links.cleaned(text) + "; arguments: " + USAGE);
    }

    /// Where the names come from. Paths are absolute: workers have other working folders.
    List<NameSource> sources() {
        List<NameSource> all = new ArrayList<>();
        folders.forEach(each -> all.add(new NameSource(absolute(each), false)));
        lists.forEach(each -> all.add(new NameSource(absolute(each), true)));
        return all;
    }

    /// Whether files are in one group if only custom metadata differs.
    boolean ignoresMetadata() {
        return ignoresMetadata;
    }

    /// The absolute path of a part of the result.
    String output(String name) {
        return absolute(output.resolve(name));
    }

    private static String absolute(Path path) {
        return path.toAbsolutePath().normalize().toString();
    }
}
