// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.StructureRule.*;
import static dev.fletch.corpus.FlatbufferBase.SCHEMA;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.message;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.table;

import dev.fletch.MeaningRule;

import java.util.List;

/// Flatbuffers with a misplaced table or a wrong vtable.
final class TableCases {
    private static final String TYPE = "header.fields[0].type";

    private final FlatbufferList list = new FlatbufferList();

    private TableCases() {}

    static List<CorpusCase> all() {
        TableCases made = new TableCases();
        made.tables();
        made.pairs();
        made.elements();
        made.vtablePlaces();
        made.vtableSizes();
        made.tableSizes();
        return made.list.cases;
    }

    private void tables() {
        list.add(
                FlatbufferBase.schemaStream(),
                TABLE_MISALIGNED,
                "table-misaligned-field",
                "a field begins 2 bytes too late",
                each -> each.add32(each.field("header.fields[0]"), 2));
        list.add(
                FlatbufferBase.batchInStream(),
                TABLE_MISALIGNED,
                "table-misaligned-header",
                "a batch's header begins 1 byte too late",
                each -> each.add32(each.field("header"), 1));
        list.add(
                FlatbufferBase.footer(),
                TABLE_MISALIGNED,
                "table-misaligned-footer",
                "the footer's table begins 2 bytes too late",
                each -> each.add32(0, 2));
        list.add(
                FlatbufferBase.footer(schema(UTF8), _ -> {}),
                TABLE_OUT_OF_RANGE,
                "table-3-bytes-type",
                "a table begins 3 bytes before the footer's end",
                each -> each.lead("schema.fields[0].type", each.appendTable(4)),
                each -> each.cut(1));
        list.add(
                FlatbufferBase.single(InlineCases.tensor(table("TensorDim")), new byte[8]),
                TABLE_OUT_OF_RANGE,
                "table-at-end-dimension",
                "a dimension begins at the end of the flatbuffer",
                each -> each.lead("header.shape[0]", each.appendTable(4)),
                each -> each.lead("header.shape[0]", each.size()));
        list.add(
                FlatbufferBase.schemaStream(),
                TABLE_OUT_OF_RANGE,
                "table-backwards-field",
                "a field is the schema itself, by a negative offset",
                each -> each.lead("header.fields[0]", each.table("header")));
    }

    /// Tables of a message's own custom metadata.
    private void pairs() {
        list.add(
                FlatbufferBase.batchWithMetadata(),
                TABLE_OUT_OF_RANGE,
                "table-behind-end-pair",
                "a pair of a batch's custom metadata is 2^32 - 4 bytes" + " behind its offset",
                each -> each.i32(each.field("custom_metadata[0]"), -4));
        list.add(
                FlatbufferBase.batchWithMetadata(),
                VTABLE_OUT_OF_RANGE,
                "vtable-before-pair",
                "the vtable of a pair of a batch's custom metadata is 2"
                        + " bytes before the flatbuffer",
                each -> {
                    int pair = each.table("custom_metadata[0]");
                    each.i32(pair, pair + 2);
                });
    }

    /// Elements that are their own tables: their offset is 0, which is then their vtable's size.
    private void elements() {
        list.add(
                FlatbufferBase.single(InlineCases.tensor(table("TensorDim")), new byte[8]),
                ELEMENT_OFFSET_ZERO,
                "element-offset-zero-dimension",
                "the offset of a dimension is 0",
                each -> each.i32(each.field("header.shape[0]"), 0));
        list.cases.add(
                FlatbufferBase.schemaStream()
                        .toCase(
                                CorpusCase.of(
                                                ELEMENT_OFFSET_ZERO,
                                                "element-offset-zero-pair",
                                                "the offset of a pair of custom metadata is 0")
                                        .implies(MeaningRule.NO_KEY, MeaningRule.NO_VALUE),
                                each -> each.i32(each.field("header.custom_metadata[0]"), 0)));
        list.cases.add(
                FlatbufferBase.bare(schema(UTF8))
                        .toCase(
                                CorpusCase.of(
                                                ELEMENT_OFFSET_ZERO,
                                                "element-offset-zero-field",
                                                "the offset of a field is 0")
                                        .reader(CorpusCase.Reader.MUST_REFUSE)
                                        .implies(MeaningRule.NO_TYPE),
                                each -> each.i32(each.field("fields[0]"), 0)));
    }

    private void vtablePlaces() {
        list.add(
                FlatbufferBase.schemaStream(),
                VTABLE_MISALIGNED,
                "vtable-misaligned-type",
                "a vtable begins at an odd position",
                each -> each.add32(each.table(TYPE), 1));
        list.add(
                FlatbufferBase.batchInFile(),
                VTABLE_MISALIGNED,
                "vtable-misaligned-header",
                "the vtable of a batch's header begins at an odd position",
                each -> each.add32(each.table("header"), -1));
        list.add(
                FlatbufferBase.footer(),
                VTABLE_MISALIGNED,
                "vtable-misaligned-footer",
                "the vtable of the footer begins at an odd position",
                each -> each.add32(each.table(""), 3));
        list.add(
                FlatbufferBase.schemaStream(),
                VTABLE_OUT_OF_RANGE,
                "vtable-at-end-type",
                "a vtable begins at the end of the flatbuffer",
                TableCases::vtableAtEnd,
                each -> each.add32(each.table(TYPE), -4));
        list.add(
                FlatbufferBase.footer(),
                VTABLE_OUT_OF_RANGE,
                "vtable-before-footer",
                "the vtable of the footer begins 2 bytes before it",
                each -> each.i32(each.table(""), each.table("") + 2));
        list.add(
                FlatbufferBase.batchInStream(),
                VTABLE_OUT_OF_RANGE,
                "vtable-far-before-header",
                "the vtable of a batch's header is 2^31 - 2 bytes before" + " it",
                each -> each.i32(each.table("header"), Integer.MAX_VALUE - 1));
    }

