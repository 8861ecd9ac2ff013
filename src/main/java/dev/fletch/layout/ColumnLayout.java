// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.Field;
import dev.fletch.format.FieldWalk;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.wire.Utf8;

/// The plan of one column: where its nodes and buffers begin in a batch, and the fields that it is
/// made of. Field 0 is the column itself.
///
/// It belongs to its caller and can be used for one column after another: a [ColumnScan] fills it,
/// and allocates only to hold more than ever before. If nothing was found, it has no fields. It
/// belongs to one thread at a time.
///
/// **Verified when found.** A column is verified with all that is below it before it is taken from
/// the schema, since a file that was opened with [dev.fletch.ipc.Verification#TOUCHED] has not
/// verified it. If all columns have been verified already, [#ofVerified] saves the time.
public final class ColumnLayout extends FieldLayout {
    private static final int FIRST_KEY_BYTES = 64;

    /// Of one char.
    private static final int MOST_UTF8_BYTES = 3;

    private static final int[] ONE_COLUMN = {0};

    final FieldWalk walk = new FieldWalk();

    // UTF-8 of the name that was looked for last; of length -1 where it has no encoding.
    byte[] key = new byte[FIRST_KEY_BYTES];
    int keyLength;

    private int column = NONE;

    // The file that it was found in; null if it was found by a scan.
    private ArrowFile origin;

    // Null where all columns have been verified.
    private final Verifier verifier;
    private final Field field = new Field();

    /// Creates an empty plan, for columns that are verified with [VerifierOptions#ARROW_CPP] when they
    /// are found.
    public ColumnLayout() {
        this(VerifierOptions.ARROW_CPP);
    }

    /// Creates an empty plan, for columns that are verified when they are found. To find one that is
    /// wrong throws a [dev.fletch.VerificationException], whose path begins at the column.
    ///
    /// @param options limits and checks of the verification
    public ColumnLayout(VerifierOptions options) {
        this(new Verifier(options));
    }

    private ColumnLayout(Verifier verifier) {
        super(new FieldTable(), new Section());
        this.verifier = verifier;
    }

    /// {@return an empty plan, for schemas whose every column has been verified already}
    public static ColumnLayout ofVerified() {
        return new ColumnLayout((Verifier) null);
    }

    /// Finds the first column of a name in a file's schema, for the metadata version of its batches, and
    /// verifies it.
    ///
    /// @param file open
    /// @param name any text
    /// @return its plan
    /// @throws LayoutException also if there is no such column, or no schema
    public static ColumnLayout of(ArrowFile file, CharSequence name) {
        final Schema schema = BatchLayout.schemaOf(file);
        final ColumnLayout found = new ColumnLayout();
        if (!new ColumnScan().wrap(schema, BatchLayout.versionOf(file)).find(name, found)) {
            throw noColumn(name, schema.fieldsCount());
        }
        found.origin = file;
        return found;
    }

    @Override
    LayoutException misfit(ArrowFile file) {
        return origin == null || origin == file
                ? null
                : new LayoutException(
                        ValueRules.OTHER_SCHEMA, "column=" + shownPath(0) + ", of another file");
    }

    // ---- filling

    /// Takes a name to look for.
    void setKey(CharSequence name) {
        final int most = Math.multiplyExact(name.length(), MOST_UTF8_BYTES);
        if (key.length < most) {
            key = new byte[Math.max(most, key.length << 1)];
        }
        int at = 0;
        for (int i = 0; i < name.length(); i++) {
            final int c = Utf8.codePoint(name, i, name.length());
            if (c < 0) {
                keyLength = NONE;
                return;
            }
            i += c >= Character.MIN_SUPPLEMENTARY_CODE_POINT ? 1 : 0;
            long rest = Utf8.encode(c);
            do {
                key[at++] = (byte) rest;
                rest >>>= Byte.SIZE;
            } while (rest != 0);
        }
        keyLength = at;
    }

    /// Leaves it without fields.
    boolean clear() {
        column = NONE;
        origin = null;
        section.fields = 0;
        section.buffers = 0;
        section.views = 0;
        section.unknown = NONE;
        section.columns = NO_COLUMNS;
        place(0, 0, 0, false);
        return false;
    }

    /// Takes the current column of [#walk].
    ///
    /// @param schema that the walk goes through
    void take(Schema schema, int version, LayoutLimits limits, long bufferLength) {
        clear();
        if (verifier != null && !verifier.field(schema.fields(walk.column(), field))) {
            throw verifier.fault().exception();
        }
        table.clear(version, schema.endianness(), limits, bufferLength);
        final int found = walk.column();
        do {
            table.add(walk, walk.depth(), false);
        } while (walk.nextBelow(0));
        table.endSection(section);
        section.columns = ONE_COLUMN;
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
