// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.batch.BatchLayout;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.write.CustomMetadata;
import dev.fletch.forward.BatchProjector;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.MessageWriter;

import java.io.FileOutputStream;
import java.nio.file.Path;

/// Copies a file to a stream, with a sequence number in the metadata of each batch. Dictionaries
/// are numbered, too. Arguments: file and stream.
public class NumberBatches {
    public static void main(String[] args) throws Exception {
        try (var file = ArrowFile.open(Path.of(args[0]));
                var target = new FileOutputStream(args[1]);
                var out = MessageWriter.of(ArrowContainer.STREAM, target)) {
            var schema = new Schema();
            file.footer().schema(schema);
            var layout = BatchLayout.compile(schema, file.footer().version());
            var metadata = new CustomMetadata("sequence");
            var projector = new BatchProjector(layout).metadata(metadata);
            out.write(projector.schemaMessage(schema, file.footer().version()));
            var frame = new EncapsulatedMessage();
            var message = new Message();
            for (int i = -file.dictionaryCount(); i < file.recordBatchCount(); i++) {
                if (i < 0) {
                    file.dictionary(i + file.dictionaryCount(), frame, message);
                } else {
                    file.recordBatch(i, frame, message);
                }
                metadata.set(0, Integer.toString(i + file.dictionaryCount()));
                projector.forward(file.memory(), frame, message, out);
            }
            out.finish();
        }
    }
}
