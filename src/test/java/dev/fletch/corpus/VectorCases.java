// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.StructureRule.*;
import static dev.fletch.corpus.FlatbufferBase.NONE;
import static dev.fletch.corpus.FlatbufferBase.SCHEMA;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.VIEW;
import static dev.fletch.verify.messages.Meant.field;
import static dev.fletch.verify.messages.Meant.message;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput.Batch;

import java.util.List;

/// Flatbuffers with a wrong vector.
final class VectorCases {
    // 2^32 divided by the bytes of an element, and 1 more: as 32 bits, the bytes of one element.
    private static final int WRAPS_4 = 0x4000_0001;
    private static final int WRAPS_8 = 0x2000_0001;
    private static final int WRAPS_16 = 0x1000_0001;
    // As 32 bits, 24 times this is 8.
    private static final int WRAPS_24 = 0x0AAA_AAAB;

    private final FlatbufferList list = new FlatbufferList();

    private VectorCases() {}

    static List<CorpusCase> all() {
        VectorCases made = new VectorCases();
        made.places();
        made.counts();
        made.countsOf32Bits();
        made.elements();
        return made.list.cases;
    }

    /// A batch of views with one data buffer, which has a variadic count.
    private static FlatbufferBase views() {
        Batch batch = new Batch(1).node(1, 0, NONE, new byte[16], new byte[8]);
        FbsValue.Table header = with(batch.table(), "variadicBufferCounts", List.of(1));
        return FlatbufferBase.inStream(
                schema(VIEW), message(header, batch.body().length), batch.body());
    }

    private static FlatbufferBase union() {
        FbsValue.Table type = table("Union", "mode", 1, "typeIds", List.of(3, 5));
        FbsValue.Table column = field("union", Type.UNION, type, INT8, UTF8);
        return FlatbufferBase.schemaStream(schema(column));
    }

    private static FlatbufferBase features() {
        return FlatbufferBase.schemaStream(with(SCHEMA, "features", List.of(1, 2)));
    }

    private void places() {
        list.add(
                FlatbufferBase.schemaStream(),
                VECTOR_MISALIGNED,
                "vector-misaligned-fields",
                "the vector of fields begins at 2 mod 4",
                each -> each.add32(each.field("header.fields"), 2));
        list.add(
                FlatbufferBase.batchInStream(),
                VECTOR_MISALIGNED,
                "vector-misaligned-buffers",
                "the vector of buffers begins at an odd position",
                each -> each.add32(each.field("header.buffers"), 1));
        list.add(
                FlatbufferBase.footer(),
                VECTOR_MISALIGNED,
                "vector-misaligned-blocks",
                "the vector of record batches begins at 2 mod 4",
                each -> each.add32(each.field("recordBatches"), 2));
        list.add(
                FlatbufferBase.footer(schema(), _ -> {}),
                VECTOR_OUT_OF_RANGE,
                "vector-3-bytes-blocks",
                "an empty vector begins 3 bytes before the footer's end",
                each -> each.lead("dictionaries", each.append(new byte[4])),
                each -> each.cut(1));
        list.add(
                FlatbufferBase.footer(schema(UTF8), _ -> {}),
                VECTOR_OUT_OF_RANGE,
                "vector-1-byte-children",
                "an empty vector begins 1 byte before the footer's end",
                each -> each.lead("schema.fields[0].children", each.append(new byte[4])),
                each -> each.cut(3));
    }

    // ---- counts

    /// Vectors that are the last in the flatbuffer.
    private void counts() {
        count("fields", FlatbufferBase.schemaStream(schema()), "header.fields");
        count("children", FlatbufferBase.schemaStream(), "header.fields[0].children");
        count("nodes", FlatbufferBase.batchInStream(), "header.nodes");
        count("buffers", FlatbufferBase.batchInLegacyStream(), "header.buffers");
        count("variadic-counts", views(), "header.variadicBufferCounts");
        count("type-ids", union(), "header.fields[0].type.typeIds");
        count("blocks", FlatbufferBase.footer(), "recordBatches");
    }

    private void count(String name, FlatbufferBase base, String path) {
        String what = "the last vector has an element behind the flatbuffer";
        list.cases.add(
                base.toCase(
                        CorpusCase.of(VECTOR_COUNT_OUT_OF_RANGE, "vector-count-" + name, what)
                                .layout(name),
                        each -> each.moveVector(path, 0),
                        each -> each.add32(each.target(path), 1)));
    }

    private void countsOf32Bits() {
        wraps("fields", FlatbufferBase.schemaStream(), "header.fields", WRAPS_4);
        wraps("nodes", FlatbufferBase.batchInStream(), "header.nodes", WRAPS_16);
        wraps("features", features(), "header.features", WRAPS_8);
        wraps("type-ids", union(), "header.fields[0].type.typeIds", WRAPS_4);
        wraps("buffers", FlatbufferBase.batchInFile(), "header.buffers", WRAPS_16);
        wraps("variadic-counts", views(), "header.variadicBufferCounts", WRAPS_8);
        wraps("blocks", FlatbufferBase.footer(), "recordBatches", WRAPS_24);
        wraps("metadata", FlatbufferBase.schemaStream(), "header.custom_metadata", -1);
    }

    private void wraps(String name, FlatbufferBase base, String path, int count) {
        String what =
                count < 0
                        ? "the count of a vector is -1"
                        : "a vector has so many elements that their bytes, as 32 bits, are few";
        list.cases.add(
                base.toCase(
                        CorpusCase.of(VECTOR_TOO_LONG, "vector-overflow-" + name, what)
                                .layout(name),
                        each -> each.i32(each.target(path), count)));
    }

    /// Elements of 8 bytes at 4 mod 8.
    private void elements() {
        elements("nodes", FlatbufferBase.batchInStream(), "header.nodes");
        elements("buffers", FlatbufferBase.batchInFile(), "header.buffers");
        elements("variadic-counts", views(), "header.variadicBufferCounts");
        elements("features", features(), "header.features");
        elements("blocks", FlatbufferBase.footer(), "recordBatches");
        elements(
                "bare-features",
                FlatbufferBase.bare(with(SCHEMA, "features", List.of(1))),
                "features");
        firstElement();
    }

    /// An empty vector has no element that could be misaligned.
    private void firstElement() {
        list.cases.add(
                features()
                        .toCase(
                                CorpusCase.of(
                                                ELEMENTS_MISALIGNED,
                                                "element-misaligned-instead-of-none",
                                                "the only element of a vector is at 4 mod 8")
                                        .layout("features"),
                                each -> emptyAt4(each, "header.features"),
                                each -> each.i32(each.target("header.features"), 1)));
    }

    private static void emptyAt4(EditedFlatbuffer flatbuffer, String path) {
        flatbuffer.moveVector(path, Long.BYTES).shiftVector(path, Integer.BYTES);
        flatbuffer.i32(flatbuffer.target(path), 0);
    }

    private void elements(String name, FlatbufferBase base, String path) {
        String what = "the elements of a vector begin at 4 mod 8";
        list.cases.add(
                base.toCase(
                        CorpusCase.of(ELEMENTS_MISALIGNED, "elements-misaligned-" + name, what)
                                .layout(name),
                        each -> each.moveVector(path, Long.BYTES),
                        each -> each.shiftVector(path, Integer.BYTES)));
    }
}
