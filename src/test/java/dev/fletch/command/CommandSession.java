// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.command.Cli.Run;
import dev.fletch.corpus.CaseFile;
import dev.fletch.testdata.Alternatives;
import dev.fletch.testdata.RangeServer;
import dev.fletch.testdata.TradesSample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Writes files and runs commands on them.
///
/// `@name = description` writes a file, as in `corpus/cases`; `let` names a table. Its bytes may be
/// those of a `sample("trades.arrow")`, of a file of the `corpus("…")`, or of a case of arrow-java:
/// `java("nested.arrows")`; also `repeat(3 BYTES)`, `base64(BYTES)` and `random(9)`. `$ command @name`
/// runs a command that ends with status 0, `$1 command` one that ends with 1, and shows standard
/// output (`>`) and standard error (`!`). Of `{a,b}` in a command, each is run, and shown (`=`). A
/// name is a file of the section's folder; one that was not written is a sample.
/// `link:@name` is a link to the file. `< @name` is standard input. `| grep word`, `| head 3` and
/// `| tail 3` show some lines of standard output, `| find word` what matches in them, and
/// `| digest` a number that differs if they do; `> @name` writes them to a file. `@{a,b} = …`
/// writes two files; `symbolic @name @other` and `hard @name @other` make links to a file.
///
/// What `convert` writes is compared with its input by [WrittenOutput]. `same @a @b price,size`
/// requires that arrow-java reads the same values of columns, or of all, in two files, and
/// `equal @a @b` that they have the same bytes.
final class CommandSession implements Transcript.Session {
    private static final Pattern WORD = Pattern.compile("'([^']*)'|\\S+");

    private static final String LINK = "link:";

    private final StringBuilder tables = new StringBuilder();
    private final Path folder;

