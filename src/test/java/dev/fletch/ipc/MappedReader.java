// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Block;
import dev.fletch.format.Field;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.ipc.internal.FileHead;
import dev.fletch.schema.ArrowSchema;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/// A process that reads a mapped file in one of several ways, shortens it, and reads it again:
/// prints the exception's class and message. It runs in a JVM of its own, because that may crash.
///
/// Arguments: way, file, its new size, and how often to read before.
final class MappedReader {
    private static final long FIRST = FileHead.USUAL_BYTES;

    private final ArrowFile file;
    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();
    private final RecordBatch batch = new RecordBatch();
    private final Schema schema = new Schema();
    private final Field field = new Field();
    private final Block block = new Block();
    private final Utf8Slice name = new Utf8Slice();
    private final long[] numbers = new long[4096];
    private final RecordBatch opened = new RecordBatch();
    private final Schema kept = new Schema();
    private final BatchLayout layout;
    private final BatchCursor cursor = new BatchCursor();
    private final FlatBufferWriter written = new FlatBufferWriter();
    private final MetadataWriter writer = new MetadataWriter(EmissionOrder.ARROW_CPP, written);

    private MappedReader(ArrowFile file) {
        this.file = file;
        file.recordBatch(file.recordBatchCount() - 1, new EncapsulatedMessage(), message);
        message.header(opened);
        file.footer().schema(kept);
        layout = BatchLayout.compile(kept, MetadataVersion.V5);
    }

    public static void main(String[] args) throws IOException {
        Path path = Path.of(args[1]);
        long newSize = Long.parseLong(args[2]);
        int before = Integer.parseInt(args[3]);
        try (Arena arena = Arena.ofConfined()) {
            MappedReader reader = new MappedReader(ArrowFile.map(path, arena, ReadOptions.DEFAULT));
            long sum = 0;
            for (int i = 0; i < before; i++) {
                sum += reader.read(args[0]);
            }
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                channel.truncate(newSize);
            }
            System.out.println(reader.outcome(args[0]));
            // Proves that the process is well, and that nothing was optimized away.
            System.out.println("alive " + (sum != 42));
        }
    }

    /// What one more read ends in. The line is made here: an exception that comes late, comes by
    /// the time when this method is left.
    private String outcome(String way) {
        try {
            return "read " + read(way);
        } catch (Throwable e) {
            return e.getClass().getSimpleName() + " " + e.getMessage();
        }
    }

    private long read(String way) {
        return switch (way) {
            case "open" -> openAll();
            case "messages" -> messages();
            case "walk" -> walk();
            case "copy" -> opened.copyBuffers(numbers, 0);
            case "model" -> ArrowSchema.of(kept).fields().size();
            case "layout" -> BatchLayout.compile(kept, MetadataVersion.V5).columnCount();
            case "rewrite" -> rewrite();
            case "bind" -> cursor.bind(layout, opened).rowCount();
            case "wrap" -> frame.wrap(file.memory(), FIRST, message).ordinal();
            case "footer" -> file.footer().recordBatches(0, block).offset();
            case "unreadable" -> translated();
            default -> throw new IllegalArgumentException(way);
        };
    }

    private long rewrite() {
        written.reset();
        writer.footer(file.footer());
        return written.length();
    }

    private long openAll() {
        long rows = 0;
        for (int i = 0; i < file.recordBatchCount(); i++) {
            file.recordBatch(i, frame, message);
            message.header(batch);
            rows += batch.length();
        }
        return rows;
    }

    private long messages() {
        long sum = 0;
        for (int i = 0; i < file.messageCount(); i++) {
            file.message(i, frame, message);
            sum += frame.bodyLength();
        }
        return sum;
    }

    private Schema boundSchema() {
        file.footer().schema(schema);
        return schema;
    }

    private long walk() {
        int count = boundSchema().fieldsCount();
        long sum = 0;
        for (int i = 0; i < count; i++) {
            schema.fields(i, field);
            field.name(name);
            sum += name.length() + Arrays.hashCode(new int[] {field.typeType()});
            sum += field.nameEquals("venue") ? 1 : 0;
        }
        return sum;
    }

    private long translated() {
        try {
            return walk();
        } catch (InternalError e) {
            throw file.unreadable(file.footerOffset(), e);
        }
    }
}
