// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.verify.messages.Meant.bound;
import static dev.fletch.verify.messages.Meant.field;
import static dev.fletch.verify.messages.Meant.integer;
import static dev.fletch.verify.messages.Meant.message;
import static dev.fletch.verify.messages.Meant.required;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.struct;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.FileRule;
import dev.fletch.Rule;
import dev.fletch.ValueRule;
import dev.fletch.flatbuf.Table;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Field;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// Columns, batches and compressed bytes of which the inputs of level meaning are made.
final class MeaningParts {
    static final byte[] NONE = {};

    private static final int V4 = 3;

    private MeaningParts() {}

    // ---- cases

    /// A case of a batch. Of one with an error, no values are checked.
    static CorpusCase.Draft inBatch(Rule rule, String name, String layout, String what) {
        CorpusCase.Draft draft = CorpusCase.of(rule, name, what).layout(layout);
        return rule.severity() == Rule.Severity.ERROR
                ? draft.implies(ValueRule.VALUES_UNCHECKED)
                : draft;
    }

    /// A case of a file whose schema has an error, in footer and message.
    static CorpusCase.Draft inFile(Rule rule, String name, String layout, String what) {
        return inBatch(rule, name, layout, what).implies(FileRule.SCHEMA_MESSAGE_DAMAGED);
    }

    /// A case in which a buffer is one byte shorter.
    ///
    /// @param turn chooses the container
    static CorpusCase shorter(
            int turn,
            Rule rule,
            String layout,
            String what,
            FbsValue.Table column,
            Supplier<Batch> batch,
            int buffer) {
        CorpusCase.Draft draft = inBatch(rule, rule.id() + "-" + layout, layout, what);
        HandmadeInput sound = one(column, batch.get());
        HandmadeInput broken = one(column, moved(batch.get(), buffer, 0, -1));
        return switch (turn % 3) {
            case 0 -> draft.file(sound, broken);
            case 1 -> draft.stream(sound, broken);
            default -> draft.stream(legacy(sound.stream()), legacy(broken.stream()));
        };
    }

    // ---- columns

    static FbsValue.Table leaf(String name, int type, String table, Object... parameters) {
        return field(name, type, table(table, parameters));
    }

    static FbsValue.Table list(FbsValue.Table... children) {
        return field("list", Type.LIST, table("List"), children);
    }

    static FbsValue.Table largeList(FbsValue.Table... children) {
        return field("list", Type.LARGE_LIST, table("LargeList"), children);
    }

    static FbsValue.Table listView(FbsValue.Table... children) {
        return field("list", Type.LIST_VIEW, table("ListView"), children);
    }

    static FbsValue.Table largeListView(FbsValue.Table... children) {
        return field("list", Type.LARGE_LIST_VIEW, table("LargeListView"), children);
    }

    static FbsValue.Table fixedList(int size, FbsValue.Table... children) {
        return field(
                "list", Type.FIXED_SIZE_LIST, table("FixedSizeList", "listSize", size), children);
    }

    static FbsValue.Table map(FbsValue.Table... children) {
        return field("map", Type.MAP, table("Map"), children);
    }

    /// The entries of a map.
    static FbsValue.Table entries(FbsValue.Table... keyAndValue) {
        return required(struct(keyAndValue));
    }

    static FbsValue.Table runs(FbsValue.Table... children) {
        return field("runs", Type.RUN_END_ENCODED, table("RunEndEncoded"), children);
    }

    static FbsValue.Table runEnds(int bits) {
        return required(integer("run_ends", bits));
    }

    /// @param mode 0 for a sparse union, 1 for a dense one
    static FbsValue.Table union(int mode, List<Integer> ids, FbsValue.Table... children) {
        return field("union", Type.UNION, table("Union", "mode", mode, "typeIds", ids), children);
    }

    // ---- inputs

    static HandmadeInput one(FbsValue.Table column, Batch... batches) {
        HandmadeInput input = new HandmadeInput(schema(column));
        Arrays.stream(batches).forEach(input::batch);
        return input;
    }

