// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.ipc.MessageDecoder;
import dev.fletch.ipc.MessageDecoder.Event;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/// Counts the rows of a stream from a socket, without allocating per message. Arguments: host and port.
public class PushDecoding {
    public static void main(String[] args) throws Exception {
        var decoder = new MessageDecoder();
        var message = new Message();
        var batch = new RecordBatch();
        var buffer = ByteBuffer.allocateDirect(64 << 10);
        long rows = 0;
        var server = new InetSocketAddress(args[0], Integer.parseInt(args[1]));
        try (var socket = SocketChannel.open(server)) {
            while (socket.read(buffer.clear()) >= 0) {
                buffer.flip();
                Event event;
                while ((event = decoder.next(buffer, message)) != Event.NEED_MORE) {
                    if (event == Event.MESSAGE && message.header(batch)) {
                        rows += batch.length();
                    }
                }
            }
        }
        decoder.finish(); // throws if the stream was cut off
        System.out.println(rows + " rows");
    }
}
