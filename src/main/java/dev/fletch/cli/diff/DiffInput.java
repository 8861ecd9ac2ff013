// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.diff;

import dev.fletch.cli.io.Input;
import dev.fletch.cli.io.InputBytes;
import dev.fletch.cli.io.InvalidInput;
import dev.fletch.cli.schema.Models;
import dev.fletch.flatbuf.FlatBufferFormatException;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.model.ArrowSchema;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/// One of two inputs that are compared. Whatever fails tells which one it was.
public final class DiffInput implements AutoCloseable {
    /// Which of the two it is.
    enum Side {
        A,
        B;

        /// As it is spelled in JSON.
        String id() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Thrown where an input is no good.
    static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final Side side;
        private final String name;

        Failed(Side side, String name, Throwable cause) {
            super(cause);
            this.side = side;
            this.name = name;
        }

        Side side() {
            return side;
        }

        String name() {
            return name;
        }
    }

    /// Something that is asked of an input.
    private interface Question<T> {
        T answer() throws IOException;
    }

    private final Side side;
    private final String name;
    private final InputBytes bytes;
    private Input input;

    private DiffInput(Side side, String name, InputBytes bytes) {
        this.side = side;
        this.name = name;
        this.bytes = bytes;
    }

    /// @param whole whether metadata is looked at as bytes: a pipe is kept then
    static DiffInput open(Side side, String name, boolean whole) {
        try {
            InputBytes bytes = InputBytes.open(name);
            try {
                if (whole) {
                    bytes.keep();
                }
                DiffInput opened = new DiffInput(side, name, bytes);
                opened.input = opened.ask(() -> Input.of(bytes));
                return opened;
            } catch (Throwable e) {
                bytes.close();
                throw e;
            }
        } catch (Failed e) {
            throw e;
        } catch (IOException | RuntimeException | OutOfMemoryError | StackOverflowError e) {
            throw new Failed(side, name, e);
        }
    }

    private <T> T ask(Question<T> question) {
        try {
            return question.answer();
        } catch (IOException | InternalError e) {
            throw new Failed(side, name, e);
        } catch (RuntimeException e) {
            throw new Failed(side, name, fault(e));
        }
    }

    private RuntimeException fault(RuntimeException e) {
        if (input == null) {
            return e instanceof FlatBufferFormatException fault ? InvalidInput.of(fault) : e;
        }
        InvalidInput invalid = InvalidInput.of(e, input);
        return invalid == null ? e : invalid;
    }

    /// The schema, of an input that is whole.
    ArrowSchema schema() {
        return ask(
                () -> {
                    ArrowSchema schema = Models.of(input);
                    input.throwIfDamaged();
                    return schema;
                });
    }

    /// Goes to the next message.
    boolean next() {
        return ask(input::next);
    }

    int kind() {
        return ask(() -> input.message.headerType());
    }

    /// Where the metadata of the message begins.
    long metadataOffset() {
        return input.frame().metadataOffset();
    }

    /// The metadata of the message, with the padding that its size word counts.
    MemorySegment metadata() {
        return bytes.memory().asSlice(metadataOffset(), input.frame().metadataLength());
    }

    boolean hasFooter() {
        return input.container() == ArrowContainer.FILE;
    }

    long footerOffset() {
        return ask(input::footerOffset);
    }

    MemorySegment footer() {
        return ask(() -> bytes.memory().asSlice(input.footerOffset(), input.footerLength()));
    }

    @Override
    public void close() throws IOException {
        bytes.close();
    }
}
