// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.scan.internal;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.batch.BatchLayout;
import dev.fletch.format.Schema;
import dev.fletch.format.internal.SchemaSize;
import dev.fletch.schema.internal.LayoutFields;
import dev.fletch.schema.internal.TypeText;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.stream.Stream;

/// A schema's layout, with path and type of each field.
///
/// Fields may share a name, and a path repeats the names of its ancestors, so the total length of
/// paths is limited as the schema's size is, see [SchemaSize].
public final class MapPlan {
    /// The fields of a batch.
    ///
    /// @param paths by field number; or null
    /// @param types by field number; null for a dictionary's values
    public record Fields(BatchLayout layout, String[] paths, String[] types) {
        /// Number of fields that can be located: up to the first of unknown type.
        public int placeable() {
            return layout.firstUnknown() < 0 ? layout.fieldCount() : layout.firstUnknown();
        }
    }

    /// The first field whose values a dictionary has.
    ///
    /// @param column the column that leads to the field; null if it is a field of the columns
    private record User(long dictionary, String path, String column) {}

    private final Fields columns;
    private final Map<Long, Fields> dictionaries = new HashMap<>();
    // By the id of the dictionary; empty until needed.
    private final Map<Long, User> users = new HashMap<>();

    private final boolean isNamed;
    private final long position;
    private final long maxCharacters;
    private long characters;

    /// Plans the fields of a schema.
    ///
    /// @param known its layout; null to compile it
    /// @param metadataBytes length of the metadata that contains the schema
    /// @param limits of the input
    /// @param isNamed whether paths and types are needed; else they are null
    /// @throws FletchException if the schema is too deep or too large, its parts are shared too
    ///     often, or paths are too long
    public MapPlan(
            Schema schema, BatchLayout known, long metadataBytes, Limits limits, boolean isNamed) {
        BatchLayout layout = known == null ? BatchLayout.compile(schema, limits) : known;
        this.isNamed = isNamed;
        String[] types = isNamed ? new String[layout.fieldCount()] : null;
        if (isNamed) {
            LayoutFields.columns(schema, layout, (of, field) -> types[field] = TypeText.of(of));
        }
        position = schema.position();
        maxCharacters = limits.unfoldedBytes(metadataBytes);
        columns = fields(layout, null, types);
        for (int i = 0; i < layout.dictionaryCount(); i++) {
            long id = layout.dictionary(i);
            dictionaries.put(id, fields(layout.dictionaryLayout(id), title(id), null));
        }
    }

    /// Path of the only column of a dictionary's batches.
    public static String title(long dictionaryId) {
        return "dictionary " + dictionaryId;
    }

    private Fields fields(BatchLayout layout, String root, String[] types) {
        if (!isNamed) {
            return new Fields(layout, null, null);
        }
        String[] paths = new String[layout.fieldCount()];
        for (int field = 0; field < paths.length; field++) {
            int parent = layout.parent(field);
            String name =
                    layout.depth(field) == 0 && root != null ? root : layout.nameString(field);
            characters += (parent < 0 ? 0L : paths[parent].length() + 1L) + name.length();
            if (characters > maxCharacters) {
                throw SchemaSize.tooLarge(
                        "paths are too long", characters, maxCharacters, position);
            }
            paths[field] = parent < 0 ? name : paths[parent] + "." + name;
        }
        return new Fields(layout, paths, types);
    }

    public Fields columns() {
        return columns;
    }

    /// The fields of a dictionary's values; null if no field uses the dictionary.
    public Fields dictionary(long id) {
        return dictionaries.get(id);
    }

    /// The path of the first field whose values a dictionary has. If the field is inside another
    /// dictionary, the column follows: `dictionary 1.name of place`. [#title], if an invalid schema
    /// has no such field.
    public String user(long id) {
        if (users.isEmpty()) {
            addUsers();
        }
        User user = users.get(id);
        if (user == null) {
            return title(id);
        }
        return user.column == null ? user.path : user.path + " of " + user.column;
    }

    private void addUsers() {
        Queue<User> added = new ArrayDeque<>();
        addUsers(columns, null, added);
        for (User each = added.poll(); each != null; each = added.poll()) {
            String column = each.column == null ? each.path : each.column;
            addUsers(dictionaries.get(each.dictionary), column, added);
        }
    }

    private void addUsers(Fields fields, String column, Queue<User> added) {
        BatchLayout layout = fields.layout();
        layout.encodedFields()
                .mapToObj(i -> new User(layout.dictionaryId(i), fields.paths[i], column))
                .filter(user -> users.putIfAbsent(user.dictionary, user) == null)
                .forEach(added::add);
    }

    /// The paths of all fields, dictionary values included.
    public Stream<String> paths() {
        return Stream.concat(Stream.of(columns), dictionaries.values().stream())
                .flatMap(each -> Arrays.stream(each.paths()));
    }
}
