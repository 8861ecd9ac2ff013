// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Links as names of inputs. Queries are often signatures, so they are never shown.
public final class Links {
    // A link converted to a path has one slash; a mistyped one may have none. The length of a
    // scheme is limited, as each word of a text is tried, and a text may have megabytes.
    private static final Pattern LINK =
            Pattern.compile("(?i)\\b(https?:|[a-z][a-z0-9+.-]{1,20}://)\\S*");
    private static final Pattern BEGINNING =
            Pattern.compile("(?i)^(https?:/|[a-z][a-z0-9+.-]+://).*", Pattern.DOTALL);
    private static final Pattern QUERY = Pattern.compile("[?#].*", Pattern.DOTALL);
    private static final Pattern USER = Pattern.compile("(?i)^([a-z][a-z0-9+.-]+:/*)[^/]*@");

    private Links() {}

    /// Whether an input's name is a link of any scheme, not a path.
    public static boolean isLink(String name) {
        return name.contains(":/") && BEGINNING.matcher(name).matches(); // most are paths
    }

    /// Returns an input's name for output: links without user, query and fragment.
    public static String shown(String name) {
        return isLink(name) ? withoutSecrets(name) : name;
    }

    /// Returns a text, such as an error, whose links have no user, query and fragment.
    public static String cleaned(String text) {
        return LINK.matcher(text)
                .replaceAll(link -> Matcher.quoteReplacement(withoutSecrets(link.group())));
    }

    private static String withoutSecrets(String link) {
        return USER.matcher(QUERY.matcher(link).replaceFirst("")).replaceFirst("$1");
    }
}
