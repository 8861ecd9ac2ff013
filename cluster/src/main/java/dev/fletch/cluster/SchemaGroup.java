// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cluster;

import dev.fletch.scan.ColumnSummary;
import dev.fletch.scan.FileSummary;

import java.io.Serializable;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Files with the same schema, or some of them. Files with a fault are in a group of their own, without
/// schema and columns.
///
/// @param digest of the schema, with its custom metadata unless that is ignored; empty for files with a fault
/// @param schema of the first file, as Parquet keeps it; empty for files with a fault
/// @param firstFile the first by name
public record SchemaGroup(
        String digest, String schema, String firstFile, Total total, List<Column> columns)
        implements Serializable {
    /// A column of the group.
    ///
    /// @param bytes stored bytes in all files, as `fletch columns` counts them
    public record Column(String name, String type, BigInteger bytes) implements Serializable {
        private static Column of(ColumnSummary column) {
            return new Column(column.name(), column.type(), BigInteger.valueOf(column.bytes()));
        }

        private Column plus(Column other) {
            return new Column(name, type, bytes.add(other.bytes));
        }
    }

    /// The group of one file.
    ///
    /// @param digest of its schema
    static SchemaGroup of(FileSummary file, String digest) {
        String name = FileName.shown(file.name());
        Total total = Total.of(file);
        if (file.fault() != null || file.schema() == null) {
            return new SchemaGroup("", "", name, total, List.of());
        }
        List<Column> columns = file.columns().stream().map(Column::of).toList();
        return new SchemaGroup(digest, file.schema(), name, total, columns);
    }

    /// This group with the files of another part of it.
    public SchemaGroup plus(SchemaGroup other) {
        if (other.isBefore(this)) {
            return other.plus(this);
        }
        List<Column> sums = new ArrayList<>(columns.size());
        for (int i = 0; i < columns.size(); i++) {
            sums.add(columns.get(i).plus(other.columns.get(i)));
        }
        return new SchemaGroup(digest, schema, firstFile, total.plus(other.total), sums);
    }

    /// By the first file. Links may differ in what is not shown, and schemas in their metadata.
    private boolean isBefore(SchemaGroup other) {
        int order = firstFile.compareTo(other.firstFile);
        return order < 0 || order == 0 && schema.compareTo(other.schema) < 0;
    }

    /// Its place among the groups: the largest first, those of the same size by their first file, files
    /// with a fault at the end.
    public String order() {
        return (digest.isEmpty() ? "1 " : "0 ")
                + String.format(Locale.ROOT, "%019d ", Long.MAX_VALUE - total.files())
                + firstFile;
    }
}
