// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.FileRule;
import dev.fletch.FrameRule;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.Rule.Severity;
import dev.fletch.ValueRule;
import dev.fletch.WorkMonitor;
import dev.fletch.batch.Decompressor;
import dev.fletch.ipc.internal.FrameCheck;

import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/// How input is read: how much is checked, by which rules, limits, and decompression. The one set
/// of options of everything that reads, verifies or converts.
///
/// Immutable; threads may share it. `with…` methods return a changed copy.
///
/// @param level what is checked before it can be read
/// @param checks optional rules of metadata, and the limits of all that is read. With
///     [Check#LITTLE_ENDIAN], readers refuse schemas that declare big-endian bodies. Readers of
///     batches let pass what these rules call deviations; [Check#UNCOMPRESSED_SIZES] needs bodies
///     in memory
/// @param decompressor of buffers; null for the libraries that are present, see
///     `dev.fletch.compression`
/// @param decompressedBytes maximum memory for decompressed buffers: of a batch that is read, of a
///     field that is verified, and of all dictionaries. The same maximum applies, apart from that,
///     to what all dictionaries take on the heap: for each batch 1 KiB, its metadata, and its body
///     if it is copied because a channel or a link does not keep it
/// @param knownSchemas verified schemas that readers share and need not verify again; null for
///     none. Accepts and rejects the same inputs
/// @param refused rules that stop a reader of messages or batches, besides errors: deviations and
///     notes, as far as the reader checks them. Of those of a whole file, `Arrow.open` finds
///     [FileRule#BLOCK_OVERLAP], and `Arrow.verify` and `VerifiedChannel.open` all.
///     [FrameRule#END_BETWEEN_MESSAGES] lets readers and `Arrow.verify` refuse an end-of-stream
///     marker whose prefix differs from that of the messages
/// @param monitor watches the verification of an input or of values, and conversion, and can stop
///     it
public record ReadOptions(
        Level level,
        Checks checks,
        Decompressor decompressor,
        long decompressedBytes,
        KnownSchemas knownSchemas,
        Set<Rule> refused,
        WorkMonitor monitor) {
    /// What is checked before it can be read. Each level includes those before it. No level reads
    /// outside the input: faults in what is not checked throw later, when it is read.
    ///
    /// Readers of single messages, such as [MessageReader], check at most [#STRUCTURE]: the levels
    /// above need the messages before. At each level, readers of batches refuse a batch of a
    /// dictionary that no field has; only of a file at [#TOUCHED], they do not know.
    public enum Level {
        /// Checks each message completely. Of a file's footer it checks the footer table, the
        /// schema table and the blocks, so that opening takes the same time for any number of
        /// columns. [ArrowFile#verified] checks one column (`Field`) or `KeyValue` with its
        /// descendants.
        TOUCHED,
        /// All metadata can be read, and is inside the input.
        STRUCTURE,
        /// What the metadata says is possible: counts fit the schema, buffers are inside the body.
        MEANING,
        /// The values fit what the metadata says: offsets ascend, indices are in their dictionary.
        VALUES
    }

    /// Default of [#decompressedBytes]: 1 GiB.
    private static final long DECOMPRESSED_BYTES = 1L << 30;

    /// Checks all metadata by [Checks#DEFAULT]; bodies may have any length.
    public static final ReadOptions DEFAULT =
            new ReadOptions(
                    Level.STRUCTURE,
                    Checks.DEFAULT,
                    null,
                    DECOMPRESSED_BYTES,
                    null,
                    Set.of(ValueRule.VALUES_UNCHECKED),
                    WorkMonitor.NONE);

    /// Checks all but values, by [Checks#USUAL].
    public static final ReadOptions VERIFY =
            DEFAULT.withLevel(Level.MEANING).withChecks(Checks.USUAL.enabled());

    /// Checks everything, by [Checks#USUAL]; a body has at most 1 GiB. Refuses values that cannot
    /// be checked, frames by which a stream may end too early, and deviations that a common reader
    /// reads wrongly. `VerifiedChannel.open` refuses deltas in files, which `Arrow.open` reads.
    public static final ReadOptions UNTRUSTED =
            VERIFY.withLevel(Level.VALUES)
                    .with(Check.UNCOMPRESSED_SIZES, true)
                    .withLimits(Limits.DEFAULT.withBodyBytes(1L << 30))
                    .withRefused(FrameCheck.OF_EARLY_ENDS)
                    .with(ValueRule.VALUES_UNCHECKED, true)
                    .with(MeaningRule.SCHEMA_WITH_BODY, true)
                    .with(MeaningRule.UNION_CHILD_SHORTER, true)
                    .with(MeaningRule.VALIDITY_SHORTER, true)
                    .with(MeaningRule.CODEC_IN_METADATA, true)
                    .with(FileRule.BLOCK_OVERLAP, true)
                    .with(FileRule.DELTA_IN_FILE, true);

    /// Creates options.
    ///
    /// @throws IllegalArgumentException if `decompressedBytes` is negative
    /// @throws NullPointerException if `level`, `checks`, `refused` or `monitor` is null
    public ReadOptions {
        Objects.requireNonNull(level, "level");
        Objects.requireNonNull(checks, "checks");
        Objects.requireNonNull(monitor, "monitor");
        refused = Set.copyOf(refused);
        if (decompressedBytes < 0) {
            throw new IllegalArgumentException(
                    "limit is negative: decompressedBytes=" + decompressedBytes);
        }
    }

    /// {@return whether a level is checked}
    public boolean checks(Level least) {
        return level.compareTo(least) >= 0;
    }

    /// {@return whether a broken rule stops a reader of batches: an error, or [#refused]}
    public boolean refuses(Rule rule) {
        return rule.severity() == Severity.ERROR || refused.contains(rule);
    }

    /// {@return the limits of [#checks()]}
    public Limits limits() {
        return checks.limits();
    }

    /// {@return a copy with another [#level]}
    public ReadOptions withLevel(Level other) {
        return new ReadOptions(
                other, checks, decompressor, decompressedBytes, knownSchemas, refused, monitor);
    }

    /// {@return a copy with other limits}
    public ReadOptions withLimits(Limits other) {
        return with(checks.withLimits(other));
    }

    /// {@return a copy with other optional checks, and the same limits}
    public ReadOptions withChecks(Set<Check> enabled) {
        return with(new Checks(limits(), enabled));
    }

    /// {@return a copy with a check enabled or disabled}
    public ReadOptions with(Check check, boolean isChecked) {
        return with(checks.with(check, isChecked));
    }

    private ReadOptions with(Checks other) {
        return new ReadOptions(
                level, other, decompressor, decompressedBytes, knownSchemas, refused, monitor);
    }

    /// {@return a copy with another [#decompressor]}
    public ReadOptions withDecompressor(Decompressor other) {
        return new ReadOptions(
                level, checks, other, decompressedBytes, knownSchemas, refused, monitor);
    }

    /// {@return a copy with another [#decompressedBytes]}
    public ReadOptions withDecompressedBytes(long limit) {
        return new ReadOptions(level, checks, decompressor, limit, knownSchemas, refused, monitor);
    }

    /// {@return a copy with other [#knownSchemas]}
    public ReadOptions withKnownSchemas(KnownSchemas known) {
        return new ReadOptions(
                level, checks, decompressor, decompressedBytes, known, refused, monitor);
    }

    /// {@return a copy with other [#refused] rules}
    public ReadOptions withRefused(Set<Rule> rules) {
        return new ReadOptions(
                level, checks, decompressor, decompressedBytes, knownSchemas, rules, monitor);
    }

    /// {@return a copy in which a rule is refused or not}
    ///
    /// @param rule a deviation or note, such as [ValueRule#VALUES_UNCHECKED] to let values pass
    ///     that cannot be checked
    public ReadOptions with(Rule rule, boolean isRefused) {
        Set<Rule> changed = new HashSet<>(refused);
        changed.remove(rule);
        if (isRefused) {
            changed.add(rule);
        }
        return withRefused(changed);
    }

    /// {@return a copy with another [#monitor]}
    public ReadOptions withMonitor(WorkMonitor watching) {
        return new ReadOptions(
                level, checks, decompressor, decompressedBytes, knownSchemas, refused, watching);
    }
}
