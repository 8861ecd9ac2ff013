// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.ids.TimeUnit;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.Memories.Backing;
import dev.fletch.testdata.Placed;
import dev.fletch.testdata.PlacedBuffer;
import dev.fletch.testdata.PlacedSegment;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// After set-up, writing allocates nothing: schemas, batches and footers, whatever the memory.
@Isolated("counts allocations")
class EncodersAllocationTest {
    private static final int BYTES = 1 << 14;
    private static final int COLUMNS = 30;

    private final FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);
    private final StringBuilder name = new StringBuilder();
    private final Utf8Slice zone =
            new Utf8Slice()
                    .wrap(
                            MemorySegment.ofArray("Europe/Paris".getBytes(StandardCharsets.UTF_8)),
                            0,
                            12);
    private final Utf8Slice slice = new Utf8Slice();
    private final int[] fields = new int[COLUMNS];
    private final int[] pair = new int[1];
    private final long[] numbers = new long[6 * COLUMNS];
    private final int[] typeIds = {5, 6};
    private final long[] two = new long[2];
    private final long[] three = new long[3];
    private final long[] six = new long[6];
    private int turn;

    EncodersAllocationTest() {
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = i;
        }
        FlatBufferWriter other = new FlatBufferWriter();
        int key = other.createString("Schlüssel");
        pair[0] = TableEncoder.createKeyValue(other, key, key);
        int metadata = other.createOffsetVector(pair, 0, 1);
        other.finish(TableEncoder.createSchema(other, Endianness.LITTLE, 0, metadata, 0));
        Schema schema = new Schema().wrap(other.segment());
        schema.customMetadata(0, new KeyValue()).key(slice);
    }

    /// One message of each kind; which ones take turns.
    private void write() {
        int kind = turn++ % 4;
        writer.forceDefaults(turn % 8 >= 4);
        int header =
                switch (kind) {
                    case 0 -> schema();
                    case 1 -> batch();
                    case 2 -> TableEncoder.createDictionaryBatch(writer, 7, batch(), turn % 2 == 0);
                    default -> tensor();
                };
        writer.finish(
                TableEncoder.createMessage(
                        writer, MetadataVersion.V5, MessageHeader.SCHEMA, header, turn % 2, 0));
    }

    private int schema() {
        for (int i = 0; i < COLUMNS; i++) {
            fields[i] = field(i);
        }
        int vector = writer.createOffsetVector(fields, 0, COLUMNS);
        return TableEncoder.createSchema(
                writer, Endianness.LITTLE, vector, 0, writer.createVector(numbers, 1, 1, 1));
    }

    private int field(int i) {
        name.setLength(0);
        name.append("Größe ").append('a').append((char) ('a' + i % 26));
        int text = writer.createString(name);
        int type =
                switch (i % 5) {
                    case 0 -> TableEncoder.createInt(writer, 8 << i % 4, i % 2 == 0);
                    case 1 ->
                            create(
                                    "Timestamp",
                                    two,
                                    TimeUnit.MICROSECOND,
                                    writer.createString(zone));
                    case 2 -> create("Union", two, 1, writer.createVector(typeIds, 0, 2));
                    case 3 -> {
                        three[2] = 128;
                        yield create("Decimal", three, i, 2);
                    }
                    default -> TableEncoder.createEmpty(writer);
                };
        pair[0] =
                TableEncoder.createKeyValue(
                        writer, writer.createString("key"), writer.createString(slice));
        int metadata = writer.createOffsetVector(pair, 0, 1);
        return TableEncoder.createField(writer, text, true, 1 + i % 5, type, 0, 0, metadata);
    }

    private int batch() {
        int nodes = writer.createVector(numbers, 0, COLUMNS, 2);
        int buffers = writer.createVector(numbers, 0, 3 * COLUMNS, 2);
        int compression = TableEncoder.createBodyCompression(writer, 1, 0);
        int counts = writer.createVector(numbers, 0, 4, 1);
        return TableEncoder.createRecordBatch(writer, turn, nodes, buffers, compression, counts);
    }

    private int tensor() {
        int type = TableEncoder.createInt(writer, 64, true);
        pair[0] = create("TensorDim", two, 3, writer.createString("x"));
        six[2] = writer.createOffsetVector(pair, 0, 1);
        six[4] = 8;
        six[5] = 24;
        return create("Tensor", six, Type.INT, type);
    }

    /// Writes a table with two more values.
    private int create(String table, long[] values, long first, long second) {
        values[0] = first;
        values[1] = second;
        return TableEncoder.create(writer, table, values);
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#writable")
    void writingAllocatesNothing(Backing backing) {
        try (Placed placed = backing.place(new byte[BYTES])) {
            Allocations.assertNone(
                    backing.name(),
                    () -> {
                        target(placed);
                        write();
                        writer.reset();
                        write();
                    });
        }
    }

    private void target(Placed placed) {
        switch (placed) {
            case PlacedSegment in -> writer.wrap(in.segment(), in.offset(), BYTES);
            case PlacedBuffer in -> writer.wrap(in.buffer());
        }
    }

    /// Memory that has grown once is used again.
    @Test
    void aGrownTargetAllocatesNothingMore() {
        writer.growWith((bytes, _) -> MemorySegment.ofArray(new byte[(int) bytes]));
        Allocations.assertNone(
                "grown",
                () -> {
                    writer.reset();
                    write();
                });
    }

    /// As many vtables each time.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void sharingOfVtablesAllocatesNothing(boolean aligns) {
        FlatBufferWriter tables = new FlatBufferWriter().alignEmptyVectors(aligns);
        Allocations.assertNone(
                "vtables",
                () -> {
                    tables.reset();
                    int last = 0;
                    for (int i = 0; i < 300; i++) {
                        tables.startTable();
                        for (int slot = 0; slot < 8; slot++) {
                            tables.addNumber(slot, Byte.BYTES, i >>> slot & 1, 0);
                        }
                        last = tables.endTable();
                    }
                    tables.finish(last);
                });
    }
}
