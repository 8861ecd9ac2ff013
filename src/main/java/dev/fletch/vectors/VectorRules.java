// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.Rule;
import dev.fletch.Rule.Level;
import dev.fletch.Rule.Severity;

import java.util.ArrayList;
import java.util.List;

/// The rules of what columns need to become vectors, carried by [VectorException]. Ids are stable.
public final class VectorRules {
    private static final List<Rule> ALL = new ArrayList<>();

    /// There is no schema, or no column of a name or number.
    public static final Rule COLUMN_MISSING = error("column-missing", "no such column");

    /// Several columns have the name, so that it chooses none.
    public static final Rule COLUMN_AMBIGUOUS =
            error("column-ambiguous", "several columns have this name, choose by number");

    /// arrow-java has no vector for a type, codec, byte order or metadata version.
    public static final Rule UNSUPPORTED =
            error("vector-unsupported", "not supported by arrow-java");

    /// A message is not one that a stream has here.
    public static final Rule MESSAGE_KIND = error("vector-message-kind", "unexpected message kind");

    /// A batch has other numbers of nodes, buffers or variadic buffer counts than its schema says.
    public static final Rule BATCH_PARTS =
            error("vector-batch-parts", "batch does not have the column's nodes and buffers");

    /// A node has an impossible number of values or nulls, by itself or beside the nodes around it.
    public static final Rule NODE_NUMBERS = error("vector-node-numbers", "field node is wrong");

    /// A buffer is not inside the body.
    public static final Rule BUFFER_OUTSIDE = error("vector-buffer-outside", "buffer out of body");

    /// A buffer has fewer bytes than the values need.
    public static final Rule BUFFER_SHORT = error("vector-buffer-short", "buffer is too short");

    /// An offset, a size, a view, a type id, a run end or a dictionary index leads out of its range.
    public static final Rule VALUE_RANGE = error("vector-value-range", "value is out of range");

    /// A buffer cannot be decompressed.
    public static final Rule DECOMPRESSION =
            error("vector-decompression", "buffer cannot be decompressed");

    /// A dictionary is replaced in a file, or a delta comes first.
    public static final Rule DICTIONARY_ORDER =
            error("vector-dictionary-order", "dictionary batches are in a wrong order");

    private VectorRules() {}

    /// {@return all of them, in this order}
    public static List<Rule> all() {
        return List.copyOf(ALL);
    }

    private static Rule error(String id, String description) {
        final Rule rule = new Rule(id, Level.MEANING, Severity.ERROR, description);
        ALL.add(rule);
        return rule;
    }
}
