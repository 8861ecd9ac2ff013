// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow.internal;

import dev.fletch.FletchException;
import dev.fletch.format.FrameKind;
import dev.fletch.input.InputFaults;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A stream in memory.
public final class MemorySource extends Source {
    private long next;

    /// @param arena null if the caller frees the memory
    public MemorySource(MemorySegment memory, Arena arena, ReadOptions options) {
        this.memory = memory;
        this.arena = arena;
        frame = new EncapsulatedMessage(options);
    }

    @Override
    public boolean isCopying() {
        return false;
    }

    @Override
    public boolean read(int number) {
        try {
            boolean isThere = frame.wrap(memory, next, message) == FrameKind.MESSAGE;
            if (number == 0) {
                InputFaults.requireSchema(frame, message);
            }
            next = frame.nextOffset(); // throws if the body is not inside the input
            return isThere;
        } catch (FletchException e) {
            throw e.isInInput() ? e.inMessage(number) : e;
        }
    }
}
