// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.Rule;
import dev.fletch.format.FormatRules;
import dev.fletch.layout.LayoutRules;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Every rule has its test, and its row in the documentation.
class SemanticRulesTest {
    @Test
    void everyRuleHasATest() {
        Set<String> tests =
                Stream.of(
                                MessageRulesTest.class,
                                TypeRulesTest.class,
                                BatchRulesTest.class,
                                TensorRulesTest.class,
                                SizeRulesTest.class)
                        .flatMap(each -> Arrays.stream(each.getDeclaredMethods()))
                        .filter(each -> each.isAnnotationPresent(Test.class))
                        .map(Method::getName)
                        .collect(Collectors.toSet());
        TypeRulesTest.broken().forEach(each -> tests.add(camelCase(each.rule().id())));
        Set<String> untested = new TreeSet<>();
        for (Rule code : rules()) {
            if (!tests.contains(camelCase(code.id()))) {
                untested.add(code.id());
            }
        }
        assertEquals(Set.of(), untested);
    }

    /// All rules that the verifier checks, those of lower layers included.
    private static List<Rule> rules() {
        return Stream.of(
                        SemanticRules.all(),
                        FormatRules.all(),
                        List.of(
                                FormatRules.NODE_COUNT,
                                FormatRules.BUFFER_COUNT,
                                FormatRules.VARIADIC_COUNTS,
                                FormatRules.VARIADIC_COUNT_RANGE,
                                FormatRules.BUFFER_OUT_OF_BODY,
                                LayoutRules.SCHEMA_TOO_DEEP))
                .flatMap(List::stream)
                .toList();
    }

    private static String camelCase(String name) {
        StringBuilder text = new StringBuilder();
        for (String word : name.toLowerCase(Locale.ROOT).split("-")) {
            text.append(text.isEmpty() ? word.charAt(0) : Character.toUpperCase(word.charAt(0)));
            text.append(word, 1, word.length());
        }
        return text.toString();
    }
}
