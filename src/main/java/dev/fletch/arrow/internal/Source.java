// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow.internal;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.UnreadableFileException;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.BufferSource;
import dev.fletch.format.Message;
import dev.fletch.input.InputFaults;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.internal.BlockNumbers;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongUnaryOperator;

/// Where the messages of a [BatchSequence] come from. Belongs to the thread of its reader.
public abstract class Source implements AutoCloseable {
    /// Number of record batches if the input is a stream.
    public static final int UNKNOWN = -1;

    /// The message that was read last, with the columns that are laid out.
    public final Message message = new Message();

    /// The same message as it is in the input.
    public Message whole = message;

    public EncapsulatedMessage frame;

    /// Of the file that is open; null if it is not known.
    public String name;

    /// The batches of a file.
    public BlockNumbers blocks = new BlockNumbers(0, UNKNOWN);

    /// Has the body after [#body], from [#bodyAt] on.
    public MemorySegment memory;

    public long bodyAt;

    /// Has the buffers of the body that are needed, instead of [#memory]; else null.
    protected BufferSource pieces;

    /// Has the memory that [#close] frees; null if there is none.
    Arena arena;

    /// Passes the schema of a file.
    void open(BatchSequence to) throws IOException {}

    /// Columns are laid out now.
    ///
    /// @return the layout of the messages from now on
    BatchLayout begin(BatchLayout layout) {
        return layout;
    }

    /// Binds to a message: of a file, by its number; of a stream, the next one.
    ///
    /// @return false after the last one
    public abstract boolean read(int number) throws IOException;

    /// Leaves only the columns that are laid out in the message.
    void project() {}

    /// Whether a body that is kept is copied; else it stays where it is in the input.
    public boolean isCopying() {
        return true;
    }

    /// Reads the body.
    ///
    /// @param isKept whether it must stay as it is
    public void body(boolean isKept) throws IOException {
        bodyAt = frame.bodyOffset();
    }

    /// Binds a cursor to the body, after [#body].
    public final void bind(BatchCursor cursor) {
        if (pieces != null) {
            cursor.body(pieces);
        } else {
            cursor.body(memory, bodyAt, message.bodyLength());
        }
    }

    /// Reads the rest of the message, if all of its bytes are needed.
    public void complete() throws IOException {}

    /// The offset in the input of a position in the memory of message or body: no position is in
    /// both, unless the input is received as both.
    long inputOffset(long position) {
        return frame.inputOffset(position);
    }

    /// The offsets in the input of positions in the body, also after the next message is read.
    LongUnaryOperator bodyOffsets() {
        long body = frame.bodyOffset();
        return position -> body + position;
    }

    /// Places an exception of reading the message in the input, unless it is there.
    FletchException placed(FletchException e, int index) {
        if (e.isInInput()) {
            return e;
        }
        Fault fault = InputFaults.placed(e, frame, index, inputOffset(e.offset()));
        return FletchException.inInput(fault.withText(e.fault().text()), e);
    }

    /// Names the input that cannot be read any more.
    public UnreadableFileException unreadable(InternalError cause) {
        return UnreadableFileException.of(cause);
    }

    @Override
    public void close() throws IOException {
        free();
    }

    final void free() {
        if (arena != null && arena.scope().isAlive()) {
            arena.close();
        }
    }
}
