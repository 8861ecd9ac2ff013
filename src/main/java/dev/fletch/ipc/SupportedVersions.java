// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.format.FormatRules;
import dev.fletch.format.MetadataVersion;

/// The metadata versions that are read: [MetadataVersion#V4] and [MetadataVersion#V5].
///
/// Older ones have other batches, and newer ones are unknown. The version of every message is checked when
/// it is opened. That of a footer is not: files of old writers leave it out, which reads as V1, while their
/// messages say V4.
///
/// Source: `format/Schema.fbs`, enum `MetadataVersion`.
public final class SupportedVersions {
    private SupportedVersions() {}

    /// Tells whether messages of a version are read.
    ///
    /// @param version a message's version, one of [MetadataVersion] or any other number
    /// @return whether it is V4 or V5
    public static boolean isSupported(int version) {
        return version == MetadataVersion.V4 || version == MetadataVersion.V5;
    }

    /// Names a version, known or not, the way the format counts: number 0 is V1. Allocates for a
    /// version that is not known.
    ///
    /// @param version a message's version, one of [MetadataVersion] or any other number
    /// @return such as `V5`; the number itself if it is negative
    public static String name(int version) {
        if (MetadataVersion.NAMES.isKnown(version)) {
            return MetadataVersion.NAMES.name(version);
        }
        return version < 0 ? Integer.toString(version) : "V" + (version + 1);
    }

    static void check(int version, long offset) {
        if (!isSupported(version)) {
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
