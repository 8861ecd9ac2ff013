// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.batch.BatchLayout;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.write.SegmentList;
import dev.fletch.forward.BatchProjector;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.MessageWriter;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.BiConsumer;

/// Turns a file into `data_header` and `data_body` of Arrow Flight's messages, and these into a
/// stream.
public class FlightMessages {
    public static void send(ArrowFile file, BiConsumer<MemorySegment, MemorySegment> client) {
        var frame = new EncapsulatedMessage();
        var message = new Message();
        var schema = new Schema();
        file.footer().schema(schema);
        var all = new BatchProjector(BatchLayout.compile(schema, file.footer().version()));
        client.accept(
                all.schemaMessage(schema, file.footer().version()),
                MemorySegment.ofArray(new byte[0]));
        for (int i = -file.dictionaryCount(); i < file.recordBatchCount(); i++) {
            if (i < 0) {
                file.dictionary(i + file.dictionaryCount(), frame, message);
            } else {
                file.recordBatch(i, frame, message);
            }
            long body = frame.nextOffset() - frame.bodyLength(); // checks that it is in the file
            client.accept(
                    file.memory().asSlice(frame.metadataOffset(), frame.metadataLength()),
                    file.memory().asSlice(body, frame.bodyLength()));
        }
    }

    public static void receive(MemorySegment header, MemorySegment body, MessageWriter stream)
            throws IOException {
        stream.write(header, new SegmentList().add(body, 0, body.byteSize()));
    }
}
