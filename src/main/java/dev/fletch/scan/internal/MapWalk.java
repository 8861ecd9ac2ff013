// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.scan.internal;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.batch.BatchCursor;
import dev.fletch.format.Block;
import dev.fletch.format.Buffer;
import dev.fletch.format.FrameKind;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.BatchCounts;
import dev.fletch.format.internal.VersionCheck;
import dev.fletch.input.DetectedInput.Form;
import dev.fletch.input.Input;
import dev.fletch.input.InputFaults;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.internal.ContainerPlan;
import dev.fletch.ipc.internal.FileHead;
import dev.fletch.ipc.internal.FrameCheck;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Determines the purpose of each byte of an input, in order. It reads headers, and of a body at
/// most the uncompressed lengths of compressed buffers.
///
/// Bytes of overlapping buffers count once, for the buffer with the lowest offset, so that the sums
/// equal the input's size.
public final class MapWalk {
    // Recommended by the format for buffers; many writers align to 8 bytes.
    private static final int BUFFER_ALIGNMENT = 64;

    /// Receives messages in the order of their offsets, including the schema message.
    public interface Sink {
        /// @param message valid during the call
        public void message(MapMessage message) throws IOException;
    }

    private final Input input;
    private final EncapsulatedMessage frame;
    // A lone flatbuffer has none, whatever its message says.
    private final boolean hasBodies;
    private final boolean needsColumns;
    private final boolean readsLengths;
    private final MapMessage message;
    private final MapTotals totals = new MapTotals();

    private final BatchBinding binding;
    private final Buffer buffer = new Buffer();
    // The purpose of all bytes before this offset is determined.
    private long given;
    // How many of the input's damages are before that offset.
    private int passed;
    private Fault fault;
    private boolean isCutShort;

    /// @param needsColumns whether columns are added up: reads the uncompressed lengths of buffers,
    ///     if they are in memory, and requires a schema for a single batch
    public MapWalk(Input input, boolean needsColumns) {
        this.input = input;
        this.frame = input.frame();
        this.message = new MapMessage(frame);
        this.hasBodies = input.form() != Form.FLATBUFFER;
        boolean isReadable = hasBodies && input.memory() != null && input.bytes().hasPrefixes();
        this.needsColumns = needsColumns;
        this.readsLengths = needsColumns && isReadable;
        this.binding = new BatchBinding(input, true, this.readsLengths);
    }

    /// The schema's layout; null before the schema.
    public MapPlan plan() {
        return binding.plan;
    }

    /// The sums so far.
    public MapTotals totals() {
        return totals;
    }

    /// The bytes after the last message; only after [#run].
    public MapMessage rest() {
        return message;
    }

    /// Processes the complete input. Messages with a fault are left out.
    public void run(Sink sink) throws IOException {
        try {
            messages(sink);
            fault = input.fault();
            if (needsColumns && plan() == null && fault == null) {
                requireSchema();
            }
        } catch (RuntimeException e) {
            isCutShort = true;
            fault = input.caused(InputFaults.required(e, input));
        }
    }

    /// Requires the schema of a single batch; a tensor has none.
    private void requireSchema() {
        if (BatchCounts.isBatch(input.message.headerType())) {
            FrameCheck.leadingSchema(
                    0,
                    FrameKind.MESSAGE,
                    input.message,
                    found -> FletchException.raiseInInput(found.inMessage(0)));
        }
    }

    /// Whether the walk ended before the input did: at a schema that cannot be used. Only after
    /// [#run].
    public boolean isCutShort() {
        return isCutShort;
    }

    /// Whether a fault comes before the schema, so that there is nothing to show.
    public boolean hasNothing() {
        return fault != null && plan() == null;
    }

    /// The fault after the last message; null if there is none. Only after [#run].
    public Fault fault() {
        return fault;
    }

    private void messages(Sink sink) throws IOException {
        if (input.form() == Form.FILE) {
            claim(BytePurpose.MAGIC, 0, FileHead.MAGIC_BYTES);
            give(BytePurpose.PADDING, null, input.start());
        } else {
            given = input.start();
        }
        if (input.hasFooter()) {
            binding.footer();
            totals.columns(plan().columns());
        }
        binding.each(
                new BatchBinding.Step() {
                    @Override
                    public void message() throws IOException {
                        add();
                        sink.message(message);
                        message.clear();
                    }

                    @Override
                    public void leftOut() {
                        claim(BytePurpose.DAMAGED, frame.offset(), bodyEnd());
                        passed = input.damages().size();
                    }
                });
        message.clearBatch();
        if (input.hasFooter()) {
            claim(BytePurpose.METADATA, given, input.endOfMarker(given));
            footer();
        } else {
            end();
        }
    }

