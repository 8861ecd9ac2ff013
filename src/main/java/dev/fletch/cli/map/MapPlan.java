// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.map;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.cli.schema.SchemaWalk;
import dev.fletch.format.Field;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.Schema;
import dev.fletch.layout.BatchLayout;

import java.util.HashMap;
import java.util.Map;

/// A schema's layout, with a path for each field.
///
/// Names may be shared by many fields, and each path repeats those above it: what the paths have in
/// all is limited by the bytes that the schema was read from, as in a [SchemaWalk].
public final class MapPlan {
    /// How many times the schema's bytes its paths may have in characters.
    private static final long PATH_CHARACTERS = 64;

    /// The fields of a batch, the same in every version of the metadata.
    ///
    /// @param layout of version 5
    /// @param old of version 4, in which unions have other buffers
    /// @param paths by the fields' numbers
    record Fields(BatchLayout layout, BatchLayout old, String[] paths) {
        /// What a message's buffers are, by the version that it says itself.
        BatchLayout layout(int version) {
            return version == MetadataVersion.V4 ? old : layout;
        }

        /// How many fields can be placed: those behind one of an unknown type cannot.
        int placeable() {
            return layout.firstUnknown() < 0 ? layout.fieldCount() : layout.firstUnknown();
        }
    }

    private final Fields columns;
    private final Map<Long, Fields> dictionaries = new HashMap<>();

    private MapPlan(Schema schema, long metadataBytes) {
        checkNames(schema, metadataBytes);
        BatchLayout layout = BatchLayout.compile(schema, MetadataVersion.V5);
        BatchLayout old = BatchLayout.compile(schema, MetadataVersion.V4);
        PathBudget budget = new PathBudget(metadataBytes * PATH_CHARACTERS, schema.position());
        columns = fields(layout, old, null, budget);
        for (int i = 0; i < layout.dictionaryCount(); i++) {
            long id = layout.dictionary(i);
            BatchLayout values = layout.dictionaryLayout(id);
            dictionaries.put(id, fields(values, old.dictionaryLayout(id), title(id), budget));
        }
    }

    /// Lays out a schema.
    ///
    /// @param metadataBytes how many bytes it was read from
    /// @throws dev.fletch.layout.LayoutException if it is too deep or too large
    /// @throws FlatBufferFormatException if it is larger than its bytes can tell
    static MapPlan of(Schema schema, long metadataBytes) {
        return new MapPlan(schema, metadataBytes);
    }

    /// Path of the one column that the batches of a dictionary have.
    static String title(long dictionaryId) {
        return "dictionary " + dictionaryId;
    }

    /// Reads each name once, by a walk that ends: the layout is going to copy them all.
    private static void checkNames(Schema schema, long metadataBytes) {
        SchemaWalk walk = new SchemaWalk(schema, metadataBytes);
        for (int i = 0; i < schema.fieldsCount(); i++) {
            checkNames(walk, walk.column(i), 0);
        }
    }

    private static void checkNames(SchemaWalk walk, Field field, int depth) {
        walk.name(field);
        for (int i = 0; i < field.childrenCount(); i++) {
            checkNames(walk, walk.child(field, i, depth + 1), depth + 1);
        }
    }

    private static Fields fields(
            BatchLayout layout, BatchLayout old, String root, PathBudget budget) {
        String[] paths = new String[layout.fieldCount()];
        for (int field = 0; field < paths.length; field++) {
            int parent = layout.parent(field);
            String name =
                    layout.depth(field) == 0 && root != null ? root : layout.nameString(field);
            budget.spend((parent < 0 ? 0L : paths[parent].length() + 1L) + name.length());
            paths[field] = parent < 0 ? name : paths[parent] + "." + name;
        }
        return new Fields(layout, old, paths);
    }

    Fields columns() {
        return columns;
    }

    /// The values of a dictionary; null if no field is encoded by it.
    Fields dictionary(long id) {
        return dictionaries.get(id);
    }

    /// The longest path, in characters.
    int longestPath() {
        int longest = longest(columns);
        for (Fields each : dictionaries.values()) {
            longest = Math.max(longest, longest(each));
        }
        return longest;
    }

    private static int longest(Fields fields) {
        int longest = 0;
        for (String path : fields.paths()) {
            longest = Math.max(longest, path.length());
        }
        return longest;
    }

    private static final class PathBudget {
        private final long position;
        private long left;

        PathBudget(long characters, long position) {
            this.left = characters;
            this.position = position;
        }

        void spend(long characters) {
            left -= characters;
            if (left < 0) {
                throw new FlatBufferFormatException(
                        "schema is larger than its bytes can tell: paths are too long", position);
            }
        }
    }
}
