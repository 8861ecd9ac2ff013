// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.io;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// The values of an option, as they are typed: the names of an enum in lower case.
public abstract class Choices implements Iterable<String> {
    private final List<String> names;

    protected Choices(Enum<?>[] values) {
        names = Stream.of(values).map(Choices::name).toList();
    }

    /// The value as it is typed.
    public static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Iterator<String> iterator() {
        return names.iterator();
    }
}
