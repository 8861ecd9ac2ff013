// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.io;

import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.ArrowFormatException;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.FrameKind;

/// A mapped file with a good footer.
public final class FileInput extends Input {
    private final ArrowFile file;
    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Schema schema = new Schema();
    private int nextIndex;
    private boolean inFooter;

    FileInput(ArrowFile file) {
        this.file = file;
    }

    @Override
    public ArrowContainer container() {
        return ArrowContainer.FILE;
    }

    @Override
    public boolean next() {
        if (nextIndex == file.messageCount()) {
            return false;
        }
        inFooter = false;
        Progress.reached(nextIndex, file.messageCount());
        file.message(nextIndex, frame, message);
        nextIndex++;
        return true;
    }

    @Override
    public EncapsulatedMessage frame() {
        return frame;
    }

    @Override
    public long footerOffset() {
        return file.footerOffset();
    }

    @Override
    public int footerLength() {
        return file.footerLength();
    }

    /// No block leads to it.
    @Override
    public long endOfMark(long at) {
        EncapsulatedMessage mark = new EncapsulatedMessage();
        try {
            FrameKind found = mark.wrap(file.memory(), at, file.footerOffset(), new Message());
            return found == FrameKind.END_OF_STREAM ? mark.nextOffset() : at;
        } catch (ArrowFormatException _) {
            return at; // whatever it is, it is no mark
        }
    }

    @Override
    public long size() {
        return file.memory().byteSize();
    }

    @Override
    public int placeWidth() {
        return placeWidth(file.memory());
    }

    @Override
    public Schema schema() {
        inFooter = true;
        if (!file.footer().schema(schema)) {
            throw new InvalidInput(file.footerOffset(), "footer has no schema");
        }
        return schema;
    }

    @Override
    public long metadataOffset() {
        return inFooter ? file.footerOffset() : super.metadataOffset();
    }

    @Override
    public long metadataLength() {
        return inFooter ? file.footerLength() : super.metadataLength();
    }
}