    /// An input whose schema has version 4.
    static HandmadeInput old(FbsValue.Table schema) {
        return new HandmadeInput(schema)
                .schemaMessage(old(message(schema, 0), V4))
                .footerVersion(V4);
    }

    static HandmadeInput old(FbsValue.Table column, Batch... batches) {
        HandmadeInput input = old(schema(column));
        for (Batch each : batches) {
            input.addMessage(old(each, each.table()), each.body());
        }
        return input;
    }

    /// The message of a batch of version 4.
    static FbsValue.Table old(Batch batch, FbsValue.Table header) {
        return old(message(header, batch.body().length), V4);
    }

    static FbsValue.Table old(FbsValue.Table message, int version) {
        return with(message, "version", version);
    }

    /// The same stream without continuation words.
    static byte[] legacy(byte[] stream) {
        ByteBuffer from = ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        while (from.hasRemaining()) {
            from.getInt();
            byte[] metadata = new byte[from.getInt()];
            from.get(metadata);
            if (metadata.length == 0) {
                out.writeBytes(HandmadeInput.ints(0));
                continue;
            }
            byte[] body = new byte[(int) bound(metadata).bodyLength()];
            from.get(body);
            out.writeBytes(HandmadeInput.ints(metadata.length + Integer.BYTES));
            out.writeBytes(metadata);
            out.writeBytes(new byte[Integer.BYTES]);
            out.writeBytes(body);
        }
        return out.toByteArray();
    }

    /// The same file or stream with other metadata of a message, of the same length.
    static byte[] edited(byte[] input, int message, UnaryOperator<byte[]> edit) {
        ByteBuffer edited = ByteBuffer.wrap(input.clone()).order(ByteOrder.LITTLE_ENDIAN);
        int at = input[0] == 'A' ? Long.BYTES : 0;
        for (int i = 0; ; i++) {
            byte[] metadata = new byte[edited.getInt(at + Integer.BYTES)];
            at += Long.BYTES;
            edited.get(at, metadata);
            if (i == message) {
                return edited.put(at, edit.apply(metadata)).array();
            }
            at += metadata.length + (int) bound(metadata).bodyLength();
        }
    }

    /// Removes a field of the table of the first batch.
    static byte[] withoutInBatch(byte[] input, int slot) {
        return edited(input, 1, bytes -> without(bytes, firstBatch(bytes), slot));
    }

    /// Changes the number of elements of a vector of the first batch.
    static byte[] recountedInBatch(byte[] input, int slot, int to) {
        return edited(input, 1, bytes -> recounted(bytes, firstBatch(bytes), slot, to));
    }

    private static RecordBatch firstBatch(byte[] metadata) {
        Message message = bound(metadata);
        RecordBatch batch = new RecordBatch();
        DictionaryBatch dictionary = new DictionaryBatch();
        if (message.header(dictionary)) {
            dictionary.data(batch);
        } else {
            message.header(batch);
        }
        return batch;
    }

    /// The same bytes with others in the one place that has these.
    static byte[] replace(byte[] bytes, byte[] these, byte... others) {
        byte[] edited = bytes.clone();
        int count = 0;
        for (int i = 0; i + these.length <= bytes.length; i++) {
            if (Arrays.equals(bytes, i, i + these.length, these, 0, these.length)) {
                System.arraycopy(others, 0, edited, i, others.length);
                count++;
            }
        }
        if (count != 1) {
            throw new IllegalArgumentException("places with these bytes: " + count);
        }
        return edited;
    }

    /// Removes fields of a table of the schema: clears their offsets in the table's vtable.
    static HandmadeInput without(
            HandmadeInput input, Function<Schema, ? extends Table> table, int... slots) {
        return HandmadeInput.copy(input)
                .edit(
                        bytes -> without(bytes, table.apply(ofMessage(bytes)), slots),
                        bytes -> without(bytes, table.apply(ofFooter(bytes)), slots));
    }

