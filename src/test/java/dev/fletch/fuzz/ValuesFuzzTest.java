// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;

import dev.fletch.Check;
import dev.fletch.FileRule;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.arrow.Arrow;
import dev.fletch.arrow.BatchReader;
import dev.fletch.batch.Columns;
import dev.fletch.corpus.AllValuesOf;
import dev.fletch.input.DetectedInput;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.vectors.VectorReader;
import dev.fletch.verify.CheckReport;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Checks any bytes with their values, then reads all that passed: no value of it can lead out of
/// its buffer, child or dictionary.
class ValuesFuzzTest {
    private static final int CAPACITY = 1 << 16;
    private static final long MOST_BYTES = 16 << 20;

    private final ReadOptions options =
            ReadOptions.VERIFY
                    .with(Check.LITTLE_ENDIAN, true)
                    .withLevel(Level.VALUES)
                    .withDecompressedBytes(MOST_BYTES);

    @FuzzTest
    @MethodSource("dev.fletch.corpus.Corpus#inputs")
    void whatPassesIsReadCompletely(byte[] input) throws IOException {
        if (input.length > CAPACITY) {
            return;
        }
        MemorySegment memory = MemorySegment.ofArray(input);
        CheckReport report = Arrow.verify(memory, options, _ -> {});
        boolean isText = DetectedInput.text(memory) != null; // readers take no base64
        if (!report.isOk() || report.uncheckedFields() > 0 || isText) {
            return;
        }
        if (report.container().equals("file")) {
            file(memory);
        } else if (report.container().equals("stream")) {
            stream(input, report.deviations() > 0);
        }
    }

    private static void file(MemorySegment memory) {
        try (ArrowFile file = ArrowFile.of(memory)) {
            AllValuesOf.file(file);
        }
    }

    /// @param deviates whether something is not as the format wants it, which vectors may refuse
    private static void stream(byte[] input, boolean deviates) throws IOException {
        try (BufferAllocator allocator = new RootAllocator();
                VectorReader vectors =
                        VectorReader.open(
                                new ByteArrayInputStream(input),
                                allocator,
                                Columns.all(),
                                AllValuesOf.OPTIONS)) {
            AllValuesOf.vectors(vectors);
        } catch (FletchException e) {
            // A tensor, or the schema of another stream, is sound, and no batch. A batch without
            // columns may have more rows than a vector.
            boolean isSound =
                    e.rule() == MeaningRule.VECTOR_UNSUPPORTED
                            || e.rule() == MeaningRule.VECTOR_TOO_LARGE && hasNoColumns(input)
                            || e.rule() == FileRule.NO_LEADING_SCHEMA
                            || e.rule() == MeaningRule.HEADER_KIND;
            assertTrue(isSound || deviates, e::toString);
        }
    }

    private static boolean hasNoColumns(byte[] stream) throws IOException {
        try (BatchReader reader = Arrow.open(MemorySegment.ofArray(stream), ReadOptions.DEFAULT)) {
            return reader.schema().fields().isEmpty();
        }
    }
}
