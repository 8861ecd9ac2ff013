// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/// A connection to a thread of this process, which sends the same bytes at each request.
final class LoopbackSource implements AutoCloseable {
    private final SocketChannel client;
    private final ByteBuffer question = ByteBuffer.allocateDirect(1);

    private LoopbackSource(SocketChannel client) {
        this.client = client;
    }

    static LoopbackSource of(byte[] content) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SocketChannel client = SocketChannel.open(server.getLocalAddress());
            SocketChannel accepted = server.accept();
            Thread.ofPlatform().daemon().start(() -> answer(accepted, content));
            return new LoopbackSource(client);
        }
    }

    /// Sends the bytes at each request, until the client closes the connection.
    private static void answer(SocketChannel to, byte[] content) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(content.length).put(content);
        ByteBuffer request = ByteBuffer.allocateDirect(1);
        try (to) {
            while (to.read(request.clear()) == 1) {
                bytes.flip();
                while (bytes.hasRemaining()) {
                    to.write(bytes);
                }
            }
        } catch (IOException e) {
            // The client gets an exception, too.
        }
    }

    /// Requests the bytes.
    ///
    /// @return the channel that they arrive at
    ReadableByteChannel request() throws IOException {
        client.write(question.clear());
        return client;
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
