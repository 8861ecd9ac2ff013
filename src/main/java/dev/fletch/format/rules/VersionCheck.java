// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.rules;

import dev.fletch.Rule;
import dev.fletch.format.FormatRules;
import dev.fletch.format.SupportedVersions;

/// The rule of a message's metadata version.
public final class VersionCheck {
    private VersionCheck() {}

    /// Returns the broken rule; null if messages of the version can be read.
    public static Rule broken(int version) {
        return SupportedVersions.isSupported(version) ? null : FormatRules.UNSUPPORTED_VERSION;
    }

    /// The version and the limit, for a text.
    public static String details(int version) {
        return "version=" + SupportedVersions.name(version) + ", supported=V4 and V5";
    }
}
