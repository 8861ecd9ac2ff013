// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.format.Field;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;

import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// A schema with changes has the bytes that arrow-java gives a schema that was so from the
/// beginning.
class RewriteEditTest {
    private static final ArrowType INT = new ArrowType.Int(32, true);
    private static final ArrowType TEXT = ArrowType.Utf8.INSTANCE;

    private static final Map<String, String> META = pairs("a", "1", "b", "2", "ключ", "🙂");
    private static final List<org.apache.arrow.vector.types.pojo.Field> FIELDS =
            List.of(
                    field("f0", INT, true, null, META),
                    field("f1", TEXT, true, encoding(3), Map.of()),
                    field(
                            "f2",
                            ArrowType.Struct.INSTANCE,
                            false,
                            null,
                            Map.of(),
                            field("c0", INT, true, null, META),
                            field("c1", TEXT, false, encoding(4), Map.of()),
                            field("c2", INT, true, null, Map.of())),
                    field("f3", INT, false, null, Map.of()));

    private final RewriteRig rig = new RewriteRig(EmissionOrder.ARROW_JAVA);

    private static Map<String, String> pairs(String... all) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < all.length; i += 2) {
            map.put(all[i], all[i + 1]);
        }
        return map;
    }

    private static DictionaryEncoding encoding(long id) {
        return new DictionaryEncoding(id, true, new ArrowType.Int(16, false));
    }

    private static org.apache.arrow.vector.types.pojo.Field field(
            String name,
            ArrowType type,
            boolean nullable,
            DictionaryEncoding encoding,
            Map<String, String> metadata,
            org.apache.arrow.vector.types.pojo.Field... children) {
        return new org.apache.arrow.vector.types.pojo.Field(
                name, new FieldType(nullable, type, encoding, metadata), List.of(children));
    }

    private static byte[] official(
            Map<String, String> metadata, org.apache.arrow.vector.types.pojo.Field... fields) {
        return official(new org.apache.arrow.vector.types.pojo.Schema(List.of(fields), metadata));
    }

    private static byte[] official(org.apache.arrow.vector.types.pojo.Schema schema) {
        ByteBuffer message = MessageSerializer.serializeMetadata(schema, IpcOption.DEFAULT);
        byte[] bytes = new byte[message.remaining()];
        message.get(bytes);
        return bytes;
    }

    private static byte[] source() {
        return official(new org.apache.arrow.vector.types.pojo.Schema(FIELDS, META));
    }

    private void assertEdited(byte[] expected, MetadataEdit edit) {
        byte[] written = rig.message(source(), edit);
        assertArrayEquals(expected, Arrays.copyOf(written, expected.length));
        assertArrayEquals(expected, rig.message(written.clone()), "written again");
    }

    private static org.apache.arrow.vector.types.pojo.Field f(int index) {
        return FIELDS.get(index);
    }

    private static MetadataEdit fields(FieldListEdit list) {
        return new MetadataEdit().fields(list);
    }

    // ---- lists of fields

    @Test
    void nothingChanges() {
        assertEdited(source(), new MetadataEdit());
        assertEdited(source(), fields(new FieldListEdit().keepFrom(0)));
        assertEdited(source(), fields(new FieldListEdit().keep(0, 4).keepFrom(4).keepFrom(9)));
        FieldEdit none = new FieldEdit();
        FieldListEdit each = new FieldListEdit();
        for (int i = 0; i < FIELDS.size(); i++) {
            each.keep(i, none);
        }
        assertEdited(
                source(), fields(each).schemaMetadata(new KeyValueEdit()).dictionaryIds(id -> id));
    }

    @Test
    void fieldsAreDroppedMovedAndRepeated() {
        assertEdited(official(META, f(0), f(2)), fields(new FieldListEdit().keep(0).keep(2)));
        assertEdited(
                official(META, f(3), f(0), f(1), f(2)),
                fields(new FieldListEdit().keep(3).keep(0, 3)));
        assertEdited(official(META, f(1), f(1)), fields(new FieldListEdit().keep(1).keep(1, 2)));
        assertEdited(official(META), fields(new FieldListEdit()));
        assertEdited(official(META), fields(new FieldListEdit().keep(2, 2)));
    }

    @Test
    void fieldsOfOtherMessagesAreInsertedAndReplaceOthers() {
        var other =
                field(
                        "other",
                        ArrowType.List.INSTANCE,
                        true,
                        null,
                        pairs("x", "y"),
                        field(
                                "item",
                                new ArrowType.Timestamp(
                                        org.apache.arrow.vector.types.TimeUnit.MICROSECOND, "UTC"),
                                true,
                                encoding(9),
                                Map.of()));
        Schema schema = new Schema();
        Message message = new Message().wrap(MemorySegment.ofArray(official(Map.of(), other)));
        message.header(schema);
        Field foreign = schema.fields(0, new Field());

        assertEdited(
                official(META, f(0), other, f(1), f(2), f(3)),
                fields(new FieldListEdit().keep(0).add(foreign).keepFrom(1)));
        assertEdited(
                official(META, f(0), f(1), f(2), other),
                fields(new FieldListEdit().keep(0, 3).add(foreign)));
        assertEdited(
                official(
                        META,
                        field("new", other.getType(), false, null, Map.of(), f(0), f(0)),
                        f(1)),
                fields(
                        new FieldListEdit()
                                .add(
                                        foreign,
                                        new FieldEdit()
                                                .name("new")
                                                .nullable(false)
                                                .customMetadata(new KeyValueEdit().removeAll())
                                                .children(
                                                        new FieldListEdit()
                                                                .add(bound(0))
                                                                .add(bound(0))))
                                .keep(1)));
    }

    private static Field bound(int index) {
        Schema schema = new Schema();
        new Message().wrap(MemorySegment.ofArray(source())).header(schema);
        return schema.fields(index, new Field());
    }

    @Test
    void fieldsBecomeNullableAndAreNoLonger() {
        assertEdited(
                official(
                        META,
                        field("f3", INT, true, null, Map.of()),
                        field("f0", INT, false, null, META)),
                fields(
                        new FieldListEdit()
                                .keep(3, new FieldEdit().nullable(true))
                                .keep(0, new FieldEdit().nullable(false))));
    }

    @Test
    void childrenAreChangedLikeFields() {
        var struct = f(2);
        var children = struct.getChildren();
        FieldListEdit list =
                new FieldListEdit()
                        .keep(2)
                        .keep(1, new FieldEdit().dictionaryId(77))
                        .add(bound(3))
                        .keep(0, new FieldEdit().name("Größe").nullable(false));
        assertEdited(
                official(
                        META,
                        f(0),
                        f(1),
                        field(
                                "f2",
                                struct.getType(),
                                false,
                                null,
                                Map.of(),
                                children.get(2),
                                field("c1", TEXT, false, encoding(77), Map.of()),
                                f(3),
                                field("Größe", INT, false, null, META)),
                        f(3)),
                fields(
                        new FieldListEdit()
                                .keep(0, 2)
                                .keep(2, new FieldEdit().children(list))
                                .keepFrom(3)));
    }

    @Test
    void fieldsThatAreNotThereCannotBeKept() {
        MetadataEdit edit = fields(new FieldListEdit().keep(3).keep(4));
        assertThrows(IndexOutOfBoundsException.class, () -> rig.message(source(), edit));
        assertThrows(IndexOutOfBoundsException.class, () -> new FieldListEdit().keep(-1));
        assertThrows(IndexOutOfBoundsException.class, () -> new FieldListEdit().keep(2, 1));
        assertArrayEquals(source(), rig.message(source()), "the writer goes on after that");
    }

    // ---- key/value pairs

    @Test
    void pairsArePutAddedAndRemoved() {
        // arrow-java has pairs in the order of a hash map, which a new key would change.
        byte[] put =
                rig.message(
                        source(),
                        schemaMetadata(
                                new KeyValueEdit().put("z", "old").put("b", "new").put("z", "")));
        assertEquals("[a=1, b=new, ключ=🙂, z=]", metadata(put).toString());
        assertEdited(
                official(pairs("a", "1", "b", "new", "ключ", ""), all()),
                schemaMetadata(new KeyValueEdit().put("ключ", "").put("b", "new")));
        assertEdited(
                official(pairs("b", "2"), all()),
                new MetadataEdit()
                        .schemaMetadata(
                                new KeyValueEdit().remove("a").remove("ключ").remove("none")));
        assertEdited(
                official(Map.of(), all()),
                new MetadataEdit().schemaMetadata(new KeyValueEdit().removeAll()));
        assertEdited(
                official(pairs("b", "9", "c", "10"), all()), // in this order in a hash map
                new MetadataEdit()
                        .schemaMetadata(
                                new KeyValueEdit().put("b", "9").removeAll().add("c", "10")));
        assertEdited(
                official(
                        META,
                        field("f0", INT, true, null, pairs("a", "🙂", "b", "2", "ключ", "🙂")),
                        f(1)),
                fields(
                        new FieldListEdit()
                                .keep(
                                        0,
                                        new FieldEdit()
                                                .customMetadata(new KeyValueEdit().put("a", "🙂")))
                                .keep(1)));
    }

    private static org.apache.arrow.vector.types.pojo.Field[] all() {
        return FIELDS.toArray(org.apache.arrow.vector.types.pojo.Field[]::new);
    }

    @Test
    void keysThatStandTwice() {
        KeyValueEdit twice = new KeyValueEdit().add("a", "3").add("a", "4");
        byte[] source = rig.message(source(), new MetadataEdit().schemaMetadata(twice));
        assertEquals("[a=1, b=2, ключ=🙂, a=3, a=4]", metadata(source).toString());
        byte[] put = rig.message(source, schemaMetadata(new KeyValueEdit().put("a", "5")));
        assertEquals("[a=5, b=2, ключ=🙂]", metadata(put).toString());
        byte[] removed =
                rig.message(source, schemaMetadata(new KeyValueEdit().remove("a").add("a", "6")));
        assertEquals("[b=2, ключ=🙂, a=6]", metadata(removed).toString());
    }

    private static MetadataEdit schemaMetadata(KeyValueEdit edit) {
        return new MetadataEdit().schemaMetadata(edit);
    }

    private static List<String> metadata(byte[] message) {
        Schema schema = new Schema();
        new Message().wrap(MemorySegment.ofArray(message)).header(schema);
        KeyValue pair = new KeyValue();
        return IntStream.range(0, schema.customMetadataCount())
                .mapToObj(i -> schema.customMetadata(i, pair))
                .map(each -> each.keyString() + "=" + each.valueString())
                .toList();
    }

    @Test
    void absentAndEmptyVectorsStayApart() {
        Schema schema = new Schema();
        Message message = new Message();
        byte[] dropped = rig.message(source(), schemaMetadata(new KeyValueEdit().drop()));
        message.wrap(MemorySegment.ofArray(dropped)).header(schema);
        assertEquals(false, schema.isPresent(Schema.CUSTOM_METADATA_SLOT));
        byte[] still = rig.message(dropped, schemaMetadata(new KeyValueEdit().remove("a")));
        message.wrap(MemorySegment.ofArray(still)).header(schema);
        assertEquals(false, schema.isPresent(Schema.CUSTOM_METADATA_SLOT));
        byte[] emptied = rig.message(source(), schemaMetadata(new KeyValueEdit().removeAll()));
        message.wrap(MemorySegment.ofArray(emptied)).header(schema);
        assertEquals(true, schema.isPresent(Schema.CUSTOM_METADATA_SLOT));
        assertEquals(0, schema.customMetadataCount());
    }

    @Test
    void textsThatCannotBeEncodedAreRefused() {
        KeyValueEdit edit = new KeyValueEdit();
        assertThrows(IllegalArgumentException.class, () -> edit.put("\ud800", ""));
        assertThrows(IllegalArgumentException.class, () -> edit.add("", "\udc00"));
        assertThrows(IllegalArgumentException.class, () -> new FieldEdit().name("a\ud800b"));
    }

    // ---- dictionaries

    @Test
    void dictionariesGetOtherNumbers() {
        var struct = f(2);
        byte[] expected =
                official(
                        META,
                        f(0),
                        field("f1", TEXT, true, encoding(0), Map.of()),
                        field(
                                "f2",
                                struct.getType(),
                                false,
                                null,
                                Map.of(),
                                struct.getChildren().get(0),
                                field("c1", TEXT, false, encoding(10), Map.of()),
                                struct.getChildren().get(2)),
                        f(3));
        assertEdited(expected, new MetadataEdit().dictionaryIds(id -> (id - 3) * 10));
        assertEdited(
                official(META, field("f1", TEXT, true, null, Map.of())),
                fields(new FieldListEdit().keep(1, new FieldEdit().dropDictionary())));
    }
}
