// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A file in the temporary folder that is gone when its user is done.
final class TemporaryFile implements AutoCloseable {
    private final Path path;

    private TemporaryFile(Path path) {
        this.path = path;
    }

    /// Makes a file that holds `content` at `position`, and nothing but a hole before it.
    static TemporaryFile holding(byte[] content, long position) throws IOException {
        TemporaryFile file = new TemporaryFile(Files.createTempFile("fletch-", ".memory"));
        // A sparse file has to be made as one: this one only reserved its name.
        Files.delete(file.path);
        try (FileChannel channel =
                FileChannel.open(
                        file.path,
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.SPARSE)) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes, position + bytes.position());
            }
        } catch (IOException e) {
            file.close();
            throw e;
        }
        return file;
    }

    Path path() {
        return path;
    }

    FileChannel open(FileChannel.MapMode mode) throws IOException {
        return mode == FileChannel.MapMode.READ_ONLY
                ? FileChannel.open(path, StandardOpenOption.READ)
                : FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /// Deletes the file; where a mapping still holds it, when the JVM exits.
    @Override
    public void close() {
        if (!path.toFile().delete()) {
            path.toFile().deleteOnExit();
        }
    }
}
