// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.format.ids.Type;
import dev.fletch.testdata.GeneratedTables;

import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.Endianness;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.Null;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Union;

import java.util.List;

/// A field of any type, known or not, written with flatc's generated classes.
///
/// @param name null for none
/// @param type the type's number
/// @param mode of a union; -1 for a union without its table
/// @param dictionary the id of the dictionary, null for none
record Tree(String name, int type, int mode, Long dictionary, List<Tree> children) {
    static final int NONE = 0;

    static Tree of(String name, int type, Tree... children) {
        return new Tree(name, type, 0, null, List.of(children));
    }

    static Tree union(String name, int mode, Tree... children) {
        return new Tree(name, Type.UNION, mode, null, List.of(children));
    }

    Tree encoded(long id) {
        return new Tree(name, type, mode, id, children);
    }

    /// The field as what its dictionary holds.
    Tree values() {
        return new Tree(name, type, mode, null, children);
    }

    /// A bare schema message.
    static byte[] message(List<Tree> columns) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        return message(builder, MessageHeader.Schema, schema(builder, columns), 0);
    }

    static int schema(FlatBufferBuilder builder, List<Tree> columns) {
        int[] fields = columns.stream().mapToInt(each -> each.write(builder)).toArray();
        int vector = Schema.createFieldsVector(builder, fields);
        return GeneratedTables.schema(builder, Endianness.Little, vector, NONE, NONE);
    }

    static byte[] message(Tree... columns) {
        return message(List.of(columns));
    }

    private static byte[] message(FlatBufferBuilder builder, byte kind, int header, long body) {
        builder.finish(GeneratedTables.message(builder, kind, header, body));
        return builder.sizedByteArray();
    }

    private int write(FlatBufferBuilder builder) {
        int[] offsets = children.stream().mapToInt(each -> each.write(builder)).toArray();
        int vector = offsets.length == 0 ? NONE : Field.createChildrenVector(builder, offsets);
        int nameAt = name == null ? NONE : builder.createString(name);
        int encoding = NONE;
        if (dictionary != null) {
            int index = Int.createInt(builder, 8, true);
            encoding =
                    GeneratedTables.dictionaryEncoding(
                            builder, dictionary, index, false, (short) 0);
        }
        return GeneratedTables.field(
                builder, nameAt, true, (byte) type, table(builder), encoding, vector, NONE);
    }

    private int table(FlatBufferBuilder builder) {
        if (type == Type.UNION) {
            return mode < 0 ? NONE : Union.createUnion(builder, (short) mode, NONE);
        }
        Null.startNull(builder);
        return Null.endNull(builder);
    }

    /// A bare message with a batch.
    ///
    /// @param nodes length and null count of each
    /// @param buffers offset and length of each
    /// @param variadics null for no vector
    static byte[] batch(long[][] nodes, long[][] buffers, long[] variadics, long bodyLength) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int batch = batch(builder, nodes, buffers, variadics);
        return message(builder, MessageHeader.RecordBatch, batch, bodyLength);
    }

    /// The same as the values of a dictionary.
    static byte[] dictionary(
            long id, boolean isDelta, long[][] nodes, long[][] buffers, long bodyLength) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int batch = batch(builder, nodes, buffers, null);
        int dictionary = GeneratedTables.dictionaryBatch(builder, id, batch, isDelta);
        return message(builder, MessageHeader.DictionaryBatch, dictionary, bodyLength);
    }

    private static int batch(
            FlatBufferBuilder builder, long[][] nodes, long[][] buffers, long[] variadics) {
        RecordBatch.startBuffersVector(builder, buffers.length);
        for (int i = buffers.length - 1; i >= 0; i--) {
            Buffer.createBuffer(builder, buffers[i][0], buffers[i][1]);
        }
        int buffersAt = builder.endVector();
        RecordBatch.startNodesVector(builder, nodes.length);
        for (int i = nodes.length - 1; i >= 0; i--) {
            FieldNode.createFieldNode(builder, nodes[i][0], nodes[i][1]);
        }
        int nodesAt = builder.endVector();
        int counts =
                variadics == null
                        ? NONE
                        : RecordBatch.createVariadicBufferCountsVector(builder, variadics);
        return GeneratedTables.recordBatch(builder, 1, nodesAt, buffersAt, NONE, counts);
    }

    /// Numbers that tell each node and each buffer from all others.
    static byte[] numberedBatch(int nodes, int buffers, long[] variadics) {
        long[][] allNodes = new long[nodes][];
        for (int i = 0; i < nodes; i++) {
            allNodes[i] = new long[] {1_000L + i, i};
        }
        long[][] allBuffers = new long[buffers][];
        for (int i = 0; i < buffers; i++) {
            allBuffers[i] = new long[] {8L * i, i % 9};
        }
        return batch(allNodes, allBuffers, variadics, 8L * buffers + 8);
    }
}
