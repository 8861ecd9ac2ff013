// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.Value;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// A walk shows each parameter of each type that `format/` declares: that it shows it rightly is what
/// [FieldWalkTest] finds, once [FieldWalkReadings] reads it.
class FieldWalkMatchesFbsTest {
    @Test
    void everyParameterHasAnAccessor() {
        Set<String> methods =
                Arrays.stream(FieldWalk.class.getMethods())
                        .map(Method::getName)
                        .collect(Collectors.toSet());
        Set<String> missing = new TreeSet<>();
        for (Value type : Flyweights.members("Type")) {
            for (FieldDecl each : Flyweights.ARROW.table(type.name()).fields()) {
                if (!methods.contains(each.javaName())) {
                    missing.add(type.name() + "." + each.javaName());
                }
            }
        }
        assertEquals(Set.of(), missing);
    }
}
