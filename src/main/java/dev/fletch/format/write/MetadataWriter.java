// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.UnreadableFileException;
import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.flatbuf.internal.FieldDeclaration;
import dev.fletch.flatbuf.internal.InlineType;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Field;
import dev.fletch.format.Footer;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.SparseTensor;
import dev.fletch.format.Tensor;
import dev.fletch.format.Verifier;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.internal.SchemaSize;
import dev.fletch.format.internal.tables.AnyTable;
import dev.fletch.format.write.MetadataEdit.Change;
import dev.fletch.format.write.MetadataEdit.ChosenField;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.wire.Wire;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Rewrites messages, footers, schemas and tensors from their flyweights, unchanged or with
/// changes, in the order of a producer. Unchanged output of that producer is reproduced byte for
/// byte.
///
/// ```java
/// FlatBufferWriter buffer = EmissionOrder.ARROW_CPP.newWriter();
/// MetadataWriter writer = new MetadataWriter(EmissionOrder.ARROW_CPP, buffer);
/// MetadataEdit edit = new MetadataEdit()
///         .version(MetadataVersion.V5)
///         .dictionaryIds(id -> id + 100);
/// buffer.wrap(memory);
/// writer.message(message, edit);
/// …(memory, buffer.offset(), buffer.length())…
/// ```
///
/// **What is written.** The content of the flyweights: absent and empty are distinct, and a present
/// number is written even if it is the default. Everything else is lost: padding, sharing of
/// objects, undeclared fields, and bytes of booleans other than 0 and 1. Forced defaults
/// ([FlatBufferWriter#forceDefaults]) affect changed numbers only.
///
/// **Source.** The source, and the schema that replaces its own, are bound flyweights, whose memory
/// must not overlap the target. They need not be verified: for any bytes, only the errors below
/// occur.
///
/// **Nothing is repaired or rejected.** Invalid but readable content is copied: strings that are
/// not UTF-8, a union's tag without its value, absent required fields. Verify an untrusted source
/// first: [Verifier] with [dev.fletch.Checks#STRICT] reports these.
///
/// **Allocation.** None for unchanged content, unless vectors are longer or fields more deeply
/// nested than before.
///
/// **Limits.** Shared objects of the source are written once per use, so a small source could make
/// a huge buffer. [SchemaSize] limits the schema, and [#limits] the output.
///
/// **Errors.** [FletchException] if the source's bytes point out of its range, it has an unknown
/// member of a union, lacks a chosen field, or exceeds a limit, such as that of [SchemaSize];
/// [dev.fletch.flatbuf.write.TargetTooSmallException] if the target is too small;
/// [IllegalStateException] if the buffer is finished or has an open object, or the source is not
/// bound or outdated. After any of these, call [FlatBufferWriter#reset].
///
/// **Threads.** A writer belongs to one thread at a time, together with its buffer.
///
/// **Implementation.** One loop writes all tables, by their declarations
/// ([dev.fletch.format.internal.tables.ArrowRules]): first the objects that a table refers to, in
/// the producer's order, then the table. A change of the edit replaces the source's field. An array
/// of levels replaces recursion, so that no nesting overflows the thread's stack.
///
/// Source: the roots of `format/*.fbs`; for the order see [EmissionOrder].
public final class MetadataWriter {
    private static final int INITIAL = 64;

    private final FlatBufferWriter writer;
    private final TableOrder[] orders;
    private SchemaSize size = new SchemaSize(Limits.DEFAULT);
    private final Schema schema = new Schema();

    private Limits limits = Limits.DEFAULT;

    private MetadataEdit edit;
    private int tables;

    /// The path from the root to the table that is being written.
    private Level[] levels = {new Level()};

    /// The tables of unfinished vectors, one vector after the other.
    private int[] places = new int[INITIAL];

    private int placeCount;

    // Reused: a string, and a vector's elements.
    private final Utf8Slice text = new Utf8Slice();
    private long[] numbers = new long[INITIAL];

    /// A table that is being written.
    private static final class Level {
        /// The table to copy; unbound if the table has only the values of the changes.
        final AnyTable source = new AnyTable();

        TableOrder order;

        /// Changes by slot; null for none.
        Change[] changes;

