// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.write.TableEncoder;
import dev.fletch.testdata.GeneratedTables;

import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.TimeUnit;
import org.apache.arrow.flatbuf.Timestamp;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Utf8;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Writes a schema message: integers, timestamps with a time zone, `Utf8`, and some custom
/// metadata. The generated classes use a reused `FlatBufferBuilder`.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(java.util.concurrent.TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class WriteSchema implements Peered {
    /// Columns.
    @Param({"10", "1000"})
    public int size;

    /// Kind of memory.
    @Param({"heap", "direct"})
    public String memory;

    /// Whether the JVM has used other kinds of memory before.
    @Param({Setting.CLEAN, Setting.USED})
    public String history;

    private WriteMemory target;
    private String[] names;
    private int[] fields;
    private final int[] pair = new int[1];

    /// Prepares the names and checks that both sides write the same.
    ///
    /// @param running the benchmark to measure
    @Setup
    public void setup(BenchmarkParams running) {
        if (history.equals(Setting.USED)) {
            fill(10);
            BenchMemory.useAll(this, running, WriteMemory.all(), this::take);
        }
        fill(size);
        take(WriteMemory.of(memory));
        compare();
    }

    private void fill(int count) {
        names = new String[count];
        fields = new int[count];
        for (int i = 0; i < count; i++) {
            names[i] = "column_" + i;
        }
    }

    private void take(WriteMemory into) {
        target = into;
    }

    private void compare() {
        generated();
        fletch();
        target.check();
    }

    /// Fletch.
    @Benchmark
    public int fletch() {
        FlatBufferWriter writer = target.writer().reset();
        encode(writer);
        return writer.length();
    }

    @Override
    public Path input(Path folder) throws IOException {
        return Files.write(folder.resolve("schema"), inCpp());
    }

    @Override
    public long answer(long sum) {
        return Peered.hash(inCpp());
    }

    private byte[] inCpp() {
        FlatBufferWriter writer = new FlatBufferWriter();
        encode(writer);
        return writer.toByteArray();
    }

    private void encode(FlatBufferWriter writer) {
        for (int i = 0; i < names.length; i++) {
            fields[i] = field(writer, i);
        }
        int schema =
                TableEncoder.createSchema(
                        writer,
                        Endianness.Little,
                        writer.createOffsetVector(fields, 0, fields.length),
                        0,
                        0);
        writer.finish(
                TableEncoder.createMessage(
                        writer, MetadataVersion.V5, MessageHeader.Schema, schema, 0, 0));
    }

    private int field(FlatBufferWriter writer, int i) {
        int name = writer.createString(names[i]);
        int kind = i % 3;
        int type =
                switch (kind) {
                    case 0 -> TableEncoder.createInt(writer, 64, true);
                    case 1 ->
                            TableEncoder.create(
                                    writer,
                                    "Timestamp",
                                    TimeUnit.NANOSECOND,
                                    writer.createString("UTC"));
                    default -> TableEncoder.createEmpty(writer);
                };
        int metadata = 0;
        if (i % 8 == 0) {
            int key = writer.createString("key");
            pair[0] = TableEncoder.createKeyValue(writer, key, writer.createString("value"));
            metadata = writer.createOffsetVector(pair, 0, 1);
        }
        int tag = kind == 0 ? Type.Int : kind == 1 ? Type.Timestamp : Type.Utf8;
        return TableEncoder.createField(writer, name, true, tag, type, 0, 0, metadata);
    }

    /// Through the generated classes.
    @Benchmark
    public int generated() {
        FlatBufferBuilder builder = target.builder();
        builder.clear();
        for (int i = 0; i < names.length; i++) {
            fields[i] = field(builder, i);
        }
        int vector = Schema.createFieldsVector(builder, fields);
        int schema = GeneratedTables.schema(builder, Endianness.Little, vector, 0, 0);
        builder.finish(GeneratedTables.message(builder, MessageHeader.Schema, schema, 0));
        return builder.offset();
    }

    private int field(FlatBufferBuilder builder, int i) {
        int name = builder.createString(names[i]);
        int kind = i % 3;
        int type;
        if (kind == 0) {
            type = Int.createInt(builder, 64, true);
        } else if (kind == 1) {
            type =
                    Timestamp.createTimestamp(
                            builder, TimeUnit.NANOSECOND, builder.createString("UTC"));
        } else {
            Utf8.startUtf8(builder);
            type = Utf8.endUtf8(builder);
        }
        int metadata = 0;
        if (i % 8 == 0) {
            int key = builder.createString("key");
            pair[0] = KeyValue.createKeyValue(builder, key, builder.createString("value"));
            metadata = Field.createCustomMetadataVector(builder, pair);
        }
        int tag = kind == 0 ? Type.Int : kind == 1 ? Type.Timestamp : Type.Utf8;
        return GeneratedTables.field(builder, name, true, (byte) tag, type, 0, 0, metadata);
    }
}
