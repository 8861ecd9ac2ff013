// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Links that name inputs. Their queries are often signatures, so none is ever shown.
public final class Links {
    private static final Pattern LINK = Pattern.compile("(?i)https?://\\S*");
    private static final Pattern QUERY = Pattern.compile("[?#].*", Pattern.DOTALL);
    private static final Pattern USER = Pattern.compile("(?i)^(https?://)[^/]*@");

    private Links() {}

    /// Whether an input's name is a link, and not a path.
    public static boolean isLink(String name) {
        return name.regionMatches(true, 0, "https://", 0, 8)
                || name.regionMatches(true, 0, "http://", 0, 7);
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
