// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.io;

import java.io.IOException;
import java.io.UncheckedIOException;

/// Thrown if a write to standard output fails: its reader closed the pipe, or the disk is full.
public final class OutputClosed extends UncheckedIOException {
    private static final long serialVersionUID = 1L;

    private int status;

    public OutputClosed(IOException cause) {
        super(cause);
    }

    /// Records the exit status found so far, and returns this.
    public OutputClosed after(int soFar) {
        status = Math.max(status, soFar);
        return this;
    }

    /// The highest exit status found so far.
    int status() {
        return status;
    }
}
