// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.text;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Locale;

/// A page that needs nothing but itself: a skeleton that all pages share, with a body, a style and
/// a script of its own, and data as JSON, which the script draws.
///
/// What comes from the input is in that JSON alone, where nothing can end the element it is in, and
/// the script puts it on the page as text. The page's policy lets nothing but that one script run,
/// and nothing be loaded.
public final class PageTemplate {
    /// How many regions of an input a page shows; more take a browser too long.
    public static final int MAX_REGIONS = 300_000;

    /// What is told of a page that does not show all.
    public static final String END =
            String.format(Locale.ROOT, "the page ends behind %,d regions", MAX_REGIONS);

    private static final String DATA = "@DATA@";

    private final String before;
    private final String after;

    private PageTemplate(String before, String after) {
        this.before = before;
        this.after = after;
    }

    /// Puts a page's parts together.
    ///
    /// @param name `map` for `map.html`, `map.css` and `map.js`
    /// @param scripts what comes before that script
    public static PageTemplate of(String name, String... scripts) throws IOException {
        StringBuilder all = new StringBuilder(resource("page.js"));
        for (String each : scripts) {
            all.append(resource(each));
        }
        String script = all.append(resource(name + ".js")).toString();
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

    /// Writes what comes before the data.
    ///
    /// @return takes the data; what it is given cannot end the element
    public Writer begin(Writer page) throws IOException {
        page.write(before);
        return new InMarkup(page);
    }

    /// Writes what comes behind the data.
    public void end(Writer page) throws IOException {
        page.write(after);
        page.flush();
    }

    /// Escapes what markup is made of; in JSON such a character can only be in a string.
    private static final class InMarkup extends FilterWriter {
        InMarkup(Writer out) {
            super(out);
        }

        @Override
        public void write(int c) throws IOException {
            if (c == '<' || c == '>' || c == '&') {
                out.write(Printable.unicodeEscape((char) c));
            } else {
                out.write(c);
            }
        }

        @Override
        public void write(char[] chars, int from, int count) throws IOException {
            for (int i = from; i < from + count; i++) {
                write(chars[i]);
            }
        }

        @Override
        public void write(String text, int from, int count) throws IOException {
            for (int i = from; i < from + count; i++) {
                write(text.charAt(i));
            }
        }
    }
}
