// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import dev.fletch.format.Field;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// What to say to someone who asked for a column that is not there: the names that are like it, there
/// where the path ends to lead on.
final class NearNames {
    private static final int SHOWN = 5;

    // Names are compared in a time that grows with the product of their lengths, and with their
    // number: beyond these limits a hint is not worth it.
    private static final int COMPARED_CHARS = 80;
    private static final int COMPARED_NAMES = 10_000;

    private record Candidate(String name, int distance) {}

    private final SchemaWalk walk;
    private final List<Candidate> candidates = new ArrayList<>();
    // The part of the path that is there, with a dot behind it, and the first name that is not.
    private String found = "";
    private String missing;
    // The fields among which the path would go on: the columns, or a field's children.
    private Field parent;
    private int depth;
    private int count;
    private boolean isNear;

    private NearNames(String path, SchemaWalk walk) {
        this.walk = walk;
        this.missing = path;
    }

    /// One line, for a path that leads to nothing.
    static String message(String path, SchemaWalk walk) {
        NearNames names = new NearNames(path, walk);
        names.follow();
        names.compare();
        return "no column " + Printable.name(shortened(path)) + names.hint();
    }

    /// The names of these that are like another one, the nearest first.
    static List<String> among(List<String> names, String wanted) {
        String compared = shortened(wanted);
        return names.stream()
                .map(name -> new Candidate(name, distance(name, compared)))
                .filter(candidate -> candidate.distance <= near(compared))
                .sorted(Comparator.comparingInt(Candidate::distance))
                .map(Candidate::name)
                .toList();
    }

    /// So many characters may be wrong in a name that is near this one.
    private static int near(String wanted) {
        return (wanted.length() + 1) / 3;
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
        String wanted = shortened(dot < 0 ? missing : missing.substring(0, dot));
        count = siblings();
        for (int i = 0; i < Math.min(count, COMPARED_NAMES); i++) {
            String name = shortened(SchemaWalk.orEmpty(walk.name(sibling(i))));
            candidates.add(new Candidate(name, distance(name, wanted)));
        }
        int near = near(wanted);
        isNear = candidates.stream().anyMatch(c -> c.distance <= near);
        if (isNear) {
            candidates.removeIf(c -> c.distance > near);
            candidates.sort(Comparator.comparingInt(Candidate::distance));
            count = candidates.size();
        }
    }

    private String hint() {
        if (count == 0) {
            return "; there is none";
        }
        List<String> shown =
                candidates.stream().limit(SHOWN).map(c -> path(c.name)).distinct().toList();
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

    private static String shortened(String text) {
        return text.length() <= COMPARED_CHARS ? text : text.substring(0, COMPARED_CHARS) + "…";
    }

    /// How many characters have to be added, taken away or changed, upper and lower case being one.
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int change = same(a.charAt(i - 1), b.charAt(j - 1)) ? 0 : 1;
                row[j] = Math.min(diagonal + change, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[b.length()];
    }

    private static boolean same(char a, char b) {
        return Character.toLowerCase(a) == Character.toLowerCase(b);
    }
}
