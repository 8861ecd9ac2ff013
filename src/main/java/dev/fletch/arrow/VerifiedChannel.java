// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import dev.fletch.FileRule;
import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.Rule;
import dev.fletch.arrow.internal.BatchSequence;
import dev.fletch.arrow.internal.StreamSource;
import dev.fletch.format.FrameKind;
import dev.fletch.input.DetectedInput;
import dev.fletch.input.InputBytes;
import dev.fletch.ipc.MessageReader;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.internal.FileTail;
import dev.fletch.ipc.internal.FrameCheck;
import dev.fletch.wire.Closing;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;

/// The bytes of a stream, unchanged; those of a message only after the whole message was verified.
/// For readers that verify less, such as arrow-java's:
///
/// ```java
/// var verified = VerifiedChannel.of(channel, ReadOptions.UNTRUSTED);
/// try (var reader = new ArrowStreamReader(verified, allocator)) {
///     …
/// }
/// ```
///
/// The channel reads a message completely, verifies frame, structure, meaning and values as the
/// options say, and then hands on its bytes. A dictionary is verified when it arrives. If its
/// values are indices that another dictionary does not have yet, it is handed on with the next
/// record batch: until then, the other may be defined, extended or replaced.
///
/// All options refuse unaligned frames and, in a stream, an end-of-stream marker whose prefix
/// differs from that of the messages. [ReadOptions.Level#MEANING] and higher levels also refuse a
/// body that continues behind its last buffer. With such bytes, a damaged length can end a stream
/// early, or hide messages.
///
/// arrow-java throws exceptions for some valid schemas, such as sparse unions with two children of
/// one type: what is handed on is sound, and may still be too much for a reader.
///
/// **The end.** The bytes end with the end-of-stream marker, or with the source between two
/// messages. What follows the marker is not read, and stays in the source.
///
/// **Errors.** A [FletchException] for the first fault, as from [BatchReader], with the offset in
/// the stream. No byte of its message, or behind it, is handed on. Exceptions of the source pass
/// through. After any exception, [#read] throws an [IllegalStateException]; after [#close], a
/// [ClosedChannelException]. A source in non-blocking mode without available bytes throws an
/// [IllegalBlockingModeException].
///
/// **Memory.** One message, in memory that grows with the bytes that arrive; the dictionaries,
/// and once more those that wait for others, up to [ReadOptions#decompressedBytes];
/// and what is decompressed to verify it. [ReadOptions#limits] and [ReadOptions#decompressedBytes]
/// limit it; metadata and body have at most 1 GiB each. After the end, another channel may use the
/// memory of bodies, until the next garbage collection.
///
/// **Threads.** One at a time.
public final class VerifiedChannel extends AbstractInterruptibleChannel
        implements ReadableByteChannel {
    private static final long MOST_BYTES = (1L << 30) - Long.BYTES;

    private final StreamSource source;
    private final BatchReceiver receiver;
    private final long heldLimit;
    // Parts of verified messages that are not handed on yet, each with at least one byte.
    private final Queue<ByteBuffer> verified = new ArrayDeque<>();
    // Also while a message is verified.
    private boolean hasFailed;
    private boolean isAtEnd;

    private VerifiedChannel(ReadableByteChannel channel, ReadOptions options) {
        Limits limits = options.limits();
        ReadOptions limited =
                options.withLimits(
                        limits.withBodyBytes(Math.min(limits.bodyBytes(), MOST_BYTES))
                                .withMetadataBytes(Math.min(limits.metadataBytes(), MOST_BYTES)));
        source =
                new StreamSource(
                        MessageReader.of(channel, BatchSequence.ofMetadata(limited)), true);
        receiver = new BatchReceiver(source, limited);
        heldLimit = Math.min(options.decompressedBytes(), MOST_BYTES);
    }

    /// Verifies a stream, from the current position of a channel.
    ///
    /// @param source in blocking mode; closed by [#close]
    public static VerifiedChannel of(ReadableByteChannel source, ReadOptions options) {
        Objects.requireNonNull(source, "source");
        return new VerifiedChannel(source, withFrames(options));
    }

    private static ReadOptions withFrames(ReadOptions options) {
        Set<Rule> refused = new HashSet<>(options.refused());
        refused.addAll(FrameCheck.OF_EARLY_ENDS);
        return options.withRefused(refused);
    }

    /// Copies and verifies a file, as [Arrow#verify(Path, ReadOptions, dev.fletch.FaultSink,
    /// String...)] does, for readers of files such as arrow-java's `ArrowFileReader`. That reads as
    /// many dictionary batches as there are dictionaries: [FileRule#DELTA_IN_FILE] refuses files
    /// with deltas, as [ReadOptions#UNTRUSTED] does.
    ///
    /// The channel reads the copy: **if the file changes afterwards, it does not matter.** A file
    /// of less than 1 MiB is copied into memory, a larger one into a temporary file that only its
    /// owner can read, and that is deleted by closing the channel.
    ///
    /// @return all bytes of the file; read-only
    /// @throws FletchException for the first fault that the options refuse
    /// @throws IOException if the file cannot be read, or the temporary folder is full
    public static SeekableByteChannel open(Path file, ReadOptions options) throws IOException {
        ReadOptions refusing = withFrames(options);
        InputBytes bytes = InputBytes.of(Files.newInputStream(file));
        return Closing.onFailure(
                bytes::close,
                () -> {
                    verify(bytes, refusing);
                    return new StoredChannel(bytes);
                });
    }

    private static void verify(InputBytes bytes, ReadOptions refusing) throws IOException {
        bytes.keep();
        MemorySegment memory = bytes.memory();
        if (FileTail.isFile(memory)) {
            // Else it is verified as a stream, and a reader of files finds another footer.
            FileTail.leadingMagic(memory, memory.byteSize(), FletchException::raiseInInput);
        }
        Arrow.verify(
                memory,
                refusing,
                fault -> {
                    if (refusing.refuses(fault.rule())) {
                        FletchException.raiseInInput(fault);
                    }
                });
        if (DetectedInput.container(memory) == null) {
            // Verified was a flatbuffer or base64 text: readers would find other messages.
            FrameCheck.noMessage(0, "", FletchException::raiseInInput);
        }
    }

    /// Hands on the next bytes of the message that was verified last, or verifies the next one.
    ///
    /// @return number of bytes; -1 at the end
    @Override
    public int read(ByteBuffer into) throws IOException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
        if (!into.hasRemaining()) {
            return 0;
        }
        if (hasFailed) {
            throw new IllegalStateException("channel has failed before");
        }
        if (verified.isEmpty() && !isAtEnd) {
            hasFailed = true;
            verifyNext();
            hasFailed = false;
        }
        int from = into.position();
        while (into.hasRemaining() && !verified.isEmpty()) {
            ByteBuffer part = verified.element();
            int count = Math.min(into.remaining(), part.remaining());
            into.put(into.position(), part, part.position(), count);
            into.position(into.position() + count);
            if (!part.position(part.position() + count).hasRemaining()) {
                verified.remove();
            }
        }
        if (isAtEnd && verified.isEmpty()) {
            source.release(); // not when it is closed, which another thread may do
        }
        return into.position() == from ? -1 : into.position() - from;
    }

    private void verifyNext() throws IOException {
        long held = 0;
        receive();
        while (!isAtEnd && receiver.sequence.hasWrongIndices()) {
            int length = (int) (source.frame.nextOffset() - source.frame.offset());
            held += length;
            if (held > heldLimit) {
                receiver.settleIndices();
                break;
            }
            ByteBuffer copy = ByteBuffer.allocate(length);
            source.parts().forEach(copy::put);
            verified.add(copy.flip());
            receive();
        }
        source.parts().stream().filter(ByteBuffer::hasRemaining).forEach(verified::add);
    }

    private void receive() throws IOException {
        receiver.receive(true);
        isAtEnd = source.frame.kind() != FrameKind.MESSAGE;
    }

    /// {@return this channel as an input stream, which closes it}
    public InputStream stream() {
        return Channels.newInputStream(this);
    }

    /// Closes the source, once.
    @Override
    protected void implCloseChannel() throws IOException {
        source.close();
    }
}
