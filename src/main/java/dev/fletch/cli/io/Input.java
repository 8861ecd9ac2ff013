// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.io;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.Schema;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.ArrowFormatException;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.FrameKind;
import dev.fletch.ipc.MessageReader;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;

/// The messages of one input, from first to last. Bodies are never read from a mapped file; those of
/// a pipe are skipped.
///
/// A file without a usable end, as a stopped writer leaves it, is read like a stream, as far as its
/// messages go. Then [#damage] says what is wrong.
///
/// Wrong bytes are a [FlatBufferFormatException]; [InvalidInput#of] turns its position into an offset
/// of the input.
public final class Input {
    private static final int USUAL_PLACE_WIDTH = 12;
    private static final int LEAST_PLACE_WIDTH = 6;

    /// The current message.
    public final Message message = new Message();

    private final Schema schema = new Schema();
    private final ArrowContainer container;
    // Null for a pipe.
    private final MemorySegment memory;
    // Both null unless this is a pipe.
    private final InputStream pipe;
    private final MessageReader reader;
    // Only for a file with a good footer.
    private final ArrowFile file;
    // Only for a file without.
    private final ArrowFormatException damage;
    private final EncapsulatedMessage frame;
    private int count;
    private boolean isInFooter;

    private Input(
            ArrowContainer container,
            InputBytes bytes,
            ArrowFile file,
            ArrowFormatException damage) {
        this.container = container;
        this.memory = bytes.memory();
        this.pipe = bytes.isPipe() ? bytes.pipe() : null;
        this.reader = pipe == null ? null : MessageReader.of(pipe);
        this.file = file;
        this.damage = damage;
        this.frame = reader == null ? new EncapsulatedMessage() : reader.frame();
    }

    /// Detects by its content whether an input is a file or a stream. A file that comes through a pipe
    /// is kept first: the footer comes last.
    ///
    /// @throws FlatBufferFormatException if it is neither
    public static Input of(InputBytes bytes) throws IOException {
        byte[] leading = bytes.leading();
        ArrowContainer container = ArrowContainer.detect(MemorySegment.ofArray(leading));
        if (container == ArrowContainer.STREAM) {
            return new Input(container, bytes, null, null);
        }
        bytes.keep();
        try {
            return new Input(container, bytes, ArrowFile.of(bytes.memory()), null);
        } catch (ArrowFormatException e) {
            return new Input(container, bytes, null, e);
        }
    }

    /// File or stream.
    public ArrowContainer container() {
        return container;
    }

    /// Goes to the next message.
    ///
    /// @return false if there is none left
    public boolean next() throws IOException {
        if (reader != null) {
            FrameKind found = reader.next(message);
            Progress.reached(frame.offset(), 0);
            return found == FrameKind.MESSAGE;
        }
        if (file != null) {
            if (count == file.messageCount()) {
                return false;
            }
            isInFooter = false;
            Progress.reached(count, file.messageCount());
            file.message(count, frame, message);
            count++;
            return true;
        }
        int start = damage == null ? 0 : ArrowFile.FIRST_MESSAGE_OFFSET;
        try {
            long at = count == 0 ? Math.min(start, memory.byteSize()) : frame.nextOffset();
            count++;
            Progress.reached(at, memory.byteSize());
            if (frame.wrap(memory, at, message) == FrameKind.MESSAGE) {
                return true;
            }
        } catch (ArrowFormatException e) {
            if (damage == null) {
                throw e;
            }
            damage.addSuppressed(e); // the end of the messages is a consequence
        }
        if (damage != null) {
            throw damage;
        }
        return false;
    }

    /// Where the current message is.
    public EncapsulatedMessage frame() {
        return frame;
    }

    /// Offset in the input of wrong bytes.
    long offsetOf(FlatBufferFormatException fault) {
        if (fault instanceof ArrowFormatException) {
            return fault.offset(); // counts from the input's first byte
        }
        long offset = frame.inputOffset(fault.offset());
        // A wrong offset can lead anywhere: then the metadata's start is named.
        boolean inside = offset >= metadataOffset() && offset - metadataOffset() < metadataLength();
        return inside ? offset : metadataOffset();
    }

    /// Offset of the metadata that is read: of the footer behind [#schema] of a file, else of the
    /// message.
    public long metadataOffset() {
        return isInFooter ? file.footerOffset() : frame.metadataOffset();
    }

    /// Length of the metadata that is read.
    public long metadataLength() {
        return isInFooter ? file.footerLength() : frame.metadataLength();
    }

    /// Whether this is a file with a valid footer, which then decides which messages there are.
    public boolean hasFooter() {
        return file != null;
    }

    /// Offset of the footer. Only for a file, behind its last message.
    public long footerOffset() {
        return file.footerOffset();
    }

    /// Length of the footer. Only for a file, behind its last message.
    public int footerLength() {
        return file.footerLength();
    }

    /// Returns the offset behind the end-of-stream marker. Call it behind the last message.
    ///
    /// @param at where the last message ends
    /// @return `at` if there is no marker
    public long endOfMarker(long at) {
        if (file == null) {
            return frame.nextOffset(); // which is bound to the marker
        }
        EncapsulatedMessage marker = new EncapsulatedMessage(); // no block of the footer has it
        try {
            FrameKind found = marker.wrap(memory, at, file.footerOffset(), new Message());
            return found == FrameKind.END_OF_STREAM ? marker.nextOffset() : at;
        } catch (ArrowFormatException _) {
            return at;
        }
    }

    /// Size of the input in bytes. Call it behind the last message; reads a pipe to its end.
    public long size() throws IOException {
        return memory != null
                ? memory.byteSize()
                : frame.nextOffset() + pipe.transferTo(OutputStream.nullOutputStream());
    }

    /// Binds to the schema: that of the footer, if there is one, else that of the first message.
    ///
    /// @return the schema, bound until the next message
    public Schema schema() throws IOException {
        if (file != null) {
            isInFooter = true;
            if (!file.footer().schema(schema)) {
                throw new InvalidInput(file.footerOffset(), "footer has no schema");
            }
        } else if (!next()) {
            throw new InvalidInput(0, "there is no message, so there is no schema");
        } else if (!message.header(schema)) {
            String kind = MessageHeader.NAMES.name(message.headerType());
            throw new InvalidInput(frame.offset(), "first message is no schema: kind=" + kind);
        }
        return schema;
    }

    /// What is wrong with a file besides the messages that could be read; null if nothing is.
    public InvalidInput damage() {
        return damage == null ? null : InvalidInput.of(damage, this);
    }

    /// Throws [#damage], if there is any.
    public void throwIfDamaged() {
        if (damage != null) {
            throw damage();
        }
    }

    /// Digits of the largest offset, or a usual number where the size is not known.
    public int placeWidth() {
        return memory == null
                ? USUAL_PLACE_WIDTH
                : Math.max(LEAST_PLACE_WIDTH, Long.toString(memory.byteSize()).length());
    }

    /// Whether a program still writes this input, so that output should appear at once.
    public boolean isLive() {
        try {
            return pipe != null && pipe.available() == 0;
        } catch (IOException e) {
            return true; // the next read tells why
        }
    }
}
