// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.Rule;
import dev.fletch.Rule.Level;
import dev.fletch.Rule.Severity;

import java.util.ArrayList;
import java.util.List;

/// Rules for laying out a schema and for matching a batch with its layout, used by [LayoutException]. Ids are
/// stable.
public final class LayoutRules {
    private static final List<Rule> ALL = new ArrayList<>();

    /// Fields are nested deeper than [LayoutLimits#maxDepth].
    public static final Rule SCHEMA_TOO_DEEP =
            error("schema-too-deep", "fields are nested too deeply");

    /// The schema has more fields than [LayoutLimits#maxFields].
    public static final Rule TOO_MANY_FIELDS = error("too-many-fields", "too many fields");

    /// Names overlap, and take more than 2 GiB.
    public static final Rule TOO_LONG_NAMES =
            error("too-long-names", "field names are too long in total");

    /// The batch has fewer field nodes than the layout needs.
    public static final Rule NODE_COUNT =
            error("node-count", "batch does not have the layout's field nodes");

    /// The batch has fewer buffers than the layout needs.
    public static final Rule BUFFER_COUNT =
            error("buffer-count", "batch does not have the layout's buffers");

    /// The batch has fewer variadic buffer counts than the layout has fields of view types.
    public static final Rule VARIADIC_COUNTS =
            error("variadic-counts", "batch does not have the layout's variadic buffer counts");

    /// A variadic buffer count is negative, or above the number of buffers.
    public static final Rule VARIADIC_COUNT_RANGE =
            error("variadic-count-range", "variadic buffer count is out of range");

    /// A buffer is not inside the body.
    public static final Rule BUFFER_OUT_OF_BODY = error("buffer-out-of-body", "buffer out of body");

    /// A compressed buffer has 1 to 7 bytes, too few for the prefix.
    public static final Rule COMPRESSED_TOO_SHORT =
            error("compressed-too-short", "a compressed buffer has no bytes or at least 8");

    /// The prefix of a compressed buffer, its uncompressed length, is below -1, or more than its codec
    /// can store in the buffer's bytes.
    public static final Rule UNCOMPRESSED_LENGTH =
            error(
                    "uncompressed-length",
                    "an uncompressed length is at least -1, and fits the compressed bytes");

    private LayoutRules() {}

    /// {@return all rules, in the order of declaration}
    public static List<Rule> all() {
        return List.copyOf(ALL);
    }

    private static Rule error(String id, String description) {
        final Rule rule = new Rule(id, Level.MEANING, Severity.ERROR, description);
        ALL.add(rule);
        return rule;
    }
}
