// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.io;

import java.io.IOException;
import java.io.UncheckedIOException;

/// Thrown where nothing more can be written to standard output: whoever read it has had enough, or
/// the disk is full.
public final class OutputClosed extends UncheckedIOException {
    private static final long serialVersionUID = 1L;

    private int status;

    public OutputClosed(IOException cause) {
        super(cause);
    }

    /// Remembers what had been found until then.
    ///
    /// @param soFar an exit status
    /// @return this
    public OutputClosed after(int soFar) {
        status = Math.max(status, soFar);
        return this;
    }

    /// The worst exit status of what had been found until then.
    int status() {
        return status;
    }
}
