// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.FletchException;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Footer;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.SchemaSize;
import dev.fletch.format.Verifier;
import dev.fletch.input.DetectedInput.Form;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.ArrowFormatException;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.FrameKind;
import dev.fletch.ipc.MessageReader;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.wire.Wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;

/// Reads the complete messages of an input, in order. Bodies of a mapped file are never read, those of a pipe
/// are skipped.
///
/// A file's footer determines its messages; damaged ones are omitted. A file without a usable footer, such as
/// from an interrupted writer, is read as a stream, up to its last complete message. [#fault] describes what
/// is wrong, and how much of the input is complete.
public final class Input implements AutoCloseable {
    /// Width of offsets in output, equal for files and pipes.
    public static final int OFFSET_WIDTH = 10;

    private static final long MAX_BARE_BYTES = 16 << 20;
    private static final int MAX_TRIES = 64;

    /// The current message.
    public final Message message = new Message();

    private final Schema schema = new Schema();
    private final RecordBatch batch = new RecordBatch();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final DetectedInput detected;
    private final InputBytes bytes;
    // Null for a pipe.
    private final MemorySegment memory;
    // Both null unless this is a pipe.
    private final InputStream pipe;
    private final MessageReader reader;
    // Null unless the input is a file with a valid footer.
    private final ArrowFile file;
    // Null unless the input is a mapped file.
    private final FileChannel channel;
    private final EncapsulatedMessage frame;
    private InvalidInput fault;
    // Number of messages that were complete or, in a file with a footer, omitted.
    private int count;
    private boolean isEmpty = true;
    private long batches;
    private long rows;
    private boolean hasEnded;
    // The fault after the last complete message, or of the first damaged message of a file.
    private InvalidInput stop;
    private boolean isIncomplete;
    private boolean isInFooter;

    private Input(
            DetectedInput detected,
            InputBytes bytes,
            ReadOptions options,
            ArrowFile file,
            ArrowFormatException damage) {
        this.detected = detected;
        this.bytes = bytes;
        this.memory = detected.memory();
        this.pipe = memory == null ? bytes.pipe() : null;
        this.reader = pipe == null ? null : MessageReader.of(pipe, options);
        this.file = file;
        this.channel = memory == bytes.memory() ? bytes.file() : null; // else this was base64
        this.fault = damage == null ? null : InvalidInput.of(damage, null);
        this.frame = reader == null ? new EncapsulatedMessage(options) : reader.frame();
    }

    /// [#of(InputBytes, ReadOptions)] with [ReadOptions#DEFAULT].
    public static Input of(InputBytes bytes) throws IOException {
        return of(bytes, ReadOptions.DEFAULT);
    }

    /// Detects the format of an input and opens it. A file from a pipe is first stored, because its footer is
    /// at the end.
    ///
    /// @throws FlatBufferFormatException if the format is unknown @throws InvalidInput if a base64 text has
    ///     another character
    public static Input of(InputBytes bytes, ReadOptions options) throws IOException {
        DetectedInput detected = DetectedInput.of(bytes);
        if (detected.base64() != null && detected.base64().faultAt() >= 0) {
            throw new InvalidInput(detected.base64().faultAt(), "character is not base64");
        }
        if (detected.form() != Form.FILE) {
            return new Input(detected, bytes, options, null, null);
        }
        try {
            ArrowFile file = ArrowFile.of(detected.memory(), options);
            return new Input(detected, bytes, options, file, null);
        } catch (ArrowFormatException e) {
            return new Input(detected, bytes, options, null, e);
        }
    }

    /// Returns file or stream; a single flatbuffer counts as a stream.
    public ArrowContainer container() {
        return form() == Form.FILE ? ArrowContainer.FILE : ArrowContainer.STREAM;
    }

    /// Returns the format of the input.
    public Form form() {
        return detected.form();
    }

    /// Moves to the next message with a complete body.
    ///
    /// @return false at the end, or at a fault after which no message can be found
    public boolean next() throws IOException {
        if (hasEnded) {
            return false;
        }
        isInFooter = false;
        boolean goesOn;
        do {
            try {
                goesOn = false;
                if (advance()) {
                    count();
                    return true;
                }
                if (count == 0 && file == null) {
                    stop = new InvalidInput(frame.offset(), noMessage());
                }
            } catch (RuntimeException e) {
                InvalidInput found = InvalidInput.of(e, this);
                if (found == null) {
                    throw e;
                }
                stop = stop == null ? found : stop;
                count++;
                goesOn = file != null; // the next block has another message
            }
        } while (goesOn);
        hasEnded = true;
        end();
        return false;
    }

    private void count() {
        count++;
        isEmpty = false;
        if (message.header(schema)) {
            SchemaSize.check(schema);
        }
        if (message.headerType() == MessageHeader.RECORD_BATCH && message.header(batch)) {
            batches++;
            // Clamped: hostile lengths may be negative or overflow.
            rows += Math.clamp(batch.length(), 0, Long.MAX_VALUE - rows);
        }
    }

