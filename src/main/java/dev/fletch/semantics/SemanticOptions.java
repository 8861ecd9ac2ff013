// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import dev.fletch.layout.LayoutLimits;

import java.util.Locale;
import java.util.Objects;

/// What a verification of meaning checks. Immutable; `with…` methods return a changed copy.
public final class SemanticOptions {
    private static final int EMPTY_BUFFERS = 1;
    private static final int EXACT_COUNTS = 1 << 1;
    private static final int EXACT_CHILDREN = 1 << 2;
    private static final int BUFFER_ORDER = 1 << 3;
    private static final int BUFFER_SIZES = 1 << 4;
    private static final int FEATURES = 1 << 5;
    private static final int LITTLE_ENDIAN = 1 << 6;

    /// What the format demands of metadata that a reader is to trust. The default.
    public static final SemanticOptions DEFAULT =
            new SemanticOptions(
                    LayoutLimits.DEFAULT, EMPTY_BUFFERS | EXACT_COUNTS | EXACT_CHILDREN);

    /// [#DEFAULT], and besides the order of buffers, their least sizes, and features.
    public static final SemanticOptions STRICT =
            DEFAULT.with(BUFFER_ORDER | BUFFER_SIZES | FEATURES, true);

    /// Lets through what Arrow C++ lets through: buffers of length 0 anywhere, more nodes and
    /// buffers than fields have, children that are longer than their struct or union.
    public static final SemanticOptions ARROW_CPP =
            DEFAULT.with(EMPTY_BUFFERS | EXACT_COUNTS | EXACT_CHILDREN, false);

    private final LayoutLimits limits;
    private final int checks;

    private SemanticOptions(LayoutLimits limits, int checks) {
        this.limits = limits;
        this.checks = checks;
    }

    /// {@return how large a schema may be before it is refused}. Whatever the limits, a schema that shares
    /// tables may not unfold to more than its bytes could hold otherwise.
    public LayoutLimits limits() {
        return limits;
    }

    /// {@return a copy with other [#limits]}
    ///
    /// @param most the new value
    public SemanticOptions withLimits(LayoutLimits most) {
        return new SemanticOptions(Objects.requireNonNull(most, "limits"), checks);
    }

    /// {@return whether buffers of length 0, too, have to be inside the body and aligned}
    public boolean checkEmptyBuffers() {
        return has(EMPTY_BUFFERS);
    }

    /// {@return a copy with another [#checkEmptyBuffers]}
    ///
    /// @param check the new value
    public SemanticOptions withCheckEmptyBuffers(boolean check) {
        return with(EMPTY_BUFFERS, check);
    }

    /// {@return whether more nodes, buffers or variadic buffer counts than a batch's fields have are a
    /// fault; fewer always are}
    public boolean checkExactCounts() {
        return has(EXACT_COUNTS);
    }

    /// {@return a copy with another [#checkExactCounts]}
    ///
    /// @param check the new value
    public SemanticOptions withCheckExactCounts(boolean check) {
        return with(EXACT_COUNTS, check);
    }

    /// {@return whether a child that is longer than its struct or sparse union is a fault; a shorter one
    /// always is}
    public boolean checkExactChildren() {
        return has(EXACT_CHILDREN);
    }

    /// {@return a copy with another [#checkExactChildren]}
    ///
    /// @param check the new value
    public SemanticOptions withCheckExactChildren(boolean check) {
        return with(EXACT_CHILDREN, check);
    }

    /// {@return whether a batch's buffers have to ascend without overlapping; empty ones may be anywhere}
    public boolean checkBufferOrder() {
        return has(BUFFER_ORDER);
    }

    /// {@return a copy with another [#checkBufferOrder]}
    ///
    /// @param check the new value
    public SemanticOptions withCheckBufferOrder(boolean check) {
        return with(BUFFER_ORDER, check);
    }

    /// {@return whether a buffer that is too small for its field's values is a fault}. Only the number of
    /// values counts, not the values. Of a compressed buffer the uncompressed length counts, and only if the
    /// body is available.
    public boolean checkBufferSizes() {
        return has(BUFFER_SIZES);
    }

    /// {@return a copy with another [#checkBufferSizes]}
    ///
    /// @param check the new value
    public SemanticOptions withCheckBufferSizes(boolean check) {
        return with(BUFFER_SIZES, check);
    }

    /// {@return whether a feature that the format does not declare is a fault}
    public boolean checkFeatures() {
        return has(FEATURES);
    }

    /// {@return a copy with another [#checkFeatures]}
    ///
    /// @param check the new value
    public SemanticOptions withCheckFeatures(boolean check) {
        return with(FEATURES, check);
    }

    /// {@return whether big-endian bodies are refused, for readers that cannot read them}
    public boolean refuseBigEndian() {
        return has(LITTLE_ENDIAN);
    }

    /// {@return a copy with another [#refuseBigEndian]}
    ///
    /// @param refuse the new value
    public SemanticOptions withRefuseBigEndian(boolean refuse) {
        return with(LITTLE_ENDIAN, refuse);
    }

    private boolean has(int check) {
        return (checks & check) != 0;
    }

    private SemanticOptions with(int check, boolean on) {
        return new SemanticOptions(limits, on ? checks | check : checks & ~check);
    }

    /// Compares checks and limits.
    ///
    /// @param other anything
    /// @return whether `other` checks the same within the same limits
    @Override
    public boolean equals(Object other) {
        return other instanceof SemanticOptions options
                && checks == options.checks
                && limits.equals(options.limits);
    }

    /// {@return a hash of checks and limits}
    @Override
    public int hashCode() {
        return 31 * limits.hashCode() + checks;
    }

    /// {@return all options, in one line}
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "SemanticOptions[limits=%s, checkEmptyBuffers=%b, checkExactCounts=%b,"
                        + " checkExactChildren=%b, checkBufferOrder=%b, checkBufferSizes=%b,"
                        + " checkFeatures=%b, refuseBigEndian=%b]",
                limits,
                checkEmptyBuffers(),
                checkExactCounts(),
                checkExactChildren(),
                checkBufferOrder(),
                checkBufferSizes(),
                checkFeatures(),
                refuseBigEndian());
    }
}
