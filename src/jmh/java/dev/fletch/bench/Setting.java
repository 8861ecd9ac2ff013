// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.util.List;

/// Where the bytes of a row are, and which kinds of memory the JVM has used before. Both sides of a
/// ratio are measured in the same setting: code that has seen one kind of memory is compiled for that
/// kind alone, and is faster.
enum Setting {
    HEAP("heap", Setting.CLEAN),
    DIRECT("direct", Setting.CLEAN),
    MAPPED("mapped", Setting.CLEAN),
    HEAP_USED("heap", Setting.USED),
    DIRECT_USED("direct", Setting.USED),
    MAPPED_USED("mapped", Setting.USED);

    /// The JVM has used one kind of memory.
    static final String CLEAN = "clean";

    /// The JVM has used heap, direct and mapped memory, so often that all code is compiled for all
    /// three.
    static final String USED = "used";

    /// For bytes that are read, wherever they are.
    static final List<Setting> READING = List.of(HEAP, DIRECT, HEAP_USED, MAPPED_USED);

    /// For bytes that are written.
    static final List<Setting> WRITING = List.of(HEAP, DIRECT, HEAP_USED, DIRECT_USED);

    /// For files, which are mapped.
    static final List<Setting> FILES = List.of(MAPPED, MAPPED_USED);

    final String memory;
    final String history;

    Setting(String memory, String history) {
        this.memory = memory;
        this.history = history;
    }

    /// The columns of the tables.
    static final List<String> COLUMNS =
            List.of("heap", "native", "heap, all used", "native, all used");

    /// Its place in [#COLUMNS]. No row has two settings of the same place.
    int column() {
        return (this == HEAP || this == HEAP_USED ? 0 : 1) + (history.equals(CLEAN) ? 0 : 2);
    }
}
