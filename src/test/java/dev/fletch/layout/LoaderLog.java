// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ReusableBuffer;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseVariableWidthViewVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.reader.FieldReader;
import org.apache.arrow.vector.compression.CompressionCodec;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.Types.MinorType;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.util.TransferPair;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/// Which nodes and buffers arrow-vector's own loader hands to which field: seen by vectors that do
/// nothing but write down what they are given.
final class LoaderLog {
    /// What one field was given.
    ///
    /// @param buffers offset in the body and length of each
    record Given(String name, long length, long nullCount, List<List<Long>> buffers) {}

    /// Never closed: how the loader counts the references to compressed buffers is its own affair.
    private static final BufferAllocator ALLOCATOR = new RootAllocator();

    private final List<Given> given = new ArrayList<>();
    private final long bodyAddress;

    private LoaderLog(long bodyAddress) {
        this.bodyAddress = bodyAddress;
    }

    /// Loads a batch.
    ///
    /// @param fields of vectors: where a field is encoded by a dictionary, with the type of its
    ///     indexes
    static List<Given> load(
            List<Field> fields, org.apache.arrow.flatbuf.RecordBatch header, byte[] body) {
        try (ArrowBuf bytes = ALLOCATOR.buffer(Math.max(8, body.length))) {
            bytes.setBytes(0, body);
            bytes.writerIndex(body.length);
            LoaderLog log = new LoaderLog(bytes.memoryAddress());
            List<FieldVector> vectors = fields.stream().map(log::vector).toList();
            bytes.getReferenceManager().retain();
            try (ArrowRecordBatch batch = MessageSerializer.deserializeRecordBatch(header, bytes)) {
                VectorSchemaRoot root = new VectorSchemaRoot(fields, vectors, 0);
                new VectorLoader(root, new Untouched()).load(batch);
            }
            return log.given;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The loader tells fields of a view type by the class of their vectors.
    private FieldVector vector(Field field) {
        boolean view =
                field.getType() instanceof ArrowType.Utf8View
                        || field.getType() instanceof ArrowType.BinaryView;
        return view ? new ViewRecorder(field) : recorder(field);
    }

    private FieldVector recorder(Field field) {
        List<FieldVector> children = field.getChildren().stream().map(this::vector).toList();
        InvocationHandler handler =
                (_, method, arguments) ->
                        switch (method.getName()) {
                            case "loadFieldBuffers" -> {
                                given.add(
                                        given(
                                                field,
                                                (ArrowFieldNode) arguments[0],
                                                (List<?>) arguments[1]));
                                yield null;
                            }
                            case "getField" -> field;
                            case "getChildrenFromFields" -> children;
                            case "getName" -> field.getName();
                            case "getAllocator", "setValueCount", "close", "clear" -> null;
                            default -> throw new UnsupportedOperationException(method.toString());
                        };
        return (FieldVector)
                Proxy.newProxyInstance(
                        FieldVector.class.getClassLoader(),
                        new Class<?>[] {FieldVector.class},
                        handler);
    }

    private Given given(Field field, ArrowFieldNode node, List<?> buffers) {
        List<List<Long>> places = new ArrayList<>();
        for (Object each : buffers) {
            ArrowBuf buffer = (ArrowBuf) each;
            places.add(List.of(buffer.memoryAddress() - bodyAddress, buffer.readableBytes()));
        }
        String name = field.getName() == null ? "" : field.getName();
        return new Given(name, node.getLength(), node.getNullCount(), places);
    }

    /// The same for a view type.
    private final class ViewRecorder extends BaseVariableWidthViewVector {
        ViewRecorder(Field field) {
            super(field, ALLOCATOR);
        }

        @Override
        public void loadFieldBuffers(ArrowFieldNode node, List<ArrowBuf> buffers) {
            given.add(LoaderLog.this.given(getField(), node, buffers));
        }

        @Override
        public TransferPair getTransferPair(String name, BufferAllocator allocator) {
            throw new UnsupportedOperationException();
        }

        @Override
        public TransferPair getTransferPair(Field field, BufferAllocator allocator) {
            throw new UnsupportedOperationException();
        }

        @Override
        public TransferPair makeTransferPair(ValueVector target) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void read(int index, ReusableBuffer<?> into) {
            throw new UnsupportedOperationException();
        }

        @Override
        public byte[] get(int index) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected FieldReader getReaderImpl() {
            throw new UnsupportedOperationException();
        }

        @Override
        public MinorType getMinorType() {
            return MinorType.VIEWVARCHAR;
        }

        @Override
        public Object getObject(int index) {
            throw new UnsupportedOperationException();
        }
    }

    /// Hands compressed buffers on as they are.
    private static final class Untouched implements CompressionCodec.Factory, CompressionCodec {
        @Override
        public CompressionCodec createCodec(CodecType type) {
            return this;
        }

        @Override
        public CompressionCodec createCodec(CodecType type, int level) {
            return this;
        }

        @Override
        public ArrowBuf compress(BufferAllocator allocator, ArrowBuf buffer) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ArrowBuf decompress(BufferAllocator allocator, ArrowBuf buffer) {
            buffer.getReferenceManager().retain();
            return buffer;
        }

        @Override
        public CodecType getCodecType() {
            return CodecType.LZ4_FRAME;
        }
    }
}
