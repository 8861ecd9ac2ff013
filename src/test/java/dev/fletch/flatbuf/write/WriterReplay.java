// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.flatbuf.write.WriterScript.Field;
import dev.fletch.flatbuf.write.WriterScript.Shape;
import dev.fletch.flatbuf.write.WriterScript.Step;

import java.lang.foreign.MemorySegment;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Replays a script on a [FlatBufferWriter]. Where there are several ways to write a thing they
/// take turns.
final class WriterReplay {
    private final FlatBufferWriter writer;
    private final List<Integer> objects = new ArrayList<>();
    private final List<Integer> tables = new ArrayList<>();
    private int turn;

    private WriterReplay(FlatBufferWriter writer) {
        this.writer = writer;
    }

    /// Writes to the target that the writer has, and returns a copy of the buffer.
    static byte[] write(FlatBufferWriter writer, WriterScript script) {
        new WriterReplay(writer).replay(script);
        return writer.toByteArray();
    }

    private void replay(WriterScript script) {
        writer.forceDefaults(script.forceDefaults());
        for (Step step : script.steps()) {
            step(step);
        }
        if (tables.isEmpty()) {
            table(new WriterScript.Table(List.of()));
        }
        int root = tables.get(script.root() % tables.size());
        writer.finish(root);
    }

    private void step(Step step) {
        switch (step) {
            case WriterScript.Text(String value) -> objects.add(text(value));
            case WriterScript.Numbers numbers -> objects.add(numbers(numbers));
            case WriterScript.Structs structs -> objects.add(structs(structs));
            case WriterScript.Offsets(List<Integer> references) ->
                    objects.add(offsets(objects.isEmpty() ? List.of() : references));
            case WriterScript.Align(int alignment) -> writer.align(alignment);
            case WriterScript.Table table -> table(table);
        }
    }

    private int text(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        byte[] padded = new byte[utf8.length + 5];
        System.arraycopy(utf8, 0, padded, 3, utf8.length);
        return switch (turn++ % 5) {
            case 0 -> writer.createString(value);
            case 1 -> writer.createString(new StringBuilder(value));
            case 2 -> writer.createString(CharBuffer.wrap(value));
            case 3 ->
                    writer.createString(
                            new Utf8Slice().wrap(MemorySegment.ofArray(padded), 3, utf8.length));
            default -> {
                Utf8Slice slice = new Utf8Slice();
                slice.wrap(MemorySegment.ofArray(padded), 3, utf8.length);
                yield writer.createString(slice);
            }
        };
    }

    private int numbers(WriterScript.Numbers vector) {
        int count = vector.values().size();
        boolean bulk = turn++ % 2 == 0;
        if (bulk && vector.bytes() == 8) {
            long[] numbers = new long[count + 3];
            for (int i = 0; i < count; i++) {
                numbers[i + 2] = vector.values().get(i);
            }
            return writer.createVector(numbers, 2, count, 1);
        }
        if (bulk && vector.bytes() == 4) {
            int[] numbers = new int[count + 3];
            for (int i = 0; i < count; i++) {
                numbers[i + 2] = vector.values().get(i).intValue();
            }
            return writer.createVector(numbers, 2, count);
        }
        writer.startVector(vector.bytes(), count, vector.bytes());
        vector.values().reversed().forEach(each -> writer.pushNumber(vector.bytes(), each));
        return writer.endVector();
    }

    private int structs(WriterScript.Structs vector) {
        Shape shape = vector.shape();
        int count = vector.seeds().size();
        if (shape == Shape.PAIR && turn++ % 2 == 0) {
            long[] numbers = new long[2 * count + 1];
            for (int i = 0; i < count; i++) {
                numbers[2 * i + 2] = shape.number(vector.seeds().get(i), 0);
                numbers[2 * i + 1] = shape.number(vector.seeds().get(i), 1);
            }
            return writer.createVector(numbers, 1, count, 2);
        }
        writer.startVector(shape.bytes, count, shape.alignment);
        vector.seeds().reversed().forEach(each -> struct(shape, each));
        return writer.endVector();
    }

    private int offsets(List<Integer> references) {
        int[] offsets = references.stream().mapToInt(this::resolve).toArray();
        return writer.createOffsetVector(offsets, 0, offsets.length);
    }

    private int resolve(int reference) {
        return objects.get(reference % objects.size());
    }

    private void struct(Shape shape, long seed) {
        for (int i = 0; i < shape.parts.size(); i++) {
            int bytes = shape.parts.get(i);
            if (bytes < 0) {
                writer.pushPadding(-bytes);
            } else {
                writer.pushNumber(bytes, shape.number(seed, i));
            }
        }
    }

    private void table(WriterScript.Table table) {
        writer.startTable();
        for (Field field : table.fields()) {
            switch (field) {
                case WriterScript.Scalar(int slot, int bytes, long value, long absent) ->
                        writer.addNumber(slot, bytes, value, absent);
                case WriterScript.Forced(int slot, int bytes, long value) ->
                        writer.addNumber(slot, bytes, value, ~value);
                case WriterScript.Reference(int slot, int reference) ->
                        writer.addOffset(slot, objects.isEmpty() ? 0 : resolve(reference));
                case WriterScript.Nothing(int slot) -> writer.addOffset(slot, 0);
                case WriterScript.Inline(int slot, Shape shape, long seed) -> {
                    writer.startStruct(shape.bytes, shape.alignment);
                    struct(shape, seed);
                    writer.endStruct(slot);
                }
            }
        }
        int offset = writer.endTable();
        objects.add(offset);
        tables.add(offset);
    }
}
