// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow.internal;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.batch.BatchLayout;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Message;
import dev.fletch.forward.BatchProjector;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.internal.BlockNumbers;
import dev.fletch.ipc.internal.FrameCheck;
import dev.fletch.remote.internal.RangedFile;
import dev.fletch.wire.Wire;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/// A file of which only the ranges of the columns that are laid out are read. The messages have
/// only these columns.
public final class RangedSource extends Source {
    private final RangedFile file;
    private final ByteSlice bytes = new ByteSlice();
    private final Limits limits;
    // Null before the columns are known.
    private BatchProjector projector;
    private boolean isProjected;

    public RangedSource(RangedFile file, Limits limits) {
        this.file = file;
        this.limits = limits;
        frame = new EncapsulatedMessage();
        whole = new Message();
        blocks = BlockNumbers.of(file.footer());
    }

    @Override
    void open(BatchSequence to) throws IOException {
        to.footer(
                file.footer(),
                file.index().footerOffset(),
                file.index().knownSchema(),
                file.index()::verified);
        // The end of the schema message is not known: its body length is in its metadata, which is
        // as long as the footer's schema, and is not read.
        to.requireApart(file.index().footerOffset(), _ -> 0);
    }

    @Override
    BatchLayout begin(BatchLayout chosen) {
        projector = new BatchProjector(chosen);
        return chosen.alone();
    }

    @Override
    public boolean read(int number) throws IOException {
        if (number >= blocks.count()) {
            return false;
        }
        file.message(blocks.kind(number), blocks.index(number), frame, whole);
        return true;
    }

    /// A dictionary that is not needed stays as it is.
    @Override
    void project() {
        isProjected = false;
        int length = projector == null ? 0 : projector.write(whole);
        isProjected = length > 0;
        if (isProjected) {
            message.wrap(projector.written(), 0, length);
            bodyAt = length;
        } else {
            message.wrap(bytes.wrapBufferOf(whole).asSlice());
        }
    }

    @Override
    public void body(boolean isKept) throws IOException {
        long length = projector.bodyLength();
        long position = frame.inputOffset(whole.position(Message.BODY_LENGTH_SLOT));
        long limit = Math.min(limits.bodyBytes(), Wire.LONGEST_ARRAY - bodyAt);
        FrameCheck.bodyLength(position, length, limit, FletchException::raiseInInput);
        memory = MemorySegment.ofArray(new byte[(int) (bodyAt + length)]);
        file.read(frame, projector, memory.asSlice(bodyAt));
    }

    @Override
    long inputOffset(long position) {
        if (!isProjected) {
            return frame.inputOffset(position);
        }
        return position < bodyAt
                ? frame.inputOffset(projector.sourcePosition(message, position))
                : bodyOffsets().applyAsLong(position - bodyAt);
    }

    @Override
    LongUnaryOperator bodyOffsets() {
        long body = frame.bodyOffset();
        long[] starts = new long[projector.rangeCount()];
        long[] offsets = new long[starts.length];
        long start = 0;
        for (int i = 0; i < starts.length; i++) {
            starts[i] = start;
            offsets[i] = body + projector.rangeOffset(i);
            start += projector.rangeLength(i) + projector.rangePadding(i);
        }
        return position -> {
            int index = Arrays.binarySearch(starts, position);
            int range = index < 0 ? -index - 2 : index;
            return range < 0 ? body : offsets[range] + position - starts[range];
        };
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
