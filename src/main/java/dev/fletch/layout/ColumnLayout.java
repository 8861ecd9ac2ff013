// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.flatbuf.Utf8Text;
import dev.fletch.format.FieldWalk;

import java.util.Arrays;
import java.util.Objects;

/// The plan of one column: where its nodes and buffers begin in a batch, and the fields that it is
/// made of. Field 0 is the column itself.
///
/// It belongs to its caller and is used again for one column after another: [ColumnScan] and
/// [ColumnIndex] fill it, and nothing is allocated but to hold more than ever before. Where nothing
/// was found, it has no fields. It belongs to one thread at a time.
public final class ColumnLayout extends FieldLayout {
    private static final int FIRST_KEY_BYTES = 64;

    final FieldWalk walk = new FieldWalk();

    // UTF-8 of the name that was looked for last; of length -1 where it has no encoding.
    byte[] key = new byte[FIRST_KEY_BYTES];
    int keyLength;

    private int column = NONE;
    private int firstNode;
    private int firstBuffer;
    private int firstView;
    private int exactNodes = NONE;
    private int exactBuffers = NONE;
    private boolean behindUnknown;

    /// Creates the plan of nothing.
    public ColumnLayout() {
        super(new FieldTable());
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
    void take(int version, LayoutLimits limits, long bufferLength) {
        column = NONE;
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
        exactNodes = NONE;
        exactBuffers = NONE;
    }

    void expect(int nodes, int buffers) {
        exactNodes = nodes;
        exactBuffers = buffers;
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
        return null;
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

    @Override
    int exactNodes() {
        return exactNodes;
    }

    @Override
    int exactBuffers() {
        return exactBuffers;
    }
}
