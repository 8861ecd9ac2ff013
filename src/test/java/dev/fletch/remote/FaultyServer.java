// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLContext;

/// A server on a loopback port that answers ranges of some bytes as RFC 9110 says, unless a fault
/// says otherwise. It remembers all requests, and counts the bytes of bodies that it has sent.
final class FaultyServer implements AutoCloseable {
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d*)-(\\d*)");

    final List<Request> requests = new CopyOnWriteArrayList<>();
    final AtomicLong bodyBytes = new AtomicLong();
    volatile byte[] object;
    volatile String etag = "\"v1\"";
    volatile String lastModified = "Mon, 02 Jan 2006 15:04:05 GMT";
    volatile Fault fault = (number, request, answer) -> {};

    private final ServerSocket socket;
    private final boolean isSecure;

    /// A request line and its headers.
    ///
    /// @param headers by names in lower case
    record Request(String method, String target, Map<String, String> headers) {
        String header(String name) {
            return headers.get(name);
        }
    }

    /// Changes an answer before it is sent.
    interface Fault {
        /// @param number of the request, from 0
        void change(int number, Request request, Answering answer) throws IOException;
    }

    /// An answer that is about to be sent.
    static final class Answering {
        final Map<String, String> headers = new LinkedHashMap<>();
        int status;
        byte[] body = {};
        // How much of the body to send before the connection is closed; -1 for all of it.
        int cutAt = -1;
        boolean isReset;
        long millisPerByte;
        long millisBefore;
    }

    FaultyServer(byte[] object, SSLContext tls) throws IOException {
        this.object = object;
        InetAddress loopback = InetAddress.getByName("127.0.0.1");
        isSecure = tls != null;
        socket =
                isSecure
                        ? tls.getServerSocketFactory().createServerSocket(0, 50, loopback)
                        : new ServerSocket(0, 50, loopback);
        Thread.ofVirtual().start(this::accept);
    }

    FaultyServer(byte[] object) throws IOException {
        this(object, null);
    }

    int port() {
        return socket.getLocalPort();
    }

    String link(String path) {
        return (isSecure ? "https://localhost:" : "http://127.0.0.1:") + port() + path;
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                Thread.ofPlatform().daemon().start(() -> serve(client));
            } catch (IOException _) {
                // closed
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            while (answer(read(in), client)) {}
        } catch (IOException | InterruptedException _) {
            // the client has gone
        }
    }

    private static Request read(InputStream in) throws IOException {
        String[] first = line(in).split(" ");
        if (first.length < 2) {
            throw new SocketException("no request");
        }
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(line.substring(0, colon).toLowerCase(), line.substring(colon + 1).trim());
        }
        return new Request(first[0], first[1], headers);
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new SocketException("closed");
            }
            if (c != '\r') {
                line.write(c);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    private boolean answer(Request request, Socket client)
            throws IOException, InterruptedException {
        int number;
        synchronized (requests) {
            number = requests.size();
            requests.add(request);
        }
        Answering answer = right(request);
        fault.change(number, request, answer);
        Thread.sleep(answer.millisBefore);
        if (answer.isReset) {
            client.setSoLinger(true, 0);
            return false;
        }
        answer.headers.putIfAbsent("Content-Length", "" + answer.body.length);
        StringBuilder head = new StringBuilder("HTTP/1.1 " + answer.status + " Text\r\n");
        answer.headers.forEach(
                (name, value) -> {
                    if (!value.isEmpty()) {
                        head.append(name).append(": ").append(value).append("\r\n");
                    }
                });
        OutputStream out = client.getOutputStream();
        out.write(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
        send(answer, out);
        return answer.cutAt < 0 && !"close".equals(answer.headers.get("Connection"));
    }

    private void send(Answering answer, OutputStream out) throws IOException, InterruptedException {
        int end = answer.cutAt < 0 ? answer.body.length : answer.cutAt;
        int step = answer.millisPerByte > 0 ? 1 : 8192;
        for (int at = 0; at < end; at += step) {
            int length = Math.min(step, end - at);
            out.write(answer.body, at, length);
            out.flush();
            bodyBytes.addAndGet(length);
            Thread.sleep(answer.millisPerByte);
        }
    }

    private Answering right(Request request) {
        Answering answer = new Answering();
        answer.headers.put("ETag", etag);
        answer.headers.put("Last-Modified", lastModified);
        String ifMatch = request.header("if-match");
        String ifUnmodified = request.header("if-unmodified-since");
        if (ifMatch != null && !ifMatch.equals(etag)
                || ifUnmodified != null && !ifUnmodified.equals(lastModified)) {
            answer.status = 412;
            return answer;
        }
        answerRange(request, answer);
        return answer;
    }

    /// Puts the bytes into an answer, without looking at preconditions.
    void answerRange(Request request, Answering answer) {
        String range = request.header("range");
        Matcher parts = RANGE.matcher(range == null ? "" : range);
        if (!parts.matches()) {
            answer.status = 200;
            answer.body = object;
            return;
        }
        int size = object.length;
        boolean isSuffix = parts.group(1).isEmpty();
        long from =
                isSuffix
                        ? Math.max(0, size - Long.parseLong(parts.group(2)))
                        : Long.parseLong(parts.group(1));
        long to =
                isSuffix || parts.group(2).isEmpty()
                        ? size - 1
                        : Math.min(size - 1, Long.parseLong(parts.group(2)));
        if (from >= size) {
            answer.status = 416;
            answer.headers.put("Content-Range", "bytes */" + size);
            return;
        }
        answer.status = 206;
        answer.headers.put("Content-Range", "bytes " + from + "-" + to + "/" + size);
        answer.body = Arrays.copyOfRange(object, (int) from, (int) to + 1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
