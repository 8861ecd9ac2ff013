// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.schema;

import dev.fletch.cli.text.NearNames;
import dev.fletch.cli.text.Printable;
import dev.fletch.format.Field;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The message for a column path that leads nowhere: it names similar columns, at the level where the
/// path ends.
public final class MissingColumn {
    private static final int SHOWN = 5;

    private final SchemaWalk walk;
    private final List<NearNames.Candidate> candidates = new ArrayList<>();
    // The part of the path that is there, with a dot behind it, and the first name that is not.
    private String found = "";
    private String missing;
    // The fields among which the path would go on: the columns, or a field's children.
    private Field parent;
    private int depth;
    private int count;
    private boolean isNear;

    private MissingColumn(String path, SchemaWalk walk) {
        this.walk = walk;
        this.missing = path;
    }

    /// One line, for a path that leads to nothing.
    static String message(String path, SchemaWalk walk) {
        MissingColumn column = new MissingColumn(path, walk);
        column.follow();
        column.compare();
        return "no column " + Printable.name(NearNames.shortened(path)) + column.hint();
    }

    private int siblings() {
        return parent == null ? walk.schema().fieldsCount() : parent.childrenCount();
    }

    private Field sibling(int index) {
        return parent == null ? walk.column(index) : walk.child(parent, index, depth);
    }

    /// Goes down as long as there is a name that the path begins with, and something below it.
    private void follow() {
        for (int i = 0; i < siblings(); i++) {
            Field field = sibling(i);
            String name = SchemaWalk.orEmpty(walk.name(field));
            boolean leads = missing.startsWith(name) && missing.startsWith(".", name.length());
            if (leads && field.childrenCount() > 0) {
                found += name + ".";
                missing = missing.substring(name.length() + 1);
                parent = field;
                depth++;
                i = -1;
            }
        }
    }

    private void compare() {
        int dot = missing.indexOf('.');
        String wanted = NearNames.shortened(dot < 0 ? missing : missing.substring(0, dot));
        count = siblings();
        for (int i = 0; i < Math.min(count, NearNames.MOST); i++) {
            String name = NearNames.shortened(SchemaWalk.orEmpty(walk.name(sibling(i))));
            candidates.add(new NearNames.Candidate(name, NearNames.distance(name, wanted)));
        }
        int near = NearNames.near(wanted);
        isNear = candidates.stream().anyMatch(c -> c.distance() <= near);
        if (isNear) {
            candidates.removeIf(c -> c.distance() > near);
            candidates.sort(Comparator.comparingInt(NearNames.Candidate::distance));
            count = candidates.size();
        }
    }

    private String hint() {
        if (count == 0) {
            return "; there is none";
        }
        List<String> shown =
                candidates.stream().limit(SHOWN).map(c -> path(c.name())).distinct().toList();
        String names = String.join(", ", shown);
        if (isNear) {
            return "; did you mean " + names + "?";
        }
        int more = count - Math.min(count, SHOWN);
        return "; there is " + names + (more > 0 ? " and " + more + " more" : "");
    }

    private String path(String name) {
        return Printable.name(found + name);
    }
}
