// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/// Serves the files of a folder by ranges, on a loopback port, and remembers what was asked for.
public final class RangeServer implements AutoCloseable {
    public final List<String> requests = new CopyOnWriteArrayList<>();

    private final Path folder;
    private final HttpServer server;

    public RangeServer(Path folder) throws IOException {
        this.folder = folder;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    public String link(String file) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + file;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String range = exchange.getRequestHeaders().getFirst("Range");
            requests.add(exchange.getRequestMethod() + " " + range);
            Path file = folder.resolve(exchange.getRequestURI().getPath().substring(1));
            if (!Files.isRegularFile(file)) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            long size = Files.size(file);
            String[] ends = range.substring("bytes=".length()).split("-", -1);
            long from =
                    ends[0].isEmpty()
                            ? Math.max(0, size - Long.parseLong(ends[1]))
                            : Long.parseLong(ends[0]);
            long to = ends[0].isEmpty() ? size - 1 : Math.min(size - 1, Long.parseLong(ends[1]));
            ByteBuffer bytes = ByteBuffer.allocate((int) (to - from + 1));
            try (FileChannel channel = FileChannel.open(file)) {
                while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {}
            }
            exchange.getResponseHeaders()
                    .add("Content-Range", "bytes " + from + "-" + to + "/" + size);
            exchange.getResponseHeaders().add("ETag", "\"" + size + "\"");
            exchange.sendResponseHeaders(206, bytes.capacity());
            exchange.getResponseBody().write(bytes.array());
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
