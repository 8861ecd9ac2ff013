// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static dev.fletch.MeaningRule.*;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.Rule;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.ValueType;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.BatchCodec;
import dev.fletch.format.Buffer;
import dev.fletch.format.FieldNode;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.BatchCounts;
import dev.fletch.format.internal.BufferRange;
import dev.fletch.format.internal.ChildLength;
import dev.fletch.format.internal.CompressedBuffer;
import dev.fletch.format.internal.DictionaryOrder;
import dev.fletch.format.internal.FaultPlace;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.ipc.internal.DictionaryNeeds;
import dev.fletch.ipc.internal.FrameCheck;

import java.util.function.IntFunction;
import java.util.function.Supplier;

/// The rules of one record batch: its counts, nodes and buffers. Each check returns whether to
/// continue. Nothing is allocated but faults.
final class BatchCheck {

    /// An uncompressed length that does not apply, or whose prefix is not available.
    private static final long NONE = -1;

    private final FaultPlace faults;
    private final FaultSink whole;
    private final DictionaryOrder dictionaries;
    private final DictionaryNeeds needs;
    private final BatchCounts counts;
    private final BufferRange ranges;
    private final boolean checkExactCounts;
    private final boolean checkExactChildren;
    private final boolean checkBufferOrder;
    private final boolean checkBufferSizes;
    private final boolean checkUncompressedSizes;
    private final boolean checkFirstOffset;
    private final BatchCodec codec = new BatchCodec();
    private final FieldNode node = new FieldNode();
    private final FieldNode other = new FieldNode();
    private final Buffer buffer = new Buffer();
    private final ByteSlice content = new ByteSlice();
    private final Supplier<IntFunction<String>> paths = () -> this.layout::shortPath;

    private RecordBatch batch;
    // Null if the fields of nodes and buffers are unknown.
    private BatchLayout layout;
    // Index of the dictionary that the batch defines or extends; NONE for a record batch.
    private int outer;
    private boolean isDelta;
    private boolean isFile;
    private boolean isCompressed;
    private long bodyLength;
    private long bodyLengthAt;
    private ByteSlice body;

    // The current buffer.
    private int index;
    private long offset;
    private long length;
    // Size of the decompressed buffer in bytes, according to its prefix.
    private long available;
    // The end of the previous buffers.
    private long end;
    private boolean areInside;
    // Whether a field without offsets was reported, or need not be.
    private boolean isNoOffsetReported;

    BatchCheck(
            FaultPlace faults,
            Checks options,
            DictionaryOrder dictionaries,
            DictionaryNeeds needs) {
        this.faults = faults;
        whole = faults::addWhole;
        this.dictionaries = dictionaries;
        this.needs = needs;
        counts = new BatchCounts(faults);
        ranges = new BufferRange(faults, options.has(Check.EMPTY_BUFFERS));
        checkExactCounts = options.has(Check.EXACT_COUNTS);
        checkExactChildren = options.has(Check.EXACT_CHILDREN);
        checkBufferOrder = options.has(Check.BUFFER_ORDER);
        checkBufferSizes = options.has(Check.BUFFER_SIZES);
        checkUncompressedSizes = options.has(Check.UNCOMPRESSED_SIZES);
        checkFirstOffset = options.has(Check.FIRST_OFFSET);
    }

    /// Checks a record batch, or the values of a dictionary.
    ///
    /// @param dictionary index of the one that the batch defines or extends;
    ///     [DictionaryOrder#NONE] for a record batch, or if unknown
    /// @param isMore whether the values are appended to earlier ones
    /// @param message with the batch
    /// @param expected the layout of its valid schema; null if unknown: then only the rules for all
    ///     batches are checked
    /// @param inFile whether dictionaries may be defined later
    /// @param bytes the body; null if it is not available
    void check(
            int dictionary,
            boolean isMore,
            RecordBatch of,
            Message message,
            BatchLayout expected,
            boolean inFile,
            ByteSlice bytes) {
        layout = null;
        outer = dictionary;
        isDelta = isMore;
        isFile = inFile;
        batch = of;
        bodyLength = message.bodyLength();
        bodyLengthAt = message.position(Message.BODY_LENGTH_SLOT);
        body = bytes;
        // Writers before Arrow 1.0, whose version this is, often had no offset.
        isNoOffsetReported = !checkFirstOffset || message.version() == MetadataVersion.V4;
        if (!counts.rows(batch)) {
            return;
        }
        isCompressed = codec.read(batch);
        if (isCompressed && !compression()) {
            return;
        }
        layout = expected;
        int before = faults.count();
        if (layout != null
                && !counts.parts(
                        batch,
                        layout.fieldCount(),
                        layout.viewCount(),
                        layout.bufferCount(),
                        checkExactCounts)) {
            return;
        }
        if (faults.count() != before) {
            layout = null;
        }
        if (nodes()) {
            buffers();
        }
    }

