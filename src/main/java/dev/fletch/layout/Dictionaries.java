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

/// The dictionaries of a stream or file, as its dictionary batches define, extend and replace them.
///
/// ```java
/// var dictionaries = Dictionaries.of(layout, file);   // of a file: all at once
///
/// if (message.headerType() == MessageHeader.DICTIONARY_BATCH) {
///     dictionaries.add(message, body);                // of a stream: each when it comes
/// }
/// ```
///
/// [ColumnValues] resolves the indices of a column through them.
///
/// **Deltas** add values to a dictionary. Any other batch for an id that has values already replaces them: in
/// a stream, for the record batches that follow; a file must not do so.
///
/// **Errors.** A [LayoutException]: a message that is no dictionary batch, or does not fit its layout, or
/// whose id the schema does not have; a delta to no dictionary; a second definition in a file. The dictionaries
/// are as before then.
///
/// **Lifetime and threads.** Bodies are not copied, but for those received in pieces: their memory must stay as
/// it is as long as values are read. So give each body of a stream memory of its own. Dictionaries belong to one
/// thread at a time.
///
/// Source: the chapters "Dictionary-encoded Layout" and "Dictionary Messages" of Arrow's columnar format.
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

    /// Takes all dictionary batches of a file, in the order of its footer.
    ///
    /// @param layout of the file's schema, such as [BatchLayout#of(ArrowFile)]
    /// @param file open, and staying so while values are read
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

    /// Takes a dictionary batch whose body is in the memory of its frame.
    ///
    /// @param frame bound to the message's place
    /// @param message bound to its metadata
    /// @throws dev.fletch.ipc.ArrowFormatException if the body is not completely in memory
    public void add(EncapsulatedMessage frame, Message message) {
        final BatchLayout plan = plan(message);
        add(new BatchCursor().bind(plan, frame, message));
    }

    /// Takes a dictionary batch whose body was received in pieces. It is copied.
    ///
    /// @param message bound to its metadata
    /// @param received all pieces of the body
    public void add(Message message, ReceivedBody received) {
        final BatchLayout plan = plan(message);
        add(new BatchCursor().bind(plan, message, received.copy()));
    }

    /// {@return how the values of a dictionary are stored}
    ///
    /// @param id of a dictionary that the schema has
    ValueType valueType(long id) {
        return layout.dictionaryLayout(id).valueType(0);
    }

    /// Takes a dictionary batch whose body is elsewhere.
    ///
    /// @param message bound to its metadata
    /// @param body the whole body
    public void add(Message message, MemorySegment body) {
        final BatchLayout plan = plan(message);
        add(new BatchCursor().bind(plan, message, body));
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
            final DictionaryValues made = new DictionaryValues(id);
            made.add(values);
            byId.put(id, made);
        }
    }

    /// {@return the values of a dictionary as they are now; null if it has not come yet}
    ///
    /// @param id the dictionary's id
    public DictionaryValues values(long id) {
        return byId.get(id);
    }
}
