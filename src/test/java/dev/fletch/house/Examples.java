// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.house;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The blocks of code in the pages, and the Java examples among README's.
final class Examples {
    private static final Pattern BLOCK =
            Pattern.compile("^```(\\w+)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern CLASS = Pattern.compile("^public class (\\w+)", Pattern.MULTILINE);
    private static final String README = "README.md";

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

    /// The classes that README has, in order.
    static List<String> names() throws IOException {
        final List<String> names = new ArrayList<>();
        for (String block : blocks(README, "java")) {
            final Matcher name = CLASS.matcher(block);
            if (!name.find()) {
                throw new IllegalStateException("no public class: " + block);
            }
            names.add(name.group(1));
        }
        return names;
    }

    /// README's text of a class.
    static String source(String name) throws IOException {
        return blocks(README, "java").get(names().indexOf(name));
    }

    /// The first block of text behind a class, which is what README says that it prints.
    static String printedBy(String name) throws IOException {
        final String source = source(name);
        final Matcher block = in(README);
        boolean passed = false;
        while (block.find()) {
            if (passed && block.group(1).equals("text")) {
                return block.group(2);
            }
            passed |= block.group(2).equals(source);
        }
        throw new IllegalStateException("nothing is said to be printed by " + name);
    }

    private static Matcher in(String page) throws IOException {
        return BLOCK.matcher(Files.readString(House.root().resolve(page)));
    }
}