    /// @param temporary has a folder of each session
    CommandSession(Path temporary) {
        try {
            folder = Files.createTempDirectory(temporary, "session");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The file of a name.
    Path file(String name) {
        return folder.resolve(name);
    }

    @Override
    public List<String> run(String statement) throws IOException {
        if (statement.startsWith("let ")) {
            tables.append(statement).append('\n');
            return List.of();
        }
        if (statement.startsWith("@")) {
            int at = statement.indexOf(" = ");
            byte[] bytes = CaseFile.input(tables + statement.substring(at + 3));
            for (String each : Alternatives.of(statement.substring(1, at))) {
                Files.write(inNewFolder(each), bytes);
            }
            return List.of();
        }
        if (statement.startsWith("symbolic @") || statement.startsWith("hard @")) {
            String[] words = statement.split(" @");
            Path link = inNewFolder(words[1]);
            if (words[0].equals("hard")) {
                Files.createLink(link, Path.of(inFolder("@" + words[2])));
            } else {
                Files.createSymbolicLink(link, Path.of(inFolder("@" + words[2])));
            }
            return List.of();
        }
        if (statement.startsWith("same ") || statement.startsWith("equal ")) {
            for (String each : Alternatives.of(statement)) {
                compare(each.split(" "));
            }
            return List.of();
        }
        int status = statement.charAt(1) == ' ' ? 0 : statement.charAt(1) - '0';
        String command = statement.substring(statement.indexOf(' ') + 1);
        List<String> all = Alternatives.of(command);
        List<String> lines = new ArrayList<>();
        for (String each : all) {
            if (all.size() > 1) {
                lines.add("= " + each);
            }
            lines.addAll(command(each, status));
        }
        return lines;
    }

    private Path inNewFolder(String name) throws IOException {
        Path file = file(name);
        Files.createDirectories(file.getParent());
        return file;
    }

    private void compare(String... words) throws IOException {
        byte[] found = bytes(words[1]);
        byte[] expected = bytes(words[2]);
        if (words[0].equals("equal")) {
            assertArrayEquals(expected, found, words[1]);
            return;
        }
        List<String> columns = words.length > 3 ? List.of(words[3].split(",")) : List.of();
        WrittenOutput.assertSame(expected, found, columns);
    }

    private byte[] bytes(String name) throws IOException {
        return Files.readAllBytes(Path.of(inFolder(name)));
    }

    /// Runs a command.
    ///
    /// @param status that it ends with
    List<String> command(String statement, int status) throws IOException {
        String[] parts = statement.split(" (?:\\||>(?= @)) ");
        String[] call = parts[0].split(" < ");
        String[] words =
                WORD.matcher(call[0])
                        .results()
                        .map(each -> each.group(1) == null ? each.group() : each.group(1))
                        .map(this::inFolder)
                        .toArray(String[]::new);
        String prefix = LINK + folder + "/";
        if (Arrays.stream(words).noneMatch(each -> each.contains(prefix))) {
            return command(parts, call, words, status, prefix);
        }
        try (RangeServer server = new RangeServer(folder)) {
            for (int i = 0; i < words.length; i++) {
                words[i] = words[i].replace(prefix, server.link(""));
            }
            return command(parts, call, words, status, server.link(""));
        }
    }

    private List<String> command(
            String[] parts, String[] call, String[] words, int status, String links)
            throws IOException {
        byte[] input = call.length > 1 ? bytes(call[1]) : new byte[0];
        WrittenOutput output = WrittenOutput.before(input, words);
        Run run = Cli.runWithInput(input, words);
        assertEquals(status, run.status(), run.err() + run.out());
        output.check(run);
        List<String> lines = new ArrayList<>();
        List<String> out = shown(run.out(), links);
        for (String each : Arrays.asList(parts).subList(1, parts.length)) {
            if (each.startsWith("@")) {
                Files.writeString(file(each.substring(1)), run.out());
                out = List.of();
            } else {
                out = filtered(out, each);
            }
        }
        out.forEach(each -> lines.add(each.isEmpty() ? ">" : "> " + each));
        shown(run.err(), links).forEach(each -> lines.add("! " + each));
        return lines;
    }

    /// A word with paths in place of names.
    private String inFolder(String word) {
        int at = word.indexOf('@');
        if (at < 0) {
            return word;
        }
        String name = word.substring(at + 1);
        String withoutQuery = name.replaceFirst("\\?.*", "");
        Path file = folder.resolve(withoutQuery);
        Path sample = TradesSample.path(withoutQuery);
        if (Files.notExists(file) && Files.isRegularFile(sample)) {
            try {
                Files.copy(sample, file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return word.substring(0, at) + folder + (name.isEmpty() ? "" : "/" + name);
    }

    /// The lines of an output, with names in place of links and paths.
    private List<String> shown(String output, String links) {
        return output.replace(links, LINK + "@")
                .replace(links.replace("//", "/"), LINK + "@") // of a path
                .replace(folder + "/", "@")
                .replace("" + folder, "@")
                .lines()
                .toList();
    }

    private static List<String> filtered(List<String> lines, String filter) {
        String[] words = filter.split(" ", 2);
        switch (words[0]) {
            case "grep" -> {
                Pattern pattern = Pattern.compile(words[1]);
                return lines.stream().filter(each -> pattern.matcher(each).find()).toList();
            }
            case "find" -> {
                Pattern pattern = Pattern.compile(words[1]);
                return lines.stream()
                        .flatMap(each -> pattern.matcher(each).results())
                        .map(MatchResult::group)
                        .toList();
            }
            case "digest" -> {
                return List.of("%d lines, %08x".formatted(lines.size(), lines.hashCode()));
            }
            default -> {
                int count = Integer.parseInt(words[1]);
                int from = words[0].equals("head") ? 0 : Math.max(0, lines.size() - count);
                List<String> some =
                        new ArrayList<>(lines.subList(from, Math.min(lines.size(), from + count)));
                some.add("(of " + lines.size() + " lines)");
                return some;
            }
        }
    }
}
