// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.io;

import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.ArrowFormatException;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.FrameKind;

import java.lang.foreign.MemorySegment;

/// A mapped stream; or a mapped file whose end is missing or broken, as a writer that was stopped
/// leaves it: its messages lie in it as in a stream, and so far as they reach they can be shown.
public final class StreamInput extends Input {
    private final MemorySegment memory;
    private final long start;
    // What is wrong with the file, null for a stream.
    private final ArrowFormatException brokenFile;
    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private boolean started;

    private StreamInput(MemorySegment memory, long start, ArrowFormatException brokenFile) {
        this.memory = memory;
        this.start = start;
        this.brokenFile = brokenFile;
    }

    static StreamInput of(MemorySegment memory) {
        return new StreamInput(memory, 0, null);
    }

    /// @param fault what is wrong with the file, which is what the messages end with
    static StreamInput ofBrokenFile(MemorySegment memory, ArrowFormatException fault) {
        long start = Math.min(ArrowFile.FIRST_MESSAGE_OFFSET, memory.byteSize());
        return new StreamInput(memory, start, fault);
    }

    @Override
    public ArrowContainer container() {
        return brokenFile == null ? ArrowContainer.STREAM : ArrowContainer.FILE;
    }

    @Override
    public boolean next() {
        if (brokenFile == null) {
            return advance();
        }
        try {
            if (advance()) {
                return true;
            }
        } catch (ArrowFormatException e) {
            // It is the file that is broken; where its messages break off follows from that.
            brokenFile.addSuppressed(e);
        }
        throw brokenFile;
    }

    private boolean advance() {
        long at = started ? frame.nextOffset() : start;
        started = true;
        Progress.reached(at, memory.byteSize());
        return frame.wrap(memory, at, message) == FrameKind.MESSAGE;
    }

    @Override
    public EncapsulatedMessage frame() {
        return frame;
    }

    @Override
    public long size() {
        return memory.byteSize();
    }

    @Override
    public int placeWidth() {
        return placeWidth(memory);
    }

    @Override
    public InvalidInput complaint() {
        return brokenFile == null ? null : InvalidInput.of(brokenFile, this);
    }
}
