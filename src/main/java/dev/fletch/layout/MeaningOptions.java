// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import java.util.Locale;
import java.util.Objects;

/// What a verification of meaning checks. Immutable; `with…` methods return a changed copy.
public final class MeaningOptions {
    private static final int EMPTY_BUFFERS = 1;
    private static final int EXACT_COUNTS = 1 << 1;
    private static final int EXACT_CHILDREN = 1 << 2;
    private static final int BUFFER_ORDER = 1 << 3;
    private static final int BUFFER_SIZES = 1 << 4;
    private static final int FEATURES = 1 << 5;
    private static final int LITTLE_ENDIAN = 1 << 6;

    /// What the format demands of metadata that a reader must be able to trust. The default.
    public static final MeaningOptions DEFAULT =
            new MeaningOptions(LayoutLimits.DEFAULT, EMPTY_BUFFERS | EXACT_COUNTS | EXACT_CHILDREN);

    /// [#DEFAULT], and the order of buffers, their least sizes and features.
    public static final MeaningOptions STRICT =
            DEFAULT.with(BUFFER_ORDER | BUFFER_SIZES | FEATURES, true);

    /// Lets through what Arrow C++ lets through: buffers of length 0 anywhere, more nodes and
    /// buffers than fields have, children that are longer than their struct or union.
    public static final MeaningOptions ARROW_CPP =
            DEFAULT.with(EMPTY_BUFFERS | EXACT_COUNTS | EXACT_CHILDREN, false);

    private final LayoutLimits limits;
    private final int checks;

    private MeaningOptions(LayoutLimits limits, int checks) {
        this.limits = limits;
        this.checks = checks;
    }

    /// {@return how much of a schema is looked at before it is refused}
    public LayoutLimits limits() {
        return limits;
    }

    /// Sets how much of a schema is looked at before it is refused. Whatever it says, a schema may
    /// not unfold to more than its bytes can hold that share nothing.
    ///
    /// @param most the limits
    /// @return a copy with them
    public MeaningOptions withLimits(LayoutLimits most) {
        return new MeaningOptions(Objects.requireNonNull(most, "limits"), checks);
    }

    /// {@return whether buffers of length 0 have to keep to the rules of offsets, too}
    public boolean checkEmptyBuffers() {
        return has(EMPTY_BUFFERS);
    }

    /// Sets whether buffers of length 0 have to be inside the body and aligned as others.
    ///
    /// @param check whether they have to
    /// @return a copy with that option
    public MeaningOptions withCheckEmptyBuffers(boolean check) {
        return with(EMPTY_BUFFERS, check);
    }

    /// {@return whether a batch may have no more nodes, buffers and variadic buffer counts than its
    /// fields}
    public boolean checkExactCounts() {
        return has(EXACT_COUNTS);
    }

    /// Sets whether a batch may have no more nodes, buffers and variadic buffer counts than its
    /// fields. It may never have less.
    ///
    /// @param check whether it may not
    /// @return a copy with that option
    public MeaningOptions withCheckExactCounts(boolean check) {
        return with(EXACT_COUNTS, check);
    }

    /// {@return whether children of structs and sparse unions may not be longer than these}
    public boolean checkExactChildren() {
        return has(EXACT_CHILDREN);
    }

    /// Sets whether children of structs and sparse unions may not be longer than these. They may
    /// never be shorter.
    ///
    /// @param check whether they may not
    /// @return a copy with that option
    public MeaningOptions withCheckExactChildren(boolean check) {
        return with(EXACT_CHILDREN, check);
    }

    /// {@return whether a batch's buffers have to stand one behind the other}
    public boolean checkBufferOrder() {
        return has(BUFFER_ORDER);
    }

    /// Sets whether a batch's buffers have to ascend without overlapping.
    ///
    /// @param check whether they have to
    /// @return a copy with that option
    public MeaningOptions withCheckBufferOrder(boolean check) {
        return with(BUFFER_ORDER, check);
    }

    /// {@return whether buffers need as many bytes as their field's values take at least}
    public boolean checkBufferSizes() {
        return has(BUFFER_SIZES);
    }

    /// Sets whether buffers need as many bytes as their field's values take at least. What values
    /// say themselves plays no part. Of a compressed buffer it is the uncompressed length that
    /// counts, if the body is at hand.
    ///
    /// @param check whether they need them
    /// @return a copy with that option
    public MeaningOptions withCheckBufferSizes(boolean check) {
        return with(BUFFER_SIZES, check);
    }

    /// {@return whether a schema may not have features that the format does not declare}
    public boolean checkFeatures() {
        return has(FEATURES);
    }

    /// Sets whether a schema may not have features that the format does not declare.
    ///
    /// @param check whether it may not
    /// @return a copy with that option
    public MeaningOptions withCheckFeatures(boolean check) {
        return with(FEATURES, check);
    }

    /// {@return whether big-endian bodies are refused}
    public boolean refuseBigEndian() {
        return has(LITTLE_ENDIAN);
    }

    /// Sets whether big-endian bodies are refused, by who cannot read them.
    ///
    /// @param refuse whether they are
    /// @return a copy with that option
    public MeaningOptions withRefuseBigEndian(boolean refuse) {
        return with(LITTLE_ENDIAN, refuse);
    }

    private boolean has(int check) {
        return (checks & check) != 0;
    }

    private MeaningOptions with(int check, boolean on) {
        return new MeaningOptions(limits, on ? checks | check : checks & ~check);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MeaningOptions options
                && checks == options.checks
                && limits.equals(options.limits);
    }

    @Override
    public int hashCode() {
        return 31 * limits.hashCode() + checks;
    }

    /// {@return all options, in one line}
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "MeaningOptions[limits=%s, checkEmptyBuffers=%b, checkExactCounts=%b,"
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
