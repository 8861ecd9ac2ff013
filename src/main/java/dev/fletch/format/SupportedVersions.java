// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

/// The supported metadata versions: [MetadataVersion#V4] and [MetadataVersion#V5].
///
/// Older versions encode batches differently; newer ones are unknown. Opening a message checks its version. A
/// footer's version is not checked: old writers omit it, which reads as V1, in files whose messages are V4.
///
/// Source: `format/Schema.fbs`, enum `MetadataVersion`.
public final class SupportedVersions {
    private SupportedVersions() {}

    /// Returns whether messages of a version can be read.
    ///
    /// @param version a message's version, one of [MetadataVersion] or any other number
    /// @return whether it is V4 or V5
    public static boolean isSupported(int version) {
        return version == MetadataVersion.V4 || version == MetadataVersion.V5;
    }

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
}
