// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.flatbuf.Utf8Text;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.Field;
import dev.fletch.format.FieldWalk;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;

import java.util.Arrays;
import java.util.Objects;

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

    private static final int[] FIRST_FIELD = {0};

    final FieldWalk walk = new FieldWalk();

    // UTF-8 of the name that was looked for last; of length -1 where it has no encoding.
    byte[] key = new byte[FIRST_KEY_BYTES];
    int keyLength;

    // UTF-8 of the path that was looked for last.
    private byte[] path = {};
    private int pathLength;

    private int column = NONE;
    private int firstNode;
    private int firstBuffer;
    private int firstView;
    private boolean behindUnknown;

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
        super(new FieldTable());
        this.verifier = verifier;
    }

    /// {@return an empty plan, for schemas whose every column has been verified already}
    public static ColumnLayout ofVerified() {
        return new ColumnLayout((Verifier) null);
    }

    // ---- filling

    void setKey(CharSequence name) {
        reserve(Utf8Text.maxBytes(name.length()));
        keyLength = Utf8Text.encode(name, key);
    }

    void setKey(byte[] name) {
        reserve(name.length);
        System.arraycopy(name, 0, key, 0, name.length);
        keyLength = name.length;
    }

    void setKey(Utf8Slice name) {
        reserve(name.length());
        keyLength = name.copyTo(key, 0);
    }

    /// Takes a path, and no name yet.
    void setPath(CharSequence text) {
        if (path.length < Utf8Text.maxBytes(text.length())) {
            path = new byte[Utf8Text.maxBytes(text.length())];
        }
        pathLength = Utf8Text.encode(text, path);
        keyLength = -1;
    }

    /// Takes more of the path as the name, up to its next dot or its end.
    ///
    /// @return false if all of it was
    boolean extendKey() {
        int end = keyLength + 1;
        if (end > pathLength) {
            return false;
        }
        while (end < pathLength && path[end] != '.') {
            end++;
        }
        reserve(end);
        System.arraycopy(path, 0, key, 0, end);
        keyLength = end;
        return true;
    }

    /// {@return the first field of the column that has the path, -1 if there is none}
    int fieldOfPath() {
        for (int f = 0; f < fieldCount(); f++) {
            if (hasPath(f)) {
                return f;
            }
        }
        return NONE;
    }

    /// Compares from the field's own name upward, so that dots in names leave no choice.
    private boolean hasPath(int number) {
        int end = pathLength;
        int f = number;
        while (true) {
            final int length = table.nameLength[f];
            final int at = table.nameAt[f];
            final int start = end - length;
            if (start < 0 || !Arrays.equals(table.names, at, at + length, path, start, end)) {
                return false;
            }
            f = table.parent[f];
            if (f < 0) {
                return start == 0;
            }
            if (start == 0 || path[start - 1] != '.') {
                return false;
            }
            end = start - 1;
        }
    }

    private void reserve(int bytes) {
        if (key.length < bytes) {
            key = Arrays.copyOf(key, Math.max(bytes, key.length << 1));
        }
    }

    /// Leaves it without fields.
    boolean clear() {
        column = NONE;
        table.rows = 0;
        table.beginSection();
        place(0, 0, 0, false);
        return false;
    }

    /// Takes the current column of [#walk].
    ///
    /// @param schema that the walk goes through
    void take(Schema schema, int version, LayoutLimits limits, long bufferLength) {
        column = NONE;
        if (verifier != null && !verifier.field(schema.fields(walk.column(), field))) {
            throw verifier.fault().exception();
        }
        table.clear(version, limits, bufferLength);
        final int found = walk.column();
        do {
            table.add(walk, walk.depth(), false);
        } while (walk.nextBelow(0));
        table.endSection();
        column = found;
    }

    void place(int nodes, int buffers, int views, boolean unknownBefore) {
        firstNode = nodes;
        firstBuffer = buffers;
        firstView = views;
        behindUnknown = unknownBefore;
    }

    // ---- what was found

    /// {@return the column's number among those of the schema; -1 if nothing was found}
    public int column() {
        return column;
    }

    @Override
    int base() {
        return 0;
    }

    @Override
    int[] columnFields() {
        return FIRST_FIELD;
    }

    @Override
    public int columnCount() {
        return column < 0 ? 0 : 1;
    }

    @Override
    public int columnField(int index) {
        return Objects.checkIndex(index, columnCount());
    }

    @Override
    public int fieldCount() {
        return column < 0 ? 0 : table.rows;
    }

    @Override
    public int bufferCount() {
        return column < 0 ? 0 : table.buffers;
    }

    @Override
    public int viewCount() {
        return column < 0 ? 0 : table.views;
    }

    @Override
    public int firstNode() {
        return firstNode;
    }

    @Override
    public int firstBuffer() {
        return firstBuffer;
    }

    @Override
    public int firstView() {
        return firstView;
    }

    @Override
    public int firstUnknown() {
        return behindUnknown ? 0 : table.unknown;
    }
}
