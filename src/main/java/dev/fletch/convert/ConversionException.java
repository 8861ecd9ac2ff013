// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert;

import dev.fletch.FletchException;
import dev.fletch.Rule;

/// Thrown if an input is damaged and may not be left out, or has nothing to convert. Nothing was
/// written then.
public final class ConversionException extends FletchException {
    private static final long serialVersionUID = 1L;

    /// @param offset byte offset in the input
    /// @param cause may be null
    public ConversionException(Rule rule, long offset, String message, Throwable cause) {
        super(rule, null, offset, "offset=" + offset + ": " + message, cause);
    }
}
