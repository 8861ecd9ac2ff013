// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.StructureRule.*;
import static dev.fletch.corpus.FlatbufferBase.NONE;
import static dev.fletch.corpus.FlatbufferBase.SCHEMA;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.testdata.HandmadeInput.longs;
import static dev.fletch.testdata.HandmadeInput.text;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.integer;
import static dev.fletch.verify.messages.Meant.message;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.struct;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;

import java.util.Arrays;
import java.util.List;

/// Flatbuffers that are too small, and those with a wrong offset.
final class FlatbufferOffsetCases {
    // Farther back than any offset leads forward.
    private static final int FARTHEST_BACK = Integer.MIN_VALUE;

    private final FlatbufferList list = new FlatbufferList();

    private FlatbufferOffsetCases() {}

    static List<CorpusCase> all() {
        FlatbufferOffsetCases made = new FlatbufferOffsetCases();
        made.sizes();
        made.places();
        made.zeros();
        made.backwards();
        made.targets();
        return made.list.cases;
    }

    private void sizes() {
        HandmadeInput sound = new HandmadeInput(schema()).batch(new Batch(0)).batch(new Batch(0));
        FbsValue.Table batch = message(new Batch(0).table(), 0);
        HandmadeInput broken =
                new HandmadeInput(schema())
                        .addMessage(batch, NONE, bytes -> Arrays.copyOf(bytes, 8))
                        .batch(new Batch(0));
        list.cases.add(
                CorpusCase.of(BUFFER_TOO_SMALL, "buffer-8-bytes-batch", "metadata has 8 bytes")
                        .stream(sound, broken));
        list.add(
                FlatbufferBase.footer(schema(), _ -> {}),
                BUFFER_TOO_SMALL,
                "buffer-8-bytes-footer",
                "footer has 8 bytes",
                flatbuffer -> flatbuffer.cut(flatbuffer.size() - 8));
        list.add(
                FlatbufferBase.footer(schema(), _ -> {}),
                BUFFER_TOO_SMALL,
                "buffer-11-bytes-footer",
                "footer has one byte less than the least flatbuffer",
                flatbuffer -> flatbuffer.cut(flatbuffer.size() - 11));
    }

    /// Where the offset itself is.
    private void places() {
        list.add(
                FlatbufferBase.schemaStream(SCHEMA),
                OFFSET_MISALIGNED,
                "offset-misaligned-fields",
                "the slot of the fields is not a multiple of 4",
                each -> each.add16(each.slot("header.fields"), 2));
        list.add(
                FlatbufferBase.batchInStream(),
                OFFSET_MISALIGNED,
                "offset-misaligned-buffers",
                "the slot of a batch's buffers is not a multiple of 4",
                each -> each.add16(each.slot("header.buffers"), 2));
        list.add(
                FlatbufferBase.footer(),
                OFFSET_MISALIGNED,
                "offset-misaligned-footer-schema",
                "the slot of the footer's schema is odd",
                each -> each.add16(each.slot("schema"), 1));
        list.add(
                FlatbufferBase.schemaStream(SCHEMA),
                OFFSET_OUT_OF_RANGE,
                "offset-at-end-metadata",
                "the slot of the custom metadata leads to the end of the" + " flatbuffer",
                each -> slotToEnd(each, "header", "header.custom_metadata"));
        list.add(
                FlatbufferBase.batchInLegacyStream(),
                OFFSET_OUT_OF_RANGE,
                "offset-behind-end-nodes",
                "the slot of a batch's nodes leads far behind the" + " flatbuffer",
                each -> each.u16(each.slot("header.nodes"), 0xFFFC));
        list.add(
                FlatbufferBase.footer(),
                OFFSET_OUT_OF_RANGE,
                "offset-at-end-blocks",
                "the slot of the record batches leads to the end of the" + " footer",
                each -> slotToEnd(each, "", "recordBatches"));
    }

    private static void slotToEnd(EditedFlatbuffer flatbuffer, String table, String field) {
        flatbuffer.u16(flatbuffer.slot(field), flatbuffer.size() - flatbuffer.table(table));
    }

