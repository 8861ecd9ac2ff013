// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static dev.fletch.format.FormatRules.*;
import static dev.fletch.layout.LayoutRules.*;
import static dev.fletch.semantics.SemanticRules.*;

import dev.fletch.Rule;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.BodyCompression;
import dev.fletch.format.BodyCompressionMethod;
import dev.fletch.format.CompressionType;
import dev.fletch.format.RecordBatch;
import dev.fletch.layout.BatchLayout;

/// The rules of one batch: counts here, nodes by a [NodeCheck], buffers by a [BufferCheck]. Each
/// check says whether to go on. Nothing is allocated.
final class BatchCheck {
    private final Report report;
    private final SemanticOptions options;
    private final BodyCompression compression = new BodyCompression();
    private final NodeCheck nodes;
    private final BufferCheck buffers;

    BatchCheck(Report report, SemanticOptions options, DictionaryStates dictionaries) {
        this.report = report;
        this.options = options;
        nodes = new NodeCheck(report, options, dictionaries);
        buffers = new BufferCheck(report, options);
    }

    /// Checks a batch.
    ///
    /// @param plan null if it is not known: then only what holds for any batch is checked
    /// @param isFile whether dictionaries may be defined later
    /// @param bodyLength negative if it is not known
    /// @param body null if it is not available
    void check(RecordBatch batch, BatchPlan plan, boolean isFile, long bodyLength, ByteSlice body) {
        final long rows = batch.length();
        if (rows < 0
                && !report.add(
                        NEGATIVE_ROWS, batch.position(RecordBatch.LENGTH_SLOT), rows, "length")) {
            return;
        }
        final boolean isCompressed = batch.compression(compression);
        if (isCompressed && !compression()) {
            return;
        }
        final BatchPlan fitting = plan != null && isKnown(plan) ? plan : null;
        final int before = report.count();
        if (fitting != null && !counts(batch, fitting.layout())) {
            return;
        }
        final BatchPlan right = report.count() == before ? fitting : null;
        buffers.body(bodyLength, body, isCompressed);
        if (nodes.check(batch, right, isFile)) {
            buffers.check(batch, right);
        }
    }

    /// If a type is unknown, the owners of nodes and buffers are unknown too.
    private static boolean isKnown(BatchPlan plan) {
        return plan.layout().firstUnknown() < 0;
    }

    private boolean compression() {
        final int codec = compression.codec();
        if (!CompressionType.NAMES.isKnown(codec)) {
            final long at = compression.position(BodyCompression.CODEC_SLOT);
            if (!report.add(UNKNOWN_CODEC, at, codec, "compression.codec")) {
                return false;
            }
        }
        final int method = compression.method();
        final long at = compression.position(BodyCompression.METHOD_SLOT);
        return BodyCompressionMethod.NAMES.isKnown(method)
                || report.add(UNKNOWN_METHOD, at, method, "compression.method");
    }

    private boolean fits(long found, long expected) {
        return found == expected || found > expected && !options.checkExactCounts();
    }

    private boolean count(RecordBatch batch, Rule code, int slot, int found, String name) {
        return report.add(code, batch.targetPosition(slot), found, name);
    }

    private boolean counts(RecordBatch batch, BatchLayout layout) {
        final int nodeCount = batch.nodesCount();
        if (!fits(nodeCount, layout.fieldCount())
                && !count(batch, NODE_COUNT, RecordBatch.NODES_SLOT, nodeCount, "nodes")) {
            return false;
        }
        final int slot = RecordBatch.VARIADIC_BUFFER_COUNTS_SLOT;
        final int counts = batch.variadicBufferCountsCount();
        if (!fits(counts, layout.viewCount())) {
            return count(batch, VARIADIC_COUNTS, slot, counts, "variadicBufferCounts");
        }
        final int bufferCount = batch.buffersCount();
        final long at = batch.targetPosition(slot) + Integer.BYTES;
        long variadic = 0;
        for (int i = 0; i < layout.viewCount(); i++) {
            final long value = batch.variadicBufferCounts(i);
            if (value < 0 || value > bufferCount - variadic) {
                return report.add(
                        VARIADIC_COUNT_RANGE,
                        at + (long) i * Long.BYTES,
                        value,
                        "variadicBufferCounts",
                        i,
                        "");
            }
            variadic += value;
        }
        return fits(bufferCount, layout.bufferCount() + variadic)
                || count(batch, BUFFER_COUNT, RecordBatch.BUFFERS_SLOT, bufferCount, "buffers");
    }
}
