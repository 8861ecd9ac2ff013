// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.house;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The examples, and the blocks of code in the pages, of which some quote an example.
final class Examples {
    private static final Pattern BLOCK =
            Pattern.compile("^```(\\w+)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern CLASS = Pattern.compile("^public class (\\w+)", Pattern.MULTILINE);

    static final Path FOLDER = House.root().resolve("src/test/java/dev/fletch/examples");

    private Examples() {}

    /// All blocks of a page in one language, in order.
    static List<String> blocks(String page, String language) throws IOException {
        final List<String> found = new ArrayList<>();
        final Matcher block = in(page);
        while (block.find()) {
            if (block.group(1).equals(language)) {
                found.add(block.group(2));
            }
        }
        return found;
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
        final String all = Files.readString(FOLDER.resolve(name + ".java"));
        return all.substring(all.indexOf("\n\n", all.indexOf("\npackage ")) + 2);
    }

    /// The example that a block quotes; null if it quotes none.
    static String nameOf(String block) {
        final Matcher name = CLASS.matcher(block);
        return name.find() ? name.group(1) : null;
    }

    private static Matcher in(String page) throws IOException {
        return BLOCK.matcher(Files.readString(House.root().resolve(page)));
    }
}
