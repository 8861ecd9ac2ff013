// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// Creates files in the temporary directory.
public final class TemporaryFile {
    private static final String FOLDER = "java.io.tmpdir";
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private TemporaryFile() {}

    /// Creates an empty, sparse file. It is deleted when the channel is closed, or immediately if
    /// the system permits it, so that none remains after a crash.
    public static FileChannel create() throws IOException {
        try {
            Path path = Files.createTempFile("fletch", null);
            Files.delete(path); // a file can only be sparse from its creation
            boolean isPosix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
            return FileChannel.open(
                    path,
                    Set.of(
                            StandardOpenOption.CREATE_NEW,
                            StandardOpenOption.SPARSE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE,
                            StandardOpenOption.DELETE_ON_CLOSE),
                    isPosix ? new FileAttribute<?>[] {OWNER_ONLY} : new FileAttribute<?>[0]);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /// The free space of the temporary directory in bytes; the largest number if it is unknown.
    static long free() throws IOException {
        long free = Files.getFileStore(Path.of(System.getProperty(FOLDER))).getUsableSpace();
        return free > 0 ? free : Long.MAX_VALUE;
    }

    /// Writes all bytes of a buffer at a position; that of the channel stays.
    static void write(FileChannel file, ByteBuffer bytes, long position) throws IOException {
        try {
            for (long to = position; bytes.hasRemaining(); ) {
                to += file.write(bytes, to);
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /// {@return a stream that writes at the end of a file}
    public static OutputStream appendTo(FileChannel file) {
        return new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                TemporaryFile.write(file, ByteBuffer.wrap(bytes, offset, length), file.size());
            }
        };
    }

    /// Adds the path of the temporary directory to a failure.
    private static IOException failed(IOException cause) {
        String reason = ReadFailure.reason(cause, "no such folder");
        String folder = System.getProperty(FOLDER);
        return new IOException(
                "cannot write to the temporary folder " + folder + ": " + reason, cause);
    }
}
