// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.Rule;
import dev.fletch.Rule.Level;
import dev.fletch.Rule.Severity;
import dev.fletch.RuleList;

import java.util.List;

/// Rules for laying out a schema, for matching a batch with its layout, and for reading a column's
/// values, used by [LayoutException]. Ids are stable.
public final class LayoutRules {
    private static final RuleList ALL = new RuleList(Level.MEANING);
    // Not in #all: not rules of schemas.
    private static final RuleList VALUES = new RuleList(Level.VALUES);

    /// Fields are nested deeper than [dev.fletch.Limits#depth()].
    public static final Rule SCHEMA_TOO_DEEP =
            ALL.error("schema-too-deep", "fields are nested too deeply");

    /// The schema has more fields than [dev.fletch.Limits#fields()].
    public static final Rule TOO_MANY_FIELDS = ALL.error("too-many-fields", "too many fields");

    /// Names overlap, and take more than 2 GiB.
    public static final Rule TOO_LONG_NAMES =
            ALL.error("too-long-names", "field names are too long in total");

    // Rules for reading. A file that breaks one may be valid, but does not match the caller's
    // expectation.

    /// The message has neither a record batch nor a dictionary batch.
    public static final Rule NO_BATCH = reading("no-batch", "message has no batch");

    /// Batch and layout have different metadata versions, and the schema has unions, whose buffers
    /// depend on it.
    public static final Rule OTHER_VERSION =
            reading("other-version", "batch and layout differ in metadata version");

    /// Bytes of a received body are missing.
    public static final Rule INCOMPLETE_BODY = reading("incomplete-body", "body is incomplete");

    /// Nonempty buffers of a batch have bytes in common.
    public static final Rule SHARED_BYTES =
            reading("shared-bytes", "buffers of a batch share bytes");

    /// The message has no dictionary batch.
    public static final Rule NO_DICTIONARY_BATCH =
            reading("no-dictionary-batch", "message has no dictionary batch");

    /// A field's values are not of the type that the caller expects.
    public static final Rule OTHER_TYPE =
            reading("other-type", "column has values of another type");

    /// The bytes of a buffer are compressed.
    public static final Rule COMPRESSED_BUFFER =
            reading("compressed-buffer", "buffer must be decompressed first");

    /// A compressed buffer is malformed, or has another length than its prefix claims.
    public static final Rule DECOMPRESSION =
            reading("decompression", "buffer cannot be decompressed");

    /// The decompressed buffers need more memory than [DecompressedBuffers] may use.
    public static final Rule TOO_MUCH_MEMORY =
            reading("too-much-memory", "decompressed buffers need too much memory");

    // Rules of a value. Readers of single values check them, and so does
    // dev.fletch.values.ValueVerifier for all values of a batch.

    /// An offset is negative, or less than the one before it.
    public static final Rule VALUE_OFFSET_ORDER =
            VALUES.error("value-offset-order", "offset is less than the one before it, or than 0");

    /// A value ends outside its data, or a list outside its child.
    public static final Rule VALUE_OFFSET_RANGE =
            VALUES.error("value-offset-range", "offset is outside the data or the child");

    /// The length of a view is negative.
    public static final Rule VALUE_VIEW_LENGTH =
            VALUES.error("value-view-length", "length of a view is negative");

    /// A view refers to a variadic buffer that does not exist.
    public static final Rule VALUE_VIEW_BUFFER =
            VALUES.error("value-view-buffer", "view refers to a buffer that does not exist");

    /// The bytes of a view are not inside its variadic buffer.
    public static final Rule VALUE_VIEW_RANGE =
            VALUES.error("value-view-range", "view is outside its buffer");

    /// A dictionary index is negative, or not less than the dictionary's length.
    public static final Rule VALUE_DICTIONARY_INDEX =
            VALUES.error("value-dictionary-index", "index is outside its dictionary");

    private LayoutRules() {}

    /// {@return the rules of schemas, which verifiers check, in the order of declaration}
    public static List<Rule> all() {
        return ALL.all();
    }

    private static Rule reading(String id, String description) {
        return new Rule(id, Level.MEANING, Severity.ERROR, description);
    }
}
