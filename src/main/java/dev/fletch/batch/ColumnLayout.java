// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.Field;
import dev.fletch.format.FieldWalk;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.format.internal.SchemaSize;
import dev.fletch.wire.Utf8;

/// The layout of one column: its fields, and the index of its first node and buffers in a batch.
/// Field 0 is the column.
///
/// Reusable: a [ColumnScan] or [#set] fills it, and allocates only for more fields than ever
/// before. Without a found column it has no fields. Belongs to one thread at a time.
///
/// **Verification.** A column found by a scan is verified with its descendants, because a file
/// opened with `Verification.TOUCHED` has not verified it. For verified schemas, [#ofVerified]
/// saves the time.
public final class ColumnLayout extends FieldLayout {
    private static final int FIRST_KEY_BYTES = 64;

    final FieldWalk walk = new FieldWalk();

    // UTF-8 of the last name searched; a negative length if it has no encoding.
    byte[] key = new byte[FIRST_KEY_BYTES];
    int keyLength;

    private int column = NONE;

    // Null if all columns are verified.
    private final Verifier verifier;
    private final Field field = new Field();
    private SchemaSize size = new SchemaSize(Limits.DEFAULT);

    /// Creates an empty layout. Columns are verified with [VerifierOptions#DEFAULT] when they are
    /// found: an invalid one throws a [dev.fletch.FletchException], whose path begins at the
    /// column.
    public ColumnLayout() {
        this(new Verifier(VerifierOptions.DEFAULT));
    }

    private ColumnLayout(Verifier verifier) {
        super(new FieldTable(), new Section());
        this.verifier = verifier;
    }

    /// {@return an empty layout for schemas that are verified}
    public static ColumnLayout ofVerified() {
        return new ColumnLayout(null);
    }

    /// Finds and verifies the first column with a name, within [Limits#DEFAULT].
    ///
    /// @throws FletchException also if there is no such column
    public static ColumnLayout of(Schema schema, int version, CharSequence name) {
        ColumnLayout found = new ColumnLayout();
        if (!new ColumnScan().wrap(schema, version).find(name, found)) {
            throw noColumn(name, schema.fieldsCount());
        }
        return found;
    }

    // ---- filling

    /// Fills this with a column of a compiled layout: to read single columns of a very wide batch,
    /// which [BatchLayout#choose] would compile anew. Allocates only for more fields than ever
    /// before.
    ///
    /// @param layout of all columns
    /// @param of number of the column
    /// @return this
    /// @throws IllegalArgumentException if the layout was chosen from another
    public ColumnLayout set(BatchLayout layout, int of) {
        if (layout.choice != null) {
            throw new IllegalArgumentException("layout has only chosen columns");
        }
        int field = layout.columnField(of);
        clear();
        table.begin(layout.table, section);
        for (int f = field; f < layout.end(field); f++) {
            table.copy(layout.table, layout.row(f), layout.depth(f));
        }
        table.endSection(ONE_COLUMN);
        place(
                field,
                layout.buffersBefore(field),
                layout.viewsBefore(field),
                field > layout.placeable());
        column = of;
        return this;
    }

    /// Encodes the name to search for.
    void setKey(CharSequence name) {
        keyLength = Math.toIntExact(Utf8.encodedLength(name));
        if (keyLength > key.length) {
            key = new byte[Math.max(keyLength, key.length << 1)];
        }
        if (keyLength > 0) {
            Utf8.encode(name, key, null, 0, keyLength);
        }
    }

    /// Removes all fields.
    boolean clear() {
        column = NONE;
        section.clear(0);
        place(0, 0, 0, false);
        return false;
    }

    /// Fills this with the current column of [#walk].
    ///
    /// @param schema that the walk goes through
    void take(Schema schema, int version, Limits limits, long bufferLength) {
        clear();
        if (verifier != null && !verifier.field(schema.fields(walk.column(), field))) {
            throw verifier.fault().exception();
        }
        table.clear(version, schema, limits, section);
        int found = walk.column();
        if (size.limits() != limits) {
            size = new SchemaSize(limits);
        }
        size.begin(bufferLength);
        do {
            if (!size.addField(walk.field().nameLength())) {
                throw size.tooLarge(walk.field());
            }
            table.add(walk, walk.depth(), false);
        } while (walk.nextBelow(0));
        table.endSection(ONE_COLUMN);
        column = found;
    }

    void place(int nodes, int buffers, int views, boolean unknownBefore) {
        section.nodesBefore = nodes;
        section.buffersBefore = buffers;
        section.viewsBefore = views;
        if (unknownBefore) {
            section.unknown = 0;
        }
    }

    // ---- what was found

    @Override
    public int find(CharSequence name) {
        return column >= 0 && nameString(0).contentEquals(name) ? 0 : NONE;
    }

    /// {@return the column's number among those of the schema; -1 if nothing was found}
    public int column() {
        return column;
    }
}
