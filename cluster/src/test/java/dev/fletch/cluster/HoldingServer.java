// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cluster;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// Serves the numbered files `/0.arrow`, `/1.arrow`, … by ranges. It can stop answering when some files have been read,
/// so that a test knows that a job is in its middle.
final class HoldingServer implements AutoCloseable {
    private final ScanInputs inputs;
    private final int count;
    private final HttpServer server;
    private final Set<String> asked = ConcurrentHashMap.newKeySet();
    private final AtomicInteger repeated = new AtomicInteger();
    private volatile int holdsAfter = Integer.MAX_VALUE;
    private volatile CountDownLatch held = new CountDownLatch(0);
    private volatile CountDownLatch released = new CountDownLatch(0);

    /// @param count of the files
    HoldingServer(ScanInputs inputs, int count) throws IOException {
        this.inputs = inputs;
        this.count = count;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    String link(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + path;
    }

    /// Answers no more once some files were asked for.
    ///
    /// @param requests how many unanswered ones to wait for in [#awaitHeld]
    void hold(int files, int requests) {
        asked.clear();
        released = new CountDownLatch(1);
        held = new CountDownLatch(requests);
        holdsAfter = files;
    }

    void awaitHeld() throws InterruptedException {
        held.await();
    }

    /// Answers all; from now on files are counted that are asked for again.
    void release() {
        repeated.set(0);
        holdsAfter = Integer.MAX_VALUE;
        released.countDown();
    }

    /// Number of first requests for files that were asked for already.
    int repeated() {
        return repeated.get();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            String range = exchange.getRequestHeaders().getFirst("Range");
            boolean isFirst = exchange.getRequestHeaders().getFirst("If-Match") == null;
            if (!asked.add(path) && isFirst) {
                repeated.incrementAndGet();
            }
            if (asked.size() > holdsAfter) {
                held.countDown();
                released.await();
            }
            int number = number(path);
            if (number < 0 || number >= count) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            byte[] all = inputs.template(number);
            String[] ends = range.substring("bytes=".length()).split("-", -1);
            boolean isSuffix = ends[0].isEmpty();
            int end = all.length;
            int from = isSuffix ? end - Integer.parseInt(ends[1]) : Integer.parseInt(ends[0]);
            int to = isSuffix ? end : Math.min(end, Integer.parseInt(ends[1]) + 1);
            from = Math.max(0, from);
            var headers = exchange.getResponseHeaders();
            headers.add("Content-Range", "bytes " + from + "-" + (to - 1) + "/" + end);
            headers.add("ETag", "\"" + number + "\"");
            exchange.sendResponseHeaders(206, to - from);
            exchange.getResponseBody().write(Arrays.copyOfRange(all, from, to));
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static int number(String path) {
        String digits = path.replaceAll("\\D", "");
        return digits.isEmpty() ? -1 : Integer.parseInt(digits);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
