// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

import dev.fletch.Rule.Level;

/// Rules that are broken only while bytes are read. Verifiers do not check them. Ids are stable.
public final class ReadRules {
    private static final RuleList FILE = new RuleList(Level.FILE);

    /// Bytes that were not verified refer to a position outside their range.
    public static final Rule MALFORMED =
            new RuleList(Level.STRUCTURE)
                    .error("malformed", "bytes are not a well-formed FlatBuffer");

    /// The pages of a mapped file cannot be read.
    public static final Rule FILE_UNREADABLE =
            FILE.error("file-unreadable", "mapped file cannot be read, probably truncated");

    /// An input cannot be converted, and the cause has no rule of its own: it has no schema, or no
    /// batches.
    public static final Rule NOT_CONVERTIBLE =
            FILE.error("not-convertible", "input cannot be converted");

    /// The sum of rows, nulls or values of all batches is above 2^63 - 1.
    public static final Rule SUM_TOO_LARGE =
            FILE.error("sum-too-large", "sum over all batches is above 2^63 - 1");

    private ReadRules() {}
}
