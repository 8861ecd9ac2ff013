// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;

/// Writes a stream: messages, and the mark that ends it.
///
/// ```java
/// try (ArrowStreamWriter writer = ArrowStreamWriter.of(channel)) {
///     writer.write(schema);
///     while (…) {
///         writer.write(memory, at, length, body.reset().addBuffer(…)…);
///     }
///     writer.finish();
/// }
/// ```
///
/// To copy a stream that is in memory:
///
/// ```java
/// long at = 0;
/// while (frame.wrap(input, at, message) == FrameKind.MESSAGE) {
///     writer.copy(input, frame);
///     at = frame.nextOffset();
/// }
/// ```
///
/// Checks, failures, allocation, threads: see [MessageWriter]. Settings throw an [IllegalStateException]
/// after the first message.
public final class ArrowStreamWriter extends MessageWriter {
    private ArrowStreamWriter(MessageOutput output) {
        super(output, false);
    }

    /// Writes to a channel, from its current position.
    ///
    /// @param channel any channel in blocking mode; closed by [#close]
    /// @return a writer before its first message
    public static ArrowStreamWriter of(WritableByteChannel channel) {
        return new ArrowStreamWriter(output(channel));
    }

    /// Writes to an output stream. A [java.io.FileOutputStream] is written through its channel.
    ///
    /// @param out any stream; closed by [#close]
    /// @return a writer before its first message
    public static ArrowStreamWriter of(OutputStream out) {
        return new ArrowStreamWriter(output(out));
    }

    /// Writes to memory, which must not hold the bodies. Only the bytes that [#position] counts change.
    ///
    /// @param memory any kind of memory that can be written to
    /// @param at byte offset of the stream's first byte
    /// @return a writer before its first message
    /// @throws IndexOutOfBoundsException if the offset is neither inside `memory` nor at its end
    /// @throws IllegalArgumentException if `memory` is read-only
    public static ArrowStreamWriter of(MemorySegment memory, long at) {
        return new ArrowStreamWriter(output(memory, at));
    }

    /// Aligns bodies, counted from the stream's first byte; to 8 bytes by default. The format recommends 64,
    /// and requires it for tensors. [BodyParts] aligns what is inside a body.
    ///
    /// @param bytes a power of two from 8 to 4096
    /// @return this
    /// @throws IllegalArgumentException if it is not
    public ArrowStreamWriter alignment(int bytes) {
        setAlignment(bytes);
        return this;
    }

    /// Leaves out continuation words, as writers before 0.15.0 did.
    ///
    /// @param legacy whether to
    /// @return this
    public ArrowStreamWriter legacyPrefix(boolean legacy) {
        setLegacyPrefix(legacy);
        return this;
    }
}
