// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.scan.internal;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.DecompressedBuffers;
import dev.fletch.batch.Dictionaries;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.BufferRange;
import dev.fletch.format.internal.DictionaryMemory;
import dev.fletch.format.internal.DictionaryOrder;
import dev.fletch.format.internal.EndiannessCheck;
import dev.fletch.format.internal.LostDictionaries;
import dev.fletch.input.ChosenPaths;
import dev.fletch.input.DetectedInput.Form;
import dev.fletch.input.DictionaryDamage;
import dev.fletch.input.Input;
import dev.fletch.input.InputFaults;
import dev.fletch.input.InputMessage;
import dev.fletch.input.Models;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.internal.ContainerPart;
import dev.fletch.remote.internal.ByteRange;
import dev.fletch.schema.ArrowField;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Steps through the rows of an input, up to the first damage, and writes their values.
///
/// Of a link, it reads the buffers of the chosen columns, batch by batch; of a pipe, no more than
/// is needed.
public final class RowWalk {
    private final Input input;
    private final List<String> paths;
    private final BatchBinding binding;
    private final BatchCursor cursor = new BatchCursor();
    private final StringBuilder text = new StringBuilder();
    private final DecompressedBuffers buffers;
    private final DecompressedBuffers dictionaryBuffers;
    private final DictionaryMemory dictionaryMemory;
    // Of the columns to read.
    private BatchLayout layout;
    private Dictionaries dictionaries;
    private ValueWriter writer;
    private final LostDictionaries<Fault> lost = new LostDictionaries<>();
    // The indices of dictionary batches, by their offsets.
    private final TreeMap<Long, Integer> indices = new TreeMap<>();
    // Whether all dictionaries were read before the first batch.
    private boolean areDefined;
    private long rows;
    private long row;
    // Of the first bad value; null if there is none.
    private Fault fault;
    private long faults;

    /// @param input before its first message
    /// @param paths of the columns to read: see [ChosenPaths]; empty for all
    public RowWalk(Input input, List<String> paths) {
        this.input = input;
        this.paths = paths;
        buffers = decompressing();
        dictionaryBuffers = decompressing();
        dictionaryMemory = new DictionaryMemory(input.options().decompressedBytes());
        binding = new BatchBinding(input, true, false);
        input.keepBodies();
        input.followBlocks();
    }

    private DecompressedBuffers decompressing() {
        return LibraryDecompressor.buffers(input.options());
    }

    /// Reads the schema.
    ///
    /// @throws FletchException if there is none, it is invalid, or its numbers are big-endian
    /// @throws IllegalArgumentException if a path leads to no column, or two do not fit together
    public void begin() throws IOException {
        List<ArrowField> columns = Models.shown(input).fields();
        if (input.hasSchemaApart()) {
            binding.footer();
        } else {
            binding.schema();
        }
        int order = binding.plan.columns().layout().endianness();
        Rule foreign = EndiannessCheck.broken(order, true);
        if (foreign != null) {
            throw binding.schemaError() != null
                    ? FletchException.inInput(binding.schemaError())
                    : FletchException.of(foreign, "endianness=" + Endianness.NAMES.name(order));
        }
        writer = new ValueWriter(columns, text, this::add);
        layout = binding.plan.columns().layout();
        if (!paths.isEmpty()) {
            layout = layout.choose(ChosenPaths.of(layout, paths).toArray());
            binding.need(layout);
        }
        dictionaries = new Dictionaries(layout, input.form() == Form.FILE);
        defineAll();
    }

    // ---- dictionaries

