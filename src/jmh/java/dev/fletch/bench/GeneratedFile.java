// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// A mapped Arrow file, read through the classes that flatc generates, which verify nothing. All
/// objects are reused.
final class GeneratedFile {
    private static final int TAIL_BYTES = 10;
    private static final int PREFIX_BYTES = 8;
    private static final int LEVELS = 4;

    private final ByteBuffer file;
    private final Footer footer = new Footer();
    private final Schema schema = new Schema();
    private final ByteBuffer text;
    private final Field[] levels = new Field[LEVELS];
    private final Block block = new Block();
    private final Message message = new Message();
    private final RecordBatch batch = new RecordBatch();
    private final FieldNode node = new FieldNode();
    private final Buffer buffer = new Buffer();

    private int nodes;
    private int buffers;

    /// @param file all of it, little-endian
    GeneratedFile(ByteBuffer file) {
        this.file = file;
        final int lengthAt = file.capacity() - TAIL_BYTES;
        file.position(lengthAt - file.getInt(lengthAt));
        Footer.getRootAsFooter(file, footer);
        footer.schema(schema);
        text = file.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < LEVELS; i++) {
            levels[i] = new Field();
        }
    }

    static GeneratedFile map(Path path, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(path)) {
            final var mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            return new GeneratedFile(mapped.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN));
        }
    }

    Schema schema() {
        return schema;
    }

    /// Another buffer over the same bytes, for looking at strings.
    ByteBuffer text() {
        return text;
    }

    /// Goes through the columns to the one of this name, and reads its node and buffers in a batch.
    ///
    /// @return the sum of its length and its buffers' offsets and lengths
    long column(String name, int number) {
        final ByteBuffer wanted = ByteBuffer.wrap(name.getBytes(StandardCharsets.UTF_8));
        nodes = 0;
        buffers = 0;
        final Field field = levels[0];
        for (int i = 0, n = schema.fieldsLength(); i < n; i++) {
            schema.fields(field, i);
            if (field.nameInByteBuffer(text).equals(wanted)) {
                return column(number, nodes, buffers, GeneratedPlan.buffers(field.typeType()));
            }
            pass(field, 1);
        }
        throw new AssertionError(name);
    }

    private void pass(Field field, int depth) {
        nodes++;
        buffers += GeneratedPlan.buffers(field.typeType());
        for (int i = 0, n = field.childrenLength(); i < n; i++) {
            pass(field.children(levels[depth], i), depth + 1);
        }
    }

    /// The same by a plan.
    long column(GeneratedPlan plan, String name, int number) {
        final int column = plan.columns.get(name);
        final int first = plan.firstBuffer[column];
        return column(number, plan.firstNode[column], first, plan.firstBuffer[column + 1] - first);
    }

    private long column(int number, int nodeIndex, int firstBuffer, int bufferCount) {
        footer.recordBatches(block, number);
        file.position((int) block.offset() + PREFIX_BYTES);
        Message.getRootAsMessage(file, message);
        message.header(batch);
        long sum = batch.nodes(node, nodeIndex).length();
        for (int i = 0; i < bufferCount; i++) {
            batch.buffers(buffer, firstBuffer + i);
            sum += buffer.offset() + buffer.length();
        }
        return sum;
    }
}
