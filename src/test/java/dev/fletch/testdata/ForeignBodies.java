// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import dev.fletch.fbs.FbsDocument;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.OracleFile.Container;
import dev.fletch.verify.messages.Meant;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Files and streams that say of their bodies that they are in another byte order. The bodies stay
/// as they are: metadata alone is what is read here.
public final class ForeignBodies {
    private static final FbsDocument ARROW = RandomTables.ARROW;

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
        byte[] schema =
                Frames.encapsulated(
                        FbsValueWriter.write(ARROW, withSchema(message, "header", endianness), 0));
        int from = (int) first.bodyOffset();
        if (oracle.container() == Container.STREAM) {
            return Frames.join(schema, Arrays.copyOfRange(input, from, input.length));
        }
        int to = (int) oracle.footer().offset();
        byte[] messages = Frames.join(schema, Arrays.copyOfRange(input, from, to));
        FbsValue.Table footer = GeneratedReader.read(ARROW, "Footer", oracle.footer().bytes());
        int delta = messages.length + 8 - to;
        footer = moved(withSchema(footer, "schema", endianness), delta);
        return Frames.file(messages, FbsValueWriter.write(ARROW, footer, 0));
    }

    private static FbsValue.Table withSchema(FbsValue.Table of, String field, int endianness) {
        FbsValue.Table schema = (FbsValue.Table) of.fields().get(field);
        return Meant.with(of, field, Meant.with(schema, "endianness", endianness));
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
                moved = Meant.with(moved, field, new FbsValue.Vector(there));
            }
        }
        return moved;
    }
}
