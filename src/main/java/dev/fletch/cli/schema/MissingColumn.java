// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.schema;

import dev.fletch.cli.text.NearNames;
import dev.fletch.format.Field;
import dev.fletch.input.SchemaWalk;
import dev.fletch.wire.Escaper;

import java.util.ArrayList;
import java.util.List;

/// The error message for a column path without a column. Suggests similar columns of the deepest level
/// that the path reaches.
final class MissingColumn {
    private static final int SHOWN = 5;

    private MissingColumn() {}

    /// The message, on one line.
    static String message(String path, SchemaWalk walk) {
        // The deepest field that the path reaches; null if it reaches none.
        Field parent = null;
        int depth = 0;
        int behind = 0; // start of the first missing name in the path
        for (int i = 0; i < count(walk, parent); i++) {
            Field field = sibling(walk, parent, i, depth);
            String name = SchemaWalk.orEmpty(field.nameString());
            int end = behind + name.length();
            boolean leads = path.startsWith(name, behind) && path.startsWith(".", end);
            if (leads && field.childrenCount() > 0) {
                behind = end + 1;
                parent = field;
                depth++;
                i = -1;
            }
        }
        int count = count(walk, parent);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < Math.min(count, NearNames.MOST); i++) {
            String name = SchemaWalk.orEmpty(sibling(walk, parent, i, depth).nameString());
            names.add(NearNames.shortened(name));
        }
        int dot = path.indexOf('.', behind);
        String missing = dot < 0 ? path.substring(behind) : path.substring(behind, dot);
        List<String> near = NearNames.among(names, missing);
        String message = "no column " + Escaper.name(NearNames.shortened(path)) + "; ";
        if (count == 0) {
            return message + "the schema has no columns";
        }
        String found = path.substring(0, behind);
        List<String> shown =
                (near.isEmpty() ? names : near)
                        .stream()
                                .limit(SHOWN)
                                .map(name -> Escaper.name(found + name))
                                .distinct()
                                .toList();
        String hint = String.join(", ", shown);
        if (!near.isEmpty()) {
            return message + "did you mean " + hint + "?";
        }
        int more = count - Math.min(count, SHOWN);
        return message + "columns are " + hint + (more > 0 ? " and " + more + " more" : "");
    }

    private static int count(SchemaWalk walk, Field parent) {
        return parent == null ? walk.schema().fieldsCount() : parent.childrenCount();
    }

    private static Field sibling(SchemaWalk walk, Field parent, int index, int depth) {
        return parent == null ? walk.column(index) : walk.child(parent, index, depth);
    }
}