    /// Checks the buffers of the same batch again, with the body.
    void prefixes(ByteSlice bytes) {
        if (isCompressed && layout != null) {
            body = bytes;
            buffers();
            body = null;
        }
    }

    // ---- compression

    private boolean compression() {
        if (codec.check(codec.isNamed() ? whole : faults)) {
            codec.checkPlace(whole);
        }
        return !faults.isFull();
    }

    // ---- nodes

    private boolean nodes() {
        int fields = layout == null ? 0 : layout.fieldCount();
        int count = batch.nodesCount();
        boolean goOn = true;
        for (int i = 0; i < count && goOn; i++) {
            batch.nodes(i, node);
            boolean isKnown = i < fields;
            faults.field(isKnown ? paths : null, i);
            goOn = numbers(i, isKnown) && (!isKnown || nodeLength(i) && dictionary(i));
        }
        return goOn;
    }

    private boolean addNode(Rule code, long value, int index) {
        return faults.add(code, node.position(), value, "nodes", index, "length");
    }

    private boolean addNullCount(Rule code, int index) {
        long position = node.position() + FieldNode.NULL_COUNT_AT;
        return faults.add(code, position, node.nullCount(), "nodes", index, "nullCount");
    }

    private boolean numbers(int index, boolean isKnown) {
        if (!counts.length(node, index)) {
            return false;
        }
        long nulls = node.nullCount();
        boolean isNullType = isKnown && layout.isAllNull(index);
        boolean goOn = counts.nullCount(node, index, isNullType);
        if (!goOn || nulls <= 0 || !BatchCounts.isInRange(nulls, node.length(), isNullType)) {
            return goOn;
        }
        return !isKnown
                || isNullType
                || layout.has(index, BufferRole.VALIDITY)
                || addNullCount(NULL_COUNT_WITHOUT_VALIDITY, index);
    }

    /// Checks the length of a node if the batch or the parent determines it.
    private boolean nodeLength(int field) {
        long length = node.length();
        int parent = layout.parent(field);
        if (length < 0) {
            return true; // reported already
        }
        if (parent < 0) {
            return counts.columnLength(node, field, batch.length());
        }
        long above = batch.nodes(parent, other).length();
        long nulls = other.nullCount();
        int type = layout.typeType(parent);
        boolean isDense = layout.has(parent, BufferRole.OFFSETS);
        Rule broken = ChildLength.of(type, isDense, layout.listSize(parent), above, nulls, length);
        return switch (type) {
            case Type.RUN_END_ENCODED -> runs(above, parent, field);
            case Type.STRUCT_ -> child(broken, above, field, CHILD_LONGER);
            case Type.UNION -> isDense || child(broken, above, field, CHILD_LONGER);
            default -> broken == null || addNode(broken, length, field);
        };
    }

    /// Reports the broken rule of a child's length; if none is, checks that it is not longer.
    private boolean child(Rule broken, long limit, int field, Rule longer) {
        long length = node.length();
        if (broken != null) {
            return addNode(broken, length, field);
        }
        return length <= limit || !checkExactChildren || addNode(longer, length, field);
    }

    /// Compares run ends, the first child, with the parent, and values with the run ends.
    private boolean runs(long above, int parent, int field) {
        long length = node.length();
        if (field != parent + 1) {
            long runEnds = batch.nodes(parent + 1, other).length();
            Rule broken = ChildLength.runValues(runEnds, length);
            return child(broken, runEnds, field, RUN_CHILD_LONGER);
        }
        Rule nulls = ChildLength.runEndNulls(node.nullCount());
        return child(ChildLength.runEnds(above, length), above, field, RUN_CHILD_LONGER)
                && (nulls == null || addNullCount(nulls, field));
    }

