// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.internal;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;

/// Thrown if a text is not the expected JSON. A reader of metadata throws its own exception
/// instead.
///
/// The message reads `what is wrong: line=3, column=14, path=fields[2].type.bitWidth, name=value`.
/// Text from the input is escaped and shortened.
public final class JsonFault extends FletchException {
    private static final long serialVersionUID = 1L;

    /// @param reason what is wrong, escaped
    /// @param details further `name=value` pairs, escaped; empty for none
    public JsonFault(String reason, JsonCursor.Place place, String details, Throwable cause) {
        String at = "line=" + place.line() + ", column=" + place.column();
        String path = place.path().isEmpty() ? "" : ", path=" + place.path();
        String more = details.isEmpty() ? "" : ", " + details;
        String text = reason + ": " + at + path + more;
        Fault fault = Fault.of(MeaningRule.INVALID_JSON, NO_OFFSET, 0).at(place.path());
        super(fault.because(at + more).withText(text), text, cause);
    }
}
