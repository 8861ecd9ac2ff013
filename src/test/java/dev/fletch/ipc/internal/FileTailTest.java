// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.ipc.Frames;
import dev.fletch.ipc.Frames.BlockNumbers;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// What the end of a file says of its messages.
class FileTailTest {
    private static final BlockNumbers BLOCK = new BlockNumbers(8, 8, 0);

    @ParameterizedTest
    @CsvSource({"2, 3, RecordBatch", "0, 1, RecordBatch", "1, 0, DictionaryBatch", "0, 0, none"})
    void versionOfTheFirstBatchCountsAndNotThatOfTheFooter(
            int dictionaries, int batches, String expected) {
        byte[] bytes =
                Frames.footer(
                        Collections.nCopies(dictionaries, BLOCK),
                        Collections.nCopies(batches, BLOCK));
        Footer footer = new Footer().wrap(MemorySegment.ofArray(bytes));
        Message old =
                new Message()
                        .wrap(
                                MemorySegment.ofArray(
                                        Frames.metadata(
                                                MetadataVersion.V4,
                                                MessageHeader.RECORD_BATCH,
                                                0)));
        List<String> opened = new ArrayList<>();
        int version =
                FileTail.version(
                        footer,
                        (kind, index) -> {
                            opened.add(MessageHeader.NAMES.name(kind) + " " + index);
                            return old;
                        });
        boolean isEmpty = expected.equals("none");
        assertEquals(isEmpty ? List.of() : List.of(expected + " 0"), opened);
        assertEquals(isEmpty ? MetadataVersion.V5 : MetadataVersion.V4, version);
    }
}
