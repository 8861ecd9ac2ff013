// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.DictionaryOrder;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// The current dictionaries of a stream or file, built from its dictionary batches.
///
/// ```java
/// var dictionaries = new Dictionaries(layout);
/// …
/// if (message.headerType() == MessageHeader.DICTIONARY_BATCH) {
///     dictionaries.add(message, body);                // each dictionary batch of a stream
/// }
/// ```
///
/// [ColumnValues] uses them to resolve the indices of a column. If the layout was chosen from
/// another, batches of dictionaries that only the other one has are passed.
///
/// **Deltas** append values to a dictionary. Any other batch for a defined id replaces the
/// dictionary for later record batches of a stream; a file must not replace one.
///
/// **Errors.** A [FletchException], if a message is not a dictionary batch, does not match its
/// layout, has an id that no field has, is a delta without a dictionary, or defines a
/// dictionary of a file twice. The dictionaries are then unchanged.
///
/// **Lifetime and threads.** Bodies are not copied, except those received in pieces: their memory
/// must stay valid and unchanged while values are read, so use separate memory for each body of a
/// stream. Belongs to one thread at a time.
///
/// Source: Columnar format, "Dictionary-encoded Layout", "Dictionary Messages".
public final class Dictionaries {
    private final BatchLayout layout;
    private final boolean isFile;
    private final DictionaryOrder order;
    // In the order of the ids; null if not defined.
    private final DictionaryValues[] values;
    private final DictionaryBatch batch = new DictionaryBatch();
    private long changes;

    /// Creates an empty set, for a stream.
    public Dictionaries(BatchLayout layout) {
        this(layout, false);
    }

    /// Creates an empty set.
    ///
    /// @param isFile whether a dictionary must not be replaced
    public Dictionaries(BatchLayout layout, boolean isFile) {
        this.layout = layout;
        this.isFile = isFile;
        long[] ids =
                IntStream.range(0, layout.dictionaryCount())
                        .mapToLong(layout::dictionary)
                        .toArray();
        order =
                new DictionaryOrder(FletchException.errors(null))
                        .beside(id -> layout.source().dictionaryLayout(id) != null)
                        .begin(ids);
        values = new DictionaryValues[ids.length];
    }

    /// Adds a dictionary batch.
    public void add(Message message, MemorySegment body) {
        add(message, body, 0, body.byteSize(), null);
    }

    /// Adds a dictionary batch, such as a compressed one.
    ///
    /// @param memory any kind of memory that contains the body; offsets of errors count from its
    ///     first byte
    /// @param offset byte offset of the body in `memory`
    /// @param length length of the body in bytes
    /// @param source of compressed buffers: see [BatchCursor#source]. Its slices must stay valid
    ///     while values are read. [DecompressedBuffers] keep a buffer until the dictionary is
    ///     replaced or removed: both the old and the new values count at that time. Null if no
    ///     buffer is compressed
    public void add(
            Message message, MemorySegment memory, long offset, long length, BufferSource source) {
        read(message, source, cursor -> cursor.body(memory, offset, length));
    }

    /// [#add(Message, BufferSource, BufferSource)] without compressed buffers.
    public void add(Message message, BufferSource body) {
        add(message, body, null);
    }

    /// Adds a dictionary batch whose body is not in one range of memory: see
    /// [BatchCursor#body(BufferSource)]. Copies a [ReceivedBody]; of other bodies, the slices must
    /// stay valid while values are read.
    ///
    /// @param source of compressed buffers, as for the other method; null if none is compressed
    public void add(Message message, BufferSource body, BufferSource source) {
        if (body instanceof ReceivedBody pieces) {
            // The first one checks that no piece is missing.
            read(message, source, cursor -> cursor.body(pieces).body(pieces.copy()));
        } else {
            read(message, source, cursor -> cursor.body(body));
        }
    }

    private void read(Message message, BufferSource source, Consumer<BatchCursor> body) {
        if (!message.header(batch)) {
            throw FletchException.of(
                    MeaningRule.NO_DICTIONARY_BATCH,
                    "kind=" + MessageHeader.NAMES.name(message.headerType()));
        }
        if (!order.needs(batch)) {
            return;
        }
        long id = batch.id();
        int index = order.find(id);
        order.next(batch, isFile && values[index] != null, true); // a removed one is not replaced
        if (batch.isDelta() && values[index] == null) { // removed: see LostDictionaries
            throw undefined(id, batch.position(DictionaryBatch.ID_SLOT), null);
        }
        DictionaryValues into = batch.isDelta() ? values[index] : new DictionaryValues();
        BatchCursor cursor = new BatchCursor().source(DecompressedBuffers.kept(source));
        boolean isAdded = false;
        try {
            body.accept(cursor.bind(layout.dictionaryLayout(id), message));
            into.add(cursor);
            isAdded = true;
        } finally {
            if (!isAdded) {
                DecompressedBuffers.end(cursor);
            }
        }
        set(index, into);
        order.add(batch, 0);
    }

    private void set(int index, DictionaryValues more) {
        changes++;
        if (values[index] != null && values[index] != more) {
            values[index].end();
        }
        values[index] = more;
    }

    /// Forgets the values of a dictionary, as after a batch of it that cannot be read: the next one
    /// that is no delta defines it again.
    public void remove(long id) {
        int index = order.find(id);
        if (index != DictionaryOrder.NONE) {
            set(index, null);
        }
    }

    /// {@return the current values of a dictionary; null if it is not defined}
    public DictionaryValues values(long id) {
        int index = order.find(id);
        return index == DictionaryOrder.NONE ? null : values[index];
    }

    /// {@return how often a dictionary was defined, appended to or removed}
    public long changes() {
        return changes;
    }

    /// {@return the physical type of a dictionary's values}
    ///
    /// @param id of a dictionary in the schema
    ValueType valueType(long id) {
        return layout.dictionaryLayout(id).valueType(0);
    }

    /// Throws that the dictionary of a column is not defined.
    ///
    /// @param position of what needs it
    static IllegalStateException undefined(long id, long position, String column) {
        new DictionaryOrder(FletchException.errors(column))
                .undefined(id, id, position, "dictionary");
        return new IllegalStateException("dictionary=" + id);
    }
}
