// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import dev.fletch.batch.Columns;
import dev.fletch.vectors.VectorOptions;
import dev.fletch.vectors.VectorReader;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.io.ByteArrayInputStream;
import java.io.IOException;

/// Calls of the readers of arrow-java's vectors.
final class VectorCalls {
    private static final String INT32 = "int32:Int(bitWidth=32 is_signed=1)";

    private VectorCalls() {}

    static void addTo(CorpusCalls calls) {
        calls.throwing(
                "VectorReader.open | columns=named(int32), two columns of that name",
                () -> load("<" + INT32 + " " + INT32 + ">", Columns.named("int32")));
        calls.throwing(
                "VectorReader.open | big-endian schema",
                () -> load("<" + INT32 + ">{endianness=1}", Columns.all()));
        load(
                calls,
                "verification=TOUCHED, record batch message without header",
                "<" + INT32 + "> | message Message(version=4 header_type=3) -");
        load(
                calls,
                "batch of 2^31 rows",
                "<null:Null> | batch 2147483648 [2147483648/2147483648] []");
        load(
                calls,
                "codecs=null, bytes that are not ZSTD",
                "<"
                        + INT32
                        + "> | batch 2 [2] [- i64(8 0)] {compression=BodyCompression(codec=1)}");
    }

    private static void load(CorpusCalls calls, String options, String stream) {
        calls.throwing("VectorReader.loadNext | " + options, () -> load(stream, Columns.all()));
    }

    private static void load(String stream, Columns columns) throws IOException {
        var in = new ByteArrayInputStream(CaseFile.input("stream " + stream));
        try (BufferAllocator allocator = new RootAllocator();
                VectorReader vectors =
                        VectorReader.open(in, allocator, columns, VectorOptions.DEFAULT)) {
            vectors.loadNext();
        }
    }
}
