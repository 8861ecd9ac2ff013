// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Texts with alternatives: `a{1,2} b{3,4}` stands for four texts. The same alternatives at several
/// places are chosen together.
public final class Alternatives {
    private static final Pattern GROUP = Pattern.compile("\\{([^{}]*,[^{}]*)\\}");

    private Alternatives() {}

    /// The texts, those of the last alternatives first; the text itself if it has none.
    public static List<String> of(String text) {
        Matcher group = GROUP.matcher(text);
        if (!group.find()) {
            return List.of(text);
        }
        List<String> all = new ArrayList<>();
        for (String each : group.group(1).split(",", -1)) {
            all.addAll(of(text.replace(group.group(), each)));
        }
        return all;
    }
}
