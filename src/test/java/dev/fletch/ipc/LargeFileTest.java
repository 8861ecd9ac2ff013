// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.ipc.Frames.END;
import static dev.fletch.ipc.Frames.MAGIC;
import static dev.fletch.ipc.Frames.batch;
import static dev.fletch.ipc.Frames.frame;
import static dev.fletch.ipc.Frames.join;
import static dev.fletch.ipc.Frames.schema;
import static dev.fletch.ipc.Frames.words;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.format.Message;
import dev.fletch.ipc.Frames.BlockNumbers;
import dev.fletch.testdata.Sources;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// Files of more than 4 GiB: two bodies that are holes, so that they take no room on the disk.
class LargeFileTest {
    private static final long BODY = 3L << 30;
    private static final long LARGEST_READ = 8 << 10;

    @TempDir Path folder;

    @Test
    void fileIsReadWithoutItsBodies() throws IOException {
        byte[] metadata = frame(batch(BODY));
        List<BlockNumbers> blocks = new ArrayList<>();
        Path path = folder.resolve("large.arrow");
        try (FileChannel channel = create(path)) {
            long at = write(channel, 0, join(MAGIC, new byte[2], frame(schema())));
            for (int i = 0; i < 2; i++) {
                blocks.add(new BlockNumbers(at, metadata.length, BODY));
                at = write(channel, at, metadata) + BODY;
            }
            byte[] last = frame(batch(0));
            blocks.add(new BlockNumbers(at, last.length, 0));
            at = write(channel, at, join(last, END));
            byte[] footer = Frames.footer(List.of(), blocks);
            write(channel, at, join(footer, words(footer.length), MAGIC));
        }
        try (ArrowFile file = ArrowFile.open(path)) {
            assertTrue(file.footerOffset() > 6L << 30);
            EncapsulatedMessage frame = new EncapsulatedMessage();
            Message message = new Message();
            for (int i = 2; i >= 0; i--) {
                file.recordBatch(i, frame, message);
                assertEquals(blocks.get(i).offset(), frame.offset());
                assertEquals(blocks.get(i).bodyLength(), frame.bodyLength());
                assertEquals(blocks.get(i).bodyLength(), frame.bodySlice().byteSize());
            }
            Listing byBlocks = Listing.ofFile(file);
            assertEquals(4, byBlocks.messages().size());
            Listing byScan = Listing.ofStream(file.memory(), 8, file.footerOffset() - 8);
            assertEquals(4, byScan.messages().size());
            assertEquals(
                    byBlocks.messages().getLast().offset(),
                    byScan.messages().getLast().offset() + 8);
        }
    }

    @Test
    void streamIsReadWithoutItsBodies() throws IOException {
        Path path = folder.resolve("large.stream");
        try (FileChannel channel = create(path)) {
            long at = write(channel, 0, frame(schema()));
            at = write(channel, at, frame(batch(BODY))) + BODY;
            at = write(channel, at, frame(batch(BODY))) + BODY;
            write(channel, at, join(frame(batch(0)), END));
        }
        try (Sources.Seeking channel = new Sources.Seeking(FileChannel.open(path));
                MessageReader reader = MessageReader.of(channel, ReadOptions.DEFAULT)) {
            Listing listing = Listing.ofReader(reader);
            assertEquals(4, listing.messages().size());
            assertTrue(listing.messages().getLast().offset() > 6L << 30);
            assertTrue(channel.bytesRead < LARGEST_READ, "bytes=" + channel.bytesRead);
            assertEquals(channel.size(), reader.frame().nextOffset());
        }
    }

    private FileChannel create(Path path) throws IOException {
        long room = Files.getFileStore(folder).getUsableSpace();
        assumeTrue(room > 3 * BODY, "little room in the temporary folder: bytes=" + room);
        return FileChannel.open(
                path,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE,
                StandardOpenOption.SPARSE);
    }

    private static long write(FileChannel channel, long at, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer, at + buffer.position());
        }
        return at + bytes.length;
    }
}
