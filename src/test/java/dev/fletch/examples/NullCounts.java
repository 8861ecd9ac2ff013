// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.MessageReader;
import dev.fletch.ipc.ReadOptions;

import java.nio.channels.Channels;

/// Prints the null counts of each batch of a stream from standard input. Bodies are skipped.
public class NullCounts {
    public static void main(String[] args) throws Exception {
        var message = new Message();
        var schema = new Schema();
        var cursor = new BatchCursor();
        BatchLayout layout = null;
        try (var reader = MessageReader.of(Channels.newChannel(System.in), ReadOptions.DEFAULT)) {
            while (reader.next(message) == FrameKind.MESSAGE) {
                if (message.header(schema)) {
                    layout = BatchLayout.compile(schema, message.version());
                } else if (message.headerType() == MessageHeader.RECORD_BATCH) {
                    cursor.bind(layout, message); // without its body
                    for (int c = 0; c < layout.columnCount(); c++) {
                        int f = layout.columnField(c);
                        System.out.print(layout.nameString(f) + "=" + cursor.nullCount(f) + " ");
                    }
                    System.out.println();
                }
            }
        }
    }
}
