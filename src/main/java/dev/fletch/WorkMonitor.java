// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

import java.util.concurrent.CancellationException;

/// Watches work on a complete input, and can stop it: a progress display, a request that was
/// cancelled, a limit.
///
/// Any exception ends the work and is thrown to its caller, usually a [CancellationException]. What
/// was opened is closed. Called on the thread that works.
@FunctionalInterface
public interface WorkMonitor {
    /// Watches nothing.
    WorkMonitor NONE = (_, _) -> {};

    /// Called at each message.
    ///
    /// @param done bytes or messages that are done; 0 if unknown
    /// @param total the total in the same unit; 0 if unknown, and `done` is in bytes then
    void reached(long done, long total);

    /// Called for bytes that are verified or searched, at least once for each MiB. Damaged input
    /// can cost several times its size.
    ///
    /// @param bytes since the last call
    default void worked(long bytes) {}

    /// Stops work that verifies and searches more bytes than a limit.
    ///
    /// @param limit in bytes
    /// @return a monitor for one input, which throws a [CancellationException] with both numbers
    static WorkMonitor limitedTo(long limit) {
        return new WorkMonitor() {
            private long left = limit;

            @Override
            public void reached(long done, long total) {}

            @Override
            public void worked(long bytes) {
                if (bytes > left) {
                    long all = limit - left + bytes;
                    throw new CancellationException(
                            "work is over the limit: bytes=" + all + ", limit=" + limit);
                }
                left -= bytes;
            }
        };
    }
}
