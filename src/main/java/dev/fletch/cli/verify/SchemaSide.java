// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.verify;

import dev.fletch.cli.schema.SchemaWalk;
import dev.fletch.format.Schema;

import java.lang.foreign.MemorySegment;

/// One of two schemas that are compared.
///
/// @param walk through all of it: the verifier has bounded how much that is
/// @param texts of the flatbuffer that it is in
/// @param broken what in there cannot be read; the schema's path in there is `schema`
public record SchemaSide(SchemaWalk walk, TextRegion texts, BrokenPaths broken) {
    /// @param schema bound, and readable but for what is broken
    /// @param start where its flatbuffer begins, or what is before it
    /// @param end where its flatbuffer ends
    static SchemaSide of(
            Schema schema, MemorySegment memory, long start, long end, BrokenPaths broken) {
        return new SchemaSide(
                SchemaWalk.unlimited(schema), new TextRegion(memory, start, end), broken);
    }
}
