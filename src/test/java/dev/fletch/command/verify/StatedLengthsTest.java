// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.Rule.Severity;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.ColumnValues;
import dev.fletch.corpus.CaseFile;
import dev.fletch.format.Buffer;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FileBatches;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.vectors.VectorReader;

import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// By default, `fletch verify` and `fletch convert` compare the lengths that metadata states with
/// the rows: a page of zeros in the metadata of a batch is found.
class StatedLengthsTest {
    private static final int ROWS = 20;
    private static final List<String> FIXED_WIDTH =
            List.of(
                    "Bool",
                    "Int(bitWidth=32 is_signed=1)",
                    "Int(bitWidth=8)",
                    "Decimal(precision=9 scale=2)",
                    "FixedSizeBinary(byteWidth=5)",
                    "Date(unit=1)",
                    "Time(unit=0 bitWidth=32)",
                    "Timestamp(unit=2)");

    /// The batch of a message.
    private static RecordBatch bound(byte[] bytes, OracleMessage of) {
        RecordBatch batch = new RecordBatch();
        MemorySegment memory = MemorySegment.ofArray(bytes);
        new Message().wrap(memory, of.metadataOffset(), of.metadataLength()).header(batch);
        return batch;
    }

    /// Zeroes one buffer's offset and length at a time. A buffer that values need is missed by
    /// default as it is strictly; only lengths inside of bodies are left to the strict check.
    @Test
    void eachZeroedLengthIsFoundAsItIsStrictly() {
        int cases = 0;
        int wrong = 0;
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            byte[] sound = each.stream();
            assertEquals(List.of(), errors(Verified.of(sound)), each.name());
            for (OracleMessage batch : OracleListing.list(sound).recordBatches()) {
                int count = Math.min(40, bound(sound, batch).buffersCount());
                for (int i = 0; i < count; i++) {
                    byte[] bytes = sound.clone();
                    int at = (int) bound(bytes, batch).buffers(i, new Buffer()).position();
                    Arrays.fill(bytes, at, at + Buffer.BYTES, (byte) 0);
                    List<String> strict = errors(Verified.of(bytes, Checks.STRICT));
                    assertEquals(strict, errors(Verified.of(bytes)), each.name() + " " + i);
                    cases++;
                    wrong += strict.isEmpty() ? 0 : 1;
                }
            }
        }
        CaseCount.report("%,d lengths zeroed, found: %,d", cases, wrong);
        assertTrue(wrong > cases / 4, wrong + " of " + cases);
    }

    private static List<String> errors(Verified found) {
        List<String> errors = new ArrayList<>();
        found.findings().stream()
                .filter(each -> each.rule().severity() == Severity.ERROR)
                .forEach(each -> errors.add(each.line()));
        return errors;
    }

    // ---- data of nulls

    /// Batches of nulls alone, whose data buffer is empty, as arrow-js writes them: as by
    /// arrow-java.
    @Test
    void absentDataIsReadAsNulls() throws IOException {
        for (String type : FIXED_WIDTH) {
            String messages = " <x:%s> | batch %d [%<d/%2$d] [zeros(3) -]".formatted(type, ROWS);
            assertReadAsNulls(
                    CaseFile.input("file" + messages), CaseFile.input("stream" + messages));
        }
    }

    private static void assertReadAsNulls(byte[] file, byte[] stream) throws IOException {
        BatchCursor cursor = FileBatches.of(ArrowFile.of(MemorySegment.ofArray(file))).bind(0);
        ColumnValues column = new ColumnValues().bind(cursor, 0);
        assertEquals(ROWS, column.length());
        try (RootAllocator allocator = new RootAllocator();
                VectorReader vectors =
                        VectorReader.open(new ByteArrayInputStream(stream), allocator, "x");
                ArrowStreamReader theirs =
                        new ArrowStreamReader(new ByteArrayInputStream(stream), allocator)) {
            assertTrue(vectors.loadNext());
            assertTrue(theirs.loadNextBatch());
            FieldVector own = vectors.root().getVector(0);
            FieldVector expected = theirs.getVectorSchemaRoot().getVector(0);
            for (int row = 0; row < ROWS; row++) {
                assertTrue(column.isNull(row));
                assertNull(own.getObject(row));
                assertNull(expected.getObject(row));
            }
        }
    }
}
