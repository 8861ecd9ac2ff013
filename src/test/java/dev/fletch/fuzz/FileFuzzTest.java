// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.fletch.FletchException;
import dev.fletch.format.Field;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier.Root;
import dev.fletch.format.WholeTrees;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;

import org.junit.jupiter.api.AutoClose;

import java.lang.foreign.MemorySegment;

/// Opens any bytes as a file, and all that its footer leads to.
class FileFuzzTest {
    private static final int CAPACITY = 1 << 16;

    /// Blocks and columns that are opened of each file, at most.
    private static final int MOST = 100;

    @AutoClose private static WholeTrees trees = new WholeTrees(CAPACITY);

    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();
    private final Schema schema = new Schema();
    private final Field field = new Field();

    /// Opens something of a file.
    @FunctionalInterface
    private interface Opening {
        void open(int index);
    }

    @FuzzTest
    void wholeFiles(byte[] input) {
        if (input.length <= CAPACITY) {
            read(input);
        }
    }

    /// The footer alone, with the ends of a file around it and a small batch in front.
    @FuzzTest
    void footers(byte[] input) {
        if (input.length <= CAPACITY) {
            read(FileAround.footer(input));
        }
    }

    private void read(byte[] bytes) {
        MemorySegment memory = MemorySegment.ofArray(bytes);
        for (Level verification : Level.values()) {
            ReadOptions options = ReadOptions.DEFAULT.withLevel(verification);
            try (ArrowFile file = ArrowFile.of(memory, options)) {
                trees.readsWhatItCan(Root.FOOTER, memory, file.footerOffset(), file.footerLength());
                messages(file);
                fields(file, verification);
            } catch (FletchException e) {
                assertInside(e, bytes.length);
            }
        }
    }

    private void messages(ArrowFile file) {
        openAll(file, file.messageCount(), index -> file.message(index, frame, message));
        openAll(file, file.recordBatchCount(), index -> file.recordBatch(index, frame, message));
        openAll(file, file.dictionaryCount(), index -> file.dictionary(index, frame, message));
    }

    private void openAll(ArrowFile file, int count, Opening opening) {
        for (int i = 0; i < Math.min(count, MOST); i++) {
            // Of very many, the last as well.
            int index = i < MOST - 1 ? i : count - 1;
            try {
                opening.open(index);
            } catch (FletchException e) {
                assertInside(e, file.memory().byteSize());
                continue;
            }
            assertTrue(frame.nextOffset() <= file.footerOffset());
            trees.readsWhatItCan(
                    Root.MESSAGE, file.memory(), frame.metadataOffset(), frame.metadataLength());
        }
    }

    /// A column that was not verified may be none.
    private void fields(ArrowFile file, Level verification) {
        int count = file.footer().schema(schema) ? schema.fieldsCount() : 0;
        for (int i = 0; i < Math.min(count, MOST); i++) {
            try {
                file.verified(schema.fields(i, field)).nameLength();
            } catch (FletchException e) {
                assertEquals(Level.TOUCHED, verification, e::toString);
            }
        }
    }

    private static void assertInside(FletchException e, long size) {
        assertTrue(e.offset() >= 0 && e.offset() <= size, e::toString);
    }
}
