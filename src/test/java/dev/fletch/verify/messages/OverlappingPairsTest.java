// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.Checks;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.testdata.FirstFault;
import dev.fletch.testdata.GeneratedTables;

import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.Type;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Vectors of pairs that overlap, so that a few bytes unfold to pairs without end. No writer makes
/// them, and the structure of each is right.
///
/// What makes it possible: a vector's length may at the same time be an element of another vector,
/// an offset to a pair, which then lies inside the first one. So whatever is in a pair has to be an
/// offset to a pair, too. By words, with `t` for the place of the first pair:
///
/// ```
/// 0 … 1      vtable: fields far behind the table
/// 2 … t-1    each the length of a vector, and the offset to t
/// t          a pair: its vtable is as far in front as the next pair is behind
/// 2t         a pair, likewise
/// 4t         the last pair, behind all vectors
/// between    offsets to 4t
/// behind     keys and values, all of them offsets to one text
/// ```
class OverlappingPairsTest {
    private static final int FIRST = 2;

    private final FlatBufferBuilder builder = new FlatBufferBuilder(1 << 16);

    private static int firstPair(int vectors) {
        return FIRST + vectors;
    }

    /// Words from a pair to its key.
    private static int keyAt(int vectors) {
        return 3 * firstPair(vectors) + 4;
    }

    private static int words(int vectors) {
        return 4 * firstPair(vectors) + keyAt(vectors) + 4;
    }

    private static void putPairs(ByteBuffer into, int start, int vectors) {
        int pair = firstPair(vectors);
        int key = keyAt(vectors);
        int text = words(vectors) - 2;
        into.putShort(start, (short) 8).putShort(start + 2, (short) (4 * key + 8));
        into.putShort(start + 4, (short) (4 * key)).putShort(start + 6, (short) (4 * key + 4));
        for (int i = FIRST; i < 4 * pair; i++) {
            into.putInt(start + 4 * i, 4 * ((i < pair ? pair : 4 * pair) - i));
        }
        for (int each = pair; each <= 4 * pair; each *= 2) {
            into.putInt(start + 4 * each, 4 * each);
            for (int i = each + key; i < each + key + 2; i++) {
                into.putInt(start + 4 * i, 4 * (text - i));
            }
        }
        into.putInt(start + 4 * text, 1).put(start + 4 * text + 4, (byte) 'k');
    }

    /// Columns with a vector of pairs each, of `4 * (vectors - first)` pairs, of four less, and so
    /// on.
    private Message columns(int vectors, int first, int count) {
        int text = builder.createString("\0".repeat(4 * words(vectors) + 30_004));
        int none = Field.createCustomMetadataVector(builder, new int[0]);
        int name = builder.createString("c");
        int type = Int.createInt(builder, 32, true);
        int[] columns = new int[count];
        for (int i = 0; i < count; i++) {
            columns[i] = GeneratedTables.field(builder, name, true, Type.Int, type, 0, 0, none);
        }
        int fields = org.apache.arrow.flatbuf.Schema.createFieldsVector(builder, columns);
        int root = GeneratedTables.schema(builder, (short) 0, fields, 0, 0);
        builder.finish(GeneratedTables.message(builder, MessageHeader.Schema, root, 0));
        byte[] bytes = builder.sizedByteArray();
        ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int start = bytes.length - text + 4;
        putPairs(all, start, vectors);
        dev.fletch.format.Field field = new dev.fletch.format.Field();
        Schema schema = schema(new Message().wrap(MemorySegment.ofArray(bytes)));
        for (int i = 0; i < count; i++) {
            schema.fields(i, field);
            int slot = (int) field.position(dev.fletch.format.Field.CUSTOM_METADATA_SLOT);
            all.putInt(slot, start + 4 * (FIRST + first + i) - slot);
        }
        return Meant.bound(bytes);
    }

    private static Schema schema(Message message) {
        Schema schema = new Schema();
        assertTrue(message.header(schema));
        return schema;
    }

    @Test
    void fewOverlappingVectorsAreAccepted() {
        FirstFault first = new FirstFault();
        SemanticVerifier meaning = new SemanticVerifier(Checks.DEFAULT, first);
        Message message = columns(100, 60, 9);
        assertTrue(meaning.message(message), () -> "" + first.fault());
    }

    /// A pair has a size of 64 and the lengths of its texts.
    @Test
    void tooManyOverlappingVectorsAreRefused() {
        int vectors = 420;
        Message message = columns(vectors, 0, vectors);
        FirstFault first = new FirstFault();
        SemanticVerifier meaning = new SemanticVerifier(Checks.DEFAULT, first);
        assertFalse(meaning.message(message));
        assertEquals(MeaningRule.SCHEMA_TOO_LARGE, first.fault().rule());
        String path = first.fault().path();
        String prefix = "header.schema.fields[";
        assertTrue(path.startsWith(prefix), path);
        int column = Integer.parseInt(path.substring(prefix.length(), path.length() - 1));
        long size = 0;
        for (int i = 0; i < column; i++) {
            size += 256 + 1 + 4 * (vectors - i) * (64 + 2);
        }
        long limit = Limits.DEFAULT.unfoldedBytes(message.bufferLength());
        assertTrue(size <= limit, size + " counted, limit " + limit);
        assertTrue(size + 4 * vectors * (64 + 2) > limit, size + " counted, limit " + limit);
        assertTrue(first.fault().details().matches("size=\\d+, limit=" + limit));
    }
}
