// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import static dev.fletch.format.MetadataVersion.V5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.format.Schema;
import dev.fletch.semantics.Meant;
import dev.fletch.semantics.SemanticRules;
import dev.fletch.semantics.SemanticVerifier;
import dev.fletch.testdata.GeneratedMessages;

import org.apache.arrow.flatbuf.DictionaryEncoding;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Struct_;
import org.apache.arrow.flatbuf.Type;
import org.junit.jupiter.api.Test;

import java.util.Arrays;

/// Two long names that all columns share: whoever reads each of them once must not take one for the
/// other.
class SharedNamesTest {
    private static final int COLUMNS = 200;
    private static final String[] NAMES = {"a".repeat(4096), "b".repeat(4096)};

    /// Columns of struct.
    ///
    /// @param named 0 or 1 for the name of each
    /// @param inside the same for two children of each, null for none
    static byte[] message(int[] named, int[][] inside) {
        FlatBufferBuilder builder = new FlatBufferBuilder(1 << 16);
        int[] names = {builder.createString(NAMES[0]), builder.createString(NAMES[1])};
        int type = Int.createInt(builder, 32, true);
        Struct_.startStruct_(builder);
        int struct = Struct_.endStruct_(builder);
        int encoding =
                inside == null
                        ? 0
                        : DictionaryEncoding.createDictionaryEncoding(
                                builder, 5, 0, false, (short) 0);
        int[] columns = new int[named.length];
        for (int i = 0; i < named.length; i++) {
            int[] children = new int[inside == null ? 0 : 2];
            for (int c = 0; c < children.length; c++) {
                int name = names[inside[i][c]];
                children[c] = Field.createField(builder, name, true, Type.Int, type, 0, 0, 0);
            }
            int vector = Field.createChildrenVector(builder, children);
            columns[i] =
                    Field.createField(
                            builder,
                            names[named[i]],
                            true,
                            Type.Struct_,
                            struct,
                            encoding,
                            vector,
                            0);
        }
        int fields = org.apache.arrow.flatbuf.Schema.createFieldsVector(builder, columns);
        int root = org.apache.arrow.flatbuf.Schema.createSchema(builder, (short) 0, fields, 0, 0);
        builder.finish(
                GeneratedMessages.create(
                        builder, org.apache.arrow.flatbuf.MessageHeader.Schema, root, 0));
        return builder.sizedByteArray();
    }

    static int[] alternating() {
        int[] named = new int[COLUMNS];
        for (int i = 0; i < COLUMNS; i++) {
            named[i] = i & 1;
        }
        return named;
    }

    @Test
    void layoutFindsEveryColumnOfEach() {
        Schema schema = Bound.schema(message(alternating(), null));
        BatchLayout layout = BatchLayout.compile(schema, V5);
        for (int name = 0; name < 2; name++) {
            int column = layout.find(NAMES[name]);
            for (int i = name; i < COLUMNS; i += 2) {
                assertEquals(i, column);
                assertEquals(NAMES[name], layout.nameString(i));
                column = layout.findNext(NAMES[name], column);
            }
            assertEquals(-1, column);
        }
    }

    /// What a dictionary holds are two children; their names in another order are another type.
    @Test
    void dictionariesTellThemApart() {
        int[][] inside = new int[COLUMNS][];
        Arrays.fill(inside, new int[] {0, 1});
        SemanticVerifier meaning = new SemanticVerifier();
        assertTrue(meaning.message(Meant.bound(message(alternating(), inside))));
        inside[COLUMNS - 1] = new int[] {1, 0};
        meaning.beginStream();
        assertFalse(meaning.message(Meant.bound(message(alternating(), inside))));
        assertEquals(SemanticRules.DICTIONARY_TYPE, meaning.fault().rule());
        assertEquals("header.schema.fields[199].dictionary.id", meaning.fault().path());
    }
}
