// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.Field;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.Schema;
import dev.fletch.layout.BatchLayout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A schema's layout, with a path and a type for each field.
///
/// Fields may share a name, and each path repeats the names above it. So the length of all paths is
/// limited by the size of the schema's bytes, as in a [SchemaWalk].
public final class MapPlan {
    /// Characters of all paths per byte of the schema.
    private static final long PATH_CHARACTERS = 64;

    /// The fields of a batch, the same in every version of the metadata.
    ///
    /// @param layout of version 5
    /// @param old of version 4, in which unions have other buffers
    /// @param paths by the fields' numbers
    /// @param types the same; null for a dictionary's values
    public record Fields(BatchLayout layout, BatchLayout old, String[] paths, List<String> types) {
        /// What a message's buffers are, by the version that it says itself.
        public BatchLayout layout(int version) {
            return version == MetadataVersion.V4 ? old : layout;
        }

        /// How many fields can be placed: those behind one of an unknown type cannot.
        int placeable() {
            return layout.firstUnknown() < 0 ? layout.fieldCount() : layout.firstUnknown();
        }
    }

    private final DictionaryEncoding encoding = new DictionaryEncoding();
    private final Fields columns;
    private final Map<Long, Fields> dictionaries = new HashMap<>();

    private final long position;
    private long charactersLeft;

    /// Lays out a schema.
    ///
    /// @param metadataBytes length of the metadata that it is in
    /// @throws dev.fletch.layout.LayoutException if it is too deep or too large
    /// @throws FlatBufferFormatException if parts of it are shared too often
    public MapPlan(Schema schema, long metadataBytes) {
        List<String> types = new ArrayList<>();
        SchemaWalk walk = new SchemaWalk(schema, metadataBytes);
        for (int i = 0; i < schema.fieldsCount(); i++) {
            addTypes(walk, walk.column(i), 0, false, types);
        }
        BatchLayout layout = BatchLayout.compile(schema, MetadataVersion.V5);
        BatchLayout old = BatchLayout.compile(schema, MetadataVersion.V4);
        position = schema.position();
        charactersLeft = metadataBytes * PATH_CHARACTERS;
        columns = fields(layout, old, null, types);
        for (int i = 0; i < layout.dictionaryCount(); i++) {
            long id = layout.dictionary(i);
            BatchLayout values = layout.dictionaryLayout(id);
            dictionaries.put(id, fields(values, old.dictionaryLayout(id), title(id), null));
        }
    }

    /// Path of the one column of a dictionary's batches.
    public static String title(long dictionaryId) {
        return "dictionary " + dictionaryId;
    }

    /// Adds the type of a field and of those below it, but of no field inside a dictionary's values:
    /// the batches of the columns do not have these. Its budget bounds also what the layout copies.
    private void addTypes(
            SchemaWalk walk, Field field, int depth, boolean isValues, List<String> types) {
        walk.name(field);
        if (!isValues) {
            types.add(walk.typeText(field));
        }
        boolean hasValues = isValues || field.dictionary(encoding);
        for (int i = 0; i < field.childrenCount(); i++) {
            addTypes(walk, walk.child(field, i, depth + 1), depth + 1, hasValues, types);
        }
    }

    private Fields fields(BatchLayout layout, BatchLayout old, String root, List<String> types) {
        String[] paths = new String[layout.fieldCount()];
        for (int field = 0; field < paths.length; field++) {
            int parent = layout.parent(field);
            String name =
                    layout.depth(field) == 0 && root != null ? root : layout.nameString(field);
            charactersLeft -= (parent < 0 ? 0L : paths[parent].length() + 1L) + name.length();
            if (charactersLeft < 0) {
                throw new FlatBufferFormatException(
                        "schema is larger than its bytes can tell: paths are too long", position);
            }
            paths[field] = parent < 0 ? name : paths[parent] + "." + name;
        }
        return new Fields(layout, old, paths, types);
    }

    public Fields columns() {
        return columns;
    }

    /// The values of a dictionary; null if no field is encoded by it.
    public Fields dictionary(long id) {
        return dictionaries.get(id);
    }

    /// The paths of all fields, those of dictionaries' values included.
    public Stream<String> paths() {
        return Stream.concat(Stream.of(columns), dictionaries.values().stream())
                .flatMap(each -> Arrays.stream(each.paths()));
    }
}
