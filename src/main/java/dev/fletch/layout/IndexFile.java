// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/// Writes the bytes of an index to a file.
final class IndexFile {
    private static final int PIECE_BYTES = 1 << 28;

    private IndexFile() {}

    /// Writes beside the file that is wanted, and then puts one in the other's place. The new file
    /// is one like any other: it is readable for whom the process lets its files be.
    static void save(MemorySegment memory, Path path) throws IOException {
        final long number = ThreadLocalRandom.current().nextLong();
        final Path written =
                path.toAbsolutePath()
                        .resolveSibling(".column-index-" + Long.toHexString(number) + ".tmp");
        try {
            try (FileChannel channel =
                    FileChannel.open(
                            written, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                final long size = memory.byteSize();
                for (long at = 0; at < size; at += PIECE_BYTES) {
                    final long end = Math.min(size, at + PIECE_BYTES);
                    final var buffer = memory.asSlice(at, end - at).asByteBuffer();
                    while (buffer.hasRemaining()) {
                        channel.write(buffer);
                    }
                }
            }
            Files.move(written, path, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(written);
        }
    }
}