    /// Offsets that lead to themselves.
    private void zeros() {
        zero("root-schema", "the root offset is 0", FlatbufferBase.schemaAlone(SCHEMA), null);
        zero("root-footer", "the root offset of the footer is 0", FlatbufferBase.footer(), null);
        zero("header", "a batch's header is at offset 0", FlatbufferBase.batchInFile(), "header");
        zero(
                "base64",
                "a base64 schema has fields at offset 0",
                FlatbufferBase.schemaText(SCHEMA),
                "header.fields");
        zero(
                "name",
                "a name is at offset 0",
                FlatbufferBase.schemaStream(SCHEMA),
                "header.fields[0].name");
        FbsValue.Table nested = schema(struct(integer("int16", 16)));
        zero(
                "child-type",
                "the type of a child is at offset 0",
                FlatbufferBase.schemaStream(with(nested, "endianness", 1)),
                "header.fields[0].children[0].type");
        FbsValue.Table encoded = schema(encoded(UTF8, 7));
        zero(
                "index-type",
                "the index type of a dictionary is at offset 0",
                FlatbufferBase.schemaStream(encoded),
                "header.fields[0].dictionary.indexType");
        zero(
                "footer-schema",
                "the footer's schema is at offset 0",
                FlatbufferBase.footer(encoded, _ -> {}),
                "schema");
        Batch values = new Batch(1).node(1, 0, NONE, ints(0, 1), text("a"));
        FbsValue.Table dictionary = table("DictionaryBatch", "id", 7, "data", values.table());
        zero(
                "delta",
                "the data of a dictionary batch is at offset 0",
                new FlatbufferBase(
                        "Message",
                        CorpusCase.Container.STREAM,
                        edit ->
                                new HandmadeInput(encoded)
                                                .add(dictionary, values.body())
                                                .addMessage(
                                                        message(
                                                                with(dictionary, "isDelta", 1),
                                                                values.body().length),
                                                        values.body(),
                                                        edit)
                                                .stream()),
                "header.data");
        zero(
                "compression",
                "the compression of a batch is at offset 0",
                compressed(),
                "header.compression");
    }

    private void zero(String name, String what, FlatbufferBase base, String path) {
        list.add(
                base,
                OFFSET_ZERO,
                "offset-zero-" + name,
                what,
                each -> each.i32(path == null ? 0 : each.field(path), 0));
    }

    /// Batches of LZ4, whose only buffer is stored without compression: its length is -1.
    static FlatbufferBase compressed() {
        Batch batch = new Batch(1).node(1, 0, NONE, longs(-1, 5));
        FbsValue.Table header =
                with(batch.table(), "compression", table("BodyCompression", "codec", 0));
        FbsValue.Table schema = schema(integer("int64", 64));
        return FlatbufferBase.inStream(schema, message(header, batch.body().length), batch.body());
    }

    /// Offsets are unsigned: a negative one would lead back.
    private void backwards() {
        list.add(
                FlatbufferBase.schemaStream(schema(struct(UTF8))),
                OFFSET_TOO_LARGE,
                "offset-backwards-children",
                "the children of a field are the fields that it belongs"
                        + " to, by a negative offset",
                each -> each.lead("header.fields[0].children", each.target("header.fields")));
        list.add(
                FlatbufferBase.footer(),
                OFFSET_TOO_LARGE,
                "offset-backwards-footer-schema",
                "the footer's schema is the footer itself, by a negative" + " offset",
                each -> each.lead("schema", each.table("")));
        list.add(
                FlatbufferBase.batchInStream(),
                OFFSET_TOO_LARGE,
                "offset-2-31-header",
                "the offset of a batch's header is 2^31",
                each -> each.i32(each.field("header"), FARTHEST_BACK));
        list.add(
                FlatbufferBase.schemaAlone(schema()),
                OFFSET_TOO_LARGE,
                "offset-backwards-root",
                "the root offset is -4",
                each -> each.i32(0, -4));
    }

    /// An empty vector has the last 4 bytes; then its offset leads behind it.
    private void targets() {
        target("children", FlatbufferBase.schemaStream(SCHEMA), "header.fields[0].children");
        target("blocks", FlatbufferBase.footer(schema(), _ -> {}), "recordBatches");
        FbsValue.Table noColumns = message(new Batch(3).table(), 0);
        target("nodes", FlatbufferBase.inStream(schema(), noColumns, NONE), "header.nodes");
        list.add(
                FlatbufferBase.schemaAlone(schema()),
                OFFSET_TARGET_OUT_OF_RANGE,
                "target-at-end-root",
                "the root offset leads to the end of the flatbuffer",
                each -> each.i32(0, each.size()));
        list.add(
                FlatbufferBase.batchInFile(),
                OFFSET_TARGET_OUT_OF_RANGE,
                "target-far-behind-header",
                "the offset of a batch's header is 2^31 - 4",
                each -> each.i32(each.field("header"), Integer.MAX_VALUE - 3));
    }

    private void target(String name, FlatbufferBase base, String path) {
        String what = "the offset of an empty vector leads to the end of the flatbuffer";
        list.add(
                base,
                OFFSET_TARGET_OUT_OF_RANGE,
                "target-at-end-" + name,
                what,
                each -> each.lead(path, each.append(new byte[Integer.BYTES])),
                each -> each.lead(path, each.size()));
    }
}
