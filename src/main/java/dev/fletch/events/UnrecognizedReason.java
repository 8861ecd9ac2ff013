// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.events;

/// Why a message or footer was not recognized.
public enum UnrecognizedReason {
    /// The reader has not learned it: it was not seen before, or not often enough.
    NEW("new"),
    /// It was learned, but another one has taken its place since.
    EVICTED("evicted"),
    /// It cannot be learned: it is too large, or it has texts or tables that are verified each time.
    NOT_LEARNABLE("not learnable"),
    /// It would be learned, but the reader has learned too much recently.
    LIMIT("limit of work");

    private final String text;

    UnrecognizedReason(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }
}
