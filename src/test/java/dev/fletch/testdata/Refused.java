// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.FletchException;
import dev.fletch.Rule;

import org.junit.jupiter.api.function.Executable;

/// Calls that are refused with a rule.
public final class Refused {
    private Refused() {}

    /// Fails unless a call throws an exception with this rule.
    public static FletchException assertRule(Rule rule, Executable call) {
        FletchException e = assertThrows(FletchException.class, call);
        assertEquals(rule, e.rule(), e.getMessage());
        return e;
    }
}
