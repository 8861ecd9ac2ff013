// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.FletchException;
import dev.fletch.FrameRule;
import dev.fletch.Rule;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.testdata.OracleMessage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// All that this package tells of some input, in a form to be compared: by each of its ways to
/// read.
///
/// @param messages in the order in which they were found
/// @param ending what came instead of a message, with its place
/// @param failure the last word where an exception ended it; `null` else
public record Listing(List<Line> messages, String ending, Failure failure) {

    /// One message.
    public record Line(
            long offset,
            String kind,
            String version,
            int prefixLength,
            int metadataLength,
            long bodyOffset,
            long bodyLength,
            Long rows,
            Long dictionaryId) {

        /// The same as flatc's classes see it.
        static Line of(OracleMessage message) {
            return new Line(
                    message.offset(),
                    message.kind(),
                    message.version(),
                    message.prefixLength(),
                    message.metadataLength(),
                    message.bodyOffset(),
                    message.bodyLength(),
                    message.rows(),
                    message.dictionaryId());
        }
    }

    /// An exception that says where.
    ///
    /// @param reason what it says, as far as all ways to read say the same
    public record Failure(Rule fault, long offset, String reason) {
        static Failure of(FletchException e) {
            boolean isNested = e.getCause() != null;
            return new Failure(e.rule(), e.offset(), isNested ? "" : e.fault().text());
        }
    }

    /// A way to the next message.
    private interface Way {
        EncapsulatedMessage next(Message into) throws IOException;
    }

    /// Returns what a walk over a stream in memory finds; offsets count from its first byte.
    static Listing ofStream(MemorySegment memory, long offset, long length) {
        return ofStream(memory, offset, length, ReadOptions.DEFAULT);
    }

    private static Listing ofStream(
            MemorySegment memory, long offset, long length, ReadOptions options) {
        EncapsulatedMessage frame = new EncapsulatedMessage(options);
        return list(
                offset,
                into -> {
                    long at = frame.kind() == null ? offset : frame.nextOffset();
                    frame.wrap(memory, at, offset + length, into);
                    return frame;
                });
    }

    static Listing ofStream(byte[] stream) {
        return ofStream(stream, ReadOptions.DEFAULT);
    }

    public static Listing ofStream(byte[] stream, ReadOptions options) {
        return ofStream(MemorySegment.ofArray(stream), 0, stream.length, options);
    }

    /// Returns what a walk over a stream in a buffer finds; offsets count from its position.
    static Listing ofStream(ByteBuffer stream) {
        EncapsulatedMessage frame = new EncapsulatedMessage();
        int start = stream.position();
        Listing listing =
                list(
                        start,
                        into -> {
                            if (frame.kind() != null) {
                                stream.position(Math.toIntExact(frame.nextOffset()));
                            }
                            frame.wrap(stream, into);
                            return frame;
                        });
        stream.position(start);
        return listing;
    }

    /// Returns what a reader finds, skipping all bodies.
    public static Listing ofReader(MessageReader reader) {
        return list(
                0,
                into -> {
                    reader.next(into);
                    return reader.frame();
                });
    }

    /// Returns what a decoder finds in buffers.
    ///
    /// @param more gives the next one; `null` at the end
    /// @param pieces is given each piece of a body
    public static Listing ofDecoder(
            MessageDecoder decoder, Supplier<ByteBuffer> more, Consumer<MessageDecoder> pieces) {
        ByteBuffer[] input = {ByteBuffer.allocate(0)};
        return list(
                0,
                into -> {
                    for (; ; ) {
                        switch (decoder.next(input[0], into)) {
                            case MESSAGE, END_OF_STREAM -> {
                                return decoder.frame();
                            }
                            case BODY -> pieces.accept(decoder);
                            case NEED_MORE -> {
                                assertEquals(0, input[0].remaining());
                                input[0] = more.get();
                                if (input[0] == null) {
                                    decoder.finish();
                                    return decoder.frame();
                                }
                            }
                        }
                    }
                });
    }

    /// Fails unless this, a walk over a stream in memory, has found what a reader of a source finds.
    /// That refuses a length above its limit before it knows where the input ends.
    public void assertFoundBy(Listing reader) {
        if (reader.failure == null || reader.failure.fault != FrameRule.METADATA_OVER_LIMIT) {
            assertEquals(this, reader);
            return;
        }
        assertEquals(messages, reader.messages);
        assertEquals(FrameRule.METADATA_OUT_OF_INPUT, failure.fault);
        assertEquals(failure.offset, reader.failure.offset);
    }

    /// Returns what a file's blocks lead to.
    static Listing ofFile(ArrowFile file) {
        EncapsulatedMessage frame = new EncapsulatedMessage();
        int[] index = {0};
        return list(
                0,
                into -> {
                    if (index[0] == file.messageCount()) {
                        return null;
                    }
                    file.message(index[0]++, frame, into);
                    return frame;
                });
    }

    private static Listing list(long start, Way way) {
        List<Line> lines = new ArrayList<>();
        Message message = new Message();
        try {
            for (; ; ) {
                EncapsulatedMessage frame = way.next(message);
                if (frame == null || frame.kind() != FrameKind.MESSAGE) {
                    return new Listing(lines, ending(frame, start), null);
                }
                lines.add(line(frame, message, start));
            }
        } catch (FletchException e) {
            return new Listing(lines, null, Failure.of(e));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String ending(EncapsulatedMessage frame, long start) {
        return frame == null
                ? "no more blocks"
                : "%s of %d bytes at %d, then %d"
                        .formatted(
                                frame.kind(),
                                frame.prefixLength(),
                                frame.offset() - start,
                                frame.nextOffset() - start);
    }

    private static Line line(EncapsulatedMessage frame, Message message, long start) {
        DictionaryBatch dictionary = new DictionaryBatch();
        RecordBatch batch = new RecordBatch();
        boolean isDictionary = message.header(dictionary);
        boolean hasRows = isDictionary ? dictionary.data(batch) : message.header(batch);
        return new Line(
                frame.offset() - start,
                MessageHeader.NAMES.name(message.headerType()),
                MetadataVersion.NAMES.name(message.version()),
                frame.prefixLength(),
                frame.metadataLength(),
                frame.bodyOffset() - start,
                frame.bodyLength(),
                hasRows ? batch.length() : null,
                isDictionary ? dictionary.id() : null);
    }
}
