// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.WorkMonitor;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.BufferSource;
import dev.fletch.batch.ColumnValues;
import dev.fletch.batch.DecompressedBuffers;
import dev.fletch.batch.Decompressor;
import dev.fletch.batch.Dictionaries;
import dev.fletch.batch.NestedValues;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.corpus.CaseFile;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.testdata.FirstFault;
import dev.fletch.testdata.InputBatches;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// What a verification of values reads, what it does not check, and what it checks again.
class ValueReadsTest {
    private static final String TYPES =
            """
            let i8 = Int(bitWidth=8 is_signed=1)
            let i32 = Int(bitWidth=32 is_signed=1)
            let d3 = DictionaryEncoding(id=3 indexType=new i8)
            let d4 = DictionaryEncoding(id=4 indexType=new i8)
            let shaped = KeyValue(key="ARROW:extension:name" value="arrow.variable_shape_tensor")
            """;
    private static final String TENSOR =
            "tensor:Struct_<data:List<item:i8> shape:FixedSizeList(listSize=1)<item:i32>>"
                    + "{custom_metadata=[shaped]}";

    private final List<String> found = new ArrayList<>();
    private final List<String> unchecked = new ArrayList<>();
    private ValueVerifier verifier;
    private long bytesRead;

    /// Verifies all batches of an input.
    ///
    /// @param buffers null if nothing is decompressed
    private void verify(String input, DecompressedBuffers buffers) throws IOException {
        InputBatches.visit(
                CaseFile.input(TYPES + input),
                new InputBatches.Visitor() {
                    @Override
                    public void schema(ArrowSchema schema, BatchLayout layout) {
                        verifier = verifier(schema, layout, WorkMonitor.NONE, buffers);
                    }

                    @Override
                    public void batch(BatchCursor cursor, Dictionaries dictionaries) {
                        BufferSource source = buffers == null ? null : cursor.source();
                        cursor.source(source);
                        int before = found.size();
                        boolean isSound = verifier.verify(cursor, dictionaries, text());
                        assertEquals(isSound, found.size() == before);
                        assertSame(source, cursor.source());
                        bytesRead += verifier.bytesRead();
                    }
                });
    }

    private ValueVerifier verifier(
            ArrowSchema schema, BatchLayout layout, WorkMonitor monitor, DecompressedBuffers to) {
        return new ValueVerifier(InputBatches.table(schema), layout, monitor, to)
                .onUnchecked(
                        (of, field, reason) -> unchecked.add(of.pathString(field) + ": " + reason));
    }

    private FaultSink text() {
        return each -> {
            ValueFault fault = (ValueFault) each;
            found.add(
                    "%s of dictionary %d: field %d, row %d, limit %d"
                            .formatted(
                                    fault.rule().id(),
                                    fault.dictionaryId(),
                                    fault.field(),
                                    fault.row(),
                                    fault.limit()));
        };
    }

    // ---- work

