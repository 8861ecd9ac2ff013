// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Links that name inputs. Their queries are often signatures, so none is ever shown.
public final class Links {
    // A path that was made of a link has one slash.
    private static final Pattern LINK =
            Pattern.compile("(?i)\\b(https?:/|[a-z][a-z0-9+.-]+://)\\S*");
    private static final Pattern BEGINNING =
            Pattern.compile("(?i)^(https?:/|[a-z][a-z0-9+.-]+://).*", Pattern.DOTALL);
    private static final Pattern QUERY = Pattern.compile("[?#].*", Pattern.DOTALL);
    private static final Pattern USER = Pattern.compile("(?i)^([a-z][a-z0-9+.-]+:/+)[^/]*@");

    private Links() {}

    /// Whether an input's name is a link, of any kind, and not a path.
    public static boolean isLink(String name) {
        return name.contains(":/") && BEGINNING.matcher(name).matches(); // most are paths
    }

    /// An input's name as it may be shown: a link without user, query and fragment.
    public static String shown(String name) {
        return isLink(name)
                ? USER.matcher(QUERY.matcher(name).replaceFirst("")).replaceFirst("$1")
                : name;
    }

    /// A text, such as an error, in which links are shown as by [#shown].
    public static String cleaned(String text) {
        return LINK.matcher(text).replaceAll(link -> Matcher.quoteReplacement(shown(link.group())));
    }
}