    private boolean dictionary(int field) {
        if (!layout.isDictionaryEncoded(field)) {
            return true;
        }
        long id = layout.dictionaryId(field);
        int dictionary = dictionaries.find(id);
        boolean isNeeded = DictionaryNeeds.hasValues(node.nullCount(), node.length());
        if (outer != DictionaryOrder.NONE) {
            needs.inner(outer, field, isNeeded, isFile || isDelta);
            return isFile || !isNeeded || dictionaries.isDefined(dictionary) || late(id, field);
        }
        if (!isNeeded) {
            return true;
        }
        needs.use(dictionary);
        int missing = isFile ? DictionaryOrder.NONE : needs.missing(dictionary);
        return missing == DictionaryOrder.NONE
                || dictionaries.undefined(
                        dictionaries.id(missing), id, node.position(), "nodes[" + field + "]");
    }

    private boolean late(long id, int field) {
        return faults.add(
                Fault.of(DICTIONARY_LATE, node.position(), id)
                        .at("nodes", field, "")
                        .with("dictionary", id));
    }

    // ---- buffers

    private void buffers() {
        index = 0;
        end = 0;
        areInside = true;
        boolean goOn = layout == null || buffersOfFields();
        faults.field(null, 0);
        int count = batch.buffersCount();
        while (goOn && index < count) {
            goOn = range();
            index++;
        }
        if (goOn && areInside) {
            FrameCheck.bodyEnd(bodyLengthAt, bodyLength, end, whole);
        }
    }

    private boolean buffersOfFields() {
        int view = 0;
        for (int field = 0; field < layout.fieldCount(); field++) {
            int own = layout.bufferCount(field);
            boolean isView = layout.valueType(field) == ValueType.BYTES_VIEW;
            faults.field(paths, field);
            batch.nodes(field, node);
            long variadic = isView ? batch.variadicBufferCounts(view++) : 0;
            for (int i = 0; i < own + variadic; i++) {
                boolean isSized = i < own;
                if (!range()
                        || isSized && ranges.isInside() && !size(field, layout.role(field, i))) {
                    return false;
                }
                index++;
            }
        }
        return true;
    }

    private boolean range() {
        batch.buffers(index, buffer);
        offset = buffer.offset();
        length = buffer.length();
        available = length;
        boolean goOn = ranges.check(buffer, bodyLength, "buffers", index);
        areInside &= ranges.isInside();
        return goOn && (offset < 0 || order() && (!isCompressed || length <= 0 || prefix()));
    }

    private boolean order() {
        if (length == 0 || !ranges.isInside()) {
            return true;
        }
        boolean right = offset >= end;
        end = Math.max(end, offset + length);
        return right || !checkBufferOrder || faults.add(ranges.atOffset(BUFFER_ORDER));
    }

    private boolean prefix() {
        available = NONE;
        if (body == null || !ranges.isInside()) {
            return ranges.prefix();
        }
        boolean goOn = ranges.prefix(content.wrap(body, offset, length), codec.codec());
        available = ranges.uncompressed();
        if (available == CompressedBuffer.STORED) {
            available = length - CompressedBuffer.PREFIX_BYTES;
        }
        return goOn;
    }

    /// Checks the size of a buffer. That a column without values has no offset is reported once for
    /// a batch: often it has no rows.
    private boolean size(int field, BufferRole role) {
        long count = node.length();
        if (available == NONE || count < 0) {
            return true;
        }
        long needed =
                TypeFacts.of(layout.typeType(field))
                        .leastBytes(role, count, layout.valueBits(field));
        Rule broken = BufferRange.size(role, available, needed, count, node.nullCount());
        boolean hasPrefix = isCompressed && length > 0;
        boolean isChecked =
                broken == NO_OFFSET
                        ? !isNoOffsetReported
                        : hasPrefix ? checkUncompressedSizes : checkBufferSizes;
        if (broken == null || !isChecked) {
            return true;
        }
        isNoOffsetReported |= broken == NO_OFFSET;
        return faults.add(
                ranges.atLength(broken, length)
                        .with(hasPrefix ? "uncompressed" : "value", available)
                        .with("needed", needed));
    }
}
