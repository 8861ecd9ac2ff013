// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import dev.fletch.flatbuf.FlatBufferFormatException;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.model.ArrowSchema;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// One of two inputs that are compared. Whatever fails tells which one it was.
final class DiffInput implements AutoCloseable {
    /// Thrown where an input is no good.
    static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final String name;

        Failed(String name, Throwable cause) {
            super(cause);
            this.name = name;
        }

        String name() {
            return name;
        }
    }

    /// Something that is asked of an input.
    private interface Question<T> {
        T answer() throws IOException;
    }

    private final String name;
    private final InputBytes bytes;
    private final MemorySegment memory;
    private Input input;

    private DiffInput(String name, InputBytes bytes, MemorySegment memory) {
        this.name = name;
        this.bytes = bytes;
        this.memory = memory;
    }

    /// @param whole whether metadata is looked at as bytes: a pipe is read to its end then
    static DiffInput open(String name, boolean whole) {
        try {
            InputBytes bytes = InputBytes.open(name);
            try {
                MemorySegment memory =
                        whole && bytes.isPipe()
                                ? MemorySegment.ofArray(bytes.pipe().readAllBytes())
                                : bytes.memory();
                DiffInput opened = new DiffInput(name, bytes, memory);
                opened.input = opened.ask(opened::input);
                return opened;
            } catch (Throwable e) {
                bytes.close();
                throw e;
            }
        } catch (Failed e) {
            throw e;
        } catch (IOException | RuntimeException | OutOfMemoryError | StackOverflowError e) {
            throw new Failed(name, e);
        }
    }

    private Input input() throws IOException {
        return Input.of(memory == null ? bytes : new InputBytes(memory, null, null));
    }

    private <T> T ask(Question<T> question) {
        try {
            return question.answer();
        } catch (IOException | InternalError e) {
            throw new Failed(name, e);
        } catch (RuntimeException e) {
            throw new Failed(name, fault(e));
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
                    input.complain();
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
        return memory.asSlice(metadataOffset(), input.frame().metadataLength());
    }

    boolean hasFooter() {
        return input.container() == ArrowContainer.FILE;
    }

    long footerOffset() {
        return ask(input::footerOffset);
    }

    MemorySegment footer() {
        return ask(() -> memory.asSlice(input.footerOffset(), input.footerLength()));
    }

    @Override
    public void close() throws IOException {
        bytes.close();
    }
}
