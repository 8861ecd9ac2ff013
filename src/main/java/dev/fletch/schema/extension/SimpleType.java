// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.extension;

import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.InvalidSchemaException;

import java.util.Set;
import java.util.function.Consumer;

/// The canonical types without parameters.
public enum SimpleType implements ExtensionType {
    /// Booleans of 8 bits, stored as `int8`: 0 is false, any other value true, preferably 1.
    BOOL8("arrow.bool8", SimpleType::bool8),

    /// JSON text (RFC 8259), stored as `utf8`, `large_utf8` or `utf8_view`.
    ///
    /// Metadata is empty or a JSON object whose keys are ignored: a newer specification may define
    /// some.
    JSON("arrow.json", SimpleType::json),

    /// Values of any type, in Parquet's variant encoding: a struct of `metadata`, and of `value`,
    /// `typed_value` or both, in any order.
    ///
    /// `metadata` and `value` have one of the binary types; `metadata` must not be null, and may be
    /// dictionary-encoded or run-end-encoded. `typed_value` holds shredded values: of a primitive
    /// type, a list whose items are structs of `value` and `typed_value` again, or a struct of such
    /// structs. An empty struct, an object without shredded fields, is accepted: the specification
    /// has rules for each field, but does not require a field.
    ///
    /// These parts must not have extension types, except that a `typed_value` may be `arrow.uuid`:
    /// the specification lists the types of all parts. Nullable values of runs are accepted, as
    /// Arrow C++ always declares them.
    PARQUET_VARIANT("arrow.parquet.variant", VariantStorage::check),

    /// Instants with an offset from UTC: a struct of `timestamp`, in UTC and of any unit, and
    /// `offset_minutes`, the minutes east of UTC in `int16`, in this order; neither may be null.
    ///
    /// The offsets may be dictionary-encoded or run-end-encoded. The values of runs may be
    /// nullable, as Arrow C++ always declares them. Offsets are normally -779 to 780.
    TIMESTAMP_WITH_OFFSET("arrow.timestamp_with_offset", SimpleType::timestampWithOffset),

    /// Universally unique identifiers of any version, stored as 16 bytes in big-endian order.
    UUID("arrow.uuid", SimpleType::uuid);

    private final String extensionName;
    private final Consumer<Storage> check;

    SimpleType(String extensionName, Consumer<Storage> check) {
        this.extensionName = extensionName;
        this.check = check;
    }

    @Override
    public String extensionName() {
        return extensionName;
    }

    @Override
    public void checkStorage(ArrowField storage) {
        check.accept(new Storage(extensionName, storage));
    }

    /// Checks that there are no parameters.
    SimpleType read(String metadata) {
        if (this == JSON && !metadata.isEmpty() && !metadata.equals("{}")) {
            Parameters.parse(extensionName, metadata, Set.of());
        } else if (this != JSON && !metadata.isEmpty()) {
            throw InvalidSchemaException.ofExtension(
                    extensionName, "must have no metadata", null, "metadata", metadata);
        }
        return this;
    }

    // ---- storage

    private static void bool8(Storage field) {
        field.require(field.isPlain(new ArrowType.Int(8, true)), "must be stored as int8");
    }

    private static void json(Storage field) {
        field.require(
                field.isPlain(ArrowType.Simple.UTF8)
                        || field.isPlain(ArrowType.Simple.LARGE_UTF8)
                        || field.isPlain(ArrowType.Simple.UTF8_VIEW),
                "must be stored as utf8, large_utf8 or utf8_view");
    }

    private static void timestampWithOffset(Storage field) {
        field.require(field.isPlain(ArrowType.Simple.STRUCT), "must be stored as struct");
        field.requireChildren("timestamp", "offset_minutes");
        Storage timestamp = field.child(0);
        timestamp.require(
                timestamp.isPlain()
                        && timestamp.type() instanceof ArrowType.Timestamp instant
                        && "UTC".equals(instant.timezone()),
                "must have its timestamp in UTC");
        timestamp.requireNotNull();
        Storage offset = field.child(1);
        offset.requireNotNull();
        String rule = "must have its offset_minutes in int16";
        Storage minutes = offset.insideRuns(rule);
        minutes.require(minutes.type().equals(new ArrowType.Int(16, true)), rule);
    }

    private static void uuid(Storage field) {
        field.require(
                field.isPlain(new ArrowType.FixedSizeBinary(16)),
                "must be stored as fixed_size_binary(16)");
    }
}
