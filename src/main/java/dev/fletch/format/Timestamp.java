// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.format.ids.TimeUnit;
import dev.fletch.format.ids.Type;

import java.lang.foreign.MemorySegment;

/// Type parameters of timestamps: 64 bits per value, since 1970-01-01.
///
/// Source: `format/Schema.fbs`, table `Timestamp`.
public final class Timestamp extends TypeTable {
    public static final int UNIT_SLOT = 0;
    public static final int TIMEZONE_SLOT = 1;

    static final long SIZES = sizes(2, 4);

    private short unit;
    private long timezoneAt;
    private int timezoneLength;

    public Timestamp() {
        super(Type.TIMESTAMP);
    }

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, SIZES);
        unit = int16(a, s, UNIT_SLOT, TimeUnit.SECOND);
        timezoneAt = target(a, s, TIMEZONE_SLOT);
        timezoneLength = count(a, s, timezoneAt, 1);
    }

    /// {@return unit, one of [TimeUnit]; [TimeUnit#SECOND] if absent}
    public int unit() {
        return unit;
    }

    public void setUnit(int value) {
        unit = setInt16(UNIT_SLOT, value);
    }

    /// Binds a slice to the time zone: a name of the tz database, or an offset such as `+07:30`. If
    /// absent, values are wall-clock times without a time zone.
    public boolean timezone(Utf8Slice into) {
        return slice(timezoneAt, timezoneLength, into);
    }

    public int timezoneLength() {
        return timezoneLength;
    }

    public boolean timezoneEquals(CharSequence text) {
        return sliceEquals(timezoneAt, timezoneLength, text);
    }

    public String timezoneString() {
        return string(timezoneAt, timezoneLength);
    }
}
