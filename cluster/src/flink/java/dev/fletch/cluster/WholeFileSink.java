// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cluster;

import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/// Writes lines to a file that appears when it is complete. A task that Flink repeats replaces it by the same text, also
/// after it had been complete; so each line is there exactly once.
final class WholeFileSink implements Sink<String> {
    private static final long serialVersionUID = 1L;

    private final String path;

    /// @param path absolute, in a folder that all workers share
    WholeFileSink(String path) {
        this.path = path;
    }

    @Override
    public SinkWriter<String> createWriter(WriterInitContext context) throws IOException {
        return new Writer(Path.of(path));
    }

    private static final class Writer implements SinkWriter<String> {
        private final Path file;
        private final Path part;
        private final FileChannel channel;
        private final BufferedWriter out;

        Writer(Path file) throws IOException {
            this.file = file;
            this.part = file.resolveSibling("." + file.getFileName() + "." + UUID.randomUUID());
            Files.createDirectories(file.getParent());
            channel =
                    FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            out = new BufferedWriter(Channels.newWriter(channel, StandardCharsets.UTF_8));
        }

        @Override
        public void write(String line, Context context) throws IOException {
            out.write(line);
            out.write('\n');
        }

        @Override
        public void flush(boolean isEnd) throws IOException {
            out.flush();
            if (isEnd) {
                channel.force(true);
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
            Files.deleteIfExists(part);
        }
    }
}
