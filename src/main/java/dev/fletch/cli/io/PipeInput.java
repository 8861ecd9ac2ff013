// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.io;

import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.FrameKind;
import dev.fletch.ipc.MessageReader;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;

/// A stream that gives its bytes once, in order: a pipe, of any length.
public final class PipeInput extends Input {
    private final InputStream source;
    private final MessageReader reader;

    private PipeInput(InputStream source, MessageReader reader) {
        this.source = source;
        this.reader = reader;
    }

    /// @param leading what was read of the source before
    static PipeInput of(byte[] leading, InputStream source) throws IOException {
        PushbackInputStream whole = new PushbackInputStream(source, leading.length);
        whole.unread(leading);
        return new PipeInput(source, MessageReader.of(whole));
    }

    @Override
    public ArrowContainer container() {
        return ArrowContainer.STREAM;
    }

    @Override
    public boolean next() throws IOException {
        FrameKind found = reader.next(message);
        Progress.reached(frame().offset(), 0);
        return found == FrameKind.MESSAGE;
    }

    @Override
    public EncapsulatedMessage frame() {
        return reader.frame();
    }

    @Override
    public long size() throws IOException {
        return frame().nextOffset() + source.transferTo(OutputStream.nullOutputStream());
    }

    @Override
    public boolean isLive() {
        try {
            return source.available() == 0;
        } catch (IOException e) {
            return true; // the next read tells why
        }
    }
}
