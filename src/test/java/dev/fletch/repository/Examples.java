// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The examples, and the blocks of code in the pages, of which some quote an example.
final class Examples {
    private static final Pattern BLOCK =
            Pattern.compile("^```(\\w+)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern CLASS = Pattern.compile("^public class (\\w+)", Pattern.MULTILINE);

    static final Path FOLDER = Repository.root().resolve("src/test/java/dev/fletch/examples");

    private Examples() {}

    /// A block of code in a page.
    ///
    /// @param language what stands behind the three backticks
    record Block(String language, String text) {}

    /// README and the pages of `docs`, from the repository's folder.
    static List<String> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(Repository.root().resolve("docs"))) {
            return Stream.concat(Stream.of(Repository.root().resolve("README.md")), docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .map(file -> Repository.root().relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    /// All blocks of a page, in order.
    static List<Block> blocks(String page) throws IOException {
        return blocksOf(Files.readString(Repository.root().resolve(page)));
    }

    /// All blocks of a text, in order.
    static List<Block> blocksOf(String text) {
        return BLOCK.matcher(text)
                .results()
                .map(block -> new Block(block.group(1), block.group(2)))
                .toList();
    }

    /// All blocks of a page in one language, in order.
    static List<String> blocks(String page, String language) throws IOException {
        return blocks(page).stream()
                .filter(block -> block.language().equals(language))
                .map(Block::text)
                .toList();
    }

    /// The examples with these lines, one behind the other; only indents may differ.
    static List<String> namesWith(String lines) throws IOException {
        List<String> names = new ArrayList<>();
        for (String name : names()) {
            if (stripped(source(name)).contains(stripped(lines))) {
                names.add(name);
            }
        }
        return names;
    }

    /// The file names of the examples, and of the jobs for a cluster, with these lines.
    static List<String> programsWith(String lines) throws IOException {
        List<String> programs = new ArrayList<>();
        namesWith(lines).forEach(name -> programs.add(name + ".java"));
        Path jobs = Repository.root().resolve("cluster/src");
        try (Stream<Path> files = Files.walk(jobs)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
                if (stripped(Files.readString(file)).contains(stripped(lines))) {
                    programs.add(file.getFileName().toString());
                }
            }
        }
        return programs;
    }

    /// For each block of a text, the paragraph before it and the one behind it. Blocks without a
    /// text between them have the same ones.
    static List<String> paragraphsBeside(String text) {
        String[] texts = BLOCK.split(text, -1);
        List<String> beside = new ArrayList<>();
        for (int i = 0; i + 1 < texts.length; i++) {
            int before = i;
            int behind = i + 1;
            while (before > 0 && texts[before].isBlank()) {
                before--;
            }
            while (behind + 1 < texts.length && texts[behind].isBlank()) {
                behind++;
            }
            String[] last = texts[before].strip().split("\n\n");
            beside.add(last[last.length - 1] + "\n" + texts[behind].strip().split("\n\n")[0]);
        }
        return beside;
    }

    private static String stripped(String text) {
        return text.lines().map(String::strip).collect(Collectors.joining("\n", "\n", "\n"));
    }

    /// The examples, by class name.
    static List<String> names() throws IOException {
        try (Stream<Path> all = Files.list(FOLDER)) {
            return all.map(path -> path.getFileName().toString().replace(".java", ""))
                    .sorted()
                    .toList();
        }
    }

    /// The text of an example as pages quote it: without licence and package.
    static String source(String name) throws IOException {
        String all = Files.readString(FOLDER.resolve(name + ".java"));
        return all.substring(all.indexOf("\n\n", all.indexOf("\npackage ")) + 2);
    }

    /// The example that a block quotes; null if it quotes none.
    static String nameOf(String block) {
        Matcher name = CLASS.matcher(block);
        return name.find() ? name.group(1) : null;
    }
}
