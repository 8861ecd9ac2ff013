// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.FletchException;
import dev.fletch.format.BodyCompression;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.RecordBatch;
import dev.fletch.range.ByteRange;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.DictionaryUtility;
import org.apache.arrow.vector.util.VectorBatchAppender;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Fills a [VectorSchemaRoot] with some columns of a file or stream, batch by batch.
///
/// **Form.** The root is as arrow-java's own readers make it: dictionary-encoded fields hold indexes, and this
/// is the provider of their dictionaries. Its schema has the chosen columns and all custom metadata. Registered
/// extension types have their vectors, others those of their storage. The vectors have bits for absent validity
/// buffers; arrow-java makes them in the allocator's memory.
///
/// **Checks.** Each buffer must be inside the body, and as long as the field's length needs. Unless
/// [VectorOptions#checksValues] is off, all values that lead to other values are checked as well: offsets, sizes,
/// views of values that are not null, type ids, run ends, dictionary indexes. Besides, arrow-java checks the
/// bounds of each access, unless that is switched off by `arrow.enable_unsafe_memory_access`.
///
/// **Lifetime.** [#close] closes the root, the dictionaries and the source. Buffers that are still referenced,
/// such as those of a root from [#take], stay valid after it: memory is freed by the last of them. One that is
/// never closed is found when the allocator is closed.
///
/// **Errors.** A [VectorException], or another [FletchException] if metadata is wrong: the root is empty then.
/// arrow-java's [OutOfMemoryException] if the allocator's limit is reached. [IllegalStateException]: the reader is
/// closed.
///
/// **Threads.** A reader, its root and its dictionaries belong to one thread at a time. Buffers may be closed by
/// any thread.
@SuppressWarnings("exports") // a module that uses this requires arrow-java itself
public abstract sealed class VectorReader implements DictionaryProvider, AutoCloseable
        permits FileVectors, StreamVectors {
    private final BufferAllocator allocator;
    private final VectorOptions options;
    private final ColumnPlan plan;
    private final Schema schema;
    private final Map<Long, Dictionary> dictionaries = new HashMap<>();
    private final Map<Long, FieldPart> dictionaryParts = new HashMap<>();
    // Ids of dictionaries that have come.
    private final Set<Long> defined = new HashSet<>();
    // Whether a dictionary has changed since the indexes inside dictionaries were checked.
    private boolean hasNewDictionaries;
    private VectorSchemaRoot root;
    private List<FieldPart> columns;
    private boolean isClosed;
    // A byte, so that closing the allocator finds a reader that was never closed.
    private final ArrowBuf held;

    private final RecordBatch batch = new RecordBatch();
    private final DictionaryBatch dictionaryBatch = new DictionaryBatch();
    private final BodyCompression compression = new BodyCompression();

    VectorReader(ColumnPlan plan, BufferAllocator allocator, VectorOptions options) {
        this.plan = plan;
        this.allocator = Objects.requireNonNull(allocator, "allocator");
        this.options = Objects.requireNonNull(options, "options");
        final List<Field> fields = new ArrayList<>();
        for (Field field : plan.fields()) {
            fields.add(inMemory(field));
        }
        schema = new Schema(fields, plan.metadata());
        makeRoot();
        dictionaries.forEach((id, each) -> dictionaryParts.put(id, part(each.getVector())));
        held = allocator.buffer(1);
    }

    private Field inMemory(Field field) {
        try {
            return DictionaryUtility.toMemoryFormat(field, allocator, dictionaries);
        } catch (RuntimeException e) {
            throw ColumnPlan.unsupported(field.getName(), e);
        }
    }

    private static FieldPart part(FieldVector vector) {
        return new FieldPart(null, vector.getField(), vector);
    }

    private void makeRoot() {
        final List<FieldVector> vectors = new ArrayList<>();
        columns = new ArrayList<>();
        for (Field field : schema.getFields()) {
            final FieldVector vector;
            try {
                vector = field.createVector(allocator);
            } catch (RuntimeException e) {
                throw ColumnPlan.unsupported(field.getName(), e);
            }
            vectors.add(vector);
            columns.add(new FieldPart(null, field, vector));
        }
        root = new VectorSchemaRoot(schema, vectors, 0);
    }

    // ---- what the user sees

    /// {@return the vectors of the chosen columns, in the order of the choice: empty before the first batch and
    /// after the last. The same object for each batch, until [#take]}
    public VectorSchemaRoot root() {
        return root;
    }

    /// Hands over the root with its batch. The caller closes it; the next batch comes in a new root. Dictionaries
    /// stay with the reader.
    ///
    /// @return what [#root] was
    public VectorSchemaRoot take() {
        requireOpen();
        final VectorSchemaRoot taken = root;
        makeRoot();
        return taken;
    }

    /// Fills the root with the next batch, and lets go of the one before.
    ///
    /// @return false if there is none; then the root is empty
    /// @throws IOException if the source fails
    public abstract boolean loadNext() throws IOException;

    /// {@return the dictionary of an id; null if no chosen column uses it. Its vector is empty as long as no batch
    /// of it has come}
    @Override
    public Dictionary lookup(long id) {
        return dictionaries.get(id);
    }

    /// {@return the ids of the dictionaries that chosen columns use, also those inside other dictionaries}
    @Override
    public Set<Long> getDictionaryIds() {
        return Set.copyOf(dictionaries.keySet());
    }

    /// Closes the root, the dictionaries and the source. A second time does nothing.
    ///
    /// @throws IOException if the source fails to
    @Override
    public void close() throws IOException {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try {
            held.close();
            root.close();
            dictionaries.values().forEach(each -> each.getVector().close());
        } finally {
            closeSource();
        }
    }

    abstract void closeSource() throws IOException;

    final BufferAllocator allocator() {
        return allocator;
    }

    final VectorOptions options() {
        return options;
    }

    final ColumnPlan plan() {
        return plan;
    }

    final void requireOpen() {
        if (isClosed) {
            throw new IllegalStateException("reader is closed");
        }
    }

    final boolean hasDictionaries() {
        return !dictionaries.isEmpty();
    }

    // ---- batches

    /// Fills the root.
    ///
    /// @param message bound to a record batch
    final void loadBatch(Message message, Body body) throws IOException {
        root.clear();
        requireHeader(message.header(batch));
        final int rows = rows(message);
        final BatchParts parts = new BatchParts(batch, body.length());
        if (plan.totals() != null) {
            parts.requireTotals(plan.totals());
        }
        for (int i = 0; i < columns.size(); i++) {
            parts.goTo(plan.starts().get(i));
            columns.get(i).place(parts);
            columns.get(i).requireLength(rows);
        }
        checkDictionaries();
        boolean isLoaded = false;
        try {
            fill(columns, body);
            root.setRowCount(rows);
            isLoaded = true;
        } catch (RuntimeException e) {
            throw unchecked(e);
        } finally {
            if (!isLoaded) {
                root.clear();
            }
        }
    }

    /// {@return the id of a dictionary batch, whose header is bound; null if no chosen column uses it}
    final Long dictionaryId(Message message) {
        requireHeader(message.header(dictionaryBatch));
        final long id = dictionaryBatch.id();
        return dictionaries.containsKey(id) ? id : null;
    }

    /// Fills a dictionary, or appends to it.
    ///
    /// @param id what [#dictionaryId] has returned for the message
    /// @param isReplaceable whether the dictionary may have been there before
    final void loadDictionary(Message message, long id, boolean isReplaceable, Body body)
            throws IOException {
        final boolean isDelta = dictionaryBatch.isDelta();
        if (isDelta ? !defined.contains(id) : defined.contains(id) && !isReplaceable) {
            throw VectorException.of(
                    VectorRules.DICTIONARY_ORDER, "dictionary=%d, isDelta=%b", id, isDelta);
        }
        requireHeader(dictionaryBatch.data(batch));
        final FieldVector vector = dictionaries.get(id).getVector();
        try {
            if (isDelta) {
                try (FieldVector delta = vector.getField().createVector(allocator)) {
                    fillDictionary(message, part(delta), body);
                    VectorBatchAppender.batchAppend(vector, delta);
                }
            } else {
                fillDictionary(message, dictionaryParts.get(id), body);
            }
        } catch (RuntimeException e) {
            throw unchecked(e);
        }
        defined.add(id);
        hasNewDictionaries = true;
    }

    private void fillDictionary(Message message, FieldPart values, Body body) throws IOException {
        final int count = rows(message);
        final BatchParts parts = new BatchParts(batch, body.length());
        values.place(parts);
        parts.requireEnd();
        values.requireLength(count);
        fill(List.of(values), body);
        values.vector().setValueCount(count);
    }

    static void requireHeader(boolean isPresent) {
        if (!isPresent) {
            throw VectorException.of(VectorRules.BATCH_PARTS, "header=absent");
        }
    }

    private int rows(Message message) {
        if (message.version() != plan.version()) {
            throw VectorException.of(
                    VectorRules.UNSUPPORTED,
                    "version=%s, others=%s",
                    MetadataVersion.NAMES.name(message.version()),
                    MetadataVersion.NAMES.name(plan.version()));
        }
        final long rows = batch.length();
        if (rows < 0 || rows > Integer.MAX_VALUE) {
            throw VectorException.of(
                    VectorRules.NODE_NUMBERS, "rows=%d, limit=%d", rows, Integer.MAX_VALUE);
        }
        return (int) rows;
    }

    private void fill(List<FieldPart> parts, Body body) throws IOException {
        try {
            final List<ByteRange> needed = new ArrayList<>();
            parts.forEach(part -> part.addRangesTo(needed));
            body.prepare(needed);
            final Decompressor decompressor =
                    batch.compression(compression)
                            ? new Decompressor(compression, options.codecs())
                            : null;
            for (FieldPart part : parts) {
                part.fetch(body, decompressor, allocator);
                if (options.checksValues()) {
                    FieldValues.require(part);
                }
            }
            for (FieldPart part : parts) {
                part.load();
            }
            // Dictionaries may come in any order: indexes inside of them are checked when all are
            // there.
            if (options.checksValues() && parts == columns) {
                parts.forEach(part -> FieldValues.requireIndexes(part, dictionaries));
            }
        } finally {
            parts.forEach(FieldPart::release);
        }
    }

    private void checkDictionaries() {
        if (hasNewDictionaries && options.checksValues()) {
            for (FieldPart part : dictionaryParts.values()) {
                FieldValues.requireIndexes(part, dictionaries);
            }
        }
        hasNewDictionaries = false;
    }

    /// Makes a clear exception of what arrow-java throws for what it cannot load.
    private static RuntimeException unchecked(RuntimeException e) {
        return e instanceof FletchException || e instanceof OutOfMemoryException
                ? e
                : VectorException.causedBy(e, VectorRules.UNSUPPORTED, "%s", e);
    }
}