    /// Moves the vtable of the first field's type to the last 4 bytes.
    private static void vtableAtEnd(EditedFlatbuffer flatbuffer) {
        int vtable = flatbuffer.append(new byte[] {4, 0, 4, 0});
        flatbuffer.i32(flatbuffer.table(TYPE), flatbuffer.table(TYPE) - vtable);
    }

    private void vtableSizes() {
        list.add(
                FlatbufferBase.schemaStream(),
                VTABLE_SIZE_ODD,
                "vtable-size-odd-field",
                "the size of a field's vtable is odd",
                each -> each.add16(each.vtable("header.fields[0]"), 1));
        list.add(
                FlatbufferBase.batchInLegacyStream(),
                VTABLE_SIZE_ODD,
                "vtable-size-odd-header",
                "the size of a vtable is 3",
                each -> each.u16(each.vtable("header"), 3));
        list.add(
                FlatbufferBase.footer(),
                VTABLE_SIZE_ODD,
                "vtable-size-odd-footer",
                "the size of the footer's vtable is odd",
                each -> each.add16(each.vtable(""), -1));
        list.add(
                FlatbufferBase.schemaStream(),
                VTABLE_SIZE_OUT_OF_RANGE,
                "vtable-size-behind-end-type",
                "the last vtable has a slot behind the flatbuffer",
                TableCases::vtableAtEnd,
                each -> each.add16(each.vtable(TYPE), 2));
        list.add(
                FlatbufferBase.footer(),
                VTABLE_SIZE_OUT_OF_RANGE,
                "vtable-size-behind-end-footer",
                "the footer's vtable is at its end and ends behind it",
                TableCases::rootVtableAtEnd,
                each -> each.add16(each.vtable(""), 2));
        list.add(
                FlatbufferBase.batchInStream(),
                VTABLE_SIZE_OUT_OF_RANGE,
                "vtable-size-65534-header",
                "the vtable of a batch's header has 65534 bytes",
                each -> each.u16(each.vtable("header"), 0xFFFE));
        vtableTooSmall(FlatbufferBase.schemaStream(), TYPE, 2);
        vtableTooSmall(FlatbufferBase.schemaStream(schema(UTF8)), TYPE, 0);
        vtableTooSmall(FlatbufferBase.bare(schema(UTF8)), "fields[0].type", 2);
    }

    /// The official builder never makes a vtable without its two words.
    private void vtableTooSmall(FlatbufferBase base, String path, int size) {
        String name = "vtable-" + size + "-bytes-" + base.container().id;
        list.add(
                base,
                VTABLE_TOO_SMALL,
                name,
                "a vtable has " + size + " bytes",
                each -> each.u16(each.vtable(path), size));
    }

    private static void rootVtableAtEnd(EditedFlatbuffer flatbuffer) {
        int table = flatbuffer.table("");
        int from = flatbuffer.vtable("");
        byte[] copy = new byte[flatbuffer.u16(from)];
        System.arraycopy(flatbuffer.bytes(), from, copy, 0, copy.length);
        flatbuffer.i32(table, table - flatbuffer.append(copy));
    }

    private void tableSizes() {
        list.add(
                FlatbufferBase.schemaStream(),
                TABLE_SIZE_TOO_SMALL,
                "table-size-3-type",
                "the size of a table is 3",
                each -> each.u16(each.vtable(TYPE) + 2, 3));
        list.add(
                FlatbufferBase.bare(schema(UTF8)),
                TABLE_SIZE_TOO_SMALL,
                "table-size-0-type",
                "the size of a table is 0",
                each -> each.u16(each.vtable("fields[0].type") + 2, 0));
        list.add(
                FlatbufferBase.schemaStream(),
                TABLE_SIZE_OUT_OF_RANGE,
                "table-size-behind-end-type",
                "the last table ends 1 byte behind the flatbuffer",
                each -> each.lead(TYPE, each.appendTable(4)),
                each -> each.add16(each.vtable(TYPE) + 2, 1));
        list.add(
                FlatbufferBase.footer(),
                TABLE_SIZE_OUT_OF_RANGE,
                "table-size-65535-footer",
                "the size of the footer's table is 65535",
                each -> each.u16(each.vtable("") + 2, 0xFFFF));
        list.add(
                FlatbufferBase.batchInStream(),
                FIELD_OUTSIDE_TABLE,
                "field-outside-table-header",
                "a batch's last field ends 1 byte behind its table",
                each -> each.trim("header"),
                each -> each.add16(each.vtable("header") + 2, -1));
        list.add(
                FlatbufferBase.footer(),
                FIELD_OUTSIDE_TABLE,
                "field-outside-table-footer",
                "the footer's last field ends 1 byte behind its table",
                each -> each.trim(""),
                each -> each.add16(each.vtable("") + 2, -1));
        list.add(
                FlatbufferBase.bare(message(SCHEMA, 0)),
                FIELD_OUTSIDE_TABLE,
                "field-outside-table-message",
                "the last field of a message ends 1 byte behind its table",
                each -> each.trim(""),
                each -> each.add16(each.vtable("") + 2, -1));
        list.add(
                FlatbufferBase.single(
                        InlineCases.tensor(table("TensorDim", "size", 1)), new byte[8]),
                FIELD_OUTSIDE_TABLE,
                "field-outside-table-dimension",
                "the size of a dimension ends 1 byte behind its table",
                each -> each.trim("header.shape[0]"),
                each -> each.add16(each.vtable("header.shape[0]") + 2, -1));
    }
}