    /// Work on single values is counted from a block of 16 KiB on.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<t:Time(unit=0)> | 10000 [10000] [- zeros(40000)] | 40000",
                "<b:BinaryView> | 1000 [1000] [- zeros(16000)] {variadicBufferCounts=[0]} | 16000",
                // Offsets, a block that is not text, and all texts one by one.
                "<t:Utf8> | 3 [3] [- i32(0 16384 32768 49152) repeat(3276 \"abcd\\xff\")"
                        + " + repeat(32772 \"a\")] | 65548",
                "<"
                        + TENSOR
                        + "> | 2048 [2048 2048 0 2048 2048]"
                        + " [- - zeros(8196) - - - - zeros(8192)] | 24576",
                "<t:Struct_<i:i8>> | 16384 [16384/16384 16384] [zeros(2048) - zeros(16384)] | 2048"
            })
    void bytesReadAreThoseOfTheBuffers(String schema, String batch, long expected)
            throws IOException {
        verify("stream " + schema + " | batch " + batch, null);
        assertEquals(expected, bytesRead);
    }

    /// Readers of single values and the verifier have one rule, and the same numbers.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<t:Utf8> | 1 [1] [- i32(-1 1) \"a\"]",
                "<t:Utf8> | 1 [1] [- i32(0 5) \"a\"]",
                "<t:LargeUtf8> | 1 [1] [- i64(1 0) \"a\"]",
                "<t:Utf8View> | 1 [1] [- view(13 \"aaaa\" 1 0) repeat(13 \"a\")]"
                        + " {variadicBufferCounts=[1]}",
                "<t:Utf8View> | 1 [1] [- view(13 \"aaaa\" 0 7) repeat(13 \"a\")]"
                        + " {variadicBufferCounts=[1]}",
                "<t:Utf8View> | 1 [1] [- view(-1 \"aaaa\" 0 0)] {variadicBufferCounts=[0]}",
                "<l:List<i:i8>> | 1 [1 1] [- i32(0 2) - i8(1)]",
                "<l:LargeList<i:i8>> | 1 [1 1] [- i64(1 0) - i8(1)]",
                "<l:List<i:i8>> | 1 [1 1] [- i32(-7 1) - i8(1)]",
                "<l:ListView<i:i8>> | 1 [1 1] [- i32(-7) i32(1) - i8(1)]",
                "<l:ListView<i:i8>> | 1 [1 1] [- i32(2) i32(0) - i8(1)]",
                "<l:ListView<i:i8>> | 1 [1 1] [- i32(1) i32(1) - i8(1)]",
                "<l:LargeListView<i:i8>> | 1 [1 1] [- i64(0) i64(-1) - i8(1)]",
                "<u:Union(mode=1)<i:i8>> | 1 [1 1] [i8(0) i32(1) - i8(1)]",
                "<r:RunEndEncoded<e:i32 v:i8>> | 3 [3 1 1] [- i32(2) - i8(1)]"
            })
    void aWrongNumberHasOneFaultForReadersAndVerifier(String schema, String batch)
            throws IOException {
        List<String> faults = new ArrayList<>();
        InputBatches.visit(
                CaseFile.input(TYPES + "stream " + schema + " | batch " + batch),
                new InputBatches.Visitor() {
                    @Override
                    public void schema(ArrowSchema of, BatchLayout layout) {
                        verifier = verifier(of, layout, WorkMonitor.NONE, null);
                    }

                    @Override
                    public void batch(BatchCursor cursor, Dictionaries dictionaries) {
                        verifier.verify(cursor, dictionaries, ValueReadsTest.this.faults(faults));
                        long row = cursor.length(0) - 1;
                        FletchException e =
                                NestedValues.isNested(cursor.layout(), 0)
                                        ? assertThrows(
                                                FletchException.class,
                                                () -> new NestedValues().bind(cursor, 0).find(row))
                                        : assertThrows(
                                                FletchException.class,
                                                () ->
                                                        new ColumnValues()
                                                                .bind(cursor, 0)
                                                                .get(row, new ByteSlice()));
                        faults.add(e.rule() + ": " + e.fault().details());
                    }
                });
        assertEquals(List.of(faults.getLast(), faults.getLast()), faults);
    }

    private FaultSink faults(List<String> into) {
        return each -> into.add(each.rule() + ": column=" + each.column() + ", " + each.details());
    }

    /// A buffer of 16,400 bytes whose end is not UTF-8: up to four times as many bytes of text are
    /// read one by one.
    @ParameterizedTest
    @CsvSource({"5, 0", "6, 1"})
    void textsThatShareBytesAreReadOneByOneUpToALimit(int views, int fields) throws IOException {
        String view = "view(13120 \"\\xc3\\xa9\\xc3\\xa9\" 0 0)";
        String all = String.join(" + ", Collections.nCopies(views, view));
        verify(textViews(views, all, "repeat(8199 \"\\xc3\\xa9\") + i8(-1 -1)"), null);
        assertEquals(List.of(), found);
        assertEquals(fields, unchecked.size(), unchecked::toString);
        // Every two texts are more than a block.
        assertEquals(16 * views + 4 * 13_120 + fields * 16_400, bytesRead);
    }

    @Test
    void textInAsciiBlocksIsReadOnce() throws IOException {
        String views = "view(16384 \"aaaa\" 0 0) + view(16384 \"aaaa\" 0 0)";
        verify(textViews(2, views, "repeat(16384 \"a\") + \"\\xc3\\xa9\""), null);
        assertEquals(2 * 16 + 16_384, bytesRead);
        bytesRead = 0;
        verify(textViews(2, views, "repeat(16400 \"a\")"), null);
        assertEquals(2 * 16 + 16_400, bytesRead);
    }

    /// Of 1,100 buffers, also those after the 1,024th.
    @Test
    void viewsInAnyOfManyBuffersAreReadAndVerified() throws IOException {
        int[] used = {0, 1023, 1024, 1099, 1025, 2};
        String views = "";
        for (int buffer : used) {
            views += " + view(13 \"0000\" %d 0)".formatted(buffer);
        }
        String buffers = "";
        for (int i = 0; i < 1_100; i++) {
            buffers += " \"%013d\"".formatted(i);
        }
        String schema = "stream <v:Utf8View>";
        String batch = " | batch 6 [6] [- %s %s] {variadicBufferCounts=[1100]}";
        String sound = batch.formatted(views.substring(3), buffers);
        verify(schema + sound, null);
        assertEquals(List.of(), found);
        verify(schema + sound.replace("\"0000\" 1099", "\"0001\" 1099"), null);
        assertEquals(1, found.size(), found::toString);
        ByteSlice slice = new ByteSlice();
        ColumnValues values = new ColumnValues();
        InputBatches.visit(
                CaseFile.input(schema + sound + sound),
                (cursor, _) -> {
                    if (values.length() > 0) { // of the batch before
                        assertTrue(values.get(1, slice));
                        assertThrows(IllegalStateException.class, () -> values.get(2, slice));
                    }
                    values.bind(cursor, 0);
                    for (int row = 0; row < used.length; row++) {
                        assertTrue(values.get(row, slice));
                        byte[] expected = "%013d".formatted(used[row]).getBytes(US_ASCII);
                        assertArrayEquals(expected, slice.toByteArray());
                    }
                    values.bind(cursor, 0);
                });
    }

    private static String textViews(int count, String views, String buffer) {
        return "stream <v:Utf8View> | batch %d [%d] [- %s %s] {variadicBufferCounts=[1]}"
                .formatted(count, count, views, buffer);
    }

    // ---- not checked

    @Test
    void fieldsAreUncheckedIfTheCodecIsUnknown() throws IOException {
        String input = "stream <t:Utf8 i:i8> | batch zstd 1 [1 1] [- i32(0 1) \"a\" - i8(1)]";
        List<String> all =
                List.of("t: no decompressor, codec=ZSTD", "i: no decompressor, codec=ZSTD");
        verify(input, null);
        assertEquals(all, unchecked);
        unchecked.clear();
        verify(input, new DecompressedBuffers(Decompressor.NONE, 1 << 20));
        assertEquals(all, unchecked);
    }

    @Test
    void runEndsAreUncheckedIfTheyAreCompressed() throws IOException {
        verify(
                "stream <r:RunEndEncoded<run_ends!:i32 values:i8>>"
                        + " | batch lz4 5 [5 1 1] [- i32(4) - i8(1)]",
                null);
        assertEquals(List.of(), found);
        assertEquals(2, unchecked.size(), unchecked::toString);
    }

    @Test
    void fieldIsUncheckedIfItNeedsTooMuchMemory() throws IOException {
        verify(
                "stream <t:Utf8 i:i8> | batch zstd 1 [1 1] [- i32(0 1) \"a\" - i8(1)]",
                new DecompressedBuffers(new LibraryDecompressor(), 4));
        assertEquals(List.of("t: " + MeaningRule.TOO_MUCH_MEMORY.description()), unchecked);
    }

    /// Only the offsets, or only the sizes, are compressed.
    @ParameterizedTest
    @CsvSource({"lz4, stored, data", "stored, lz4, shape.item"})
    void tensorIsUncheckedIfAPartOfItIs(String offsets, String sizes, String part)
            throws IOException {
        verify(
                "stream <%s> | batch 1 [1 1 2 1 1] [- - %s(i32(0 2)) - stored(i8(7 7)) - - %s(i32(2))]"
                                .formatted(TENSOR, offsets, sizes)
                        + " {compression=BodyCompression(codec=0 method=0)}",
                null);
        String reason = ": no decompressor, codec=LZ4_FRAME";
        assertEquals(List.of("tensor" + reason, "tensor." + part + reason), unchecked);
        assertEquals(List.of(), found);
    }

    // ---- dictionaries

    private static final String NESTED =
            "stream <s:Struct_<i:i8{dictionary=d4} t:Time(unit=0)>{dictionary=d3}>";
    private static final String INNER = " | dictionary 4 2 [2] [- i8(5 6)]";
    private static final String OUTER =
            " | dictionary 3 2 [2 2 2] [- - i8(0 1) - i32(86400 0)] | batch 1 [1] [- i8(0)]";

    @Test
    void indicesIntoAReplacedDictionaryAreCheckedAgain() throws IOException {
        String time = "value-time-range of dictionary 3: field 2, row 0, limit 86399";
        verify(NESTED + INNER + OUTER, null);
        assertEquals(List.of(time), found);
        found.clear();
        verify(
                NESTED + INNER + OUTER + " | dictionary 4 1 [1] [- i8(5)] | batch 1 [1] [- i8(0)]",
                null);
        assertEquals(
                List.of(time, "value-dictionary-index of dictionary 3: field 1, row 1, limit 0"),
                found);
    }

    @Test
    void dictionariesAreVerifiedAgainAfterASinkWasFull() throws IOException {
        InputBatches.visit(
                CaseFile.input(TYPES + NESTED + INNER + OUTER),
                new InputBatches.Visitor() {
                    private ValueVerifier watched;

                    @Override
                    public void schema(ArrowSchema schema, BatchLayout layout) {
                        WorkMonitor monitor = WorkMonitor.limitedTo(1 << 20);
                        verifier = verifier(schema, layout, WorkMonitor.NONE, null);
                        watched = verifier(schema, layout, monitor, null);
                    }

                    @Override
                    public void batch(BatchCursor cursor, Dictionaries dictionaries) {
                        FirstFault first = new FirstFault();
                        assertFalse(verifier.verifyDictionaries(dictionaries, first));
                        assertFalse(verifier.verify(cursor, dictionaries, first.again()));
                        assertFalse(verifier.verifyDictionaries(dictionaries, text()));
                        assertTrue(verifier.verifyDictionaries(dictionaries, text()));
                        assertFalse(watched.verify(cursor, dictionaries, text()));
                        assertTrue(watched.verify(cursor, dictionaries, text()));
                    }
                });
        assertEquals(2, found.size(), found::toString);
    }

    // ---- tensors

    /// Three tensors of two dimensions, and a null between them; values below a null may be
    /// cleared, and so may a shape below a parent. The metadata of a schema is no value.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "false | | - | 2 3 -1 7 0 5 5 1 | 0",
                "false | {\\\"uniform_shape\\\":[null,null]} | - | 2 3 -1 7 0 5 5 1 | 0",
                "false | { | - | -2 3 -1 7 0 5 5 1 | 0",
                "false | | - | -2 3 -1 7 0 5 5 1 | 1",
                "false | | i8(14) | -2 3 -1 7 0 5 5 1 | 0",
                "true | | - | 2 3 -1 7 0 5 5 1 | 0",
                "true | | - | 0 0 -1 7 0 5 5 1 | 0",
                "true | | - | 2 0 -1 7 0 5 5 1 | 1",
                "true | | - | 0 3 -1 7 0 5 5 1 | 1"
            })
    void shapesOfTensorsFitTheirValues(
            boolean hasParent, String metadata, String validity, String shapes, int faults)
            throws IOException {
        String tensor = tensors(metadata == null ? "" : metadata);
        String nulls = validity.equals("-") ? "" : "/1";
        String nodes = "4/1 4 11 4" + nulls + " 8] [";
        verify(
                "stream "
                        + (hasParent ? "<parent!:Struct_<" + tensor + ">>" : "<" + tensor + ">")
                        + (" | batch 4 [" + (hasParent ? "4 " : ""))
                        + (nodes + (hasParent ? "- " : ""))
                        + ("i8(13) " + tensorBody(validity, shapes) + "]"),
                null);
        assertEquals(faults, found.size(), found::toString);
    }

    private static String tensors(String metadata) {
        return "tensor:Struct_<data!:List<item!:i8> shape:FixedSizeList(listSize=2)<item!:i32>>"
                + "{custom_metadata=[shaped KeyValue(key=\"ARROW:extension:metadata\" value=\""
                + metadata
                + "\")]}";
    }

    private static String tensorBody(String validity, String shapes) {
        return "- i32(0 6 6 6 11) - zeros(11) " + validity + " - i32(" + shapes + ")";
    }

    @ParameterizedTest
    @CsvSource({"tensor.data, true", "tensor.shape, true", "tensor, false"})
    void partOfATensorIsNoTensor(String path, boolean isSound) {
        MemorySegment memory =
                MemorySegment.ofArray(
                        CaseFile.input(
                                TYPES
                                        + ("stream <a:Null b:Null " + tensors("") + ">")
                                        + " | batch 4 [4/4 4/4 4/1 4 11 4 8] [i8(13) "
                                        + tensorBody("-", "-2 3 -1 7 0 5 5 1")
                                        + "]"));
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        frame.wrap(memory, 0, message);
        Schema schema = new Schema();
        message.header(schema);
        BatchLayout all = BatchLayout.compile(schema, MetadataVersion.V5);
        BatchLayout chosen = all.choose(all.field("b"), all.field(path));
        ValueVerifier part = new ValueVerifier(schema, chosen);
        frame.wrap(memory, frame.nextOffset(), message);
        BatchCursor cursor = new BatchCursor().bind(chosen, message).body(frame.bodySlice());
        assertEquals(isSound, part.verify(cursor, null, text()));
    }

    // ---- types

    /// The schema is at fault: a verifier of its values can still be created.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "t:Time(unit=9)",
                "u:Union(mode=0 typeIds=[128])<i:i8>",
                "u:Union(mode=0 typeIds=[0])<i:i8 j:new i8>",
                "tensor:Struct_<data:List<item:i8>"
                        + " shape:FixedSizeList(listSize=2147483647)<item:i32>>"
                        + "{custom_metadata=[shaped]}"
            })
    void parametersOfTypesMayBeAnyNumbers(String field) {
        byte[] bytes = CaseFile.input(TYPES + "flatbuffer <" + field + ">");
        Schema schema = new Schema().wrap(MemorySegment.ofArray(bytes));
        BatchLayout layout = BatchLayout.compile(schema, MetadataVersion.V5);
        assertEquals(0, new ValueVerifier(schema, layout).unchecked());
    }
}
