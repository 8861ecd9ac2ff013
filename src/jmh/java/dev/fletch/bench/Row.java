// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// A row of the board: a user's task of some size, and the benchmark methods that do it.
///
/// @param task name on the command line, and of the peer's task in C++
/// @param title for the table
/// @param benchmark class with the methods, whose parameter `size` is the size
/// @param settings in which it is measured
/// @param size number of columns, messages or shapes
/// @param way end of the names of the two methods that are compared: `fletch…` does the task with
///     Fletch, `generated…` with the classes that flatc generates, where these can do it
/// @param hasCpp whether the peer in C++ does it
/// @param others further methods to compare with, each measured in [#nativeSetting] alone
record Row(
        String task,
        String title,
        Class<?> benchmark,
        List<Setting> settings,
        int size,
        String way,
        boolean hasCpp,
        List<Other> others) {

    /// Another way to do the task.
    ///
    /// @param title for the table
    record Other(String title, String method) {}

    /// A row of memory of any kind, with a peer in C++.
    ///
    /// @param title with a place for the size
    static Row of(String task, String title, Class<?> benchmark, int size, String way) {
        final String text = String.format(Locale.ROOT, title, size);
        return new Row(task, text, benchmark, Setting.READING, size, way, true, List.of());
    }

    /// The same in other settings.
    Row in(List<Setting> other) {
        return new Row(task, title, benchmark, other, size, way, hasCpp, others);
    }

    /// The same without a peer in C++.
    Row withoutCpp() {
        return new Row(task, title, benchmark, settings, size, way, false, others);
    }

    /// The same with another way to compare with.
    Row beside(String other, String method) {
        final List<Other> more = new ArrayList<>(others);
        more.add(new Other(other, method));
        return new Row(task, title, benchmark, settings, size, way, hasCpp, List.copyOf(more));
    }

    /// What the command line calls it.
    String id() {
        return task + "/" + size;
    }

    String fletch() {
        return "fletch" + way;
    }

    /// The method of the generated classes; null if they cannot do it.
    String generated() {
        final String name = "generated" + way;
        final boolean exists =
                Arrays.stream(benchmark.getMethods()).anyMatch(each -> each.getName().equals(name));
        return exists ? name : null;
    }

    /// The setting in which C++ and others are compared with Fletch: native memory, in a JVM that has
    /// used no other kind.
    Setting nativeSetting() {
        return settings.contains(Setting.DIRECT) ? Setting.DIRECT : Setting.MAPPED;
    }

    /// The benchmark's parameters. Where it reads files, it has none for the kind of memory.
    Map<String, String> parameters(Setting setting) {
        final Map<String, String> all = new HashMap<>();
        all.put("size", "" + size);
        all.put("history", setting.history);
        if (settings != Setting.FILES) {
            all.put("memory", setting.memory);
        }
        return all;
    }
}
