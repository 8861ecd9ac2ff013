// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.format.FieldWalk;
import dev.fletch.format.MetadataVersion;

import java.util.Arrays;

/// Fields in pre-order, in flat arrays: what is known of a field stands at its row in each of them.
///
/// Rows come in sections, one for the columns of a schema and one for each dictionary's values.
/// Rows count through all of them; parents, buffers and views count from their section's start.
final class FieldTable {
    /// Parent of a section's top-level fields.
    static final int NO_PARENT = -1;

    private static final int FIRST_SIZE = 16;
    private static final int FIRST_NAME_BYTES = 256;

    byte[] typeType = new byte[FIRST_SIZE];
    byte[] shape = new byte[FIRST_SIZE];
    int[] depth = new int[FIRST_SIZE];
    int[] parent = new int[FIRST_SIZE];
    // Behind the last descendant.
    int[] end = new int[FIRST_SIZE];
    int[] firstBuffer = new int[FIRST_SIZE];
    int[] firstView = new int[FIRST_SIZE];
    // Rows may share a name.
    int[] nameAt = new int[FIRST_SIZE];
    int[] nameLength = new int[FIRST_SIZE];
    byte[] names = new byte[FIRST_NAME_BYTES];
    boolean[] encoded = new boolean[FIRST_SIZE];
    // Null where no field is encoded by a dictionary.
    long[] dictionaryId;

    int rows;

    // Of the current section.
    int sectionStart;
    int buffers;
    int views;
    int unknown;

    private int maxRows;
    private int maxDepth;
    private int version;
    private int nameBytes;
    private long bufferBytes;
    private final SharedParts shared = new SharedParts();
    // Rows of the ancestors of the next row.
    private int[] open = new int[FIRST_SIZE];
    private int openCount;
    private Utf8Slice slice = new Utf8Slice();

    static int checkVersion(int version) {
        if (version != MetadataVersion.V4 && version != MetadataVersion.V5) {
            throw new LayoutException(
                    LayoutFault.UNSUPPORTED_VERSION, "version=" + MetadataVersion.name(version));
        }
        return version;
    }

    void clear(int metadataVersion, LayoutLimits limits, long bufferLength) {
        version = checkVersion(metadataVersion);
        maxRows = limits.fieldsIn(bufferLength);
        maxDepth = limits.maxDepth();
        rows = 0;
        nameBytes = 0;
        bufferBytes = bufferLength;
        shared.begin(bufferLength);
        beginSection();
    }

    void beginSection() {
        sectionStart = rows;
        buffers = 0;
        views = 0;
        unknown = NO_PARENT;
        openCount = 0;
    }

    /// Adds the current field of a walk. Of a field that is encoded by a dictionary, the children
    /// are skipped: they are those of the dictionary's values.
    ///
    /// @param level its depth in the section
    /// @param asValues whether to add it as what its dictionary holds
    void add(FieldWalk walk, int level, boolean asValues) {
        checkLimits(walk);
        if (rows == typeType.length) {
            grow();
        }
        final int row = rows++;
        close(level, row);
        final boolean indexes = walk.isDictionaryEncoded() && !asValues;
        final BufferShape found = shape(walk, indexes);
        typeType[row] = (byte) walk.typeType();
        shape[row] = (byte) found.ordinal();
        depth[row] = level;
        parent[row] = level == 0 ? NO_PARENT : open[level - 1] - sectionStart;
        firstBuffer[row] = buffers;
        firstView[row] = views;
        encoded[row] = indexes;
        addName(walk, row);
        buffers += found.count();
        views += found == BufferShape.VIEW ? 1 : 0;
        if (found == BufferShape.UNKNOWN && unknown == NO_PARENT) {
            unknown = row - sectionStart;
        }
        if (indexes) {
            addDictionary(row, walk.dictionaryId());
            walk.skipChildren();
        }
        if (level == open.length) {
            open = Arrays.copyOf(open, level << 1);
        }
        open[level] = row;
        openCount = level + 1;
    }

    void endSection() {
        close(0, rows);
    }

    private BufferShape shape(FieldWalk walk, boolean indexes) {
        return indexes
                ? BufferShape.FIXED_WIDTH
                : BufferShape.of(walk.typeType(), walk.unionMode(), version);
    }

    private void checkLimits(FieldWalk walk) {
        if (walk.depth() >= maxDepth) {
            throw LayoutException.of(
                    LayoutFault.TOO_DEEP, "column", walk.column(), "limit", maxDepth);
        }
        if (rows >= maxRows) {
            throw LayoutException.of(
                    LayoutFault.TOO_MANY_FIELDS, "column", walk.column(), "limit", maxRows);
        }
    }

    /// Ends the subtrees that the next row is not in.
    private void close(int level, int row) {
        while (openCount > level) {
            end[open[--openCount]] = row - sectionStart;
        }
    }

    private void addName(FieldWalk walk, int row) {
        final int length = walk.nameLength();
        nameLength[row] = length;
        nameAt[row] = nameBytes;
        if (length == 0 || !walk.name(slice)) {
            return;
        }
        final int known = shared.find(slice.place(), length);
        if (known >= 0) {
            nameAt[row] = known;
            return;
        }
        if (known == SharedParts.TOO_MUCH || length > MAX_ARRAY - nameBytes) {
            throw LayoutException.of(
                    LayoutFault.TOO_LONG_NAMES, "column", walk.column(), "bytes", bufferBytes);
        }
        if (length > names.length - nameBytes) {
            final int least = nameBytes + length;
            names = Arrays.copyOf(names, (int) Math.max(least, Math.min(least * 2L, MAX_ARRAY)));
        }
        slice.copyTo(names, nameBytes);
        shared.keep(slice.place(), nameBytes);
        nameBytes += length;
    }

    private static final int MAX_ARRAY = Integer.MAX_VALUE - 8;

    private void addDictionary(int row, long id) {
        if (dictionaryId == null) {
            dictionaryId = new long[typeType.length];
        }
        dictionaryId[row] = id;
    }

    private void grow() {
        resize((int) Math.min(maxRows, rows * 2L));
    }

    /// Gives back what is not used, and lets go of the schema's memory. Nothing is added
    /// afterwards.
    void trim() {
        slice = null;
        shared.begin(0);
        resize(rows);
        names = Arrays.copyOf(names, nameBytes);
    }

    private void resize(int size) {
        typeType = Arrays.copyOf(typeType, size);
        shape = Arrays.copyOf(shape, size);
        depth = Arrays.copyOf(depth, size);
        parent = Arrays.copyOf(parent, size);
        end = Arrays.copyOf(end, size);
        firstBuffer = Arrays.copyOf(firstBuffer, size);
        firstView = Arrays.copyOf(firstView, size);
        encoded = Arrays.copyOf(encoded, size);
        nameAt = Arrays.copyOf(nameAt, size);
        nameLength = Arrays.copyOf(nameLength, size);
        if (dictionaryId != null) {
            dictionaryId = Arrays.copyOf(dictionaryId, size);
        }
    }
}
