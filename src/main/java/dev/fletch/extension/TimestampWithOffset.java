// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.extension;

import dev.fletch.model.ArrowField;
import dev.fletch.model.ArrowType;

import java.util.List;

/// Instants, each with the offset of a time zone: a struct of `timestamp`, in UTC and of any unit,
/// and `offset_minutes`, the minutes east of UTC in `int16`, in this order; neither may be null.
///
/// The offsets may be dictionary-encoded or run-end-encoded; that the values of runs are declared
/// nullable, as Arrow C++ always does, is no fault. Normally offsets are -779 to 780.
public record TimestampWithOffset() implements ExtensionType {
    /// The type's name.
    public static final String NAME = "arrow.timestamp_with_offset";

    @Override
    public String extensionName() {
        return NAME;
    }

    @Override
    public void checkStorage(ArrowField storage) {
        Storage field = Storage.of(this, storage);
        field.require(field.isPlain(ArrowType.Struct.class), "must be stored as struct");
        List<String> names = storage.children().stream().map(ArrowField::name).toList();
        if (!names.equals(List.of("timestamp", "offset_minutes"))) {
            throw field.violation(
                    "must have the children timestamp and offset_minutes, in this order",
                    "children",
                    names);
        }
        Storage timestamp = field.child(0);
        timestamp.require(
                timestamp.isPlain()
                        && timestamp.type() instanceof ArrowType.Timestamp instant
                        && "UTC".equals(instant.timezone()),
                "must have its timestamp in UTC");
        timestamp.requireNotNull();
        Storage offset = field.child(1);
        offset.requireNotNull();
        Storage minutes = offset.insideRuns();
        boolean encodedTwice = minutes != offset && !minutes.isPlain();
        minutes.require(
                minutes.type().equals(new ArrowType.Int(16, true)) && !encodedTwice,
                "must have its offset_minutes in int16");
    }
}
