// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.map;

import dev.fletch.layout.BufferRole;

import java.util.Arrays;

/// One message, taken apart: its buffers, and what each byte is for from behind the message before
/// it up to its own end. Used again for each message.
public final class MapMessage {
    /// For an extent or a buffer that belongs to nothing in particular.
    static final int NONE = -1;

    // ---- the message

    int index;
    String kind;
    long offset;
    int prefixLength;
    int metadataLength;
    long bodyLength;

    // ---- its batch, if it has one

    /// Null if it has none.
    MapPlan.Fields fields;

    boolean isDictionary;
    long dictionaryId;
    boolean isDelta;
    long rows;
    int nodeCount;
    long[] nodeLengths = new long[0];
    long[] nullCounts = new long[0];

    // ---- its buffers, in the batch's order

    int bufferCount;
    int[] bufferFields = new int[0];
    BufferRole[] bufferRoles = new BufferRole[0];
    long[] bufferOffsets = new long[0];
    long[] bufferLengths = new long[0];
    long[] bufferPadding = new long[0];

    // ---- its extents, in the order of the bytes, without gaps

    int extentCount;
    byte[] extentClasses = new byte[16];
    // Buffer that the bytes are of, or are the padding behind; or NONE.
    int[] extentBuffers = new int[16];
    long[] extentLengths = new long[16];

    /// Takes a batch without nodes and buffers out of the way.
    void clearBatch() {
        fields = null;
        isDictionary = false;
        nodeCount = 0;
        bufferCount = 0;
    }

    void clearExtents() {
        extentCount = 0;
    }

    void reserve(int nodes, int buffers) {
        if (nodeLengths.length < nodes) {
            nodeLengths = new long[nodes];
            nullCounts = new long[nodes];
        }
        if (bufferFields.length < buffers) {
            bufferFields = new int[buffers];
            bufferRoles = new BufferRole[buffers];
            bufferOffsets = new long[buffers];
            bufferLengths = new long[buffers];
            bufferPadding = new long[buffers];
        }
        Arrays.fill(bufferPadding, 0, buffers, 0);
    }

    void addNode(long length, long nullCount) {
        nodeLengths[nodeCount] = length;
        nullCounts[nodeCount] = nullCount;
        nodeCount++;
    }

    /// Adds the next buffer.
    ///
    /// @param field number of the field that owns it, with a role; or NONE, without
    /// @param at offset in the input
    void addBuffer(int field, BufferRole role, long at, long length) {
        bufferFields[bufferCount] = field;
        bufferRoles[bufferCount] = role;
        bufferOffsets[bufferCount] = at;
        bufferLengths[bufferCount] = length;
        bufferCount++;
    }

    void addExtent(MapClass of, int buffer, long length) {
        if (extentCount == extentClasses.length) {
            int size = 2 * extentCount;
            extentClasses = Arrays.copyOf(extentClasses, size);
            extentBuffers = Arrays.copyOf(extentBuffers, size);
            extentLengths = Arrays.copyOf(extentLengths, size);
        }
        extentClasses[extentCount] = (byte) of.ordinal();
        extentBuffers[extentCount] = buffer;
        extentLengths[extentCount] = length;
        extentCount++;
    }

    boolean hasBatch() {
        return fields != null;
    }

    /// Path of the field that owns a buffer.
    String path(int buffer) {
        return fields.paths()[bufferFields[buffer]];
    }

    /// The column that a buffer belongs to: of a dictionary's values the only one.
    int column(int buffer) {
        return fields.layout().columnOf(bufferFields[buffer]);
    }
}
