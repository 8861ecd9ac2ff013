// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.text;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Locale;

/// A self-contained HTML page: a common skeleton; body, style and script for its kind; and data as
/// JSON, which the script draws.
///
/// Text from the input appears only in the JSON, which cannot end its element, and the script
/// inserts it as text, not markup. The page's content security policy allows only this script and
/// loads nothing.
///
/// @param before the part before the data, in which `<`, `>` and `&` must be escaped
/// @param after the part after the data
public record PageTemplate(String before, String after) {
    /// The most regions on a page: a browser takes too long for more.
    public static final int MAX_REGIONS = 300_000;

    /// The note on a page that does not show all regions.
    public static final String END =
            String.format(Locale.ROOT, "the page shows only the first %,d regions", MAX_REGIONS);

    private static final String DATA = "@DATA@";

    /// Assembles a page from its resources: with the name `map`, `map.html`, `map.css`, `map.js`.
    public static PageTemplate of(String name) throws IOException {
        String script = resource("page.js") + resource(name + ".js");
        String page =
                resource("page.html")
                        .replace("@BODY@", resource(name + ".html"))
                        .replace("@NAME@", name)
                        .replace("@HASH@", sha256(script))
                        .replace("@STYLE@", resource("page.css") + resource(name + ".css"))
                        .replace("@SCRIPT@", script);
        int data = page.indexOf(DATA);
        return new PageTemplate(page.substring(0, data), page.substring(data + DATA.length()));
    }

    private static String resource(String file) throws IOException {
        try (InputStream in = PageTemplate.class.getResourceAsStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String sha256(String text) {
        try {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