    /// Assigns footer and magic of a file. Faults of the footer are those of its blocks.
    private void footer() throws IOException {
        long footer = input.file().footerOffset();
        long footerEnd = footer + input.file().footerLength() + Integer.BYTES;
        gap(footer);
        input.damages().stream()
                .mapToLong(Fault::position)
                .filter(position -> position >= footer && position < footerEnd)
                .sorted()
                .forEach(
                        offset -> {
                            give(BytePurpose.FOOTER, null, offset);
                            give(
                                    BytePurpose.DAMAGED,
                                    null,
                                    Math.min(offset + Block.BYTES, footerEnd));
                        });
        claim(BytePurpose.FOOTER, given, footerEnd);
        claim(BytePurpose.MAGIC, footerEnd, footerEnd + FileHead.MAGIC_BYTES);
        gap(input.end());
    }

    /// Assigns what follows the last message of a stream, or of a file without a usable footer: of
    /// that all other bytes are damaged.
    private void end() throws IOException {
        boolean hasMarker = frame.kind() == FrameKind.END_OF_STREAM && frame.offset() >= given;
        if (hasMarker) {
            claim(BytePurpose.METADATA, frame.offset(), frame.nextOffset());
        }
        long end = input.end();
        if (input.footerFault() != null || !hasMarker && input.fault() != null) {
            give(BytePurpose.DAMAGED, null, end);
        } else {
            gap(FrameCheck.ALIGNMENT, 0, null, end);
        }
    }

    /// Adds the current message.
    private void add() {
        int headerType = input.message.headerType();
        message.clearBatch();
        message.index = input.index();
        message.kind = MessageHeader.NAMES.name(headerType);
        message.version = VersionCheck.name(input.message.version());
        if (headerType == MessageHeader.SCHEMA && !input.hasFooter()) {
            totals.columns(plan().columns());
        }
        batch();
        totals.add(message);
        claim(BytePurpose.METADATA, frame.offset(), frame.bodyOffset());
        long end = bodyEnd();
        if (message.hasBatch() || headerType == MessageHeader.SCHEMA) {
            body(frame.bodyOffset(), end);
        } else {
            claim(BytePurpose.OTHER, frame.bodyOffset(), end);
        }
    }

    private long bodyEnd() {
        return frame.bodyOffset() + (hasBodies ? frame.bodyLength() : 0);
    }

    // ---- batches

    private void batch() {
        int kind = input.message.headerType();
        if (!BatchCounts.isBatch(kind)) {
            return;
        }
        boolean isDictionary = kind == MessageHeader.DICTIONARY_BATCH;
        if (binding.fields == null) {
            if (input.damages().isEmpty()) {
                totals.count(isDictionary, binding.batch.length());
            }
            return; // without a schema, which is reported
        }
        message.isDictionary = isDictionary;
        message.dictionaryId = isDictionary ? binding.dictionary.id() : 0;
        message.isDelta = isDictionary && binding.dictionary.isDelta();
        buffers(binding.batch, binding.cursor);
    }

    private void buffers(RecordBatch batch, BatchCursor cursor) {
        message.fields = binding.fields;
        message.rows = batch.length();
        message.codec =
                cursor.isCompressed() ? MapMessage.codec(cursor.codec()) : MapMessage.NO_CODEC;
        try {
            for (int field = 0; field < message.fields.placeable(); field++) {
                message.nodes.add(
                        new MapMessage.Node(cursor.length(field), cursor.nullCount(field)));
                for (int i = 0; i < cursor.bufferCount(field); i++) {
                    long offset = cursor.bufferOffset(field, i);
                    long length = cursor.bufferLength(field, i);
                    long whole = cursor.isCompressed() ? uncompressedLength(field, i) : length;
                    add(field, cursor.role(field, i), offset, length, whole);
                }
            }
        } catch (FletchException e) {
            throw FletchException.inInput(binding.placed(e));
        }
        while (message.buffers.size() < batch.buffersCount()) {
            batch.buffers(message.buffers.size(), buffer);
            add(MapMessage.NONE, null, buffer.offset(), buffer.length(), 0);
        }
        message.paddings = new long[message.buffers.size()];
    }