    /// Reads the dictionaries of a file: they, and their deltas, may be behind its record batches.
    /// Those of a stream are read in their order.
    private void defineAll() throws IOException {
        lost.begin(false); // shows what is there
        boolean isNeeded = input.form() == Form.FILE && layout.dictionaryCount() > 0;
        areDefined = input.hasFooter() || isNeeded;
        if (!areDefined) {
            return;
        }
        Input all = Input.of(input.bytes(), input.options());
        DictionaryDamage damage = new DictionaryDamage(all);
        Map<Long, InputMessage> defined = new HashMap<>();
        EncapsulatedMessage frame = input.newFrame();
        Message message = new Message();
        for (InputMessage each : dictionaries(all, damage)) {
            Fault why = null;
            if (each.isDelta() && defined.containsKey(each.dictionaryId())) {
                why = damage.between(defined.get(each.dictionaryId()), each);
            } else if (each.isDelta() && !all.damages().isEmpty()) {
                why = all.damages().getFirst(); // which may be the dictionary
            }
            if (why == null) {
                frame.wrap(input.memory(), each.offset(), message);
                defineOrLose(frame, message, each);
            } else {
                lost.lose(each.dictionaryId(), why); // reported where it is
            }
            defined.put(each.dictionaryId(), each);
        }
    }

    /// The dictionary batches of a file, in their order. If its blocks lead to all messages, reads
    /// no others.
    private List<InputMessage> dictionaries(Input all, DictionaryDamage damage) throws IOException {
        List<InputMessage> found = new ArrayList<>();
        DictionaryBatch batch = new DictionaryBatch();
        all.followBlocks();
        boolean goOn = true;
        while (goOn && all.next()) {
            InputMessage each = InputMessage.of(all, batch);
            damage.add(each);
            if (each.isDictionary()) {
                found.add(each);
            }
            goOn = !each.isBatch() || !all.hasFooter() || all.isPlanned();
        }
        damage.end(found, all.damages());
        found.sort(damage.order());
        return found;
    }

    /// Adds the dictionary batch of a message of a file, unless it needs one that is lost.
    private void defineOrLose(EncapsulatedMessage frame, Message message, InputMessage found)
            throws IOException {
        DictionaryBatch batch = new DictionaryBatch();
        boolean isThere = message.header(batch);
        try {
            if (!isThere || lost.before(batch.id(), batch.isDelta()) == null) {
                if (isThere && layout.dictionaryLayout(batch.id()) != null) {
                    binding.verify(message, FletchException::raise);
                }
                define(found.index(), frame, message, input.memory(), frame.bodyOffset());
            }
        } catch (FletchException e) {
            Fault early =
                    found.block() == ContainerPart.NO_BLOCK
                            ? null
                            : DictionaryOrder.early(
                                    e.fault(), input.file().footer(), found.block());
            Fault why = early == null ? InputFaults.ofMessage(e, frame, found.index()) : early;
            add(why);
            if (isThere) {
                lost.lose(batch.id(), why);
            } else {
                lost.loseAny(why);
            }
        }
    }

    /// Adds the dictionary batch of a message, if a column needs it.
    ///
    /// @param position of the body in the memory
    private void define(
            int index,
            EncapsulatedMessage frame,
            Message message,
            MemorySegment memory,
            long position)
            throws IOException {
        DictionaryBatch batch = new DictionaryBatch();
        boolean isThere = message.header(batch);
        BatchLayout of = isThere ? layout.dictionaryLayout(batch.id()) : null;
        if (of != null) {
            long copied = input.isBodyApart() ? frame.bodyLength() : 0;
            dictionaryMemory.keep(batch, frame.metadataLength(), copied);
            load(new BatchCursor().bind(of, message), frame);
        }
        dictionaries.add(message, memory, position, frame.bodyLength(), dictionaryBuffers);
        indices.put(frame.offset(), index);
    }

    // ---- rows

    /// {@return the columns, in the order of their numbers}
    public List<ArrowField> columns() {
        List<ArrowField> columns = new ArrayList<>();
        for (int i = 0; i < layout.columnCount(); i++) {
            columns.add(writer.field(layout, layout.columnField(i)));
        }
        return columns;
    }

    /// Moves to the next row.
    ///
    /// @return false after the last one, or at damage
    public boolean next() throws IOException {
        row++;
        while (row >= rows) {
            if (!batch()) {
                return false;
            }
            row = 0;
        }
        return true;
    }

