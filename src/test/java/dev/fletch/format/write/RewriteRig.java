// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.SparseTensor;
import dev.fletch.format.Tensor;

import java.lang.foreign.MemorySegment;

/// Reads flatbuffers and writes them again in one order, with flyweights and memory that are used
/// over and over.
public final class RewriteRig {
    private final Message message = new Message();
    private final Footer footer = new Footer();
    private final Schema schema = new Schema();
    private final Tensor tensor = new Tensor();
    private final SparseTensor sparseTensor = new SparseTensor();
    private final FlatBufferWriter buffer;
    private final MetadataWriter writer;

    public RewriteRig(EmissionOrder order) {
        buffer = order.newWriter();
        writer = new MetadataWriter(order, buffer);
    }

    FlatBufferWriter buffer() {
        return buffer;
    }

    MetadataWriter writer() {
        return writer;
    }

    /// Returns the message that these bytes hold, written again.
    byte[] message(byte[] bytes) {
        return message(bytes, new MetadataEdit());
    }

    byte[] message(byte[] bytes, MetadataEdit edit) {
        buffer.reset();
        writer.message(message.wrap(MemorySegment.ofArray(bytes)), edit);
        return buffer.toByteArray();
    }

    byte[] footer(byte[] bytes) {
        return footer(bytes, new MetadataEdit());
    }

    byte[] footer(byte[] bytes, MetadataEdit edit) {
        buffer.reset();
        writer.footer(footer.wrap(MemorySegment.ofArray(bytes)), edit);
        return buffer.toByteArray();
    }

    /// Returns what these bytes hold, written again, by the name of its root.
    public byte[] root(String root, byte[] bytes) {
        return root(root, MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    public byte[] root(String root, MemorySegment memory, long offset, long length) {
        buffer.reset();
        write(root, memory, offset, length);
        return buffer.toByteArray();
    }

    /// The same, into the buffer, which was begun.
    void write(String root, MemorySegment memory, long offset, long length) {
        switch (root) {
            case "Message" -> writer.message(message.wrap(memory, offset, length));
            case "Footer" -> writer.footer(footer.wrap(memory, offset, length));
            case "Schema" -> writer.schema(schema.wrap(memory, offset, length));
            case "Tensor" -> writer.tensor(tensor.wrap(memory, offset, length));
            case "SparseTensor" -> writer.sparseTensor(sparseTensor.wrap(memory, offset, length));
            default -> throw new IllegalArgumentException("no root: " + root);
        }
    }
}
