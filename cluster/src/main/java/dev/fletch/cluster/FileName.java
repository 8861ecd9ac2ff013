// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cluster;

import dev.fletch.input.Links;

import java.io.Serializable;
import java.util.Comparator;

/// A file to scan.
///
/// @param name an absolute path, or a link; its query may be a secret
/// @param failure why it cannot be read, if listing has shown it; else null
public record FileName(String name, String failure) implements Serializable {
    private static final Comparator<String> FAILURES =
            Comparator.nullsFirst(Comparator.naturalOrder());

    /// One of two with the same name: one without failure, if there is one. Their order makes no difference.
    public FileName or(FileName other) {
        return FAILURES.compare(failure, other.failure) <= 0 ? this : other;
    }

    /// Whether a link is somewhere in a text, and shows a query or a user.
    static boolean showsSecret(String text) {
        return !Links.cleaned(text).equals(text);
    }

    /// A name as it is in the result, without user and query. These end at a blank in other texts, but not in names.
    static String shown(String name) {
        String link = Links.shown(name);
        return showsSecret(link) ? Links.cleaned(link.split("[?#]", 2)[0]) : link;
    }
}
