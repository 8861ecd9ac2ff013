// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;

import org.apache.arrow.vector.compression.CompressionCodec;

/// Options for reading columns into vectors. Immutable; threads may share it.
///
/// @param readOptions what is checked and refused, as by `Arrow.open`. [ReadOptions#knownSchemas]
///     saves the verification of schemas that readers share
/// @param checksValues whether to verify the values of a batch when it is loaded, at each level,
///     except for what arrow-java reads well: see [VectorReader]. One chosen column whose values
///     refer to others, as offsets and indices do, or are text has all chosen columns verified;
///     without one, each number is a value. Always true at [Level#VALUES], which has no such
///     exceptions. A copied buffer of more than 2 GiB is not verified, but refused. Set it to false
///     only for trusted input: then only arrow-java's bounds checks remain, if enabled
/// @param copies whether to copy buffers into the allocator's memory, even if they could refer to
///     the mapping
/// @param codecs for decompression below [Level#VALUES], which uses [ReadOptions#decompressor]; null
///     for arrow-java's default factory, which finds `arrow-compression`
@SuppressWarnings("exports") // a module that uses this requires arrow-java itself
public record VectorOptions(
        ReadOptions readOptions,
        boolean checksValues,
        boolean copies,
        CompressionCodec.Factory codecs) {

    /// Verifies metadata when it is used, checks all values, copies only where necessary, and uses
    /// arrow-java's default codecs.
    public static final VectorOptions DEFAULT =
            new VectorOptions(ReadOptions.DEFAULT.withLevel(Level.TOUCHED), true, false, null);

    /// Creates options.
    ///
    /// @throws NullPointerException if `readOptions` is null
    public VectorOptions {
        checksValues |= readOptions.checks(Level.VALUES);
    }

    /// {@return a copy with other [#readOptions]}
    public VectorOptions withReadOptions(ReadOptions options) {
        return new VectorOptions(options, checksValues, copies, codecs);
    }

    /// {@return a copy with another [#checksValues]}
    public VectorOptions withChecksValues(boolean checks) {
        return new VectorOptions(readOptions, checks, copies, codecs);
    }

    /// {@return a copy with another [#copies]}
    public VectorOptions withCopies(boolean copy) {
        return new VectorOptions(readOptions, checksValues, copy, codecs);
    }

    /// {@return a copy with other [#codecs]}
    ///
    /// @param factory such as that of `arrow-compression`; null for arrow-java's default
    public VectorOptions withCodecs(CompressionCodec.Factory factory) {
        return new VectorOptions(readOptions, checksValues, copies, factory);
    }
}
