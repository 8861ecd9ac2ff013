// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import com.github.luben.zstd.Zstd;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Message;
import dev.fletch.format.ids.BodyCompressionMethod;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.BodyLayout;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.SegmentList;
import dev.fletch.format.write.TableEncoder;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.DictionaryInfo;
import dev.fletch.testdata.RandomSchemas;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// A sound batch of columns of any type, nested at random. Everything that has no meaning is
/// random: values of nulls, gaps, ends of buffers, padding, values of children that nothing refers
/// to. Some buffers share bytes.
final class RandomBatch {
    private static final int MOST_ROWS = 20;
    // Of some batches: validity and used rows take several words.
    private static final int MANY_ROWS = 300;
    private static final int MOST_DEPTH = 3;
    private static final int MOST_EXTRA = 5;
    private static final int MOST_SIZE = 3;

    /// Of a buffer whose bytes may be any, if it may share those of another.
    private record Placed(int at, int length) {}

    private final Random random;
    private final ByteOrder order;
    private final boolean areShared;
    private final List<Placed> placed = new ArrayList<>();
    private final BodyLayout parts = new BodyLayout();
    // Nodes and buffers of the field that is made.
    private byte[] all = {};
    private int dictionaries;

    final ArrowSchema schema;
    final Message message;
    final byte[] body;

    RandomBatch(Random random) {
        this(random, random.nextInt(5) == 0, true);
    }

