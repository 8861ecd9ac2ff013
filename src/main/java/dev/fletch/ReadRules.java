// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

/// Rules that are broken only while bytes are read. Verifiers do not check them. Ids are stable.
public final class ReadRules {
    /// Bytes that were not verified refer to a position outside their range.
    public static final Rule MALFORMED =
            new Rule(
                    "malformed",
                    Rule.Level.STRUCTURE,
                    Rule.Severity.ERROR,
                    "bytes are not a well-formed FlatBuffer");

    /// The pages of a mapped file cannot be read.
    public static final Rule FILE_UNREADABLE =
            new Rule(
                    "file-unreadable",
                    Rule.Level.FILE,
                    Rule.Severity.ERROR,
                    "mapped file cannot be read, probably truncated");

    /// An input cannot be converted, and the cause has no rule of its own: it has no schema, or no
    /// batches.
    public static final Rule NOT_CONVERTIBLE =
            new Rule(
                    "not-convertible",
                    Rule.Level.FILE,
                    Rule.Severity.ERROR,
                    "input cannot be converted");

    private ReadRules() {}
}
