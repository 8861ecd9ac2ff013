// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/// Writes parameters as JSON in the form of Arrow C++: without spaces, with only the necessary
/// escapes, and with upper-case hexadecimal digits.
final class ParameterText {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private ParameterText() {}

    /// @param value a map with string keys, a list, a string, a number, or an optional number; an
    ///     empty optional is written as null
    static String of(Object value) {
        return switch (value) {
            case Map<?, ?> object ->
                    object.entrySet().stream()
                            .map(each -> of(each.getKey()) + ":" + of(each.getValue()))
                            .collect(Collectors.joining(",", "{", "}"));
            case List<?> array ->
                    array.stream()
                            .map(ParameterText::of)
                            .collect(Collectors.joining(",", "[", "]"));
            case String text ->
                    text.chars()
                            .mapToObj(c -> character((char) c))
                            .collect(Collectors.joining("", "\"", "\""));
            case OptionalInt number ->
                    number.isPresent() ? Integer.toString(number.getAsInt()) : "null";
            default -> value.toString();
        };
    }

    private static String character(char c) {
        return switch (c) {
            case '"', '\\' -> "\\" + c;
            case '\b' -> "\\b";
            case '\t' -> "\\t";
            case '\n' -> "\\n";
            case '\f' -> "\\f";
            case '\r' -> "\\r";
            default -> c < ' ' ? "\\u" + HEX.toHexDigits(c) : Character.toString(c);
        };
    }
}
