// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.Limits;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/// The optional checks and limits of a [dev.fletch.verify.SemanticVerifier]. Immutable; `with…`
/// methods return a changed copy.
///
/// Source: Columnar format, "Serialization and Interprocess Communication (IPC)".
///
/// @param limits depth, fields and unfolded size of schemas, and length of bodies
/// @param checks the enabled checks
public record SemanticOptions(Limits limits, Set<Check> checks) {
    /// An optional check.
    public enum Check {
        /// Buffers of length 0 are inside the body and aligned, as all others.
        EMPTY_BUFFERS,
        /// A batch has no more nodes, buffers and variadic buffer counts than its fields need.
        /// Fewer are always a fault.
        EXACT_COUNTS,
        /// A child is not longer than its struct or sparse union, run ends are not more than the
        /// values, and run values not more than the run ends. Fewer are always a fault.
        EXACT_CHILDREN,
        /// Fields are nested at most 64 levels deep, which all readers accept.
        NESTING,
        /// A batch's buffers ascend and do not overlap; empty buffers may have any offset.
        BUFFER_ORDER,
        /// A buffer is large enough for its field's number of values, by the length in the metadata.
        /// Of compressed buffers, only those of length 0 are checked.
        BUFFER_SIZES,
        /// A compressed buffer is large enough by its uncompressed length, if the body is available.
        UNCOMPRESSED_SIZES,
        /// A field of variable size without values has an offset all the same.
        FIRST_OFFSET,
        /// The schema's features are declared in the format.
        FEATURES,
        /// Bodies are little-endian, for readers that support only these.
        LITTLE_ENDIAN
    }

    /// The requirements of the format on metadata that a reader trusts. The default. All lengths in
    /// the metadata are compared with the rows: those of nodes and, by [Check#BUFFER_SIZES], of
    /// buffers. Bodies are not needed.
    public static final SemanticOptions DEFAULT =
            new SemanticOptions(
                    Limits.DEFAULT,
                    EnumSet.of(
                            Check.EMPTY_BUFFERS,
                            Check.EXACT_COUNTS,
                            Check.EXACT_CHILDREN,
                            Check.BUFFER_SIZES));

    /// All checks except [Check#LITTLE_ENDIAN].
    public static final SemanticOptions STRICT =
            new SemanticOptions(
                    Limits.DEFAULT, EnumSet.complementOf(EnumSet.of(Check.LITTLE_ENDIAN)));

    /// The requirements of Arrow C++ when it reads a batch: no optional checks. Lengths of nodes are
    /// compared with the rows, those of buffers are not; C++ does that when asked to validate.
    public static final SemanticOptions ARROW_CPP = new SemanticOptions(Limits.DEFAULT, Set.of());

    /// Copies the checks.
    public SemanticOptions {
        Objects.requireNonNull(limits, "limits");
        Set<Check> copy = EnumSet.noneOf(Check.class);
        copy.addAll(checks);
        checks = Collections.unmodifiableSet(copy);
    }

    /// {@return whether a check is enabled}
    public boolean checks(Check check) {
        return checks.contains(check);
    }

    /// {@return a copy with other limits}
    public SemanticOptions withLimits(Limits changed) {
        return new SemanticOptions(changed, checks);
    }

    /// {@return a copy with a check enabled or disabled}
    public SemanticOptions with(Check check, boolean isChecked) {
        Set<Check> changed = EnumSet.of(check);
        changed.addAll(checks);
        if (!isChecked) {
            changed.remove(check);
        }
        return new SemanticOptions(limits, changed);
    }
}
