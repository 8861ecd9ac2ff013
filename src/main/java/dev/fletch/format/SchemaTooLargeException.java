// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.Fault;
import dev.fletch.FlatBufferFormatException;
import dev.fletch.MeaningRule;

/// Thrown if a schema shares its parts so often that it exceeds the limit of its
/// [dev.fletch.format.internal.SchemaSize]: rule [MeaningRule#SCHEMA_TOO_LARGE].
public final class SchemaTooLargeException extends FlatBufferFormatException {
    private static final long serialVersionUID = 1L;

    /// @param what which parts are too large
    /// @param offset byte offset of the first part over the limit
    public SchemaTooLargeException(String what, long size, long limit, long offset) {
        super(
                Fault.of(MeaningRule.SCHEMA_TOO_LARGE, offset, size).with("limit", limit),
                null,
                "schema is too large for its bytes: "
                        + what
                        + (", code=" + MeaningRule.SCHEMA_TOO_LARGE.id())
                        + (", size=" + size + ", limit=" + limit),
                null);
    }
}
