// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify;

import dev.fletch.Limits;
import dev.fletch.WorkMonitor;
import dev.fletch.batch.Decompressor;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.SemanticOptions;

import java.util.List;
import java.util.Objects;

/// What a [dev.fletch.arrow.ContainerVerifier] checks, and what watches its work. Immutable;
/// `with…` methods return a changed copy.
///
/// @param structure checks and limits for the flatbuffers of messages and footer
/// @param meaning checks of what the flatbuffers say. [SemanticOptions.Check#UNCOMPRESSED_SIZES] reads
///     the uncompressed lengths at the start of compressed buffers: of a range source, these are
///     read from the bodies
/// @param columns paths of the fields whose values are checked, with their children: see
///     [dev.fletch.batch.BatchLayout#fieldOf]. Empty for all fields; null if no values are checked
/// @param decompression how the buffers whose values are checked are decompressed
/// @param monitor watches the work, and can stop it
public record CheckOptions(
        VerifierOptions structure,
        SemanticOptions meaning,
        List<String> columns,
        Decompression decompression,
        WorkMonitor monitor) {
    /// The maximum number of faults for an input. One more says that there are more.
    public static final int MAX_FAULTS = 100_000;

    /// What `fletch verify` checks: the rules of Arrow C++, UTF-8, and how types nest.
    public static final CheckOptions DEFAULT =
            new CheckOptions(
                    VerifierOptions.DEFAULT.with(VerifierOptions.Check.UTF8, true),
                    SemanticOptions.DEFAULT.with(SemanticOptions.Check.NESTING, true),
                    null,
                    Decompression.NONE,
                    WorkMonitor.NONE);

    /// What `fletch verify --strict` checks.
    public static final CheckOptions STRICT =
            DEFAULT.withStructure(VerifierOptions.STRICT).withMeaning(SemanticOptions.STRICT);

    /// Creates options.
    ///
    /// @throws NullPointerException if anything but `columns` is null
    public CheckOptions {
        Objects.requireNonNull(structure, "structure");
        Objects.requireNonNull(meaning, "meaning");
        Objects.requireNonNull(decompression, "decompression");
        Objects.requireNonNull(monitor, "monitor");
        columns = columns == null ? null : List.copyOf(columns);
    }

    /// {@return a copy that also checks the values in bodies: see
    /// [dev.fletch.verify.ValueVerifier]}
    ///
    /// @param ofColumns paths of the fields to check; none for all
    public CheckOptions withValues(String... ofColumns) {
        List<String> some = List.of(ofColumns);
        return new CheckOptions(structure, meaning, some, decompression, monitor);
    }

    /// {@return a copy that decompresses the buffers whose values it checks}
    ///
    /// @param library decompresses; null if the values of compressed buffers are not checked
    /// @param most maximum memory for the decompressed buffers of one field; the values of a field that
    ///     needs more are not checked
    public CheckOptions withDecompressor(Decompressor library, long most) {
        var with = new Decompression(library, most);
        return new CheckOptions(structure, meaning, columns, with, monitor);
    }

    /// {@return a copy with other limits, of flatbuffers and of what they say}
    public CheckOptions withLimits(Limits limits) {
        return new CheckOptions(
                structure.withLimits(limits),
                meaning.withLimits(limits),
                columns,
                decompression,
                monitor);
    }

    /// {@return a copy with other checks of flatbuffers}
    public CheckOptions withStructure(VerifierOptions options) {
        return new CheckOptions(options, meaning, columns, decompression, monitor);
    }

    /// {@return a copy with other checks of meaning}
    public CheckOptions withMeaning(SemanticOptions options) {
        return new CheckOptions(structure, options, columns, decompression, monitor);
    }

    /// {@return a copy with another monitor}
    public CheckOptions withMonitor(WorkMonitor watching) {
        return new CheckOptions(structure, meaning, columns, decompression, watching);
    }
}