        /// Number of nested fields from the root to this level.
        int fieldDepth;

        /// Index of the next step.
        int step;

        /// By slot, the distance of the written object, 0 if absent; for an unfinished vector, the
        /// start of its elements in [MetadataWriter#places].
        final int[] objects = new int[Wire.SLOTS];

        // The vector whose tables are being written: the next element and the end.
        boolean isInVector;
        int next;
        int end;

        /// The children to write of a chosen field; null for all.
        List<ChosenField> chosen;

        /// The pairs that have this key/value pair, and its index there; null if the source has it.
        CustomMetadata pairs;

        int pair;

        Change change(int slot) {
            return changes == null ? null : changes[slot];
        }
    }

    /// Creates a writer that writes to a buffer.
    ///
    /// @param into the target; call [FlatBufferWriter#wrap] or [FlatBufferWriter#reset] before each
    ///     buffer, which each call here finishes
    /// @throws IllegalArgumentException if `into` aligns empty vectors in another way than a writer
    ///     of [EmissionOrder#newWriter]
    public MetadataWriter(EmissionOrder order, FlatBufferWriter into) {
        if (into.alignsEmptyVectors() != order.alignsEmptyVectors()) {
            throw new IllegalArgumentException(
                    "writer does not align empty vectors as the order: order="
                            + order
                            + ", alignsEmptyVectors="
                            + into.alignsEmptyVectors());
        }
        writer = into;
        orders = TableOrder.all(order);
    }

    // ---- limits

    /// Sets the limits of what is written. By default, [Limits#DEFAULT].
    ///
    /// @param most depth of fields, tables and metadata bytes of a buffer. Bytes are counted before
    ///     each table, so a buffer may exceed them by one table with its strings and vectors
    /// @return this
    public MetadataWriter limits(Limits most) {
        limits = most;
        size = new SchemaSize(most);
        return this;
    }

    // ---- roots

    /// Writes a message without changes.
    public void message(Message source) {
        message(source, MetadataEdit.NONE);
    }

    /// Writes a message with changes.
    public void message(Message source, MetadataEdit edit) {
        write(TableOrder.MESSAGE, source, edit.of(TableOrder.MESSAGE), edit);
    }

    /// Writes a footer without changes.
    public void footer(Footer source) {
        footer(source, MetadataEdit.NONE);
    }

    /// Writes a footer with changes.
    public void footer(Footer source, MetadataEdit edit) {
        write(TableOrder.FOOTER, source, edit.of(TableOrder.FOOTER), edit);
    }

    /// Writes a schema as the root, without changes.
    public void schema(Schema source) {
        schema(source, MetadataEdit.NONE);
    }

    /// Writes a schema as the root, with changes.
    public void schema(Schema source, MetadataEdit edit) {
        write(TableOrder.SCHEMA, source, edit.of(TableOrder.SCHEMA), edit);
    }

    /// Writes a tensor's header as the root, without changes.
    public void tensor(Tensor source) {
        write(TableOrder.TENSOR, source, null, MetadataEdit.NONE);
    }

    /// Writes a sparse tensor's header as the root, without changes.
    public void sparseTensor(SparseTensor source) {
        write(TableOrder.SPARSE_TENSOR, source, null, MetadataEdit.NONE);
    }

    /// Writes the first message of a stream, with a schema from any source, such as a footer.
    ///
    /// @param version version of the format, one of [MetadataVersion]
    /// @param edit the custom metadata of the message, and changes to the schema
    public void schemaMessage(Schema source, int version, MetadataEdit edit) {
        Change[] given = edit.of(TableOrder.MESSAGE);
        Change[] all = given == null ? new Change[Wire.SLOTS] : given.clone();
        all[Message.VERSION_SLOT] = new Change.Number(version);
        all[Message.HEADER_TYPE_SLOT] = new Change.Number(MessageHeader.SCHEMA);
        all[Message.HEADER_SLOT] = new Change.Replace(source);
        all[Message.BODY_LENGTH_SLOT] = new Change.Number(0);
        write(TableOrder.MESSAGE, null, all, edit);
    }

