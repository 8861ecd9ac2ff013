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

    /// A body is big-endian.
    public static final Rule FOREIGN_BYTE_ORDER =
            reading("foreign-byte-order", "values are not little-endian");

    /// The bytes of a buffer are compressed.
    public static final Rule COMPRESSED_BUFFER =
            reading("compressed-buffer", "buffer must be decompressed first");

    /// A compressed buffer is malformed, or has another length than its prefix claims.
    public static final Rule DECOMPRESSION =
            reading("decompression", "buffer cannot be decompressed");

    /// The decompressed buffers need more memory than [DecompressedBuffers] may use.
    public static final Rule TOO_MUCH_MEMORY =
            reading("too-much-memory", "decompressed buffers need too much memory");

    /// A field has nulls, but its validity buffer is absent.
    public static final Rule NO_VALIDITY =
            reading("no-validity", "column has nulls without a validity buffer");

    /// An index is negative, or not less than the dictionary's length.
    public static final Rule INDEX_OUT_OF_DICTIONARY =
            reading("index-out-of-dictionary", "index is outside its dictionary");

    /// A value's offset or length is outside its buffer.
    public static final Rule VALUE_OUT_OF_BUFFER =
            reading("value-out-of-buffer", "value is outside its buffer");

    private LayoutRules() {}

    /// {@return the rules of schemas, which verifiers check, in the order of declaration}
    public static List<Rule> all() {
        return ALL.all();
    }

    private static Rule reading(String id, String description) {
        return new Rule(id, Level.MEANING, Severity.ERROR, description);
    }
}
