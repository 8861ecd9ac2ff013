// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.flatbuf.write.WriterScript.Field;
import dev.fletch.flatbuf.write.WriterScript.Shape;
import dev.fletch.flatbuf.write.WriterScript.Step;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Replays a script on the official builder for Java.
final class WriterOfficial {
    private final FlatBufferBuilder builder;
    private final List<Integer> objects = new ArrayList<>();
    private final List<Integer> tables = new ArrayList<>();
    private boolean asBytes;

    private WriterOfficial(FlatBufferBuilder builder) {
        this.builder = builder;
    }

    static byte[] write(WriterScript script) {
        return new WriterOfficial(new FlatBufferBuilder(64)).replay(script);
    }

    private byte[] replay(WriterScript script) {
        builder.forceDefaults(script.forceDefaults());
        for (Step step : script.steps()) {
            step(step);
        }
        if (tables.isEmpty()) {
            table(new WriterScript.Table(List.of()));
        }
        int root = tables.get(script.root() % tables.size());
        builder.finish(root);
        return builder.sizedByteArray();
    }

    private void step(Step step) {
        switch (step) {
            case WriterScript.Text(String value) -> objects.add(text(value));
            case WriterScript.Numbers(int bytes, List<Long> values) -> {
                builder.startVector(bytes, values.size(), bytes);
                values.reversed().forEach(each -> add(bytes, each));
                objects.add(builder.endVector());
            }
            case WriterScript.Structs(Shape shape, List<Long> seeds) -> {
                builder.startVector(shape.bytes, seeds.size(), shape.alignment);
                seeds.reversed().forEach(each -> struct(shape, each));
                objects.add(builder.endVector());
            }
            case WriterScript.Offsets(List<Integer> references) -> {
                List<Integer> present = objects.isEmpty() ? List.of() : references;
                int[] offsets = present.stream().mapToInt(this::resolve).toArray();
                objects.add(builder.createVectorOfTables(offsets));
            }
            case WriterScript.Align(int alignment) -> builder.prep(alignment, 0);
            case WriterScript.Table table -> table(table);
        }
    }

    private int text(String value) {
        asBytes = !asBytes;
        return asBytes
                ? builder.createString(ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)))
                : builder.createString(value);
    }

    private int resolve(int reference) {
        return objects.get(reference % objects.size());
    }

    private void add(int bytes, long number) {
        switch (bytes) {
            case 1 -> builder.addByte((byte) number);
            case 2 -> builder.addShort((short) number);
            case 4 -> builder.addInt((int) number);
            default -> builder.addLong(number);
        }
    }

    private int struct(Shape shape, long seed) {
        builder.prep(shape.alignment, shape.bytes);
        for (int i = 0; i < shape.parts.size(); i++) {
            long number = shape.number(seed, i);
            switch (shape.parts.get(i)) {
                case 1 -> builder.putByte((byte) number);
                case 2 -> builder.putShort((short) number);
                case 4 -> builder.putInt((int) number);
                case 8 -> builder.putLong(number);
                case Integer padding -> builder.pad(-padding);
            }
        }
        return builder.offset();
    }

    private void table(WriterScript.Table table) {
        builder.startTable(1 + table.fields().stream().mapToInt(Field::slot).max().orElse(0));
        for (Field field : table.fields()) {
            switch (field) {
                case WriterScript.Scalar(int slot, int bytes, long value, long absent) ->
                        scalar(slot, bytes, value, absent);
                case WriterScript.Forced(int slot, int bytes, long value) -> {
                    add(bytes, value);
                    builder.slot(slot);
                }
                case WriterScript.Reference(int slot, int reference) -> {
                    if (!objects.isEmpty()) {
                        builder.addOffset(slot, resolve(reference), 0);
                    }
                }
                // The builder would add an offset to nowhere if defaults are forced.
                case WriterScript.Nothing _ -> {}
                case WriterScript.Inline(int slot, Shape shape, long seed) ->
                        builder.addStruct(slot, struct(shape, seed), 0);
            }
        }
        int offset = builder.endTable();
        objects.add(offset);
        tables.add(offset);
    }

    private void scalar(int slot, int bytes, long value, long absent) {
        switch (bytes) {
            case 1 -> builder.addByte(slot, (byte) value, (int) absent);
            case 2 -> builder.addShort(slot, (short) value, (int) absent);
            case 4 -> builder.addInt(slot, (int) value, (int) absent);
            default -> builder.addLong(slot, value, absent);
        }
    }
}
