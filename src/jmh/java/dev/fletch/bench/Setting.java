// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.util.List;

/// The kind of memory of a row's bytes, and the kinds that the JVM has used before. Both sides of a
/// ratio have the same setting: with one kind of memory, C2 compiles for that kind only, which is
/// faster (type profile).
enum Setting {
    HEAP("heap", Setting.CLEAN),
    DIRECT("direct", Setting.CLEAN),
    MAPPED("mapped", Setting.CLEAN),
    HEAP_USED("heap", Setting.USED),
    DIRECT_USED("direct", Setting.USED),
    MAPPED_USED("mapped", Setting.USED);

    /// The JVM has used one kind of memory.
    static final String CLEAN = "clean";

    /// The JVM has used heap, direct and mapped memory until all code is compiled for the three.
    static final String USED = "used";

    /// The JVM has used these and read-only arrays. Not on the board: `-p history=read-only`.
    static final String READ_ONLY = "read-only";

    /// For reading memory of any kind.
    static final List<Setting> READING = List.of(HEAP, DIRECT, HEAP_USED, MAPPED_USED);

    /// For writing.
    static final List<Setting> WRITING = List.of(HEAP, DIRECT, HEAP_USED, DIRECT_USED);

    /// For mapped files.
    static final List<Setting> FILES = List.of(MAPPED, MAPPED_USED);

    final String memory;
    final String history;

    Setting(String memory, String history) {
        this.memory = memory;
        this.history = history;
    }

    /// The table columns of settings.
    static final List<String> COLUMNS =
            List.of("heap", "native", "heap, all used", "native, all used");

    /// Whether the memory is direct or mapped.
    boolean isNative() {
        return this != HEAP && this != HEAP_USED;
    }

    /// Index in [#COLUMNS], unique within a row.
    int column() {
        return (isNative() ? 1 : 0) + (history.equals(CLEAN) ? 0 : 2);
    }
}