    private boolean advance() throws IOException {
        if (file != null) {
            if (count == file.messageCount()) {
                return false;
            }
            WorkDone.reached(count, file.messageCount());
            file.message(count, frame, message);
            return true;
        }
        if (form() == Form.FLATBUFFER) {
            boolean isMessage = count == 0 && detected.root() == Verifier.Root.MESSAGE;
            if (isMessage) {
                frame.wrapMetadata(memory, 0, (int) memory.byteSize(), message);
            }
            return isMessage;
        }
        if (reader != null) {
            if (reader.next(message) != FrameKind.MESSAGE) {
                return false;
            }
            WorkDone.reached(frame.offset(), 0);
            isIncomplete = true;
            reader.skipBody();
        } else {
            int start = form() == Form.FILE ? ArrowFile.FIRST_MESSAGE_OFFSET : 0;
            long at = count == 0 ? Math.min(start, memory.byteSize()) : frame.nextOffset();
            WorkDone.reached(at, memory.byteSize());
            bytes.requireRead(at, EncapsulatedMessage.PREFIX_BYTES);
            long bare = count == 0 && form() == Form.FILE ? bareSchemaEnd(memory) : 0;
            if (bare > 0) {
                frame.wrapMetadata(memory, start, (int) (bare - start), message);
            } else if (frame.wrap(memory, at, message) != FrameKind.MESSAGE) {
                return false;
            }
            isIncomplete = true;
            frame.nextOffset();
        }
        isIncomplete = false;
        return true;
    }

    /// End offset of a schema message without prefix, which polars' streaming sink writes: at the
    /// continuation indicator of the next message. 0 if there is none.
    static long bareSchemaEnd(MemorySegment memory) {
        int start = ArrowFile.FIRST_MESSAGE_OFFSET;
        long last = Math.min(memory.byteSize() - EncapsulatedMessage.PREFIX_BYTES, MAX_BARE_BYTES);
        if (last < start || Wire.int32(memory, start) == EncapsulatedMessage.CONTINUATION) {
            return 0;
        }
        Verifier verifier = new Verifier();
        int tries = 0;
        for (long at = start + Long.BYTES; at <= last && tries < MAX_TRIES; at += Long.BYTES) {
            if (Wire.int32(memory, at) == EncapsulatedMessage.CONTINUATION) {
                tries++;
                if (verifier.verify(Verifier.Root.MESSAGE, memory, start, at - start)
                        && new Message().wrap(memory, start, at - start).header(new Schema())) {
                    return at;
                }
            }
        }
        return 0;
    }

    private String noMessage() {
        return form() == Form.FLATBUFFER
                ? "flatbuffer is not a message: root=" + detected.root().table()
                : "there is no message";
    }

    private void end() {
        if (fault == null) {
            fault = stop == null ? null : stop.with(complete());
        } else {
            fault = fault.with(complete() + (isIncomplete ? "" : also(stop)));
        }
    }

    private static String also(InvalidInput other) {
        return other == null ? "" : "; offset " + other.offset() + ": " + other.getMessage();
    }

    /// Returns a fault found in a message; in a file without a usable footer, preceded by that fault.
    public InvalidInput caused(InvalidInput found) {
        return fault == null || hasEnded ? found : fault.with(also(found));
    }

    /// How much of the input is complete, for a fault's text.
    private String complete() {
        if (isEmpty && !isIncomplete && file == null || form() == Form.FLATBUFFER) {
            return "";
        }
        String of = file == null ? "" : " of " + file.recordBatchCount();
        String all = batches == 1 && file == null ? " record batch" : " record batches";
        String text = "; " + batches + of + all + " complete, " + rows + " rows";
        if (!isIncomplete) {
            return text;
        }
        if (message.header(batch)) {
            return text
                    + "; the "
                    + nth(batches + 1)
                    + " ("
                    + batch.length()
                    + " rows) is incomplete";
        }
        String kind = MessageHeader.NAMES.name(message.headerType());
        String id = message.header(dictionary) ? " (id " + dictionary.id() + ")" : "";
        return text + "; the next message, " + kind + id + ", is incomplete";
    }

    private static String nth(long number) {
        boolean isTeen = number % 100 / 10 == 1;
        return number
                + switch ((int) (isTeen ? 0 : number % 10)) {
                    case 1 -> "st";
                    case 2 -> "nd";
                    case 3 -> "rd";
                    default -> "th";
                };
    }

    /// Whether [#message] and [#frame] are bound to a message with a truncated body, after the last complete
    /// message.
    public boolean hasIncomplete() {
        return hasEnded && isIncomplete;
    }

    /// Whether there was no complete message so far.
    public boolean isEmpty() {
        return isEmpty;
    }

    /// Index of the current message.
    public int index() {
        return count - 1;
    }

    /// Number of complete record batches.
    public long batches() {
        return batches;
    }

    /// Number of rows of the complete record batches.
    long rows() {
        return rows;
    }

