// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/// The current dictionaries of a stream or file, built from its dictionary batches.
///
/// ```java
/// var dictionaries = Dictionaries.of(layout, file);   // all dictionaries of a file
///
/// if (message.headerType() == MessageHeader.DICTIONARY_BATCH) {
///     dictionaries.add(message, body);                // each dictionary batch of a stream
/// }
/// ```
///
/// [ColumnValues] uses them to resolve the indices of a column.
///
/// **Deltas** append values to a dictionary. Any other batch for a defined id replaces the dictionary for
/// later record batches of a stream; a file must not replace one.
///
/// **Errors.** A [LayoutException], if a message is not a dictionary batch, does not match its layout, has an
/// id that is not in the schema, is a delta without a dictionary, or defines a dictionary of a file twice.
/// The dictionaries are then unchanged.
///
/// **Lifetime and threads.** Bodies are not copied, except those received in pieces: their memory must stay
/// valid and unchanged while values are read, so use separate memory for each body of a stream. Belongs to
/// one thread at a time.
///
/// Source: Columnar format, "Dictionary-encoded Layout", "Dictionary Messages".
public final class Dictionaries {
    private final BatchLayout layout;
    private final Map<Long, DictionaryValues> byId = new HashMap<>();
    private final DictionaryBatch batch = new DictionaryBatch();

    /// Creates an empty set.
    ///
    /// @param layout of the schema
    public Dictionaries(BatchLayout layout) {
        this.layout = layout;
    }

    /// Reads all dictionary batches of a file, in the order of its footer.
    ///
    /// @param layout of the file's schema, from [BatchLayout#of(ArrowFile)]
    /// @param file open until all values are read
    /// @return its dictionaries
    /// @throws dev.fletch.ipc.ArrowFormatException as for [ArrowFile#dictionary]
    public static Dictionaries of(BatchLayout layout, ArrowFile file) {
        final Dictionaries all = new Dictionaries(layout);
        final EncapsulatedMessage frame = new EncapsulatedMessage();
        final Message message = new Message();
        for (int i = 0; i < file.dictionaryCount(); i++) {
            file.dictionary(i, frame, message);
            if (message.header(all.batch)
                    && !all.batch.isDelta()
                    && all.byId.containsKey(all.batch.id())) {
                throw new LayoutException(
                        ValueRules.DICTIONARY_REPLACED, "dictionary=" + all.batch.id());
            }
            all.add(frame, message);
        }
        return all;
    }

    /// Adds a dictionary batch whose body is in the memory of its frame.
    ///
    /// @param frame bound to the message's place
    /// @param message bound to its metadata
    /// @throws dev.fletch.ipc.ArrowFormatException if the body exceeds the input
    public void add(EncapsulatedMessage frame, Message message) {
        add(new BatchCursor().bind(plan(message), frame, message));
    }

    /// Adds a dictionary batch whose body was received in pieces. Copies the body.
    ///
    /// @param message bound to its metadata
    /// @param received all pieces of the body
    public void add(Message message, ReceivedBody received) {
        add(message, received.copy());
    }

    /// {@return the physical type of a dictionary's values}
    ///
    /// @param id of a dictionary in the schema
    ValueType valueType(long id) {
        return layout.dictionaryLayout(id).valueType(0);
    }

    /// Adds a dictionary batch with a separate body.
    ///
    /// @param message bound to its metadata
    /// @param body the complete body
    public void add(Message message, MemorySegment body) {
        add(new BatchCursor().bind(plan(message), message, body));
    }

    private BatchLayout plan(Message message) {
        if (!message.header(batch)) {
            throw new LayoutException(
                    ValueRules.NO_DICTIONARY_BATCH,
                    "kind=" + MessageHeader.NAMES.name(message.headerType()));
        }
        final BatchLayout plan = layout.dictionaryLayout(batch.id());
        if (plan == null) {
            throw new LayoutException(ValueRules.UNUSED_DICTIONARY, "dictionary=" + batch.id());
        }
        if (batch.isDelta() && !byId.containsKey(batch.id())) {
            throw new LayoutException(
                    ValueRules.DELTA_WITHOUT_DICTIONARY, "dictionary=" + batch.id());
        }
        return plan;
    }

    private void add(BatchCursor values) {
        final long id = batch.id();
        values.column(0);
        if (batch.isDelta()) {
            byId.get(id).add(values);
        } else {
            final DictionaryValues made = new DictionaryValues();
            made.add(values);
            byId.put(id, made);
        }
    }

    /// {@return the current values of a dictionary; null if it is not defined}
    ///
    /// @param id the dictionary's id
    public DictionaryValues values(long id) {
        return byId.get(id);
    }
}
