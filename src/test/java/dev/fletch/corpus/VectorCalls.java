// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.corpus.CorpusCalls.throwing;
import static dev.fletch.testdata.HandmadeInput.longs;
import static dev.fletch.verify.messages.Meant.INT32;
import static dev.fletch.verify.messages.Meant.field;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.MeaningRule;
import dev.fletch.batch.Columns;
import dev.fletch.corpus.CorpusCalls.Call;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;
import dev.fletch.vectors.VectorOptions;
import dev.fletch.vectors.VectorReader;
import dev.fletch.verify.messages.Meant;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;

/// Calls of the readers of arrow-java's vectors.
final class VectorCalls {
    private static final String OPEN = "VectorReader.open";
    private static final String LOAD = "VectorReader.loadNext";
    private static final Columns ALL = Columns.all();

    private VectorCalls() {}

    static List<Call> all() {
        return List.of(
                throwing(
                        MeaningRule.COLUMN_AMBIGUOUS,
                        OPEN,
                        "columns=named(int32), two columns of that name",
                        () -> load(stream(schema(INT32, INT32)), Columns.named("int32"))),
                throwing(
                        MeaningRule.VECTOR_UNSUPPORTED,
                        OPEN,
                        "big-endian schema",
                        () -> load(stream(bigEndian()), ALL)),
                throwing(
                        MeaningRule.NO_HEADER,
                        LOAD,
                        "verification=TOUCHED, record batch message without header",
                        () -> load(withoutHeader(), ALL)),
                throwing(
                        MeaningRule.VECTOR_TOO_LARGE,
                        LOAD,
                        "batch of 2^31 rows",
                        () -> load(manyNulls(), ALL)),
                throwing(
                        MeaningRule.DECOMPRESSION,
                        LOAD,
                        "codecs=null, bytes that are not ZSTD",
                        () -> load(notCompressed(), ALL)));
    }

    private static void load(HandmadeInput input, Columns columns) throws IOException {
        ByteArrayInputStream in = new ByteArrayInputStream(input.stream());
        try (BufferAllocator allocator = new RootAllocator();
                VectorReader vectors =
                        VectorReader.open(in, allocator, columns, VectorOptions.DEFAULT)) {
            vectors.loadNext();
        }
    }

    // ---- inputs

    private static HandmadeInput stream(FbsValue.Table schema) {
        return new HandmadeInput(schema);
    }

    private static FbsValue.Table bigEndian() {
        return with(schema(INT32), "endianness", Endianness.BIG);
    }

    private static HandmadeInput withoutHeader() {
        FbsValue.Table message = Meant.message(new Batch(0).table(), 0);
        return stream(schema(INT32)).addMessage(with(message, "header", null), new byte[0]);
    }

    private static HandmadeInput manyNulls() {
        long rows = 1L << 31;
        FbsValue.Table nulls = field("null", Type.NULL, table("Null"));
        return stream(schema(nulls)).batch(new Batch(rows).node(rows, rows));
    }

    private static HandmadeInput notCompressed() {
        Batch batch = new Batch(2).node(2, 0, new byte[0], longs(8, 0));
        FbsValue.Table zstd = table("BodyCompression", "codec", CompressionType.ZSTD);
        return stream(schema(INT32)).add(with(batch.table(), "compression", zstd), batch.body());
    }
}
