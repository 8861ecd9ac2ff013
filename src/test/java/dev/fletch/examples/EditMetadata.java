// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.format.Message;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataEdit;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.format.write.SegmentList;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.MessageWriter;

import java.io.FileOutputStream;
import java.nio.file.Path;

/// Copies a file without the custom metadata of its schema and fields, and with other dictionary
/// ids. Arguments: the file, and the new file.
public class EditMetadata {
    public static void main(String[] args) throws Exception {
        var edit = new MetadataEdit().dropSchemaMetadata().dictionaryIds(id -> id + 100);
        var buffer = EmissionOrder.ARROW_CPP.newWriter();
        var writer = new MetadataWriter(EmissionOrder.ARROW_CPP, buffer);
        var frame = new EncapsulatedMessage();
        var message = new Message();
        var body = new SegmentList();
        try (var file = ArrowFile.open(Path.of(args[0]));
                var out = MessageWriter.of(ArrowContainer.FILE, new FileOutputStream(args[1]))) {
            for (int i = 0; i < file.messageCount(); i++) {
                file.message(i, frame, message);
                frame.nextOffset(); // throws if the body is not inside the file
                body.reset().add(file.memory(), frame.bodyOffset(), frame.bodyLength());
                buffer.reset();
                writer.message(message, edit);
                out.write(buffer.segment(), body);
            }
            out.finish();
        }
    }
}
