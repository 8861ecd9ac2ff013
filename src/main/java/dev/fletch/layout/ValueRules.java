// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.Rule;
import dev.fletch.Rule.Level;
import dev.fletch.Rule.Severity;

/// Rules for reading a column's values, used by [LayoutException]. A file that breaks one may be valid, but
/// does not match the caller's expectation. Ids are stable.
public final class ValueRules {
    /// The message has neither a record batch nor a dictionary batch.
    public static final Rule NO_BATCH = rule("no-batch", "message has no batch");

    /// Batch and layout have different metadata versions, and the schema has unions, whose buffers depend on
    /// it.
    public static final Rule OTHER_VERSION =
            rule("other-version", "batch and layout differ in metadata version");

    /// Bytes of a received body are missing.
    public static final Rule INCOMPLETE_BODY = rule("incomplete-body", "body is incomplete");

    /// The message has no dictionary batch.
    public static final Rule NO_DICTIONARY_BATCH =
            rule("no-dictionary-batch", "message has no dictionary batch");

    /// A field's values are not of the type that the caller expects.
    public static final Rule OTHER_TYPE = rule("other-type", "column has values of another type");

    /// A body is big-endian.
    public static final Rule FOREIGN_BYTE_ORDER =
            rule("foreign-byte-order", "values are not little-endian");

    /// The bytes of a buffer are compressed.
    public static final Rule COMPRESSED_BUFFER =
            rule("compressed-buffer", "buffer must be decompressed first");

    /// A field has nulls, but its validity buffer is absent.
    public static final Rule NO_VALIDITY =
            rule("no-validity", "column has nulls without a validity buffer");

    /// An index is negative, or not less than the dictionary's length.
    public static final Rule INDEX_OUT_OF_DICTIONARY =
            rule("index-out-of-dictionary", "index is outside its dictionary");

    /// A value's offset or length is outside its buffer.
    public static final Rule VALUE_OUT_OF_BUFFER =
            rule("value-out-of-buffer", "value is outside its buffer");

    private ValueRules() {}

    private static Rule rule(String id, String description) {
        return new Rule(id, Level.MEANING, Severity.ERROR, description);
    }
}