    /// The uncompressed length of a buffer. An impossible one is a fault, but the header is valid.
    private long uncompressedLength(int field, int index) {
        try {
            return readsLengths
                    ? binding.cursor.uncompressedLength(field, index)
                    : FieldTotals.UNKNOWN;
        } catch (FletchException e) {
            input.addFault(binding.placed(e));
            return FieldTotals.UNKNOWN;
        }
    }

    private void add(int field, BufferRole role, long offset, long length, long uncompressed) {
        long position = frame.bodyOffset() + offset;
        int index = message.buffers.size();
        message.buffers.add(
                new MapMessage.Buffer(index, field, role, position, length, uncompressed));
    }

    // ---- purpose of bytes

    /// Assigns a batch's body to its buffers.
    private void body(long from, long to) {
        // The buffer with the highest end: the bytes after it are its padding.
        MapMessage.Buffer last = null;
        List<MapMessage.Buffer> inOrder = new ArrayList<>(message.buffers);
        inOrder.sort(Comparator.comparingLong(MapMessage.Buffer::offset));
        for (MapMessage.Buffer each : inOrder) {
            if (each.length() == 0) {
                continue;
            }
            gap(last == null ? 1 : BUFFER_ALIGNMENT, from, last, each.offset());
            last = each.end() > given ? each : last;
            BytePurpose owned =
                    message.isDictionary ? BytePurpose.DICTIONARIES : BytePurpose.COLUMNS;
            claim(each.isOwned() ? owned : BytePurpose.OTHER, each, each.offset(), each.end());
        }
        gap(last == null ? 1 : BUFFER_ALIGNMENT, from, last, to);
    }

    /// Assigns bytes outside bodies; bytes before them are a gap between messages.
    private void claim(BytePurpose purpose, long from, long to) {
        gap(from);
        claim(purpose, null, from, to);
    }

    private void claim(BytePurpose purpose, MapMessage.Buffer buffer, long from, long to) {
        if (from < given) {
            totals.addOverlapping(Math.min(to, given) - from);
        }
        give(purpose, buffer, to);
    }

    /// Assigns the gap between messages.
    private void gap(long to) {
        if (isDamaged(to)) {
            give(BytePurpose.DAMAGED, null, to);
        }
        gap(FrameCheck.ALIGNMENT, 0, null, to);
    }

    /// Whether the gap up to an offset has a damaged message, or may have one: by the plan of the
    /// container, which an input has from its first damage on.
    private boolean isDamaged(long to) {
        boolean isFaulty = false;
        for (; passed < input.damages().size() && !isFaulty; passed++) {
            long position = input.damages().get(passed).position();
            isFaulty = position >= given && position < to;
        }
        boolean hasPlan = input.isPlanned() || input.part() != null;
        return to > given && (isFaulty || hasPlan && !isPadding(to));
    }

    /// Whether the gap up to an offset has only the zeros that a writer may put in front of a
    /// message.
    private boolean isPadding(long to) {
        return FrameCheck.isAligned(to) && ContainerPlan.isPadding(input.bodyMemory(), given, to);
    }

    /// Assigns a gap: padding up to the next aligned position, then unreferenced bytes.
    ///
    /// @param alignment counted from `start`
    /// @param owner the buffer before the padding; or null
    private void gap(int alignment, long start, MapMessage.Buffer owner, long to) {
        if (to <= given) {
            return;
        }
        long padding = Math.min(-(given - start) & alignment - 1, to - given);
        if (owner != null) {
            message.paddings[owner.index()] = padding;
        }
        give(BytePurpose.PADDING, owner, given + padding);
        give(BytePurpose.UNREFERENCED, null, to);
    }

    private void give(BytePurpose purpose, MapMessage.Buffer buffer, long to) {
        if (to > given) {
            message.extents.add(new MapMessage.Extent(purpose, buffer, to - given));
            totals.add(purpose, message, buffer, to - given);
            given = to;
        }
    }
}
