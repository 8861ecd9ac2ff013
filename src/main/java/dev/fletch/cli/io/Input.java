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

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Something with messages that was named on the command line, and a walk through them from first
/// to last. Bodies are never read where the input can be mapped, and else skipped.
///
/// What is wrong with the bytes is a [FlatBufferFormatException], whose position [#offsetOf] turns
/// into an offset of the input.
public abstract class Input {
    /// The current message.
    public final Message message = new Message();

    private final Schema schema = new Schema();

    Input() {}

    /// Finds out what the bytes are: their content tells. A file that comes through a pipe is kept.
    ///
    /// @throws FlatBufferFormatException if it is neither an Arrow file nor a stream
    public static Input of(InputBytes bytes) throws IOException {
        if (bytes.isPipe()) {
            byte[] leading = bytes.leading();
            if (ArrowContainer.detect(leading, leading.length) == ArrowContainer.STREAM) {
                return PipeInput.of(leading, bytes.pipe());
            }
            bytes.keep(leading); // what says where a file's messages are comes last
        }
        MemorySegment memory = bytes.memory();
        if (ArrowContainer.detect(memory) == ArrowContainer.STREAM) {
            return StreamInput.of(memory);
        }
        try {
            return new FileInput(ArrowFile.of(memory));
        } catch (ArrowFormatException e) {
            return StreamInput.ofBrokenFile(memory, e);
        }
    }

    /// File or stream.
    public abstract ArrowContainer container();

    /// Goes to the next message.
    ///
    /// @return false if there is none left
    public abstract boolean next() throws IOException;

    /// Where the current message is.
    public abstract EncapsulatedMessage frame();

    /// Offset in the input of what is wrong with its bytes.
    final long offsetOf(FlatBufferFormatException fault) {
        if (fault instanceof ArrowFormatException) {
            return fault.offset(); // framing knows where it is
        }
        long offset = frame().inputOffset(fault.offset());
        // An offset that leads astray may lead anywhere: then the metadata's start has to do.
        boolean inside = offset >= metadataOffset() && offset - metadataOffset() < metadataLength();
        return inside ? offset : metadataOffset();
    }

    /// Offset of the metadata that is read.
    public long metadataOffset() {
        return frame().metadataOffset();
    }

    /// Length of the metadata that is read.
    public long metadataLength() {
        return frame().metadataLength();
    }

    /// Offset of the footer. Only for a file, and behind its last message.
    public long footerOffset() {
        throw new IllegalStateException("no footer");
    }

    /// Length of the footer. Only for a file, and behind its last message.
    public int footerLength() {
        throw new IllegalStateException("no footer");
    }

    /// Offset behind the mark that ends the messages. Only behind the last message.
    ///
    /// @param at where the last message ends
    /// @return `at` if there is no mark
    public long endOfMark(long at) {
        return frame().nextOffset(); // a stream's mark is bound at last
    }

    /// All bytes of the input. Only behind the last message; reads a pipe to its end.
    public abstract long size() throws IOException;

    /// Binds to the schema: that of the footer where it can be reached, else that of the first
    /// message.
    ///
    /// @return the schema, bound until the next message
    public Schema schema() throws IOException {
        if (!next()) {
            throw new InvalidInput(0, "there is no message, so there is no schema");
        }
        if (!message.header(schema)) {
            throw new InvalidInput(
                    frame().offset(),
                    "first message is no schema: kind="
                            + MessageHeader.NAMES.name(message.headerType()));
        }
        return schema;
    }

    /// What is wrong with the input apart from the messages that could be read; null if nothing is.
    public InvalidInput complaint() {
        return null;
    }

    /// Throws what is wrong with the input apart from the messages that could be read.
    public final void complain() {
        InvalidInput fault = complaint();
        if (fault != null) {
            throw fault;
        }
    }

    /// Digits that an offset may have.
    public int placeWidth() {
        return 12;
    }

    public static int placeWidth(MemorySegment memory) {
        return Math.max(6, Long.toString(memory.byteSize()).length());
    }

    /// Whether a program is still producing this, so that what is known should be shown at once.
    public boolean isLive() {
        return false;
    }
}