    /// Writes the footer of a file, with a schema from any source, such as a stream's first
    /// message.
    ///
    /// @param version version of the format, one of [MetadataVersion]
    /// @param edit the positions of the batches, the custom metadata of the footer, and changes to
    ///     the schema
    public void schemaFooter(Schema source, int version, MetadataEdit edit) {
        Change[] given = edit.of(TableOrder.FOOTER);
        Change[] all = given == null ? new Change[Wire.SLOTS] : given.clone();
        all[Footer.VERSION_SLOT] = new Change.Number(version);
        all[Footer.SCHEMA_SLOT] = new Change.Replace(source);
        for (int slot : new int[] {Footer.DICTIONARIES_SLOT, Footer.RECORD_BATCHES_SLOT}) {
            if (all[slot] == null) { // all producers write a vector without blocks
                all[slot] = new Change.Numbers().set(numbers, 0, 0);
            }
        }
        write(TableOrder.FOOTER, null, all, edit);
    }

    // ---- the walk

    private void write(int kind, Table source, Change[] changes, MetadataEdit changesBelow) {
        try {
            Schema written = schemaOf(source, changes);
            if (written != null) {
                size.require(written);
            }
            walk(kind, source, changes, changesBelow);
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    /// The schema that a root contains, or the changes add; null if there is none.
    private Schema schemaOf(Table source, Change[] changes) {
        if (changes != null) {
            for (Change each : changes) {
                if (each instanceof Change.Replace(Schema by)) {
                    return by;
                }
            }
        }
        return switch (source) {
            case Message message -> message.header(schema) ? schema : null;
            case Footer footer -> footer.schema(schema) ? schema : null;
            case Schema root -> root;
            case null, default -> null;
        };
    }

    private void walk(int kind, Table source, Change[] changes, MetadataEdit changesBelow) {
        edit = changesBelow;
        tables = 0;
        placeCount = 0;
        Level root = levels[0];
        begin(root, kind, changes);
        root.fieldDepth = 0;
        if (source != null) {
            root.source.bind(source, root.order.declaration);
        }
        int depth = 0;
        while (true) {
            Level level = levels[depth];
            if (level.step < level.order.steps.length) {
                depth += step(level, depth) ? 1 : 0;
                continue;
            }
            int table = table(level);
            if (depth == 0) {
                writer.finish(table);
                return;
            }
            depth--;
            written(levels[depth], table);
        }
    }

    private void begin(Level level, int kind, Change[] changes) {
        level.order = orders[kind];
        level.changes = changes;
        level.step = 0;
        level.isInVector = false;
        level.chosen = null;
        level.pairs = null;
        level.source.unbind();
        Arrays.fill(level.objects, 0);
    }

    /// Does the next step before a table.
    ///
    /// @return whether another table comes first; its level is then the next one
    private boolean step(Level level, int depth) {
        TableOrder.Step step = level.order.steps[level.step];
        FieldDeclaration field = step.field();
        int slot = field.slot();
        Change change = level.change(slot);
        if (step.elements()) {
            if (nextElement(level, field, change, depth)) {
                return true;
            }
            level.isInVector = false;
        } else {
            switch (field.kind()) {
                case TABLE, UNION -> {
                    if (target(level, field, change, depth)) {
                        return true;
                    }
                }
                case TABLES -> level.objects[slot] = vectorOfTables(level, slot, change);
                case STRING -> level.objects[slot] = string(level, field);
                case VECTOR -> level.objects[slot] = vector(level, field, change);
                default -> {
                    if (level.source.has(slot)) {
                        writer.align(field.alignment());
                    }
                }
            }
        }
        level.step++;
        return false;
    }

    /// Records a table that was written for a level's current step.
    private void written(Level level, int table) {
        TableOrder.Step step = level.order.steps[level.step];
        if (!step.elements()) {
            level.objects[step.field().slot()] = table;
            level.step++;
            return;
        }
        if (placeCount == places.length) {
            places = Arrays.copyOf(places, 2 * placeCount);
        }
        places[placeCount++] = table;
    }

    /// Prepares the level of a nested table.
    private Level below(int depth, int kind) {
        if (depth + 1 == levels.length) {
            levels = Arrays.copyOf(levels, 2 * levels.length);
        }
        if (levels[depth + 1] == null) {
            levels[depth + 1] = new Level();
        }
        Level level = levels[depth + 1];
        begin(level, kind, edit.of(kind));
        level.fieldDepth = levels[depth].fieldDepth + (kind == TableOrder.FIELD ? 1 : 0);
        if (level.fieldDepth > limits.depth()) {
            throw limit("levels of fields", limits.depth());
        }
        return level;
    }

    /// Begins the table that a field refers to.
    ///
    /// @return false if the table is absent
    private boolean target(Level level, FieldDeclaration field, Change change, int depth) {
        if (change instanceof Change.Replace(Schema by)) {
            Level below = below(depth, TableOrder.SCHEMA);
            below.source.bind(by, below.order.declaration);
            return true;
        }
        int[] targets = level.order.targets[field.slot()];
        if (change instanceof Change.Table(Change[] fields)) {
            below(depth, targets[0]).changes = fields;
            return true;
        }
        if (!level.source.has(field.slot())) {
            return false;
        }
        int member = 0;
        if (field.kind() == FieldDeclaration.Kind.UNION) {
            FieldDeclaration tag = level.order.declaration.fields().get(field.tagSlot());
            member = (int) number(level, tag) - 1;
            if (member < 0 || member >= targets.length) {
                throw unknown(tag.type().name(), member + 1);
            }
        }
        level.source.table(field.slot(), below(depth, targets[member]).source);
        return true;
    }

    /// Begins the next table of a vector of tables.
    ///
    /// @return false if there is none
    private boolean nextElement(Level level, FieldDeclaration field, Change change, int depth) {
        int slot = field.slot();
        if (!level.isInVector) {
            level.isInVector = true;
            level.objects[slot] = placeCount;
            level.next = 0;
            level.end = elements(level, slot, change);
        }
        if (level.next == level.end) {
            return false;
        }
        List<ChosenField> chosen = chosen(level, slot, change);
        Level below = below(depth, level.order.targets[slot][0]);
        int index = level.next++;
        if (change instanceof Change.Pairs pairs) {
            below.pairs = pairs.by;
            below.pair = index;
            return true;
        }
        if (chosen != null) {
            below.chosen = chosen.get(index).children();
            index = chosen.get(index).index();
            requireField(index, level.source.count(slot));
        }
        level.source.table(slot, index, below.source);
        return true;
    }

    private static void requireField(int index, int fields) {
        if (index < 0 || index >= fields) {
            throw notWritable(
                    "chosen field is not in the schema: index=%d, fields=%d", index, fields);
        }
    }

    /// The number of elements to write of a vector of tables.
    private static int elements(Level level, int slot, Change change) {
        if (change instanceof Change.Pairs pairs) {
            return pairs.by.count();
        }
        List<ChosenField> chosen = chosen(level, slot, change);
        return chosen == null ? level.source.count(slot) : chosen.size();
    }

    /// The elements to write of a vector of fields; null for all.
    private static List<ChosenField> chosen(Level level, int slot, Change change) {
        if (change instanceof Change.Choice(List<ChosenField> columns)) {
            return columns;
        }
        return slot == Field.CHILDREN_SLOT ? level.chosen : null;
    }

    // ---- objects

    /// Writes a vector of tables, if there is one.
    private int vectorOfTables(Level level, int slot, Change change) {
        int first = level.objects[slot];
        boolean isPresent =
                change instanceof Change.Pairs pairs
                        ? pairs.by.count() != 0
                        : level.source.has(slot);
        if (!isPresent) {
            return 0;
        }
        int vector = writer.createOffsetVector(places, first, placeCount - first);
        placeCount = first;
        return vector;
    }

    private int string(Level level, FieldDeclaration field) {
        if (level.pairs != null) {
            int number = 2 * level.pair + (field.slot() == KeyValue.KEY_SLOT ? 0 : 1);
            CustomMetadata pairs = level.pairs;
            return writer.createString(pairs.text(number), 0, pairs.length(number));
        }
        if (!level.source.has(field.slot())) {
            return 0;
        }
        level.source.string(field.slot(), text);
        return writer.createString(text);
    }

    private int vector(Level level, FieldDeclaration field, Change change) {
        int slot = field.slot();
        int longs = field.bytes() / Long.BYTES;
        if (change instanceof Change.Numbers by) {
            if (by.count < 0) {
                return 0;
            }
            reserve(by.count * longs);
            System.arraycopy(by.numbers, by.from, numbers, 0, by.count * longs);
            return vectorOfNumbers(field.type(), by.count);
        }
        if (!level.source.has(slot)) {
            return 0;
        }
        int count = level.source.count(slot);
        if ((long) count * field.bytes() > limits.metadataBytes()) {
            throw limit("bytes", limits.metadataBytes());
        }
        if (longs != 0) {
            reserve(count * longs);
            level.source.copy(slot, numbers);
            return vectorOfNumbers(field.type(), count);
        }
        writer.startVector(Integer.BYTES, count, Integer.BYTES); // the format has no other width
        for (int i = count - 1; i >= 0; i--) {
            writer.pushNumber(Integer.BYTES, level.source.element(slot, i));
        }
        return writer.endVector();
    }

    private void reserve(int count) {
        if (count > numbers.length) {
            numbers = new long[Math.max(count, 2 * numbers.length)];
        }
    }

    /// Writes a vector of the first numbers with one copy, without what is padding in a struct.
    private int vectorOfNumbers(InlineType type, int count) {
        int longs = type.bytes() / Long.BYTES;
        for (int i = 0; i < longs; i++) {
            long mask = type.mask(i);
            for (int position = i; mask != -1 && position < count * longs; position += longs) {
                numbers[position] &= mask;
            }
        }
        return writer.createVector(numbers, 0, count, longs);
    }

    // ---- tables

    /// Writes a table after all its objects.
    private int table(Level level) {
        if (tables == limits.tables()) {
            throw limit("tables", limits.tables());
        }
        if (writer.size() > limits.metadataBytes()) {
            throw limit("bytes", limits.metadataBytes());
        }
        tables++;
        writer.startTable();
        for (FieldDeclaration field : level.order.fields) {
            int slot = field.slot();
            if (field.isOffset()) {
                writer.addOffset(slot, level.objects[slot]);
            } else if (field.kind() != FieldDeclaration.Kind.STRUCT) {
                addNumber(level, field, level.change(slot));
            } else if (level.source.has(slot)) {
                addStruct(level, field);
            }
        }
        return writer.endTable();
    }

    /// Adds a struct, which in the format has only 64-bit numbers.
    private void addStruct(Level level, FieldDeclaration field) {
        writer.startStruct(field.bytes(), Long.BYTES);
        for (int i = field.bytes() / Long.BYTES - 1; i >= 0; i--) {
            writer.pushNumber(Long.BYTES, level.source.structNumber(field.slot(), i));
        }
        writer.endStruct(field.slot());
    }

    /// Adds a number: the source's if present, even if it is the default; a changed one unless it
    /// is the default.
    private void addNumber(Level level, FieldDeclaration field, Change change) {
        if (change instanceof Change.Number by) {
            add(field, by.value, by.forced);
            return;
        }
        long old = number(level, field);
        long value = change instanceof Change.Renumber by ? by.numbers().applyAsLong(old) : old;
        if (value != old || level.source.has(field.slot())) {
            add(field, value, value == old);
        }
    }

    /// The value of a field. A boolean is 0 or 1, even if its byte is another number.
    private static long number(Level level, FieldDeclaration field) {
        if (!level.source.has(field.slot())) {
            return field.absent(); // a table without a source has no declaration
        }
        long value = level.source.number(field.slot());
        return field.type() == TableOrder.BOOL && value != 0 ? 1 : value;
    }

    private void add(FieldDeclaration field, long value, boolean forced) {
        long absent = forced ? ~value : field.absent(); // no number is its own complement
        writer.addNumber(field.slot(), field.bytes(), value, absent);
    }

    private static FletchException limit(String what, long limit) {
        return notWritable("too many %s to write: limit=%d", what, limit);
    }

    private static FletchException unknown(String union, int id) {
        return notWritable("unknown member of union: union=%s, id=%d", union, id);
    }

    private static FletchException notWritable(String text, Object... values) {
        return FletchException.of(
                Fault.of(MeaningRule.NOT_WRITABLE, Fault.NO_OFFSET, 0)
                        .withText(String.format(Locale.ROOT, text, values)));
    }
}
