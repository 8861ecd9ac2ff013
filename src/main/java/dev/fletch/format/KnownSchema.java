// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/// A schema that was verified before, and what was made of it: a layout, a model.
///
/// A reader returns it for a schema that it has recognized, if its options have a set of known schemas:
/// see `dev.fletch.ipc.KnownSchemas`. `BatchLayout.of` and `ArrowSchema.of` take it, and return the same
/// object for the same schema each time.
///
/// It keeps a copy of the schema's bytes, and no reference to the memory of a file or stream. Attached
/// objects are made from that copy.
///
/// **Parts.** If [#isWhole] is false, the schema has the columns and the byte order of this one, and
/// other custom metadata or features. Objects that depend only on the columns and the byte order are
/// shared by all schemas with the same columns.
///
/// **Threads.** Any number of threads may share it.
///
/// Source: `format/Schema.fbs`, table `Schema`.
public final class KnownSchema {
    private static final int MAX_ATTACHMENTS = 16;

    private final byte[] accepted;
    // Null if only the columns are known.
    private final Attachments ofSchema;
    private final Attachments ofColumns;

    private KnownSchema(byte[] accepted, Attachments ofSchema, Attachments ofColumns) {
        this.accepted = accepted;
        this.ofSchema = ofSchema;
        this.ofColumns = ofColumns;
    }

    /// Makes a handle to a schema to which nothing is attached.
    ///
    /// @param accepted a buffer whose root is a schema that was verified. It is not copied, and must
    ///     not change
    /// @return a handle
    public static KnownSchema of(byte[] accepted) {
        return new KnownSchema(accepted, new Attachments(), new Attachments());
    }

    /// Makes a handle to a schema with the same columns and byte order. It shares what is attached to
    /// the columns.
    ///
    /// @param other a buffer as that of [#of]
    /// @return a handle
    public KnownSchema withSameColumns(byte[] other) {
        return new KnownSchema(other, new Attachments(), ofColumns);
    }

    /// {@return a handle for schemas of which only the columns and the byte order are known to be those
    /// of this one}
    public KnownSchema columnsOnly() {
        return new KnownSchema(accepted, null, ofColumns);
    }

    /// {@return whether all of the schema is known; else only its columns and its byte order are}
    public boolean isWhole() {
        return ofSchema != null;
    }

    /// Binds to the copy of the bytes. Unless [#isWhole], only its columns and its byte order are those
    /// of the recognized schema.
    ///
    /// @param into bound to it; setters throw, as the copy is read-only
    public Schema schema(Schema into) {
        return into.wrap(MemorySegment.ofArray(accepted).asReadOnly());
    }

    /// Finds an attached object. Allocates nothing.
    ///
    /// @param type its class
    /// @param ofColumns whether it depends only on the columns and the byte order
    /// @param version metadata version that it is for; 0 for all versions
    /// @param limits limits that it was made with, compared by `equals`
    /// @param <T> its class
    /// @return what was attached with an equal key, null if nothing was, or if it depends on more than
    ///     is known
    public <T> T attached(Class<T> type, boolean ofColumns, int version, Object limits) {
        final Attachments all = ofColumns ? this.ofColumns : ofSchema;
        return all == null ? null : type.cast(all.find(type, version, limits));
    }

    /// Attaches an object. The last 16 are kept for the schema, and as many for its columns.
    ///
    /// @param type its class
    /// @param ofColumns whether it depends only on the columns and the byte order
    /// @param version metadata version that it is for; 0 for all versions
    /// @param limits limits that it was made with
    /// @param value made from [#schema]. It must be immutable, and hold no memory of a caller
    /// @param <T> its class
    /// @return `value`, or what another thread has attached before
    /// @throws IllegalStateException if `value` depends on more than is known
    public <T> T attach(Class<T> type, boolean ofColumns, int version, Object limits, T value) {
        final Attachments all = ofColumns ? this.ofColumns : ofSchema;
        if (all == null) {
            throw new IllegalStateException("only the columns are known: type=" + type.getName());
        }
        return type.cast(all.add(new Item(type, version, limits, Objects.requireNonNull(value))));
    }

    private record Item(Class<?> type, int version, Object limits, Object value) {}

    /// Read without a lock: a new array takes the place of the old one.
    private static final class Attachments {
        private volatile Item[] items = {};

        Object find(Class<?> type, int version, Object limits) {
            for (Item each : items) {
                if (each.type == type && each.version == version && each.limits.equals(limits)) {
                    return each.value;
                }
            }
            return null;
        }

        synchronized Object add(Item item) {
            final Object before = find(item.type, item.version, item.limits);
            if (before != null) {
                return before;
            }
            final Item[] old = items;
            final int kept = Math.min(old.length, MAX_ATTACHMENTS - 1);
            final Item[] all = Arrays.copyOfRange(old, old.length - kept, old.length + 1);
            all[kept] = item;
            items = all;
            return item.value;
        }
    }
}