    /// @param areShared whether buffers may share bytes
    RandomBatch(Random random, boolean isBigEndian, boolean areShared) {
        this.random = random;
        this.areShared = areShared;
        order = isBigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        int rows = random.nextInt(random.nextInt(20) == 0 ? MANY_ROWS : MOST_ROWS + 1);
        List<ArrowField> columns = new ArrayList<>();
        gap();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            ArrowField field = field("c" + i, MOST_DEPTH);
            columns.add(field);
            node(field, rows, true);
        }
        gap();
        body = Arrays.copyOf(all, all.length + 7 & -8);
        for (int i = all.length; i < body.length; i++) {
            body[i] = (byte) random.nextInt();
        }
        parts.endAt(body.length);
        schema = ArrowSchema.of(columns).withEndianness(order);
        message = message(parts, rows, body.length, false);
    }

    static Message message(BodyLayout parts, long rows, long length, boolean isCompressed) {
        FlatBufferWriter writer = EmissionOrder.ARROW_CPP.newWriter();
        int compression =
                isCompressed
                        ? TableEncoder.createBodyCompression(
                                writer, CompressionType.ZSTD, BodyCompressionMethod.BUFFER)
                        : 0;
        int header = parts.createHeader(writer, rows, compression);
        writer.finish(
                TableEncoder.createMessage(
                        writer, MetadataVersion.V5, MessageHeader.RECORD_BATCH, header, length, 0));
        return new Message().wrap(writer.segment());
    }

    /// The same batch with compressed buffers, some of them stored as they are.
    Compressed compressed() {
        BatchCursor cursor = bound(MemorySegment.ofArray(body));
        BodyLayout sizes = new BodyLayout();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int field = 0; field < cursor.layout().fieldCount(); field++) {
            sizes.addNode(cursor.length(field), cursor.nullCount(field));
            for (int i = 0; i < cursor.bufferCount(field); i++) {
                byte[] plain = cursor.buffer(field, i, new ByteSlice()).toByteArray();
                byte[] stored = plain.length == 0 ? plain : compressed(plain);
                sizes.addPlaced(bytes.size(), stored.length);
                bytes.writeBytes(Arrays.copyOf(stored, stored.length + 7 & -8));
            }
            if (cursor.layout().has(field, BufferRole.VIEWS)) {
                sizes.addVariadicCount(cursor.variadicCount(field));
            }
        }
        sizes.endAt(bytes.size());
        Message other = message(sizes, cursor.rowCount(), bytes.size(), true);
        return new Compressed(other, bytes.toByteArray());
    }

    private byte[] compressed(byte[] plain) {
        boolean isStored = random.nextInt(3) == 0;
        byte[] bytes = isStored ? plain : Zstd.compress(plain);
        return ByteBuffer.allocate(Long.BYTES + bytes.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(isStored ? -1 : plain.length)
                .put(bytes)
                .array();
    }

    /// A compressed batch.
    record Compressed(Message message, byte[] body) {}

    /// A stream of the batch.
    byte[] stream() throws IOException {
        return stream(schema, message, body);
    }

    /// A stream of the compressed batch.
    byte[] stream(Compressed same) throws IOException {
        return stream(schema, same.message, same.body);
    }

    /// A stream of one batch.
    static byte[] stream(ArrowSchema schema, Message message, byte[] body) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        MessageWriter writer = MessageWriter.of(ArrowContainer.STREAM, out);
        writer.write(schema.toMessage(EmissionOrder.ARROW_CPP));
        MemorySegment metadata = new ByteSlice().wrapBufferOf(message).asSlice();
        writer.write(metadata, new SegmentList().add(MemorySegment.ofArray(body), 0, body.length));
        writer.finish();
        return out.toByteArray();
    }

    /// A cursor that is bound to the batch.
    BatchCursor bound(MemorySegment bytes) {
        return new BatchCursor().bind(layout(), message).body(bytes);
    }

    BatchLayout layout() {
        return BatchLayout.compile(schema.toTable(), message.version());
    }

    // ---- types

    private ArrowField field(String name, int depth) {
        if (random.nextInt(17) == 0) {
            ArrowType.Int index = new ArrowType.Int(8 << random.nextInt(4), random.nextBoolean());
            return ArrowField.of(name, ArrowType.Simple.UTF8)
                    .nullable()
                    .withDictionary(new DictionaryInfo(dictionaries++, index, false, false));
        }
        ArrowType type;
        do {
            type = RandomSchemas.type(random, MOST_SIZE);
        } while (depth == 0 && RandomSchemas.isNested(type)
                || type instanceof ArrowType.Union union && union.typeIds().isEmpty());
        ArrowField[] children =
                switch (type) {
                    case ArrowType.Simple.STRUCT -> children(random.nextInt(4), depth);
                    case ArrowType.Union union -> children(union.typeIds().size(), depth);
                    case ArrowType.Map _ ->
                            new ArrowField[] {
                                ArrowField.of(
                                        "entries",
                                        ArrowType.Simple.STRUCT,
                                        ArrowField.of("key", new ArrowType.Int(16, true)),
                                        field("value", depth - 1))
                            };
                    case ArrowType.Simple.RUN_END_ENCODED ->
                            new ArrowField[] {
                                ArrowField.of(
                                        "run_ends",
                                        new ArrowType.Int(16 << random.nextInt(3), true)),
                                field("values", depth - 1)
                            };
                    default -> children(RandomSchemas.isNested(type) ? 1 : 0, depth);
                };
        ArrowField field = ArrowField.of(name, type, children);
        return random.nextInt(4) == 0 && type != ArrowType.Simple.NULL ? field : field.nullable();
    }

    private ArrowField[] children(int count, int depth) {
        ArrowField[] children = new ArrowField[count];
        for (int i = 0; i < count; i++) {
            children[i] = field("f" + i, depth - 1);
        }
        return children;
    }

    // ---- nodes and buffers

    private int extra() {
        return random.nextInt(3) == 0 ? random.nextInt(MOST_EXTRA) : 0;
    }

    private static boolean hasValidity(ArrowType type) {
        return !(type == ArrowType.Simple.NULL
                || type instanceof ArrowType.Union
                || type == ArrowType.Simple.RUN_END_ENCODED);
    }

    private void list(ArrowField field, int length, boolean mayBeNull) {
        int end = offsets(length, Integer.BYTES, 3);
        node(field.children().getFirst(), end + extra(), mayBeNull);
    }

    /// Adds a node, and those below it.
    ///
    /// @param mayBeNull whether the field may have nulls
    private void node(ArrowField field, int length, boolean mayBeNull) {
        ArrowType type =
                field.isDictionaryEncoded() ? field.dictionary().indexType() : field.type();
        boolean hasBits = hasValidity(type) && random.nextInt(3) != 0;
        byte[] bits = random((length + 7) / 8 + extra());
        if (!field.isNullable() || !mayBeNull || random.nextInt(5) == 0) {
            Arrays.fill(bits, 0, (length + 7) / 8, (byte) -1);
        }
        int nulls = type == ArrowType.Simple.NULL ? length : 0;
        for (int i = 0; i < length && hasBits; i++) {
            nulls += (bits[i / 8] >> i % 8 & 1) == 0 ? 1 : 0;
        }
        parts.addNode(length, nulls);
        if (hasValidity(type)) {
            place(hasBits && bits.length > 0 ? bits : new byte[0], false);
        }
        switch (type) {
            case ArrowType.Simple.NULL -> {}
            case ArrowType.Simple.STRUCT ->
                    field.children().forEach(each -> node(each, length + extra(), true));
            case ArrowType.FixedSizeList list ->
                    node(field.children().getFirst(), length * list.listSize() + extra(), true);
            case ArrowType.Simple.LIST -> list(field, length, true);
            case ArrowType.Map _ -> list(field, length, false);
            case ArrowType.Simple.LARGE_LIST ->
                    node(field.children().getFirst(), offsets(length, 8, 3) + extra(), true);
            case ArrowType.Simple.LIST_VIEW -> listViews(field, length, Integer.BYTES);
            case ArrowType.Simple.LARGE_LIST_VIEW -> listViews(field, length, Long.BYTES);
            case ArrowType.Union union -> union(field, union, length);
            case ArrowType.Simple.RUN_END_ENCODED -> runs(field, length);
            case ArrowType.Simple.UTF8, ArrowType.Simple.BINARY -> bytes(length, Integer.BYTES);
            case ArrowType.Simple.LARGE_UTF8, ArrowType.Simple.LARGE_BINARY ->
                    bytes(length, Long.BYTES);
            case ArrowType.Simple.UTF8_VIEW, ArrowType.Simple.BINARY_VIEW ->
                    views(length, bits, hasBits);
            default -> {
                int width = width(type);
                boolean isBool = type == ArrowType.Simple.BOOL;
                boolean isAbsent = nulls == length && random.nextInt(3) == 0;
                byte[] data =
                        random(
                                isAbsent
                                        ? 0
                                        : (isBool ? (length + 7) / 8 : length * width) + extra());
                if (field.isDictionaryEncoded()) {
                    indices(data, length, width);
                }
                place(data, !field.isDictionaryEncoded());
            }
        }
    }

    static int width(ArrowType type) {
        return switch (type) {
            case ArrowType.Int of -> of.bitWidth() / 8;
            case ArrowType.FloatingPoint of -> 2 << of.ordinal();
            case ArrowType.Decimal of -> of.bitWidth() / 8;
            case ArrowType.Interval of -> 4 << of.ordinal();
            case ArrowType.Date of -> 4 << of.ordinal();
            case ArrowType.Time of -> of.bitWidth() / 8;
            case ArrowType.FixedSizeBinary of -> of.byteWidth();
            default -> Long.BYTES;
        };
    }

    /// Indices are 0 or 1 where the data has room.
    private void indices(byte[] data, int length, int width) {
        ByteBuffer numbers = ByteBuffer.wrap(data).order(order);
        for (int i = 0; i < length && (i + 1) * width <= data.length; i++) {
            put(numbers, i, width, random.nextInt(2));
        }
    }

    private static void put(ByteBuffer into, int index, int width, long number) {
        switch (width) {
            case 1 -> into.put(index, (byte) number);
            case 2 -> into.putShort(2 * index, (short) number);
            case 4 -> into.putInt(4 * index, (int) number);
            default -> into.putLong(8 * index, number);
        }
    }

    private ByteBuffer numbers(int count, int width) {
        return ByteBuffer.wrap(random(count * width + extra())).order(order);
    }

    private int offsets(int length, int width, int most) {
        if (length == 0 && random.nextBoolean()) {
            place(new byte[0], false);
            return random.nextInt(3);
        }
        ByteBuffer offsets = numbers(length + 1, width);
        int end = extra();
        for (int i = 0; i <= length; i++) {
            put(offsets, i, width, end);
            end += i == length ? 0 : random.nextInt(most + 1);
        }
        place(offsets.array(), false);
        return end;
    }

    private void bytes(int length, int width) {
        int end = offsets(length, width, 6);
        place(ascii(random(end + extra())), false);
    }

    private void listViews(ArrowField field, int length, int width) {
        int values = random.nextInt(MOST_ROWS);
        ByteBuffer offsets = numbers(length, width);
        ByteBuffer sizes = numbers(length, width);
        for (int i = 0; i < length; i++) {
            int offset = random.nextInt(values + 1);
            put(offsets, i, width, offset);
            put(sizes, i, width, random.nextInt(Math.min(4, values - offset + 1)));
        }
        place(offsets.array(), false);
        place(sizes.array(), false);
        node(field.children().getFirst(), values, true);
    }

    private void views(int length, byte[] bits, boolean hasBits) {
        byte[][] variadics = new byte[random.nextInt(3)][];
        for (int i = 0; i < variadics.length; i++) {
            variadics[i] = ascii(random(13 + random.nextInt(100)));
        }
        ByteBuffer views = numbers(length, 16);
        for (int i = 0; i < length; i++) {
            if (hasBits && (bits[i / 8] >> i % 8 & 1) == 0 && random.nextBoolean()) {
                continue;
            }
            views.position(16 * i);
            if (variadics.length == 0 || random.nextBoolean()) {
                int size = random.nextInt(13);
                views.putInt(size).put(Arrays.copyOf(ascii(random(size)), 12));
            } else {
                int buffer = random.nextInt(variadics.length);
                int size = 13 + random.nextInt(Math.min(10, variadics[buffer].length - 12));
                int at = random.nextInt(variadics[buffer].length - size + 1);
                views.putInt(size).put(variadics[buffer], at, 4).putInt(buffer).putInt(at);
            }
        }
        parts.addVariadicCount(variadics.length);
        place(views.array(), false);
        for (byte[] each : variadics) {
            place(each, false);
        }
    }

    private void union(ArrowField field, ArrowType.Union union, int length) {
        boolean isDense = union.isDense();
        List<Integer> ids = union.typeIds();
        byte[] chosen = random(length + extra());
        int[] lengths = new int[ids.size()];
        ByteBuffer offsets = numbers(length, Integer.BYTES);
        for (int i = 0; i < length; i++) {
            int child = random.nextInt(ids.size());
            chosen[i] = ids.get(child).byteValue();
            lengths[child] += random.nextInt(4) == 0 ? 2 : 1;
            offsets.putInt(4 * i, lengths[child] - 1);
        }
        place(chosen, false);
        if (isDense) {
            place(offsets.array(), false);
        }
        for (int i = 0; i < lengths.length; i++) {
            node(field.children().get(i), (isDense ? lengths[i] : length) + extra(), true);
        }
    }

    private void runs(ArrowField field, int length) {
        ArrowField ends = field.children().getFirst();
        int width = width(ends.type());
        List<Integer> all = new ArrayList<>();
        int end = 0;
        int more = extra();
        while (end < length || more-- > 0) {
            end += 1 + random.nextInt(4);
            all.add(end);
        }
        ByteBuffer numbers = numbers(all.size(), width);
        for (int i = 0; i < all.size(); i++) {
            put(numbers, i, width, all.get(i));
        }
        nullableRunEnds(all.size());
        place(numbers.array(), false);
        node(field.children().getLast(), all.size() + extra(), true);
    }

    /// Some run ends are null, which is a deviation: readers that skip validity use them all the
    /// same.
    private void nullableRunEnds(int count) {
        byte[] bits = random.nextInt(4) == 0 ? random((count + 7) / 8) : new byte[0];
        int nulls = 0;
        for (int i = 0; i < count && bits.length > 0; i++) {
            nulls += (bits[i / 8] >> i % 8 & 1) == 0 ? 1 : 0;
        }
        parts.addNode(count, nulls);
        place(bits, false);
    }

    // ---- the body

    private byte[] random(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] ascii(byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] &= 0x7F;
        }
        return bytes;
    }

    private void gap() {
        append(random(random.nextInt(3) == 0 ? random.nextInt(20) : 0));
    }

    private void append(byte[] bytes) {
        int at = all.length;
        all = Arrays.copyOf(all, at + bytes.length);
        System.arraycopy(bytes, 0, all, at, bytes.length);
    }

    /// Places a buffer.
    ///
    /// @param isAny whether its bytes may be any
    private void place(byte[] bytes, boolean isAny) {
        List<Placed> others = placed.stream().filter(each -> each.length >= bytes.length).toList();
        if (areShared && isAny && bytes.length > 0 && !others.isEmpty() && random.nextInt(4) == 0) {
            Placed other = others.get(random.nextInt(others.size()));
            int at = other.at + random.nextInt(other.length - bytes.length + 1);
            parts.addPlaced(at, bytes.length);
            return;
        }
        if (random.nextInt(8) != 0) {
            append(random(-all.length & 7));
        }
        if (bytes.length > 0) {
            placed.add(new Placed(all.length, bytes.length));
        }
        parts.addPlaced(all.length, bytes.length);
        append(bytes);
        gap();
    }
}
