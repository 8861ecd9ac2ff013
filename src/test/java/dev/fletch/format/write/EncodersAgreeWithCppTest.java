// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.fbs.FbsDocument.TableDecl;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.flatbuf.write.WriterCppProgram;
import dev.fletch.format.Flyweights;
import dev.fletch.format.write.Encoders.Argument;
import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// What the encoders write is what the C++ code writes that flatc generates from `format/`, for
/// every table, those with structs among them: `src/test/cpp/builder_creates.cpp`.
class EncodersAgreeWithCppTest {
    private static final int ROUNDS = 1000;
    private static final List<String> FILES =
            List.of("Schema", "Message", "File", "Tensor", "SparseTensor");

    private final FlatBufferWriter writer = new FlatBufferWriter();

    @Test
    void encodersWriteTheBytesOfTheGeneratedCppClasses(@TempDir Path folder) throws Exception {
        CaseCount.assumeFull(); // the C++ compiler takes longer than the calls
        assumeTrue(
                WriterCppProgram.run(folder, "flatc", "--version") == 0,
                "no flatc on this machine");
        List<String> generate = new ArrayList<>(List.of("flatc", "--cpp", "-o", folder.toString()));
        FILES.forEach(each -> generate.add("format/" + each + ".fbs"));
        WriterCppProgram.assertRuns(folder, generate.toArray(String[]::new));
        int agreed = 0;
        try (WriterCppProgram program = WriterCppProgram.start("builder_creates", folder)) {
            for (TableDecl table : Flyweights.tables()) {
                Random random = new Random(table.name().hashCode());
                for (int round = 0; round < ROUNDS; round++) {
                    assertAgrees(program, table, random);
                    agreed++;
                }
            }
        }
        System.out.printf("C++ code that flatc generates: %d calls agree%n", agreed);
        assertEquals(27 * ROUNDS, agreed);
    }

    private void assertAgrees(WriterCppProgram program, TableDecl table, Random random)
            throws Exception {
        boolean forced = random.nextBoolean();
        List<Integer> objects =
                EncodersAgreeTest.objects(
                        writer.reset().forceDefaults(forced), new FlatBufferBuilder());
        List<Argument> arguments = Encoders.arguments(table, objects, random, 4);
        byte[] official = program.answer(call(table, forced, arguments));
        writer.finish(Encoders.invokeCreate(table, writer, arguments));
        assertArrayEquals(official, writer.toByteArray(), () -> table.name() + arguments);
    }

    private static byte[] call(TableDecl table, boolean forced, List<Argument> arguments) {
        ByteBuffer call = ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN);
        call.put((byte) (forced ? 1 : 0));
        call.put(table.name().getBytes(StandardCharsets.US_ASCII)).put((byte) 0);
        for (Argument argument : arguments) {
            if (argument.numbers().isEmpty()) {
                call.putLong(argument.object());
            } else {
                argument.numbers().forEach(call::putLong);
            }
        }
        byte[] bytes = new byte[call.position()];
        call.get(0, bytes);
        return bytes;
    }
}
