// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.tables.BufferShape;

import java.util.ArrayList;
import java.util.List;

/// The flattening of a schema in the plainest way, to be compared with: by recursion, and with a
/// table of buffers written down once more.
final class Flat {
    /// One field of a batch.
    ///
    /// @param buffers roles of the field's own buffers without variadic ones; null where nobody
    ///     knows
    record Row(
            String path,
            int type,
            int depth,
            int parent,
            int node,
            int firstBuffer,
            List<String> buffers,
            int variadicSlot,
            Long dictionary) {}

    final List<Row> rows = new ArrayList<>();
    final List<Integer> columns = new ArrayList<>();
    // For each row the number of view fields before it.
    final List<Integer> viewsBefore = new ArrayList<>();
    final boolean old;
    int buffers;
    int views;

    Flat(List<Tree> fields, boolean old) {
        this.old = old;
        for (Tree each : fields) {
            columns.add(rows.size());
            add(each, "", -1, 0);
        }
    }

    private void add(Tree tree, String prefix, int parent, int depth) {
        String path = prefix + (tree.name() == null ? "" : tree.name());
        List<String> own =
                tree.dictionary() != null
                        ? List.of("validity", "data")
                        : buffersOf(tree.type(), tree.mode(), old);
        boolean view = own != null && own.contains("views");
        int row = rows.size();
        viewsBefore.add(views);
        rows.add(
                new Row(
                        path,
                        tree.type(),
                        depth,
                        parent,
                        row,
                        buffers,
                        own,
                        view ? views : -1,
                        tree.dictionary()));
        buffers += own == null ? 0 : own.size();
        views += view ? 1 : 0;
        if (tree.dictionary() == null) {
            tree.children().forEach(each -> add(each, path + ".", row, depth + 1));
        }
    }

    /// The table of the format's chapter "Buffer Listing for Each Layout", by hand.
    static List<String> buffersOf(int type, int mode, boolean old) {
        return switch (type) {
            case Type.NULL -> List.of();
            case Type.INT, Type.FLOATING_POINT, Type.BOOL, Type.DECIMAL, Type.DATE, Type.TIME ->
                    List.of("validity", "data");
            case Type.TIMESTAMP, Type.INTERVAL, Type.DURATION, Type.FIXED_SIZE_BINARY ->
                    List.of("validity", "data");
            case Type.BINARY, Type.UTF8, Type.LARGE_BINARY, Type.LARGE_UTF8 ->
                    List.of("validity", "offsets", "data");
            case Type.BINARY_VIEW, Type.UTF8_VIEW -> List.of("validity", "views");
            case Type.LIST, Type.LARGE_LIST, Type.MAP -> List.of("validity", "offsets");
            case Type.LIST_VIEW, Type.LARGE_LIST_VIEW -> List.of("validity", "offsets", "sizes");
            case Type.STRUCT_, Type.FIXED_SIZE_LIST -> List.of("validity");
            case Type.UNION ->
                    switch (Math.max(0, mode)) {
                        case 0 -> old ? List.of("validity", "typeIds") : List.of("typeIds");
                        case 1 ->
                                old
                                        ? List.of("validity", "typeIds", "offsets")
                                        : List.of("typeIds", "offsets");
                        default -> null;
                    };
            case Type.RUN_END_ENCODED -> old ? List.of("validity") : List.of();
            default -> null;
        };
    }

    /// The first field that cannot be placed, -1 if there is none.
    int firstUnknown() {
        for (Row each : rows) {
            if (each.buffers == null) {
                return each.node;
            }
        }
        return -1;
    }

    private static int variadicSlot(BatchLayout layout, int field) {
        return layout.shape(field) == BufferShape.VIEW ? layout.viewIndex(field) : -1;
    }

    /// The first field of a path, -1 if there is none.
    static int find(BatchLayout layout, String path) {
        for (int f = 0; f < layout.fieldCount(); f++) {
            if (layout.pathString(f).equals(path)) {
                return f;
            }
        }
        return -1;
    }

    /// The same of a compiled layout.
    static List<Row> rowsOf(BatchLayout layout) {
        List<Row> rows = new ArrayList<>();
        for (int f = 0; f < layout.fieldCount(); f++) {
            List<String> roles = new ArrayList<>();
            for (int i = 0; i < layout.bufferCount(f); i++) {
                roles.add(layout.role(f, i).text());
            }
            rows.add(
                    new Row(
                            layout.pathString(f),
                            layout.typeType(f),
                            layout.depth(f),
                            layout.parent(f),
                            layout.nodeIndex(f),
                            layout.bufferIndex(f),
                            layout.shape(f) == BufferShape.UNKNOWN ? null : roles,
                            variadicSlot(layout, f),
                            layout.isDictionaryEncoded(f) ? layout.dictionaryId(f) : null));
        }
        return rows;
    }
}
