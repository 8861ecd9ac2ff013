// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.extension;

import dev.fletch.model.ArrowField;
import dev.fletch.model.ArrowType;

/// Instants with an offset from UTC: a struct of `timestamp`, in UTC and of any unit, and
/// `offset_minutes`, the minutes east of UTC in `int16`, in this order; neither may be null.
///
/// The offsets may be dictionary-encoded or run-end-encoded. The values of runs may be nullable, as
/// Arrow C++ always declares them. Offsets are normally -779 to 780.
public record TimestampWithOffset() implements ExtensionType {
    /// The type's name.
    public static final String NAME = "arrow.timestamp_with_offset";

    @Override
    public String extensionName() {
        return NAME;
    }

    @Override
    public void checkStorage(ArrowField storage) {
        Storage field = new Storage(NAME, storage);
        field.require(field.isPlain(ArrowType.Struct.class), "must be stored as struct");
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
}
