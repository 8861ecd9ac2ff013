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
/// **Threads.** Thread-safe.
///
/// Source: `format/Schema.fbs`, table `Schema`.
public final class KnownSchema {
    private static final int MAX_ATTACHMENTS = 16;

    private final byte[] accepted;

    /// Read without a lock: a new array replaces the old one.
    private volatile Item[] items = {};

    private KnownSchema(byte[] accepted) {
        this.accepted = accepted;
    }

    /// Creates a handle to a schema, without attached objects.
    ///
    /// @param accepted a buffer whose root is a verified schema; not copied, and must not change
    public static KnownSchema of(byte[] accepted) {
        return new KnownSchema(accepted);
    }

    /// Binds to the copy of the bytes.
    ///
    /// @param into bound to the copy; setters throw, as the copy is read-only
    public Schema schema(Schema into) {
        return into.wrap(MemorySegment.ofArray(accepted).asReadOnly());
    }

    /// Finds an attached object. Allocates nothing.
    ///
    /// @param type class of the object
    /// @param version metadata version of the object; 0 for all versions
    /// @param limits limits that the object was derived with, compared by `equals`
    /// @param <T> class of the object
    /// @return the object attached with an equal key; null if there is none
    public <T> T attached(Class<T> type, int version, Object limits) {
        for (Item each : items) {
            if (each.type == type && each.version == version && each.limits.equals(limits)) {
                return type.cast(each.value);
            }
        }
        return null;
    }

    /// Attaches an object. Its key for [#attached] has `type`, `version` and `limits`. The schema
    /// keeps the last 16.
    ///
    /// @param value derived from [#schema]; must be immutable, and hold no memory of a caller
    /// @param <T> class of the object
    /// @return `value`, or the object that another thread has attached first
    public synchronized <T> T attach(Class<T> type, int version, Object limits, T value) {
        T before = attached(type, version, limits);
        if (before != null) {
            return before;
        }
        Item[] old = items;
        int kept = Math.min(old.length, MAX_ATTACHMENTS - 1);
        Item[] all = Arrays.copyOfRange(old, old.length - kept, old.length + 1);
        all[kept] = new Item(type, version, limits, Objects.requireNonNull(value));
        items = all;
        return value;
    }

    private record Item(Class<?> type, int version, Object limits, Object value) {}
}
