// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.Verification;

import org.apache.arrow.vector.compression.CompressionCodec;

import java.util.Objects;

/// How columns become vectors. Immutable; any number of threads may share one.
///
/// @param readOptions what metadata must pass. With [ReadOptions#knownSchemas] a schema that was seen before
///     costs nothing
/// @param checksValues whether each offset, size, view, type id, run end and dictionary index is checked when a
///     batch is loaded, which reads these buffers once. Without, arrow-java checks each access, unless its own
///     bounds checks are off; turn it off for files that you trust only
/// @param copies whether buffers are copied into the allocator's memory, also where they could point into the
///     mapping
/// @param codecs decompress; null for those that arrow-java finds, such as these of `arrow-compression`
@SuppressWarnings("exports") // a module that uses this requires arrow-java itself
public record VectorOptions(
        ReadOptions readOptions,
        boolean checksValues,
        boolean copies,
        CompressionCodec.Factory codecs) {

    /// Verifies what is read, checks all values, copies only what it must, and uses the codecs that arrow-java
    /// finds.
    public static final VectorOptions DEFAULT =
            new VectorOptions(
                    ReadOptions.DEFAULT.withVerification(Verification.TOUCHED), true, false, null);

    /// Makes options.
    ///
    /// @throws NullPointerException if `readOptions` is null
    public VectorOptions {
        Objects.requireNonNull(readOptions, "readOptions");
    }

    /// {@return a copy with other [#readOptions]}
    ///
    /// @param options what metadata must pass
    public VectorOptions withReadOptions(ReadOptions options) {
        return new VectorOptions(options, checksValues, copies, codecs);
    }

    /// {@return a copy with another [#checksValues]}
    ///
    /// @param checks whether values are checked
    public VectorOptions withChecksValues(boolean checks) {
        return new VectorOptions(readOptions, checks, copies, codecs);
    }

    /// {@return a copy with another [#copies]}
    ///
    /// @param copy whether buffers are copied
    public VectorOptions withCopies(boolean copy) {
        return new VectorOptions(readOptions, checksValues, copy, codecs);
    }

    /// {@return a copy with other [#codecs]}
    ///
    /// @param factory such as arrow-compression's; null for those that arrow-java finds
    public VectorOptions withCodecs(CompressionCodec.Factory factory) {
        return new VectorOptions(readOptions, checksValues, copies, factory);
    }
}