    /// Number of record batches in the footer; -1 without a valid footer.
    public int expectedBatches() {
        return file == null ? -1 : file.recordBatchCount();
    }

    /// Whether no message is damaged or truncated; a footer may still be missing.
    public boolean endsCleanly() {
        return hasEnded && stop == null;
    }

    /// The bytes of the input; null for a stream from a pipe.
    public MemorySegment memory() {
        return memory;
    }

    /// Whether [#memory] has the prefixes (uncompressed lengths) of compressed buffers.
    public boolean hasPrefixes() {
        return memory != null && bytes.hasPrefixes();
    }

    /// Reads the prefixes of compressed buffers of a remote input. Call it before the first message.
    public void loadPrefixes() throws IOException {
        bytes.loadPrefixes();
    }

    /// The mapped file; null if the bytes are only in memory.
    public FileChannel channel() {
        return channel;
    }

    /// The file; null if the input is not a file with a valid footer.
    public ArrowFile file() {
        return file;
    }

    /// Offsets and lengths of the current message.
    public EncapsulatedMessage frame() {
        return frame;
    }

    /// Offset in the input of a fault.
    long offsetOf(FletchException fault) {
        if (fault instanceof ArrowFormatException) {
            return fault.offset(); // counts from the input's first byte
        }
        long offset = frame.inputOffset(fault.offset());
        // Invalid offsets may point anywhere: then use the start of the metadata.
        boolean inside = offset >= metadataOffset() && offset - metadataOffset() < metadataLength();
        return inside ? offset : metadataOffset();
    }

    /// Offset of the current metadata: of the footer after [#schema] of a file, else of the message.
    public long metadataOffset() {
        return isInFooter ? file == null ? 0 : file.footerOffset() : frame.metadataOffset();
    }

    /// Length of the current metadata in bytes.
    public long metadataLength() {
        return isInFooter
                ? file == null ? memory.byteSize() : file.footerLength()
                : frame.metadataLength();
    }

    /// Whether this is a file with a valid footer, which determines the messages.
    public boolean hasFooter() {
        return file != null;
    }

    /// Returns the offset after the end-of-stream marker. Call it after the last message.
    ///
    /// @param at end offset of the last message
    /// @return `at` if there is no marker
    public long endOfMarker(long at) {
        if (file == null) {
            return frame.nextOffset(); // bound to the marker
        }
        EncapsulatedMessage marker = new EncapsulatedMessage(); // no block refers to it
        try {
            FrameKind found = marker.wrap(memory, at, file.footerOffset(), new Message());
            return found == FrameKind.END_OF_STREAM ? marker.nextOffset() : at;
        } catch (ArrowFormatException _) {
            return at;
        }
    }

    /// Size of the input in bytes. Call it after the last message; reads a pipe to its end.
    public long size() throws IOException {
        return memory != null
                ? memory.byteSize()
                : frame.nextOffset() + pipe.transferTo(OutputStream.nullOutputStream());
    }

    /// Binds to the schema of the footer or, without a footer, of the first message.
    ///
    /// @return the schema, bound until the next message
    public Schema schema() throws IOException {
        isInFooter = hasSchemaApart();
        if (detected.root() == Verifier.Root.SCHEMA) {
            schema.wrap(memory);
        } else if (isInFooter) {
            Footer footer = file == null ? new Footer().wrap(memory) : file.footer();
            if (!footer.schema(schema)) {
                throw new InvalidInput(metadataOffset(), "footer has no schema");
            }
        } else if (!next()) {
            throw fault;
        } else if (!message.header(schema)) {
            boolean isSchema = message.headerType() == MessageHeader.SCHEMA;
            String kind = MessageHeader.NAMES.name(message.headerType());
            String text =
                    isSchema
                            ? "schema message has no schema"
                            : "first message is not a schema: kind=" + kind;
            throw caused(new InvalidInput(frame.offset(), text));
        }
        return schema;
    }

    /// Whether [#schema] does not move to a message.
    public boolean hasSchemaApart() {
        return file != null || detected.root() != null && detected.root() != Verifier.Root.MESSAGE;
    }

    /// Handle of the schema of the footer or of the last schema message; null if it is not known.
    public KnownSchema knownSchema() {
        return file == null ? frame.knownSchema() : file.knownSchema();
    }

    /// The input's fault; null if none is known. Before the end only an unusable footer; after the end also
    /// the reason why [#next] stopped, and how much is complete.
    public InvalidInput fault() {
        return fault;
    }

    /// Throws [#fault] unless it is null.
    public void throwIfDamaged() {
        if (fault != null) {
            throw fault;
        }
    }

    /// Releases a file's footer and messages. The bytes stay open.
    @Override
    public void close() {
        if (file != null) {
            file.close();
        }
    }

    /// Whether another program still writes this input, so that output should appear immediately.
    public boolean isLive() {
        try {
            return pipe != null && pipe.available() == 0;
        } catch (IOException e) {
            return true; // the next read throws
        }
    }
}
