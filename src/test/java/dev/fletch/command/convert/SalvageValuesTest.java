// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.arrow.Arrow;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.verify.CheckReport;

import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// What `fletch convert --salvage --values` and `--sound-columns` write is what `verify` finds
/// sound.
class SalvageValuesTest {
    private static final int MUTANTS = CaseCount.of(600, 9_000);
    private static final long MEMORY = 1 << 24;
    private static final ReadOptions CHECK =
            ReadOptions.VERIFY.withLevel(Level.VALUES).withDecompressedBytes(MEMORY);
    private static final ConvertOptions OPTIONS =
            ConvertOptions.DEFAULT.withReading(
                    ReadOptions.DEFAULT.withLevel(Level.VALUES).withDecompressedBytes(MEMORY));

    @Test
    void batchesAndColumnsThatVerifyFindsSoundAreWritten() {
        List<ArrowCase> cases = ArrowVectorFiles.cases();
        Random random = new Random(43);
        int wrong = 0;
        int columns = 0;
        for (int i = 0; i < MUTANTS; i++) {
            ArrowCase from = cases.get(random.nextInt(cases.size()));
            byte[] stream = from.stream().clone();
            List<OracleMessage> bodies =
                    OracleListing.list(stream).messages().stream()
                            .filter(each -> each.bodyLength() > 0)
                            .toList();
            for (int flips = random.nextInt(4); flips >= 0 && !bodies.isEmpty(); flips--) {
                OracleMessage one = bodies.get(random.nextInt(bodies.size()));
                int at = (int) (one.bodyOffset() + random.nextLong(one.bodyLength()));
                stream[at] = (byte) random.nextInt();
            }
            wrong += compareBatches(stream, from.name() + " " + i) ? 0 : 1;
            columns += compareColumns(stream, from, i) ? 1 : 0;
        }
        CaseCount.report(
                "%,d streams with damaged bodies, with wrong values: %,d, with sound columns: %,d",
                MUTANTS, wrong, columns);
        assertTrue(wrong > MUTANTS / 10 && columns > MUTANTS / 20);
    }

    /// The output has no wrong values, and all batches without any.
    ///
    /// @return whether the input has no wrong values
    private static boolean compareBatches(byte[] stream, String name) {
        CheckReport before = Arrow.verify(MemorySegment.ofArray(stream), CHECK, _ -> {});
        Converted salvaged = Converted.of(stream, OPTIONS.salvaging());
        String title = name + ": " + before + " " + salvaged.report();
        assertEquals(before.isOk(), salvaged.report().leftOutCount() == 0, title);
        MemorySegment written = MemorySegment.ofArray(salvaged.bytes());
        CheckReport after = Arrow.verify(written, CHECK, _ -> {});
        assertTrue(after.isOk(), title + " " + after);
        assertEquals(after.recordBatches(), salvaged.report().batches(), title);
        return before.isOk();
    }

    /// The columns that are written are those in which `verify` finds nothing, column by column;
    /// then no batch is left out.
    ///
    /// @return whether some columns are sound and others are not
    private static boolean compareColumns(byte[] stream, ArrowCase from, int mutant) {
        List<String> all = from.schema().getFields().stream().map(Field::getName).toList();
        boolean isChosen = all.size() > 1 && all.size() < 50;
        if (!isChosen || all.stream().distinct().count() < all.size()) {
            return false;
        }
        List<String> sound = all.stream().filter(each -> isSound(stream, each)).toList();
        if (sound.isEmpty()) {
            return false;
        }
        Converted written = Converted.of(stream, OPTIONS.salvagingColumns());
        String title = from.name() + " " + mutant + ": " + written.report();
        assertEquals(sound, columns(written.bytes()), title);
        int batches = OracleListing.list(stream).recordBatches().size();
        assertEquals(batches, written.report().batches(), title);
        assertEquals(all.size() - sound.size(), written.report().leftOutCount(), title);
        boolean isPart = sound.size() < all.size();
        assertEquals(isPart ? sound : List.of(), written.report().soundColumns(), title);
        return isPart;
    }

    private static boolean isSound(byte[] stream, String column) {
        return Arrow.verify(MemorySegment.ofArray(stream), CHECK, _ -> {}, column).isOk();
    }

    private static List<String> columns(byte[] stream) {
        Schema schema = OracleListing.list(stream).schema();
        return IntStream.range(0, schema.fieldsLength())
                .mapToObj(each -> schema.fields(each).name())
                .toList();
    }
}
