// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.testdata.Goldens;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Every rule has its test, and its row in the documentation.
class SemanticRulesTest {
    @Test
    void everyCodeHasItsTest() {
        Set<String> tests =
                Stream.of(
                                MessageRulesTest.class,
                                TypeRulesTest.class,
                                BatchRulesTest.class,
                                SizeRulesTest.class)
                        .flatMap(each -> Arrays.stream(each.getDeclaredMethods()))
                        .filter(each -> each.isAnnotationPresent(Test.class))
                        .map(Method::getName)
                        .collect(Collectors.toSet());
        Set<String> untested = new TreeSet<>();
        for (SemanticRule code : SemanticRule.values()) {
            if (!tests.contains(camelCase(code.name()))) {
                untested.add(code.name());
            }
        }
        assertEquals(Set.of(), untested);
    }

    private static String camelCase(String name) {
        StringBuilder text = new StringBuilder();
        for (String word : name.toLowerCase(Locale.ROOT).split("_")) {
            text.append(text.isEmpty() ? word.charAt(0) : Character.toUpperCase(word.charAt(0)));
            text.append(word, 1, word.length());
        }
        return text.toString();
    }

    @Test
    void everyCodeIsDocumented() throws Exception {
        String page =
                Files.readString(
                        Goldens.repositoryRoot().resolve("docs").resolve("verification.md"));
        Set<String> missing = new TreeSet<>();
        for (SemanticRule code : SemanticRule.values()) {
            if (!page.contains("| `" + code.id() + "` | " + code.rule() + " |")) {
                missing.add("| `" + code.id() + "` | " + code.rule() + " |");
            }
        }
        assertEquals(Set.of(), missing);
    }
}
