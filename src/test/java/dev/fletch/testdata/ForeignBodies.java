// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import dev.fletch.fbs.FbsDocument;
import dev.fletch.testdata.OracleFile.Container;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Files and streams that say of their bodies that they are in another byte order. The bodies stay
/// as they are: metadata alone is what is read here.
public final class ForeignBodies {
    private static final FbsDocument ARROW = RandomTables.ARROW;
    private static final byte[] MAGIC = "ARROW1\0\0".getBytes(StandardCharsets.US_ASCII);
    private static final int MAGIC_BYTES = 6;

    private ForeignBodies() {}

    /// Returns a copy in which the schemas, also a footer's, say so.
    ///
    /// @param input a file or stream, whose first message is its schema and not in the legacy form
    /// @param endianness what they say, known or not
    public static byte[] of(byte[] input, int endianness) {
        OracleFile oracle = OracleListing.list(input);
        OracleMessage first = oracle.messages().getFirst();
        ByteBuffer old = first.metadata().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        FbsValue.Table message = GeneratedReader.read(ARROW, "Message", old);
        byte[] metadata = FbsValueWriter.write(ARROW, withSchema(message, "header", endianness), 0);
        byte[] padded = Arrays.copyOf(metadata, Math.ceilDiv(metadata.length, 8) * 8);
        int delta = padded.length - first.metadataLength();
        int bodyOffset = (int) first.bodyOffset();

        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (oracle.container() == Container.FILE) {
            out.writeBytes(MAGIC);
        }
        out.writeBytes(words(-1, padded.length));
        out.writeBytes(padded);
        if (oracle.container() == Container.STREAM) {
            out.write(input, bodyOffset, input.length - bodyOffset);
            return out.toByteArray();
        }
        out.write(input, bodyOffset, (int) oracle.footer().offset() - bodyOffset);
        FbsValue.Table footer = GeneratedReader.read(ARROW, "Footer", oracle.footer().bytes());
        footer = moved(withSchema(footer, "schema", endianness), delta);
        byte[] bytes = FbsValueWriter.write(ARROW, footer, 0);
        out.writeBytes(bytes);
        out.writeBytes(words(bytes.length));
        out.write(MAGIC, 0, MAGIC_BYTES);
        return out.toByteArray();
    }

    private static FbsValue.Table withSchema(FbsValue.Table of, String field, int endianness) {
        FbsValue.Table schema = (FbsValue.Table) of.fields().get(field);
        return with(of, field, with(schema, "endianness", new FbsValue.Number(endianness)));
    }

    private static FbsValue.Table with(FbsValue.Table table, String field, FbsValue value) {
        SortedMap<String, FbsValue> fields = new TreeMap<>(table.fields());
        fields.put(field, value);
        return new FbsValue.Table(table.name(), fields);
    }

    /// Moves all blocks, as all batches lie behind the schema.
    private static FbsValue.Table moved(FbsValue.Table footer, int delta) {
        FbsValue.Table moved = footer;
        for (String field : new String[] {"dictionaries", "recordBatches"}) {
            if (footer.fields().get(field) instanceof FbsValue.Vector(List<FbsValue> blocks)) {
                List<FbsValue> there = new ArrayList<>();
                for (FbsValue block : blocks) {
                    List<Long> numbers = new ArrayList<>(((FbsValue.Struct) block).values());
                    numbers.set(0, numbers.getFirst() + delta);
                    there.add(new FbsValue.Struct(numbers));
                }
                moved = with(moved, field, new FbsValue.Vector(there));
            }
        }
        return moved;
    }

    private static byte[] words(int... words) {
        ByteBuffer bytes =
                ByteBuffer.allocate(words.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(words);
        return bytes.array();
    }
}
