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
import org.apache.arrow.flatbuf.Type;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// A mapped file read through the classes that flatc generates.
final class WideGenerated {
    private static final int TAIL_BYTES = 10;
    private static final int PREFIX_BYTES = 8;
    private static final int LEVELS = 4;

    private final ByteBuffer file;
    private final Footer footer;
    private final Schema schema;
    private final Field[] levels = new Field[LEVELS];
    private final ByteBuffer text;

    private int nodes;
    private int buffers;

    private WideGenerated(ByteBuffer file) {
        this.file = file;
        final int lengthAt = file.capacity() - TAIL_BYTES;
        final int length = file.getInt(lengthAt);
        footer = Footer.getRootAsFooter(slice(lengthAt - length, length));
        schema = footer.schema();
        text = schema.getByteBuffer().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < LEVELS; i++) {
            levels[i] = new Field();
        }
    }

    /// Maps a file for good.
    static WideGenerated open(Path path) {
        try (FileChannel channel = FileChannel.open(path)) {
            return of(channel, Arena.ofAuto());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static WideGenerated of(FileChannel channel, Arena arena) throws IOException {
        final var mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        return new WideGenerated(mapped.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN));
    }

    private ByteBuffer slice(int at, int length) {
        return file.slice(at, length).order(ByteOrder.LITTLE_ENDIAN);
    }

    Schema schema() {
        return schema;
    }

    /// A buffer over the same bytes, for looking at strings.
    ByteBuffer text() {
        return text;
    }

    int columns() {
        return schema.fieldsLength();
    }

    long locate(String name, int batch) {
        nodes = 0;
        buffers = 0;
        for (int i = 0; i < schema.fieldsLength(); i++) {
            final Field field = schema.fields(i);
            if (field.name().equals(name)) {
                return located(field, batch);
            }
            pass(field);
        }
        throw new AssertionError(name);
    }

    private void pass(Field field) {
        nodes++;
        buffers += own(field.typeType());
        for (int i = 0; i < field.childrenLength(); i++) {
            pass(field.children(i));
        }
    }

    long locateReusing(String name, int batch) {
        final ByteBuffer wanted = ByteBuffer.wrap(name.getBytes(StandardCharsets.UTF_8));
        nodes = 0;
        buffers = 0;
        final Field field = levels[0];
        for (int i = 0, n = schema.fieldsLength(); i < n; i++) {
            schema.fields(field, i);
            if (field.nameInByteBuffer(text).equals(wanted)) {
                return located(field, batch);
            }
            passReusing(field, 1);
        }
        throw new AssertionError(name);
    }

    private void passReusing(Field field, int depth) {
        nodes++;
        buffers += own(field.typeType());
        for (int i = 0, n = field.childrenLength(); i < n; i++) {
            passReusing(field.children(levels[depth], i), depth + 1);
        }
    }

    private static int own(int type) {
        return switch (type) {
            case Type.Utf8 -> 3;
            case Type.Int, Type.FloatingPoint, Type.Bool, Type.List -> 2;
            default -> throw new AssertionError("type " + type);
        };
    }

    private long located(Field field, int index) {
        final RecordBatch batch = batch(index);
        final FieldNode node = batch.nodes(nodes);
        long sum = node.length();
        for (int i = 0; i < own(field.typeType()); i++) {
            final Buffer buffer = batch.buffers(buffers + i);
            sum += buffer.offset() + buffer.length();
        }
        return sum;
    }

    private RecordBatch batch(int index) {
        final Block block = footer.recordBatches(index);
        final int at = (int) block.offset() + PREFIX_BYTES;
        final Message message =
                Message.getRootAsMessage(slice(at, block.metaDataLength() - PREFIX_BYTES));
        return (RecordBatch) message.header(new RecordBatch());
    }

    long rows() {
        long rows = 0;
        for (int i = 0; i < footer.recordBatchesLength(); i++) {
            rows += batch(i).length();
        }
        return rows;
    }
}
