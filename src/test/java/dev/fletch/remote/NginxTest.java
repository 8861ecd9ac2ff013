// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.format.Message;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.Frames;
import dev.fletch.ipc.Frames.BlockNumbers;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.remote.errors.RangeException;
import dev.fletch.remote.internal.RangeOptions;
import dev.fletch.remote.internal.RangedFile;
import dev.fletch.testdata.ArrowVectorFiles;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Files behind a real server. The test starts and stops an nginx of its own; it is skipped if
/// there is none, unless the system property `fletch.nginx.required` is `true`.
class NginxTest {
    private static final int BATCHES = 64;
    private static final long BODY_BYTES = 16 << 20;

    @TempDir static Path folder;

    private static Process nginx;
    private static int port;

    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();

    @BeforeAll
    static void start() throws Exception {
        Path program = program();
        if (program == null) {
            String reason = "nginx is not installed (Debian: nginx-light)";
            assertTrue(!Boolean.getBoolean("fletch.nginx.required"), reason);
            assumeTrue(false, reason + "; skipped");
        }
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            port = free.getLocalPort();
        }
        // The worker of an nginx that root starts is another user.
        boolean isRoot = "root".equals(System.getProperty("user.name"));
        Path files = Files.createDirectory(folder.resolve("files"));
        Path configuration =
                Files.writeString(
                        folder.resolve("nginx.conf"),
                        """
                        %s
                        daemon off;
                        pid PLACE/pid;
                        error_log PLACE/error.log;
                        events {}
                        http {
                            access_log PLACE/access.log;
                            client_body_temp_path PLACE/body;
                            proxy_temp_path PLACE/proxy;
                            fastcgi_temp_path PLACE/fastcgi;
                            uwsgi_temp_path PLACE/uwsgi;
                            scgi_temp_path PLACE/scgi;
                            server {
                                listen 127.0.0.1:PORT;
                                root PLACE/files;
                                location /norange/ { alias PLACE/files/; max_ranges 0; }
                                location /notag/ { alias PLACE/files/; etag off; }
                            }
                        }
                        """
                                .formatted(isRoot ? "user root;" : "")
                                .replace("PLACE", folder.toString())
                                .replace("PORT", "" + port));
        nginx =
                new ProcessBuilder(
                                program.toString(),
                                "-p",
                                folder.toString(),
                                "-c",
                                configuration.toString(),
                                "-e",
                                folder.resolve("error.log").toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("output").toFile())
                        .start();
        writeLargeFile(files.resolve("large.arrow"));
        awaitPort();
    }

    private static Path program() {
        List<Path> folders = new ArrayList<>();
        for (String each : System.getenv().getOrDefault("PATH", "").split(":")) {
            folders.add(Path.of(each));
        }
        folders.add(Path.of("/usr/sbin"));
        return folders.stream()
                .map(each -> each.resolve("nginx"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    private static void awaitPort() throws Exception {
        for (int i = 0; i < 200; i++) {
            try (Socket _ = new Socket("127.0.0.1", port)) {
                return;
            } catch (IOException _) {
                Thread.sleep(25);
            }
        }
        throw new IOException(
                "nginx does not answer: " + Files.readString(folder.resolve("output")));
    }

    /// 1 GiB whose bodies are holes.
    private static void writeLargeFile(Path path) throws IOException {
        try (FileChannel channel =
                FileChannel.open(
                        path,
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.SPARSE)) {
            channel.write(ByteBuffer.wrap(Frames.join(Frames.MAGIC, new byte[2])), 0);
            byte[] header = Frames.frame(Frames.batch(BODY_BYTES));
            List<BlockNumbers> blocks = new ArrayList<>();
            long at = 8;
            for (int i = 0; i < BATCHES; i++) {
                channel.write(ByteBuffer.wrap(header), at);
                blocks.add(new BlockNumbers(at, header.length, BODY_BYTES));
                at += header.length + BODY_BYTES;
            }
            byte[] footer = Frames.footer(List.of(), blocks);
            channel.write(
                    ByteBuffer.wrap(Frames.join(footer, Frames.words(footer.length), Frames.MAGIC)),
                    at);
        }
    }

    @AfterAll
    static void stop() throws InterruptedException {
        if (nginx != null) {
            nginx.destroy();
            if (!nginx.waitFor(5, TimeUnit.SECONDS)) {
                nginx.destroyForcibly();
            }
        }
    }

    private static HttpRangeSource source(String path) {
        return HttpRangeSource.of("http://127.0.0.1:" + port + path, HttpOptions.DEFAULT);
    }

    @Test
    void batchOfAGibibyteIsFoundWithTwoRequests() throws IOException {
        HttpRangeSource source = source("/large.arrow");
        try (RangedFile file = RangedFile.open(source, ReadOptions.DEFAULT, RangeOptions.DEFAULT)) {
            assertEquals(BATCHES, file.index().count(MessageHeader.RECORD_BATCH));
            file.message(MessageHeader.RECORD_BATCH, BATCHES - 1, frame, message);
            assertEquals(BODY_BYTES, frame.bodyLength());
            assertEquals(2, source.requests.get());
            for (int i = 0; i < BATCHES; i++) {
                file.message(MessageHeader.RECORD_BATCH, i, frame, message);
            }
            assertEquals(1 + BATCHES, source.requests.get());
        }
    }

    @Test
    void filesOverHttpHaveTheContentsOfLocalOnes() throws IOException {
        for (String name : List.of("dictionaries", "several_batches", "nested_views_unions_runs")) {
            byte[] bytes = ArrowVectorFiles.named(name).file();
            Files.write(folder.resolve("files").resolve(name), bytes);
            for (String path : List.of("/", "/notag/")) {
                assertTrue(
                        SameFile.check(
                                        bytes,
                                        source(path + name + "?token=5ecr3t"),
                                        SmallRanges.OF.endBytes(512).options())
                                > 0);
            }
        }
    }

    @Test
    void changeBetweenRequestsIsAnError() throws IOException {
        for (String path : List.of("/", "/notag/")) {
            Path file = Files.write(folder.resolve("files/changing"), new byte[5_000]);
            Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(1_000_000_000)));
            try (HttpRangeSource source = source(path + "changing")) {
                assertEquals(5_000, source.size());
                Files.write(file, new byte[5_000]);
                var failure =
                        assertThrows(
                                RangeException.class,
                                () -> source.read(0, MemorySegment.ofArray(new byte[10])));
                assertReason("object has changed: status=412", failure);
            }
        }
    }

    @Test
    void shortAndEmptyFilesAreReadAndMissingOnesRefused() throws IOException {
        Files.write(folder.resolve("files/empty"), new byte[0]);
        Files.write(folder.resolve("files/short"), new byte[] {1, 2, 3});
        try (HttpRangeSource source = source("/empty")) {
            assertArrayEquals(new byte[0], source.readEnd(1_000));
            assertEquals(0, source.size());
        }
        try (HttpRangeSource source = source("/short")) {
            assertArrayEquals(new byte[] {1, 2, 3}, source.readEnd(1_000));
        }
        try (HttpRangeSource source = source("/missing?5ecr3t")) {
            var failure = assertThrows(RangeException.class, () -> source.size());
            assertEquals(
                    "http://127.0.0.1:"
                            + port
                            + "/missing: last 1 byte: server rejected the request: status=404",
                    failure.getMessage());
        }
    }

    @Test
    void serverWithoutRangesIsAClearError() {
        try (HttpRangeSource source = source("/norange/large.arrow")) {
            var failure = assertThrows(RangeException.class, () -> source.size());
            assertReason("server does not support byte ranges: status=200", failure);
        }
    }

    private static void assertReason(String reason, RangeException failure) {
        assertTrue(failure.getMessage().endsWith(": " + reason), failure.getMessage());
    }
}
