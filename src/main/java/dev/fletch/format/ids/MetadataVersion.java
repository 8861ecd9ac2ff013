// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.ids;

/// Version of the metadata of a message or footer. The stored number is one less than in the name.
///
/// Stored as a signed 16-bit number (`short`). Absent in `Message` and `Footer`: [#V1]. Current
/// writers store [#V5].
///
/// Source: `format/Schema.fbs`, enum `MetadataVersion`.
public final class MetadataVersion {
    /// Arrow 0.1; also the value of an absent version.
    public static final int V1 = 0;

    /// Arrow 0.2.
    public static final int V2 = 1;

    /// Arrow 0.3 to 0.7.
    public static final int V3 = 2;

    /// Arrow 0.8 to 0.17; unions have a validity buffer.
    public static final int V4 = 3;

    /// Arrow 1.0.0 and later.
    public static final int V5 = 4;

    public static final EnumNames NAMES =
            new EnumNames("MetadataVersion", "V1", "V2", "V3", "V4", "V5");

    private MetadataVersion() {}
}
