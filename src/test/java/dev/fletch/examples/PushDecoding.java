// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.ValueType;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.MessageDecoder;
import dev.fletch.ipc.ReadOptions;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/// Sums the column `size` of a stream from a socket. Arguments: host and port.
public class PushDecoding {
    private final MessageDecoder decoder = new MessageDecoder(ReadOptions.DEFAULT);
    private final Message message = new Message();
    private final Schema schema = new Schema();
    private final BatchCursor cursor = new BatchCursor();
    private final ByteSlice sizes = new ByteSlice();
    private BatchLayout layout;
    private ByteBuffer body;
    private long sum;

    public static void main(String[] args) throws Exception {
        var client = new PushDecoding();
        var buffer = ByteBuffer.allocateDirect(64 << 10);
        var server = new InetSocketAddress(args[0], Integer.parseInt(args[1]));
        try (var socket = SocketChannel.open(server)) {
            while (socket.read(buffer.clear()) >= 0) {
                client.received(buffer.flip());
            }
        }
        client.decoder.finish(); // throws if the stream was cut off
        System.out.println(client.sum);
    }

    public void received(ByteBuffer buffer) {
        while (true) {
            switch (decoder.next(buffer, message)) {
                case MESSAGE -> head();
                case BODY -> piece();
                default -> { // more bytes are needed, or the stream has ended
                    return;
                }
            }
        }
    }

    private void head() {
        boolean isBatch = message.headerType() == MessageHeader.RECORD_BATCH;
        body = isBatch ? ByteBuffer.allocate(Math.toIntExact(decoder.bodyLeft())) : null;
        if (isBatch) {
            cursor.bind(layout, message); // copies its numbers: the buffer may be filled again
        } else if (message.header(schema)) {
            layout = BatchLayout.compile(schema, message.version());
        }
    }

    private void piece() {
        if (body != null && !body.put(decoder.body()).hasRemaining()) {
            cursor.body(MemorySegment.ofBuffer(body.flip()));
            int size = layout.field("size");
            cursor.values(size, ValueType.INT64, sizes);
            for (long row = 0; row < cursor.length(size); row++) {
                sum += sizes.int64At(row); // the column has no nulls
            }
        }
    }
}
