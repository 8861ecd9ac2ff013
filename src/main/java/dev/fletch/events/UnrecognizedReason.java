// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.events;

import java.util.Locale;

/// Why a message or footer was not recognized.
public enum UnrecognizedReason {
    /// The reader has not learned it: it was not seen before, or not often enough.
    NEW,
    /// It was learned, but another one has taken its place since.
    EVICTED,
    /// It cannot be learned: it is too large, or it has texts or tables that are verified each
    /// time.
    NOT_LEARNABLE,
    /// It would be learned, but the reader has learned too much recently.
    LIMIT_OF_WORK;

    /// The name in words, such as `not learnable`.
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
