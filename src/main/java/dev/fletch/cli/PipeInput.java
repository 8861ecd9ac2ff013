// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.FrameKind;
import dev.fletch.ipc.IpcFault;
import dev.fletch.ipc.MessageReader;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;

/// An input that gives its bytes once, in order: a pipe, of any length. A file can come this way as
/// well; its messages lie in it as in a stream, and its end tells where the footer was.
final class PipeInput extends Input {
    private final InputStream source;
    // Remembers the end of a file, null for a stream.
    private final FileTail tail;
    private final MessageReader reader;
    private boolean atEnd;

    private PipeInput(InputStream source, FileTail tail, MessageReader reader) {
        this.source = source;
        this.tail = tail;
        this.reader = reader;
    }

    static PipeInput of(InputStream source) throws IOException {
        byte[] leading = new byte[ArrowContainer.LEADING_BYTES];
        int length = source.readNBytes(leading, 0, leading.length);
        if (ArrowContainer.detect(leading, length) == ArrowContainer.FILE) {
            FileTail tail = new FileTail(source, length);
            return new PipeInput(source, tail, MessageReader.of(tail).startingAt(length));
        }
        PushbackInputStream whole = new PushbackInputStream(source, leading.length);
        whole.unread(leading, 0, length);
        return new PipeInput(source, null, MessageReader.of(whole));
    }

    @Override
    ArrowContainer container() {
        return tail == null ? ArrowContainer.STREAM : ArrowContainer.FILE;
    }

    @Override
    boolean next() throws IOException {
        if (!atEnd && reader.next(message) == FrameKind.MESSAGE) {
            return true;
        }
        if (!atEnd && tail != null) {
            tail.drain();
            checkFooter();
        }
        atEnd = true;
        return false;
    }

    /// The footer itself has gone by, and is not looked into.
    private void checkFooter() {
        long end = frame().nextOffset();
        if (!tail.hasMagic()) {
            throw new InvalidInput(tail.length(), IpcFault.NO_TRAILING_MAGIC.text());
        }
        if (tail.footerLength() <= 0 || tail.footerOffset() < end) {
            throw new InvalidInput(
                    tail.footerOffset() + tail.footerLength(),
                    IpcFault.FOOTER_LENGTH.text() + ": length=" + tail.footerLength());
        }
    }

    @Override
    EncapsulatedMessage frame() {
        return reader.frame();
    }

    @Override
    long footerOffset() {
        return tail.footerOffset();
    }

    @Override
    int footerLength() {
        return tail.footerLength();
    }

    @Override
    long endOfMark(long at) {
        return frame().nextOffset();
    }

    @Override
    long size() throws IOException {
        return tail == null
                ? frame().nextOffset() + source.transferTo(OutputStream.nullOutputStream())
                : tail.length();
    }

    @Override
    boolean isLive() {
        try {
            return source.available() == 0;
        } catch (IOException e) {
            return true; // the next read tells why
        }
    }
}
