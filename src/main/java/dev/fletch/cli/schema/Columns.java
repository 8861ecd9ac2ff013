// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.schema;

import dev.fletch.format.Field;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The fields of a schema that are to be shown: all columns, or those that a path of names leads to.
///
/// Names need not be unique and may hold dots themselves, so a path can lead to several fields; all
/// of them are meant.
public final class Columns {
    private final SchemaWalk walk;
    private final String path;
    // For each field its index in the schema, then in its parent, and so on; null for all columns.
    private final List<int[]> found;

    private Columns(SchemaWalk walk, String path, List<int[]> found) {
        this.walk = walk;
        this.path = path;
        this.found = found;
    }

    public static Columns all(SchemaWalk walk) {
        return new Columns(walk, null, null);
    }

    /// Follows a path of names joined by dots.
    ///
    /// @return what it leads to, which may be nothing
    static Columns at(String path, SchemaWalk walk) {
        List<int[]> found = new ArrayList<>();
        for (int i = 0; i < walk.schema().fieldsCount(); i++) {
            search(walk, walk.column(i), path, new int[] {i}, found);
        }
        return new Columns(walk, path, found);
    }

    private static void search(
            SchemaWalk walk, Field field, String path, int[] indexes, List<int[]> found) {
        String name = SchemaWalk.orEmpty(walk.name(field));
        if (path.equals(name)) {
            found.add(indexes);
        }
        if (!path.startsWith(name) || !path.startsWith(".", name.length())) {
            return;
        }
        String rest = path.substring(name.length() + 1);
        for (int i = 0; i < field.childrenCount(); i++) {
            int[] below = Arrays.copyOf(indexes, indexes.length + 1);
            below[indexes.length] = i;
            search(walk, walk.child(field, i, indexes.length), rest, below, found);
        }
    }

    /// Whether these are all columns of the schema.
    boolean isWhole() {
        return found == null;
    }

    /// The path that was followed, null for all columns.
    String path() {
        return path;
    }

    int count() {
        return isWhole() ? walk.schema().fieldsCount() : found.size();
    }

    /// Binds to one of the fields.
    Field bind(int index) {
        if (isWhole()) {
            return walk.column(index);
        }
        int[] indexes = found.get(index);
        Field field = walk.column(indexes[0]);
        for (int depth = 1; depth < indexes.length; depth++) {
            field = walk.child(field, indexes[depth], depth);
        }
        return field;
    }

    /// Levels above a field that was bound: 0 for a column.
    int depth(int index) {
        return isWhole() ? 0 : found.get(index).length - 1;
    }
}
