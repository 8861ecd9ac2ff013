// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import dev.fletch.layout.LayoutLimits;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/// What a [SemanticVerifier] checks beyond what is always checked. Immutable; `with…` methods return a
/// changed copy.
///
/// @param limits how large a schema may be before it is refused. With any limits, a schema that shares
///     tables may not have more fields than its bytes could hold without sharing
/// @param checks what is checked
public record SemanticOptions(LayoutLimits limits, Set<Check> checks) {
    /// What can be checked or left out.
    public enum Check {
        /// Buffers of length 0, too, are inside the body and aligned.
        EMPTY_BUFFERS,
        /// A batch has no more nodes, buffers and variadic buffer counts than its fields need. Fewer are
        /// always a fault.
        EXACT_COUNTS,
        /// A child is not longer than its struct or sparse union. A shorter one is always a fault.
        EXACT_CHILDREN,
        /// Fields are nested at most 64 levels deep, which all readers accept.
        NESTING,
        /// A batch's buffers ascend and do not overlap; empty ones may be anywhere.
        BUFFER_ORDER,
        /// A buffer is large enough for the number of its field's values; the values are not read. Of a
        /// compressed buffer the uncompressed length counts, and only if the body is available.
        BUFFER_SIZES,
        /// The format declares the schema's features.
        FEATURES,
        /// Bodies are little-endian, for readers that cannot read others.
        LITTLE_ENDIAN
    }

    /// What the format demands of metadata that a reader is to trust. The default.
    public static final SemanticOptions DEFAULT =
            new SemanticOptions(
                    LayoutLimits.DEFAULT,
                    EnumSet.of(Check.EMPTY_BUFFERS, Check.EXACT_COUNTS, Check.EXACT_CHILDREN));

    /// All checks but [Check#LITTLE_ENDIAN].
    public static final SemanticOptions STRICT =
            new SemanticOptions(
                    LayoutLimits.DEFAULT, EnumSet.complementOf(EnumSet.of(Check.LITTLE_ENDIAN)));

    /// Accepts what Arrow C++ accepts: none of the checks.
    public static final SemanticOptions ARROW_CPP =
            new SemanticOptions(LayoutLimits.DEFAULT, Set.of());

    /// Copies the checks.
    public SemanticOptions {
        Objects.requireNonNull(limits, "limits");
        final Set<Check> copy = EnumSet.noneOf(Check.class);
        copy.addAll(checks);
        checks = Collections.unmodifiableSet(copy);
    }

    /// {@return whether something is checked}
    ///
    /// @param check what
    public boolean checks(Check check) {
        return checks.contains(check);
    }

    /// {@return a copy with other limits}
    ///
    /// @param changed the new limits
    public SemanticOptions withLimits(LayoutLimits changed) {
        return new SemanticOptions(changed, checks);
    }

    /// {@return a copy that checks something, or not}
    ///
    /// @param check what
    /// @param isChecked whether
    public SemanticOptions with(Check check, boolean isChecked) {
        final Set<Check> changed = EnumSet.of(check);
        changed.addAll(checks);
        if (!isChecked) {
            changed.remove(check);
        }
        return new SemanticOptions(limits, changed);
    }
}
