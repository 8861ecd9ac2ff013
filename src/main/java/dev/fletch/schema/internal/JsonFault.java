// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.internal;

/// Thrown if a text is not the expected JSON. A reader of a format throws its own exception instead.
public final class JsonFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient JsonCursor.Place place;
    private final String details;

    /// @param reason what is wrong, escaped
    /// @param details further `name=value` pairs, escaped; empty for none
    public JsonFault(String reason, JsonCursor.Place place, String details, Throwable cause) {
        super(reason, cause);
        this.place = place;
        this.details = details;
    }

    public JsonCursor.Place place() {
        return place;
    }

    public String details() {
        return details;
    }
}
