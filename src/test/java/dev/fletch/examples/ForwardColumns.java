// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.batch.BatchLayout;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.forward.BatchProjector;
import dev.fletch.forward.Projection;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.MessageWriter;

import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/// Sends two columns of a file to a socket. Arguments: file, host and port.
public class ForwardColumns {
    public static void main(String[] args) throws Exception {
        var server = new InetSocketAddress(args[1], Integer.parseInt(args[2]));
        try (var file = ArrowFile.open(Path.of(args[0]));
                var out = MessageWriter.of(ArrowContainer.STREAM, SocketChannel.open(server))) {
            var schema = new Schema();
            file.footer().schema(schema);
            var layout = BatchLayout.compile(schema, file.footer().version());
            var projection = Projection.of(layout, "symbol", "price");
            var projector = new BatchProjector(projection);
            var frame = new EncapsulatedMessage();
            var message = new Message();
            out.write(projection.schemaMessage(schema, layout.version()));
            for (int i = 0; i < file.dictionaryCount(); i++) {
                file.dictionary(i, frame, message);
                projector.forward(file.memory(), frame, message, out);
            }
            for (int i = 0; i < file.recordBatchCount(); i++) {
                file.recordBatch(i, frame, message);
                projector.forward(file.memory(), frame, message, out);
            }
            out.finish();
        }
    }
}
