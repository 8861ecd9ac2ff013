// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/// A schema that was verified before, and the objects derived from it, such as a layout.
///
/// A reader returns it for a recognized schema if its options have a set of known schemas: see
/// `dev.fletch.ipc.KnownSchemas`. `BatchLayout.of` and `ArrowSchema.of` accept it, and return the
/// same object for the same schema each time.
///
/// It holds a copy of the schema's bytes, and no reference to the memory of a file or stream.
/// Attached objects are derived from that copy.
///
/// **Parts.** If [#isComplete] is false, the recognized schema has the same columns and byte order
/// as this one, but other custom metadata or features. Objects that depend only on columns and byte
/// order are shared by all schemas with the same columns.
///
/// **Threads.** Thread-safe.
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

    /// Creates a handle to a schema, without attached objects.
    ///
    /// @param accepted a buffer whose root is a verified schema; not copied, and must not change
    public static KnownSchema of(byte[] accepted) {
        return new KnownSchema(accepted, new Attachments(), new Attachments());
    }

    /// Creates a handle to a schema with the same columns and byte order. It shares the objects
    /// attached to the columns.
    ///
    /// @param other a buffer, as for [#of]
    public KnownSchema withSameColumns(byte[] other) {
        return new KnownSchema(other, new Attachments(), ofColumns);
    }

    /// {@return a handle for schemas of which only columns and byte order are known, equal to
    /// these}
    public KnownSchema columnsOnly() {
        return new KnownSchema(accepted, null, ofColumns);
    }

    /// {@return whether the complete schema is known; if false, only its columns and byte order}
    public boolean isComplete() {
        return ofSchema != null;
    }

    /// Binds to the copy of the bytes. Unless [#isComplete], only its columns and byte order are
    /// those of the recognized schema.
    ///
    /// @param into bound to the copy; setters throw, as the copy is read-only
    public Schema schema(Schema into) {
        return into.wrap(MemorySegment.ofArray(accepted).asReadOnly());
    }

    /// Finds an attached object. Allocates nothing.
    ///
    /// @param type class of the object
    /// @param ofColumns whether the object depends only on the columns and the byte order
    /// @param version metadata version of the object; 0 for all versions
    /// @param limits limits that the object was derived with, compared by `equals`
    /// @param <T> class of the object
    /// @return the object attached with an equal key; null if there is none, or if it depends on
    ///     unknown parts
    public <T> T attached(Class<T> type, boolean ofColumns, int version, Object limits) {
        Attachments all = ofColumns ? this.ofColumns : ofSchema;
        return all == null ? null : type.cast(all.find(type, version, limits));
    }

    /// Attaches an object. Its key for [#attached] has `type`, `ofColumns`, `version` and `limits`.
    /// The schema keeps the last 16, and its columns another 16.
    ///
    /// @param value derived from [#schema]; must be immutable, and hold no memory of a caller
    /// @param <T> class of the object
    /// @return `value`, or the object that another thread has attached first
    /// @throws IllegalStateException if the object depends on unknown parts
    public <T> T attach(Class<T> type, boolean ofColumns, int version, Object limits, T value) {
        Attachments all = ofColumns ? this.ofColumns : ofSchema;
        if (all == null) {
            throw new IllegalStateException("only the columns are known: type=" + type.getName());
        }
        return type.cast(all.add(new Item(type, version, limits, Objects.requireNonNull(value))));
    }

    private record Item(Class<?> type, int version, Object limits, Object value) {}

    /// Read without a lock: a new array replaces the old one.
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
            Object before = find(item.type, item.version, item.limits);
            if (before != null) {
                return before;
            }
            Item[] old = items;
            int kept = Math.min(old.length, MAX_ATTACHMENTS - 1);
            Item[] all = Arrays.copyOfRange(old, old.length - kept, old.length + 1);
            all[kept] = item;
            items = all;
            return item.value;
        }
    }
}
