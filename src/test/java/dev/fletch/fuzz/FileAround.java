// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fuzz;

import static dev.fletch.ipc.Frames.join;
import static dev.fletch.ipc.Frames.padded;

import dev.fletch.ipc.Frames;
import dev.fletch.testdata.LargeSchemas;

/// A stream put together by hand, and a file of it whose footer may be anything.
final class FileAround {
    private static final byte[] SCHEMA = padded(LargeSchemas.schemaMessage(1), Long.BYTES);
    private static final byte[] BATCH = padded(LargeSchemas.recordBatchMessage(0), Long.BYTES);

    private FileAround() {}

    /// Returns a file of a schema and a batch that ends with this footer.
    static byte[] footer(byte[] footer) {
        return Frames.file(stream(true), footer);
    }

    /// Returns a stream of a schema and a batch without columns or body.
    ///
    /// @param continuation whether with continuation words, or as old writers put it
    static byte[] stream(boolean continuation) {
        return continuation
                ? join(Frames.frame(SCHEMA), Frames.frame(BATCH), Frames.END)
                : join(Frames.legacyFrame(SCHEMA), Frames.legacyFrame(BATCH), Frames.LEGACY_END);
    }
}
