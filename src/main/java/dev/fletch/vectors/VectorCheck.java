// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.Fault;
import dev.fletch.Limits;
import dev.fletch.Rule;
import dev.fletch.ValueRule;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.BufferSource;
import dev.fletch.batch.Dictionaries;
import dev.fletch.format.Message;
import dev.fletch.verify.messages.ValueFault;
import dev.fletch.verify.messages.ValueVerifier;
import dev.fletch.wire.Escaper;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.compression.NoCompressionCodec;
import org.apache.arrow.vector.ipc.message.ArrowDictionaryBatch;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowMessage;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.UnionMode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Verifies the values of the chosen columns that need it, see [FieldPart#refers], with a
/// [ValueVerifier], before vectors refer to them.
///
/// The verifier sees batches that have only these columns: arrow-java writes their headers, and the
/// bytes come from the buffers that will be loaded.
final class VectorCheck implements AutoCloseable {
    /// Type id that arrow-java reads and writes for nulls of dense unions.
    private static final int NULL_OF_DENSE_UNION = -1;

    /// Type id of nulls of sparse unions.
    private static final int NULL_OF_SPARSE_UNION = 0;

    /// A dictionary, which the verifier reads again when another one changes.
    ///
    /// @param fields of its values, in pre-order
    /// @param batches own its buffers
    /// @param origins of the buffers of each batch
    private record Kept(
            List<FieldPart> fields, List<ArrowRecordBatch> batches, List<Origin> origins) {}

    /// Where the buffers of a batch are in the input.
    ///
    /// @param buffers of each field
    private record Origin(BatchPlace place, List<List<BufferOrigin>> buffers) {}

    private final BatchLayout layout;
    private final ValueVerifier verifier;
    private final Dictionaries dictionaries;
    private final Map<Long, Kept> kept = new HashMap<>();
    private final BatchCursor cursor = new BatchCursor();
    // The fields of the batch that is verified, in pre-order.
    private final List<FieldPart> fields = new ArrayList<>();
    private Origin origin;

    /// @param columns as the schema has them: dictionary-encoded fields have the type of the values
    VectorCheck(List<Field> columns, Limits limits) {
        Message message =
                message(
                        MessageSerializer.serializeMetadata(
                                new Schema(columns), IpcOption.DEFAULT));
        var schema = new dev.fletch.format.Schema();
        message.header(schema);
        layout = BatchLayout.compile(schema, limits);
        verifier = new ValueVerifier(schema, layout);
        dictionaries = new Dictionaries(layout);
    }

    /// Verifies a record batch.
    ///
    /// @param columns with their buffers
    /// @return whether all was verified: else, a dictionary with indices is not defined
    boolean batch(int rows, List<FieldPart> columns, BatchPlace place) {
        try (ArrowRecordBatch batch = begin(rows, columns, place)) {
            cursor.bind(layout, message(batch)).body(body());
            verifier.verify(cursor, dictionaries, this::reject);
        }
        return verifier.unchecked() == 0;
    }

    /// Keeps a dictionary batch, and verifies it: see [#remove].
    ///
    /// @param values with its buffers
    void dictionary(long id, boolean isDelta, int count, FieldPart values, BatchPlace place) {
        ArrowRecordBatch batch = begin(count, List.of(values), place);
        try {
            dictionaries.add(message(new ArrowDictionaryBatch(id, batch, isDelta)), body());
        } catch (RuntimeException | Error e) {
            batch.close();
            throw e;
        }
        if (!isDelta) {
            release(id);
        }
        Kept dictionary =
                kept.computeIfAbsent(
                        id,
                        _ -> new Kept(List.copyOf(fields), new ArrayList<>(), new ArrayList<>()));
        dictionary.batches.add(batch);
        dictionary.origins.add(origin);
        verifier.verifyDictionary(id, dictionaries, this::reject);
    }

    /// Forgets a dictionary that could not be loaded.
    void remove(long id) {
        dictionaries.remove(id);
        release(id);
    }

    private void release(long id) {
        Kept dictionary = kept.remove(id);
        if (dictionary != null) {
            dictionary.batches.forEach(ArrowRecordBatch::close);
        }
    }

    @Override
    public void close() {
        List.copyOf(kept.keySet()).forEach(this::release);
    }

    // ---- what the verifier sees

    private ArrowRecordBatch begin(int rows, List<FieldPart> columns, BatchPlace place) {
        fields.clear();
        columns.forEach(this::add);
        origin = new Origin(place, fields.stream().map(FieldPart::origins).toList());
        List<ArrowFieldNode> nodes = new ArrayList<>();
        List<ArrowBuf> buffers = new ArrayList<>();
        List<Long> variadicCounts = new ArrayList<>();
        for (FieldPart field : fields) {
            field.addTo(nodes, buffers, variadicCounts);
        }
        // The header has the bytes before this.
        buffers.forEach(each -> each.writerIndex(each.capacity()));
        return new ArrowRecordBatch(
                rows,
                nodes,
                buffers,
                NoCompressionCodec.DEFAULT_BODY_COMPRESSION,
                variadicCounts,
                true);
    }

    private void add(FieldPart field) {
        fields.add(field);
        field.children().forEach(this::add);
    }

    /// The bytes of the fields' buffers, which are valid as long as these.
    private BufferSource body() {
        List<List<MemorySegment>> all = fields.stream().map(FieldPart::bytes).toList();
        return (_, field, buffer, into) -> {
            MemorySegment bytes = all.get(field).get(buffer);
            into.wrap(bytes, 0, bytes.byteSize());
        };
    }

    private static Message message(ArrowMessage header) {
        return message(MessageSerializer.serializeMetadata(header, IpcOption.DEFAULT));
    }

    private static Message message(ByteBuffer header) {
        Message message = new Message();
        message.wrap(header);
        return message;
    }

    // ---- faults

    private void reject(Fault each) {
        ValueFault fault = (ValueFault) each;
        if (isAccepted(fault)) {
            return;
        }
        boolean isHere = fault.dictionaryBatch() == ValueFault.NO_DICTIONARY;
        String path = fault.path();
        String details = "column=" + Escaper.name(fault.column()) + ", ";
        details += isHere ? "" : "dictionary=" + fault.dictionaryId() + ", ";
        details += path.isEmpty() ? "" : "buffer=" + path + ", ";
        Origin of =
                isHere
                        ? origin
                        : kept.get(fault.dictionaryId()).origins.get(fault.dictionaryBatch());
        throw VectorErrors.inBody(
                of.place, offset(fault, of), fault.rule(), details + fault.details());
    }

    /// {@return the offset of a fault in the body of the input; 0 if it is in no buffer}
    private long offset(ValueFault fault, Origin origin) {
        if (fault.path().isEmpty()) {
            return 0;
        }
        boolean isHere = fault.dictionaryBatch() == ValueFault.NO_DICTIONARY;
        BatchCursor verified =
                isHere
                        ? cursor
                        : dictionaries.values(fault.dictionaryId()).batch(fault.dictionaryBatch());
        int field = fault.field();
        int buffer = 0;
        while (!verified.role(field, buffer).text().equals(fault.path())) {
            buffer++;
        }
        long position = fault.position() - verified.bufferOffset(field, buffer);
        return origin.buffers.get(field).get(buffer).of(position);
    }

    /// Returns whether arrow-java reads the value well: it counts nulls itself, and vectors that
    /// refer to a mapped file may have been written to.
    private boolean isAccepted(ValueFault fault) {
        boolean isHere = fault.dictionaryBatch() == ValueFault.NO_DICTIONARY;
        List<FieldPart> all = isHere ? fields : kept.get(fault.dictionaryId()).fields;
        FieldPart part = all.get(fault.field());
        if (fault.rule() == ValueRule.VALUE_NULL_COUNT) {
            return !part.isRunEnds() || fault.limit() == 0;
        }
        if (fault.rule() != ValueRule.VALUE_TYPE_ID) {
            return fault.rule().severity() != Rule.Severity.ERROR;
        }
        var union = (ArrowType.Union) part.type();
        boolean isDense = union.getMode() == UnionMode.Dense;
        return fault.value() == (isDense ? NULL_OF_DENSE_UNION : NULL_OF_SPARSE_UNION);
    }
}