    static byte[] without(byte[] bytes, Table table, int... slots) {
        ByteBuffer edited = ByteBuffer.wrap(bytes.clone()).order(ByteOrder.LITTLE_ENDIAN);
        int at = (int) table.position();
        int vtable = at - edited.getInt(at);
        for (int slot : slots) {
            edited.putShort(vtable + Short.BYTES * (2 + slot), (short) 0);
        }
        return edited.array();
    }

    /// Changes the number of a field's children.
    static HandmadeInput recounted(HandmadeInput input, Function<Schema, Field> field, int to) {
        return recounted(input, field, Field.CHILDREN_SLOT, to);
    }

    /// Changes the number of elements of a vector of the schema.
    ///
    /// @param table that has the vector
    static HandmadeInput recounted(
            HandmadeInput input, Function<Schema, ? extends Table> table, int slot, int to) {
        return HandmadeInput.copy(input)
                .edit(
                        bytes -> recounted(bytes, table.apply(ofMessage(bytes)), slot, to),
                        bytes -> recounted(bytes, table.apply(ofFooter(bytes)), slot, to));
    }

    static byte[] recounted(byte[] bytes, Table table, int slot, int to) {
        ByteBuffer edited = ByteBuffer.wrap(bytes.clone()).order(ByteOrder.LITTLE_ENDIAN);
        return edited.putInt((int) table.targetPosition(slot), to).array();
    }

    private static Schema ofMessage(byte[] bytes) {
        Schema schema = new Schema();
        new Message().wrap(MemorySegment.ofArray(bytes)).header(schema);
        return schema;
    }

    private static Schema ofFooter(byte[] bytes) {
        Schema schema = new Schema();
        new Footer().wrap(MemorySegment.ofArray(bytes)).schema(schema);
        return schema;
    }

    /// Changes the number of elements of a vector of pairs.
    ///
    /// @param first of its pairs
    static byte[] recount(byte[] bytes, long[] first, int from, int to) {
        byte[] these = concat(HandmadeInput.ints(from), HandmadeInput.longs(first));
        return replace(bytes, these, HandmadeInput.ints(to));
    }

    static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Arrays.stream(parts).forEach(out::writeBytes);
        return out.toByteArray();
    }

    // ---- batches

    /// Moves and lengthens a buffer, without its bytes.
    static Batch moved(Batch batch, int buffer, long by, long longer) {
        batch.buffers().get(buffer)[0] += by;
        batch.buffers().get(buffer)[1] += longer;
        return batch;
    }

    /// A batch with other fields of its table.
    static HandmadeInput edited(FbsValue.Table column, Batch batch, Object... namesAndValues) {
        return one(column).add(with(batch.table(), namesAndValues), batch.body());
    }

    /// A dictionary batch with any fields of its data.
    static FbsValue.Table dictionary(long id, FbsValue.Table data) {
        return table("DictionaryBatch", "id", id, "data", data, "isDelta", 0);
    }

    // ---- compression

    /// A buffer with its uncompressed length.
    static byte[] prefixed(long length, byte[] bytes) {
        return concat(HandmadeInput.longs(length), bytes);
    }

    /// A frame of LZ4 with one block, which is not compressed.
    static byte[] lz4(byte[] bytes) {
        byte[] head = HandmadeInput.bytes(0x04, 0x22, 0x4D, 0x18, 0x60, 0x40, 0x82);
        byte[] length = HandmadeInput.ints(bytes.length | Integer.MIN_VALUE);
        return concat(head, length, bytes, HandmadeInput.ints(0));
    }

    /// A frame of Zstandard with one block, which is not compressed.
    static byte[] zstd(byte[] bytes) {
        int block = bytes.length << 3 | 1;
        byte[] head = HandmadeInput.bytes(0x28, 0xB5, 0x2F, 0xFD, 0x20, bytes.length);
        return concat(head, HandmadeInput.bytes(block, block >> 8, block >> 16), bytes);
    }

    static FbsValue.Table compression(int codec, int method) {
        return table("BodyCompression", "codec", codec, "method", method);
    }
}
