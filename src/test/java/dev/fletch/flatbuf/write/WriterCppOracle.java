// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

import dev.fletch.flatbuf.write.WriterScript.Field;
import dev.fletch.flatbuf.write.WriterScript.Shape;
import dev.fletch.flatbuf.write.WriterScript.Step;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The C++ library's builder, as a program that replays scripts: `src/test/cpp/builder_replay.cpp`.
final class WriterCppOracle implements AutoCloseable {
    private final WriterCppProgram program;

    private WriterCppOracle(WriterCppProgram program) {
        this.program = program;
    }

    /// Compiles and starts the program; skips the calling test where that cannot be.
    static WriterCppOracle start(Path folder) throws IOException, InterruptedException {
        return new WriterCppOracle(WriterCppProgram.start("builder_replay", folder));
    }

    /// Returns what the C++ builder makes of a script.
    byte[] write(WriterScript script) throws IOException {
        return program.answer(new Encoding().script(script));
    }

    @Override
    public void close() throws IOException {
        program.close();
    }

    private static byte[] number(int bytes, long value) {
        ByteBuffer number = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        return Arrays.copyOf(number.putLong(value).array(), bytes);
    }

    /// A script as the program reads it.
    private static final class Encoding {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        byte[] script(WriterScript script) {
            put(1, script.forceDefaults() ? 1 : 0);
            put(4, script.root());
            put(4, script.steps().size());
            script.steps().forEach(this::step);
            return bytes.toByteArray();
        }

        private void put(int size, long value) {
            bytes.writeBytes(number(size, value));
        }

        private void step(Step step) {
            switch (step) {
                case WriterScript.Text(String value) -> {
                    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
                    put(1, 0);
                    put(4, utf8.length);
                    bytes.writeBytes(utf8);
                }
                case WriterScript.Numbers(int size, List<Long> values) -> {
                    put(1, 1);
                    put(1, size);
                    put(4, values.size());
                    values.forEach(each -> put(8, each));
                }
                case WriterScript.Structs(Shape shape, List<Long> seeds) -> {
                    put(1, 2);
                    put(4, shape.alignment);
                    put(4, shape.bytes);
                    put(4, seeds.size());
                    seeds.forEach(each -> struct(shape, each));
                }
                case WriterScript.Offsets(List<Integer> references) -> {
                    put(1, 3);
                    put(4, references.size());
                    references.forEach(each -> put(4, each));
                }
                case WriterScript.Align(int alignment) -> {
                    put(1, 4);
                    put(4, alignment);
                }
                case WriterScript.Table(List<Field> fields) -> {
                    put(1, 5);
                    put(4, fields.size());
                    fields.forEach(this::field);
                }
            }
        }

        private void field(Field field) {
            switch (field) {
                case WriterScript.Scalar(int slot, int size, long value, long absent) -> {
                    put(1, 0);
                    put(4, slot);
                    put(1, size);
                    put(8, value);
                    put(8, absent);
                }
                case WriterScript.Forced(int slot, int size, long value) -> {
                    put(1, 1);
                    put(4, slot);
                    put(1, size);
                    put(8, value);
                }
                case WriterScript.Reference(int slot, int reference) -> {
                    put(1, 2);
                    put(4, slot);
                    put(4, reference);
                }
                case WriterScript.Nothing(int slot) -> {
                    put(1, 3);
                    put(4, slot);
                }
                case WriterScript.Inline(int slot, Shape shape, long seed) -> {
                    put(1, 4);
                    put(4, slot);
                    put(4, shape.alignment);
                    put(4, shape.bytes);
                    struct(shape, seed);
                }
            }
        }

        /// A struct as it lies in memory.
        private void struct(Shape shape, long seed) {
            List<byte[]> parts = new ArrayList<>();
            for (int i = 0; i < shape.parts.size(); i++) {
                int size = shape.parts.get(i);
                parts.add(size < 0 ? new byte[-size] : number(size, shape.number(seed, i)));
            }
            parts.reversed().forEach(bytes::writeBytes);
        }
    }
}
