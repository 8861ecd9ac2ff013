// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.wire;

import java.io.Closeable;
import java.io.IOException;
import java.lang.ScopedValue.CallableOp;

/// Closes what an operation was to take over, if the operation fails.
public final class Closing {
    private Closing() {}

    /// Runs an operation.
    ///
    /// @param resource closed if the operation throws an exception, to which that of closing is
    ///     added
    public static <T> T onFailure(Closeable resource, CallableOp<T, IOException> operation)
            throws IOException {
        try {
            return operation.call();
        } catch (IOException | RuntimeException | Error e) {
            try {
                resource.close();
            } catch (IOException second) {
                e.addSuppressed(second);
            }
            throw e;
        }
    }
}
