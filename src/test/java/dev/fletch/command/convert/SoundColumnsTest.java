// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.arrow.Arrow;
import dev.fletch.convert.ConversionReport;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;

import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// `fletch convert --salvage` names the columns without errors, and `--sound-columns` writes them.
class SoundColumnsTest {
    private static final int MUTANTS = CaseCount.of(300, 5_000);
    private static final long MEMORY = 1 << 24;

    private static List<String> columns(byte[] out) {
        ByteBuffer metadata = OracleListing.list(out).messages().getFirst().metadata().duplicate();
        Schema schema = (Schema) Message.getRootAsMessage(metadata).header(new Schema());
        return IntStream.range(0, schema.fieldsLength())
                .mapToObj(each -> schema.fields(each).name())
                .toList();
    }

    // ---- damage at random

    /// The columns that are written are those in which `verify` finds nothing, column by column;
    /// then no batch is left out.
    @Test
    void writtenColumnsAreThoseThatVerifyFindsSound() throws IOException {
        List<ArrowCase> cases =
                ArrowVectorFiles.cases().stream()
                        .filter(each -> each.schema().getFields().size() > 1)
                        .filter(each -> each.schema().getFields().size() < 50)
                        .toList();
        Random random = new Random(61);
        ConvertOptions options =
                ConvertOptions.DEFAULT
                        .salvagingColumns()
                        .withReading(
                                ReadOptions.DEFAULT
                                        .withLevel(Level.VALUES)
                                        .withDecompressedBytes(MEMORY));
        int wrong = 0;
        int some = 0;
        for (int i = 0; i < MUTANTS; i++) {
            ArrowCase from = cases.get(random.nextInt(cases.size()));
            byte[] stream = from.stream().clone();
            List<OracleMessage> bodies =
                    OracleListing.list(stream).messages().stream()
                            .filter(each -> each.bodyLength() > 0)
                            .toList();
            for (int flips = random.nextInt(3); flips >= 0 && !bodies.isEmpty(); flips--) {
                OracleMessage one = bodies.get(random.nextInt(bodies.size()));
                int at = (int) (one.bodyOffset() + random.nextLong(one.bodyLength()));
                stream[at] = (byte) random.nextInt();
            }
            List<String> all = from.schema().getFields().stream().map(Field::getName).toList();
            if (all.stream().distinct().count() < all.size()) {
                continue;
            }
            List<String> sound = all.stream().filter(each -> isSound(stream, each)).toList();
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ConversionReport report;
            if (sound.isEmpty()) {
                continue;
            }
            report =
                    Arrow.convert(MemorySegment.ofArray(stream), Channels.newChannel(out), options);
            String title = from.name() + " " + i + ": " + report;
            assertEquals(sound, columns(out.toByteArray()), title);
            assertEquals(
                    OracleListing.list(stream).recordBatches().size(), report.batches(), title);
            assertEquals(all.size() - sound.size(), report.leftOutCount(), title);
            assertEquals(
                    sound.size() == all.size() ? List.of() : sound, report.soundColumns(), title);
            wrong += sound.size() < all.size() ? 1 : 0;
            some++;
        }
        CaseCount.report("%,d damaged streams with sound columns, %,d with others", some, wrong);
        assertTrue(wrong > MUTANTS / 10, wrong + " of " + some);
    }

    private static boolean isSound(byte[] stream, String column) {
        ReadOptions check =
                ReadOptions.VERIFY.withLevel(Level.VALUES).withDecompressedBytes(MEMORY);
        return Arrow.verify(MemorySegment.ofArray(stream), check, _ -> {}, column).isOk();
    }
}
