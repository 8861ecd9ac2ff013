// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.verify;

import java.util.NavigableSet;
import java.util.TreeSet;

/// What in a flatbuffer cannot be read: all that lies at or below the paths of its faults. The rest
/// can, and is looked at as if nothing were wrong.
public final class BrokenPaths {
    private final NavigableSet<String> paths = new TreeSet<>();

    BrokenPaths() {}

    void add(String path) {
        paths.add(path);
    }

    boolean isEmpty() {
        return paths.isEmpty();
    }

    /// Whether something itself is broken, and not only what has it or is below it.
    boolean contains(String path) {
        return paths.contains(path);
    }

    void clear() {
        paths.clear();
    }

    /// Those of one part, whose path there is `from` and here `to`.
    BrokenPaths part(String from, String to) {
        BrokenPaths part = new BrokenPaths();
        for (String each : paths.tailSet(from)) {
            if (!each.startsWith(from)) {
                break;
            }
            part.add(to + each.substring(from.length()));
        }
        return part;
    }

    /// Whether a value can be read, whatever is below it: neither it nor what has it is broken.
    boolean isReadable(String path) {
        if (paths.isEmpty()) {
            return true;
        }
        if (paths.contains("") || paths.contains(path)) {
            return false;
        }
        for (int i = 0; i < path.length(); i++) {
            boolean isEnd = path.charAt(i) == '.' || path.charAt(i) == '[';
            if (isEnd && paths.contains(path.substring(0, i))) {
                return false;
            }
        }
        return true;
    }

    /// Whether a value can be read with all that is below it, given that what has it can be.
    boolean isWhole(String path) {
        if (paths.isEmpty()) {
            return true;
        }
        return !paths.contains(path) && !hasAny(path + ".") && !hasAny(path + "[");
    }

    private boolean hasAny(String prefix) {
        String next = paths.ceiling(prefix);
        return next != null && next.startsWith(prefix);
    }
}
