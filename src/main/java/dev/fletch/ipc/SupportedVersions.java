// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.format.FormatRules;
import dev.fletch.format.MetadataVersion;

/// The supported metadata versions: [MetadataVersion#V4] and [MetadataVersion#V5].
///
/// Older versions encode batches differently; newer ones are unknown. Opening a message checks its version. A
/// footer's version is not checked: old writers omit it, which reads as V1, in files whose messages are V4.
///
/// Source: `format/Schema.fbs`, enum `MetadataVersion`.
public final class SupportedVersions {
    private SupportedVersions() {}

    /// Returns a version's name in Schema.fbs, where number 0 is V1. Allocates for an unknown version.
    ///
    /// @param version a message's version, one of [MetadataVersion] or any other number
    /// @return such as `V5`; the number if it is negative
    public static String name(int version) {
        if (MetadataVersion.NAMES.isKnown(version)) {
            return MetadataVersion.NAMES.name(version);
        }
        return version < 0 ? Integer.toString(version) : "V" + (version + 1);
    }

    static void check(int version, long offset) {
        if (!MetadataVersion.isSupported(version)) {
            throw unsupported(version, offset);
        }
    }

    private static ArrowFormatException unsupported(int version, long offset) {
        return ArrowFormatException.of(
                FormatRules.UNSUPPORTED_VERSION,
                offset,
                "version=" + name(version) + ", supported=V4 and V5");
    }
}
