// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow.internal;

import dev.fletch.UnreadableFileException;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.internal.BlockNumbers;
import dev.fletch.ipc.internal.FileHead;
import dev.fletch.ipc.internal.FooterBlocks;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/// A file in memory.
public class FileSource extends Source {
    private final ArrowFile file;

    /// @param memory all bytes of the file
    /// @param opened null if the caller frees the memory
    /// @param path of the file, for errors; null if it is not known
    public FileSource(MemorySegment memory, Arena opened, Path path, ReadOptions options) {
        file = ArrowFile.of(memory, BatchSequence.ofMetadata(options), path);
        arena = opened;
        this.memory = memory;
        frame = new EncapsulatedMessage();
        blocks = BlockNumbers.of(file.footer());
    }

    @Override
    public UnreadableFileException unreadable(InternalError cause) {
        return file.unreadable(frame.offset(), cause);
    }

    @Override
    public boolean isCopying() {
        return false;
    }

    @Override
    void open(BatchSequence to) throws IOException {
        to.footer(file.footer(), file.footerOffset(), file.knownSchema(), file::verified);
        to.requireApart(file.footerOffset(), this::endOfSchema);
    }

    private long endOfSchema(FooterBlocks sorted) {
        try {
            return FileHead.first(memory, sorted).schemaEnd();
        } catch (InternalError e) {
            throw file.unreadable(0, e);
        }
    }

    @Override
    public boolean read(int number) {
        if (number >= blocks.count()) {
            return false;
        }
        if (blocks.kind(number) == MessageHeader.DICTIONARY_BATCH) {
            file.dictionary(blocks.index(number), frame, message);
        } else {
            file.recordBatch(blocks.index(number), frame, message);
        }
        return true;
    }
}
