// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.io;

/// Thrown where a column was asked for that the schema does not have; the message names near ones.
public final class NoSuchColumn extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public NoSuchColumn(String message) {
        super(message);
    }
}
