// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.format.Footer;
import dev.fletch.format.ids.MetadataVersion;

/// The rule of a message's metadata version: it is [MetadataVersion#V4] or [MetadataVersion#V5].
///
/// Older versions encode batches differently; newer ones are unknown. Opening a message checks its
/// version; opening a file that of its footer, unless it is absent: see [#isStated].
public final class VersionCheck {
    private VersionCheck() {}

    /// {@return whether messages of a version can be read}
    public static boolean isSupported(int version) {
        return version == MetadataVersion.V4 || version == MetadataVersion.V5;
    }

    /// {@return whether a footer has a version} Old writers omit it in files whose messages are V4,
    /// which reads as V1.
    public static boolean isStated(Footer footer) {
        return footer.version() != MetadataVersion.V1;
    }

    /// {@return whether messages of a version, stated or not, may lack the continuation word}
    public static boolean mayLackContinuation(int version) {
        return version < MetadataVersion.V5;
    }

    /// Returns the broken rule; null if messages of the version can be read.
    public static Rule broken(int version) {
        return isSupported(version) ? null : MeaningRule.UNSUPPORTED_VERSION;
    }

    /// The version and the limit, for a text.
    public static String details(int version) {
        return "version=" + name(version) + ", supported=V4 and V5";
    }

    /// {@return a version's name, such as `V5`, also if it is unknown; the number if it is
    /// negative}
    public static String name(int version) {
        return version < 0 ? Integer.toString(version) : "V" + (version + 1);
    }
}
