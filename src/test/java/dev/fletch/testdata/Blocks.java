// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import dev.fletch.format.Message;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.remote.internal.RangedFile;

import java.io.IOException;

/// What the blocks of a file lead to: all dictionaries, then all record batches, each in the order
/// of the footer.
public final class Blocks {
    private Blocks() {}

    /// Is given each message; the next one takes its place.
    public interface Each {
        void message(Message message, EncapsulatedMessage frame) throws IOException;
    }

    private interface Opening {
        void open(int index, EncapsulatedMessage frame, Message into) throws IOException;
    }

    public static void of(ArrowFile file, Each each) throws IOException {
        open(file.dictionaryCount(), file::dictionary, each);
        open(file.recordBatchCount(), file::recordBatch, each);
    }

    public static void of(RangedFile file, Each each) throws IOException {
        for (int kind : new int[] {MessageHeader.DICTIONARY_BATCH, MessageHeader.RECORD_BATCH}) {
            open(
                    file.index().count(kind),
                    (i, frame, to) -> file.message(kind, i, frame, to),
                    each);
        }
    }

    private static void open(int count, Opening opening, Each each) throws IOException {
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        for (int i = 0; i < count; i++) {
            opening.open(i, frame, message);
            each.message(message, frame);
        }
    }
}