    /// {@return number of rows of the batch behind the current one}
    public long rowsLeft() {
        return Math.max(0, rows - row - 1);
    }

    private boolean batch() throws IOException {
        while (input.damages().isEmpty() && input.next() && input.damages().isEmpty()) {
            int kind = input.message.headerType();
            if (kind == MessageHeader.DICTIONARY_BATCH && areDefined) {
                continue;
            }
            binding.bind(MemorySegment.NULL);
            if (kind == MessageHeader.RECORD_BATCH) {
                bind();
                return true;
            }
            if (kind == MessageHeader.DICTIONARY_BATCH) {
                dictionary();
            }
        }
        rows = 0;
        return false;
    }

    private void dictionary() throws IOException {
        try {
            define(
                    input.index(),
                    input.frame(),
                    input.message,
                    input.bodyMemory(),
                    input.bodyPosition());
        } catch (FletchException e) {
            throw FletchException.inInput(InputFaults.required(e, input), e);
        }
    }

    private void bind() throws IOException {
        cursor.bind(layout, input.message);
        load(cursor, input.frame());
        MemorySegment memory = input.bodyMemory();
        cursor.body(memory, input.bodyPosition(), input.frame().bodyLength());
        buffers.release();
        cursor.source(buffers);
        writer.begin(dictionaries);
        rows = cursor.rowCount();
    }

    /// Reads the buffers of the bound fields of a remote input.
    private void load(BatchCursor batch, EncapsulatedMessage frame) throws IOException {
        if (input.bytes().hasBodies()) {
            return;
        }
        long body = frame.bodyOffset();
        long size = frame.bodyLength();
        List<ByteRange> ranges = new ArrayList<>();
        for (int field = 0; field < batch.layout().fieldCount(); field++) {
            for (int i = 0; i < batch.bufferCount(field); i++) {
                long offset = batch.bufferOffset(field, i);
                long length = batch.bufferLength(field, i);
                if (length != 0 && BufferRange.isInside(offset, length, size)) {
                    ranges.add(new ByteRange(body + offset, length));
                }
            }
        }
        input.bytes().load(ranges);
    }

    /// {@return a value of the current row}
    ///
    /// @param column from 0
    /// @param characters after which the rest of the value is left out
    /// @param asText as text for a person; else as JSON
    public String value(int column, int characters, boolean asText) {
        text.setLength(0);
        writer.write(cursor, layout.columnField(column), row, characters, asText);
        return text.toString();
    }

    // ---- faults

    /// Adds a fault of a value. If it is in a dictionary whose place is not known, such as one of a
    /// pipe, which is copied, the fault is that of the batch.
    private void add(FletchException e, boolean isInDictionary) {
        Fault undefined =
                e.rule() == MeaningRule.DICTIONARY_UNDEFINED
                        ? binding.undefined(e.fault().value())
                        : null;
        if (undefined != null) {
            add(e.fault().in(undefined.message(), undefined.position()));
        } else if (!isInDictionary) {
            add(InputFaults.required(e, input));
        } else {
            Map.Entry<Long, Integer> in =
                    input.isBodyApart() ? null : indices.floorEntry(e.offset());
            add(
                    in == null
                            ? e.fault().in(input.index(), input.frame().metadataOffset())
                            : e.fault().in(in.getValue(), e.offset()));
        }
    }

    private void add(Fault found) {
        faults++;
        fault = fault == null ? found : fault;
    }

    /// {@return the error of the schema that no damage was put down to, or else the fault of the
    /// first bad value that was written; null if there is none}
    public Fault fault() {
        Fault ofSchema = binding.schemaError();
        long more = faults - (ofSchema == null ? 1 : 0);
        Fault first = ofSchema == null ? fault : ofSchema;
        return more > 0 ? first.followedBy("; more bad values: count=" + more) : first;
    }
}
