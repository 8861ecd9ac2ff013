// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.write.BufferTarget;
import dev.fletch.format.Buffer;
import dev.fletch.format.FieldNode;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;

/// One message of a [RecordBatchTemplate], with or without the numbers that are left out where they
/// are 0: its bytes, and where in them lies what varies.
///
/// ```text
///   │ root, vtables, tables │ nodes │ gap │ buffers │ … │
/// ```
///
/// What is between the vectors' elements is copied, and the two numbers in it are put over it; the
/// elements are not copied from here at all.
final class TemplateForm {
    final int length;
    final int nodeCount;
    final int bufferCount;
    final int variadicCount;

    private final byte[] bytes;

    /// What is copied: index and length of each piece, in pairs; but for gaps of 8 bytes, which are
    /// what is usually between two vectors.
    private final int[] pieces;

    /// Indexes of those gaps, and what they hold.
    private final int[] gapsAt;

    private final long[] gaps;

    /// Indexes of the two numbers; 0 where the form leaves them out.
    private final int lengthAt;

    private final int bodyLengthAt;

    /// Indexes of the vectors' elements.
    private final int nodesAt;

    private final int buffersAt;
    private final int countsAt;

    /// Takes a finished message apart.
    ///
    /// @param buffer all of it; not copied
    /// @param message bound to the buffer
    /// @param batch bound to the batch in it
    /// @throws IllegalArgumentException if vectors overlap
    TemplateForm(byte[] buffer, Message message, RecordBatch batch) {
        bytes = buffer;
        length = buffer.length;
        bodyLengthAt = at(message, Message.BODY_LENGTH_SLOT);
        lengthAt = at(batch, RecordBatch.LENGTH_SLOT);
        nodesAt = elementsAt(batch, RecordBatch.NODES_SLOT);
        buffersAt = elementsAt(batch, RecordBatch.BUFFERS_SLOT);
        countsAt = elementsAt(batch, RecordBatch.VARIADIC_BUFFER_COUNTS_SLOT);
        nodeCount = batch.nodesCount();
        bufferCount = batch.buffersCount();
        variadicCount = batch.variadicBufferCountsCount();
        final int[] all =
                pieces(
                        new int[][] {
                            {nodesAt, nodeCount * FieldNode.BYTES},
                            {buffersAt, bufferCount * Buffer.BYTES},
                            {countsAt, variadicCount * Long.BYTES}
                        });
        pieces = ofSize(all, false);
        gapsAt = ofSize(all, true);
        gaps = new long[gapsAt.length / 2];
        final ByteBuffer words = ByteBuffer.wrap(buffer).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < gaps.length; i++) {
            gapsAt[i] = gapsAt[2 * i];
            gaps[i] = words.getLong(gapsAt[i]);
        }
    }

    /// Chooses the pieces that are 8 bytes long, or those that are not.
    private static int[] ofSize(int[] pieces, boolean word) {
        final int[] chosen = new int[pieces.length];
        int count = 0;
        for (int i = 0; i < pieces.length; i += 2) {
            if (pieces[i + 1] == Long.BYTES == word) {
                chosen[count] = pieces[i];
                chosen[count + 1] = pieces[i + 1];
                count += 2;
            }
        }
        return Arrays.copyOf(chosen, count);
    }

    private static int at(Table table, int slot) {
        return table.isPresent(slot) ? (int) table.position(slot) : 0;
    }

    private static int elementsAt(Table table, int slot) {
        return table.isPresent(slot) ? (int) table.targetPosition(slot) + Integer.BYTES : 0;
    }

    /// Finds what is left without the elements.
    ///
    /// @param vectors index of the elements and their size in bytes
    private int[] pieces(int[][] vectors) {
        Arrays.sort(vectors, (one, other) -> Integer.compare(one[0], other[0]));
        final int[] found = new int[2 * (vectors.length + 1)];
        int count = 0;
        int from = 0;
        for (int[] vector : vectors) {
            if (vector[1] == 0) {
                continue; // nothing to leave out, or absent
            }
            if (vector[0] < from) {
                throw new IllegalArgumentException(
                        String.format(
                                Locale.ROOT, "vectors overlap: at=%d, end=%d", vector[0], from));
            }
            count = add(found, count, from, vector[0]);
            from = vector[0] + vector[1];
        }
        return Arrays.copyOf(found, add(found, count, from, length));
    }

    private static int add(int[] pieces, int count, int from, int to) {
        if (from == to) {
            return count;
        }
        pieces[count] = from;
        pieces[count + 1] = to - from;
        return count + 2;
    }

    /// Tells whether another form differs in numbers alone.
    boolean isLike(TemplateForm other) {
        return nodeCount == other.nodeCount
                && bufferCount == other.bufferCount
                && variadicCount == other.variadicCount;
    }

    /// Puts the message into memory that has room for it.
    void put(
            BufferTarget into,
            long rows,
            long bodyLength,
            long[] nodes,
            long[] buffers,
            long[] counts) {
        final int[] all = pieces;
        for (int i = 0; i < all.length; i += 2) {
            into.putBytes(all[i], bytes, all[i], all[i + 1]);
        }
        final long[] words = gaps;
        for (int i = 0; i < words.length; i++) {
            into.putInt64(gapsAt[i], words[i]);
        }
        if (lengthAt != 0) {
            into.putInt64(lengthAt, rows);
        }
        if (bodyLengthAt != 0) {
            into.putInt64(bodyLengthAt, bodyLength);
        }
        if (nodeCount != 0) {
            into.putInt64s(nodesAt, nodes, 0, 2 * nodeCount);
        }
        if (bufferCount != 0) {
            into.putInt64s(buffersAt, buffers, 0, 2 * bufferCount);
        }
        if (variadicCount != 0) {
            into.putInt64s(countsAt, counts, 0, variadicCount);
        }
    }
}
