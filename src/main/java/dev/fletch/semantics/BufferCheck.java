// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static dev.fletch.layout.LayoutRules.*;
import static dev.fletch.semantics.SemanticRules.*;

import dev.fletch.Rule;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Buffer;
import dev.fletch.format.FieldNode;
import dev.fletch.format.RecordBatch;
import dev.fletch.layout.BatchLayout;
import dev.fletch.layout.BufferRole;
import dev.fletch.layout.BufferShape;

/// The rules of a batch's buffers: where they are, and whether they are large enough.
final class BufferCheck {
    private static final int ALIGNMENT = 8;
    private static final int LENGTH_AT = Long.BYTES;
    private static final int PREFIX_BYTES = Long.BYTES;
    private static final int STORED = -1;
    private static final int VIEW_BYTES = 16;

    /// An uncompressed length that is unknown without the body.
    private static final long UNKNOWN = -1;

    private final Report report;
    private final SemanticOptions options;
    private final Buffer buffer = new Buffer();
    private final FieldNode node = new FieldNode();
    private final ByteSlice content = new ByteSlice();

    private long bodyLength;
    private ByteSlice body;
    private boolean isCompressed;

    // The buffer that is looked at.
    private int index;
    private long offset;
    private long length;
    // Up to where the buffers before it reach.
    private long end;
    private boolean isInside;

    BufferCheck(Report report, SemanticOptions options) {
        this.report = report;
        this.options = options;
    }

    /// @param length negative if it is not known
    /// @param bytes null if they are not available
    void body(long length, ByteSlice bytes, boolean compressed) {
        bodyLength = length;
        body = bytes;
        isCompressed = compressed;
    }

    /// @param plan null where nothing is known of the fields
    void check(RecordBatch batch, BatchPlan plan) {
        index = 0;
        end = 0;
        boolean goOn = plan == null || fields(batch, plan);
        report.field(null, 0);
        final int count = batch.buffersCount();
        while (goOn && index < count) {
            goOn = place(batch);
            index++;
        }
    }

    private boolean fields(RecordBatch batch, BatchPlan plan) {
        final BatchLayout layout = plan.layout();
        final boolean sizes = options.checkBufferSizes() && plan.facts() != null;
        int view = 0;
        for (int field = 0; field < layout.fieldCount(); field++) {
            final BufferShape shape = layout.bufferShape(field);
            report.field(layout, field);
            batch.nodes(field, node);
            for (int i = 0; i < shape.count(); i++) {
                final boolean goOn =
                        place(batch)
                                && (!sizes
                                        || !isInside
                                        || size(shape, shape.role(i), measure(plan, field)));
                if (!goOn) {
                    return false;
                }
                index++;
            }
            final long variadic =
                    shape == BufferShape.VIEW ? batch.variadicBufferCounts(view++) : 0;
            for (long i = 0; i < variadic; i++) {
                if (!place(batch)) {
                    return false;
                }
                index++;
            }
        }
        return true;
    }

    private static long measure(BatchPlan plan, int field) {
        final int row = plan.rows()[field];
        return plan.layout().isDictionaryEncoded(field)
                ? plan.facts().indexBits[row]
                : plan.facts().measure[row];
    }

    // ---- where it is

    private boolean place(RecordBatch batch) {
        batch.buffers(index, buffer);
        offset = buffer.offset();
        length = buffer.length();
        isInside = false;
        if (length < 0) {
            return atLength(NEGATIVE_BUFFER_LENGTH, length);
        }
        if (length == 0 && !options.checkEmptyBuffers()) {
            isInside = true;
            return true;
        }
        if (offset < 0) {
            return atOffset(NEGATIVE_BUFFER_OFFSET);
        }
        return range()
                && (offset % ALIGNMENT == 0 || atOffset(BUFFER_UNALIGNED))
                && order()
                && (!isCompressed || prefix());
    }

    private boolean atOffset(Rule code) {
        return report.add(code, buffer.position(), offset, "buffers", index, "offset");
    }

    private boolean atLength(Rule code, long value) {
        final long at = buffer.position() + LENGTH_AT;
        return report.add(code, at, value, "buffers", index, "length");
    }

    private boolean range() {
        if (offset > Long.MAX_VALUE - length) {
            return atLength(BUFFER_OVERFLOW, length);
        }
        isInside = bodyLength < 0 || offset + length <= bodyLength;
        return isInside || atLength(BUFFER_OUT_OF_BODY, offset + length);
    }

    private boolean order() {
        if (!options.checkBufferOrder() || length == 0 || !isInside) {
            return true;
        }
        final boolean right = offset >= end;
        end = Math.max(end, offset + length);
        return right || atOffset(BUFFER_ORDER);
    }

    private boolean prefix() {
        if (length > 0 && length < PREFIX_BYTES) {
            isInside = false;
            return atLength(COMPRESSED_TOO_SHORT, length);
        }
        if (length == 0 || body == null || !isInside || length > body.length() - offset) {
            return true;
        }
        final long claim = content.wrap(body, offset, length).int64(0);
        if (claim >= STORED) {
            return true;
        }
        isInside = false;
        return report.add(UNCOMPRESSED_LENGTH, buffer.position(), claim, "buffers", index, "");
    }

    // ---- how large it is

    /// Bytes of the buffer once it is decompressed, as its prefix says.
    private long available() {
        if (!isCompressed || length == 0) {
            return length;
        }
        if (body == null || length > body.length() - offset) {
            return UNKNOWN;
        }
        final long claim = content.wrap(body, offset, length).int64(0);
        return claim == STORED ? length - PREFIX_BYTES : claim;
    }

    private boolean size(BufferShape shape, BufferRole role, long measure) {
        final long count = node.length();
        final long bytes = available();
        if (bytes == UNKNOWN || count <= 0) {
            return true;
        }
        return switch (role) {
            case VALIDITY ->
                    node.nullCount() == 0 || holdsBits(bytes, count) || small(VALIDITY_SIZE);
            case OFFSETS -> offsets(shape, bytes, count, measure) || small(OFFSETS_SIZE);
            case SIZES -> holds(bytes, count, measure) || small(SIZES_SIZE);
            case TYPE_IDS -> bytes >= count || small(TYPE_IDS_SIZE);
            case VIEWS -> holds(bytes, count, VIEW_BYTES) || small(VIEWS_SIZE);
            case DATA -> data(shape, bytes, count, measure) || small(DATA_SIZE);
            case VARIADIC -> true;
        };
    }

    private boolean small(Rule code) {
        return atLength(code, length);
    }

    private static boolean offsets(BufferShape shape, long bytes, long count, long width) {
        final boolean withEnd = shape == BufferShape.VARIABLE_WIDTH || shape == BufferShape.LIST;
        return withEnd ? count < bytes / width : holds(bytes, count, width);
    }

    private static boolean data(BufferShape shape, long bytes, long count, long bits) {
        if (shape != BufferShape.FIXED_WIDTH) {
            return true; // as long as the values say
        }
        return bits == 1 ? holdsBits(bytes, count) : holds(bytes, count, bits / Byte.SIZE);
    }

    private static boolean holdsBits(long bytes, long count) {
        return bytes >= (count >>> 3) + ((count & 7) == 0 ? 0 : 1);
    }

    private static boolean holds(long bytes, long count, long width) {
        return width == 0 || count <= bytes / width;
    }
}
