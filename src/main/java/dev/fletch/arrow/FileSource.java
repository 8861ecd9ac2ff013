// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import dev.fletch.Limits;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.internal.BlockNumbers;
import dev.fletch.ipc.internal.FileHead;
import dev.fletch.ipc.internal.FooterBlocks;

import java.io.IOException;
import java.lang.foreign.Arena;

/// A file in memory.
final class FileSource extends Source {
    private final ArrowFile file;

    /// @param arena null if the caller frees the memory
    FileSource(ArrowFile file, Arena arena) {
        this.file = file;
        this.arena = arena;
        frame = new EncapsulatedMessage();
        memory = file.memory();
        blocks = BlockNumbers.of(file.footer());
    }

    @Override
    boolean isCopying() {
        return false;
    }

    @Override
    void open(Batches to) throws IOException {
        to.footer(file.footer(), file.footerOffset(), file.knownSchema(), file::verified);
        to.requireApart(file.footerOffset(), sorted -> endOfSchema(sorted, to.options.limits()));
    }

    private long endOfSchema(FooterBlocks sorted, Limits limits) {
        try {
            return FileHead.first(memory, sorted, limits).schemaEnd();
        } catch (InternalError e) {
            throw file.unreadable(0, e);
        }
    }

    @Override
    boolean read(int number) {
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
