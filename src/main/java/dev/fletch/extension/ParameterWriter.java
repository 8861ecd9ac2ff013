// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.extension;

import java.util.HexFormat;
import java.util.List;
import java.util.function.BiConsumer;

/// Writes parameters as a JSON object the way Arrow C++ does: no spaces, and nothing escaped that
/// need not be, in upper-case hexadecimal digits.
final class ParameterWriter {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private final StringBuilder out = new StringBuilder("{");

    ParameterWriter() {}

    ParameterWriter key(String key) {
        if (out.length() > 1) {
            out.append(',');
        }
        text(key);
        out.append(':');
        return this;
    }

    ParameterWriter text(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            character(text.charAt(i));
        }
        out.append('"');
        return this;
    }

    private void character(char c) {
        switch (c) {
            case '"', '\\' -> out.append('\\').append(c);
            case '\b' -> out.append("\\b");
            case '\t' -> out.append("\\t");
            case '\n' -> out.append("\\n");
            case '\f' -> out.append("\\f");
            case '\r' -> out.append("\\r");
            default -> {
                if (c < ' ') {
                    out.append("\\u").append(HEX.toHexDigits(c));
                } else {
                    out.append(c);
                }
            }
        }
    }

    ParameterWriter texts(List<String> texts) {
        return items(texts, ParameterWriter::text);
    }

    /// Numbers, or null for one that is not known.
    ParameterWriter numbers(List<? extends Object> numbers) {
        return items(numbers, (writer, number) -> writer.out.append(number));
    }

    private <T> ParameterWriter items(List<T> items, BiConsumer<ParameterWriter, T> write) {
        out.append('[');
        for (int i = 0; i < items.size(); i++) {
            out.append(i == 0 ? "" : ",");
            write.accept(this, items.get(i));
        }
        out.append(']');
        return this;
    }

    /// Ends the object.
    String end() {
        return out.append('}').toString();
    }
}
