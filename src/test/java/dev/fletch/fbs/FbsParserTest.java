// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.StructDecl;
import dev.fletch.fbs.FbsDocument.StructField;
import dev.fletch.fbs.FbsDocument.Value;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

class FbsParserTest {
    private static final String COLOURS = "enum Colour : short { RED, GREEN = 4, BLUE }\n";

    private static FbsDocument parse(String text) {
        return FbsParser.parseText("test.fbs", text);
    }

    private static FieldDecl soleField(String declaration) {
        return parse(COLOURS + "table T { " + declaration + " }").table("T").fields().getFirst();
    }

    @Test
    void slotsCountInDeclarationOrderFromVtableByteFour() {
        List<FieldDecl> fields =
                parse("table T { a: int; b: string; c: [long]; }").tables().getFirst().fields();
        assertEquals(List.of(0, 1, 2), fields.stream().map(FieldDecl::slot).toList());
        assertEquals(List.of(4, 6, 8), fields.stream().map(FieldDecl::vtableOffset).toList());
    }

    @Test
    void unionFieldTakesTwoSlots() {
        FbsDocument document =
                parse("table A {} union U { A } table T { x: int; u: U (required); y: int; }");
        assertEquals(
                List.of(new Value("NONE", 0), new Value("A", 1)), document.union("U").members());
        assertEquals(4, document.table("T").slotCount());
        assertEquals(
                new FieldDecl("u_type", new FbsType.UnionTag("U"), 1, "NONE", 0, false),
                document.table("T").field("u_type"));
        assertEquals(
                new FieldDecl("u", new FbsType.Union("U"), 2, "", 0, true),
                document.table("T").field("u"));
        assertEquals(3, document.table("T").field("y").slot());
    }

    @ParameterizedTest
    @CsvSource({
        "a: int;, 0, 0",
        "a: int = 128;, 128, 128",
        "a: long = -9223372036854775808;, -9223372036854775808, -9223372036854775808",
        "a: bool;, false, 0",
        "a: bool = true;, true, 1",
        "a: Colour;, RED, 0",
        "a: Colour = GREEN;, GREEN, 4",
        "a: Colour = BLUE;, BLUE, 5",
        "a: string;, '', 0",
        "a: [Colour];, '', 0",
    })
    void defaults(String declaration, String text, long value) {
        FieldDecl field = soleField(declaration);
        assertEquals(text, field.defaultText());
        assertEquals(value, field.defaultValue());
    }

    @Test
    void requiredIsPerField() {
        assertTrue(soleField("a: string (required);").required());
        assertFalse(soleField("a: string;").required());
    }

    @Test
    void enumsCountUpFromTheLastValue() {
        assertEquals(
                List.of(new Value("RED", 0), new Value("GREEN", 4), new Value("BLUE", 5)),
                parse(COLOURS).enumeration("Colour").values());
        assertEquals(FbsScalar.SHORT, parse(COLOURS).enumeration("Colour").underlying());
    }

    @Test
    void structFieldsAreAligned() {
        StructDecl struct =
                parse("struct S { a: byte; b: int; c: byte; d: short; e: byte; }").struct("S");
        assertEquals(
                List.of(0, 4, 8, 10, 12),
                struct.fields().stream().map(StructField::offsetBytes).toList());
        assertEquals(16, struct.sizeBytes());
        assertEquals(4, struct.alignmentBytes());
    }

    @Test
    void typesKnowTheirSpellingAndInlineSize() {
        FbsDocument document =
                parse(
                        "struct S { a: long; b: int; } table T { s: S; v: [S]; t: T; u: ushort; n:"
                                + " string; }");
        List<FbsType> types = document.table("T").fields().stream().map(FieldDecl::type).toList();
        assertEquals(
                List.of("S", "[S]", "T", "ushort", "string"),
                types.stream().map(FbsType::spelling).toList());
        assertEquals(List.of(16, 4, 4, 2, 4), types.stream().map(FbsType::inlineBytes).toList());
        assertEquals(List.of(8, 4, 4, 2, 4), types.stream().map(FbsType::alignmentBytes).toList());
    }

    @ParameterizedTest
    @CsvSource({
        "Struct_, STRUCT_",
        "Utf8View, UTF8_VIEW",
        "SparseTensorIndexCOO, SPARSE_TENSOR_INDEX_COO",
        "LZ4_FRAME, LZ4_FRAME",
        "V5, V5",
    })
    void constantNames(String name, String constant) {
        assertEquals(constant, new Value(name, 0).constantName());
    }

    @ParameterizedTest
    @CsvSource({
        "non_zero_length, nonZeroLength",
        "is_signed, isSigned",
        "type_type, typeType",
        "metaDataLength, metaDataLength",
    })
    void javaNames(String name, String javaName) {
        assertEquals(javaName, soleField(name + ": int;").javaName());
    }

    @Test
    void commentsDoNotHideLines() {
        String text = "// one\n/* two\n three */ table T { // four\n /// doc\n a: int; }\ntable 5";
        FbsException e = assertThrows(FbsException.class, () -> parse(text));
        assertEquals("test.fbs:6: expected a table name, found '5'", e.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "table T {; a int; }        | 2: expected a field name, found ';'",
                "table T { a int; }         | 2: expected ':', found 'int'",
                "table T { a: int           | 2: expected ';', found end of file",
                "table T { a: Nowhere; }    | 2: unknown type: Nowhere",
                "table T { a: int (id: 1); }| 2: unsupported attribute 'id'",
                "table T { a: float; }      | 2: unknown type: float",
                "table T { a: int = 1.5; }  | 2: expected ';', found '.'",
                "table T { a: ubyte = 256; }| 2: default 256 is out of range of ubyte",
                "table T { a: bool = 1; }   | 2: not a boolean: 1",
                "table T { a: Colour = X; } | 2: no such value of Colour: X",
                "table T { a: string = X; } | 2: no default allowed for string",
                "table T { a: int; a: int; }| 2: declared twice: a",
                "table T { a: int (required); }| 2: a scalar cannot be required: a",
                "struct S { a: string; }    | 2: a struct holds only numbers: a",
                "enum E : short { A, B = 0 }| 2: enum values must ascend: B",
                "enum E : byte { A = 200 }  | 2: 200 is out of range of byte",
                "enum E : byte { }          | 2: enum without values: E",
                "union U { Colour }         | 2: no such table: Colour",
                "root_type Colour;          | 2: no such table: Colour",
                "table Colour {}            | 2: name already taken: Colour",
                "attribute \"x\";           | 2: unsupported declaration 'attribute'",
                "include \"x.fbs\";         | 2: a text cannot include x.fbs",
                "table T { a: int = $; }    | 2: unexpected character '$'",
            })
    void errorsNameFileAndLine(String text, String error) {
        FbsException e = assertThrows(FbsException.class, () -> parse(COLOURS + text));
        assertEquals("test.fbs:" + error, e.getMessage());
    }

    @Test
    void includesAreMergedOnceAndFirst(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("a.fbs"), "namespace n; table A {} root_type A;");
        Files.writeString(
                folder.resolve("b.fbs"), "include \"a.fbs\"; namespace n; table B { a: A; }");
        Path c = folder.resolve("c.fbs");
        Files.writeString(
                c, "include \"b.fbs\"; include \"a.fbs\"; table C { b: B; } root_type C;");
        FbsDocument document = FbsParser.parse(c, folder.resolve("a.fbs"));
        assertEquals("n", document.namespace());
        assertEquals(
                List.of("A", "B", "C"),
                document.tables().stream().map(FbsDocument.TableDecl::name).toList());
        assertEquals(Map.of("a.fbs", "A", "c.fbs", "C"), document.roots());
    }

    @Test
    void errorInAnIncludedFileNamesThatFile(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("a.fbs"), "\n\ntable A { b: B }");
        Path b = folder.resolve("b.fbs");
        Files.writeString(b, "\ninclude \"a.fbs\";");
        FbsException e = assertThrows(FbsException.class, () -> FbsParser.parse(b));
        assertEquals("a.fbs:3: expected ';', found '}'", e.getMessage());
        Files.delete(folder.resolve("a.fbs"));
        e = assertThrows(FbsException.class, () -> FbsParser.parse(b));
        assertEquals("b.fbs:2: included file not found: a.fbs", e.getMessage());
    }

    @Test
    void arrowFormatAsAWhole() {
        FbsDocument arrow = FbsParser.parseArrowFormat();
        assertEquals("org.apache.arrow.flatbuf", arrow.namespace());
        assertEquals(
                Map.of(
                        "Schema.fbs", "Schema",
                        "Message.fbs", "Message",
                        "File.fbs", "Footer",
                        "Tensor.fbs", "Tensor",
                        "SparseTensor.fbs", "SparseTensor"),
                arrow.roots());
        assertEquals(12, arrow.enums().size());
        assertEquals(3, arrow.unions().size());
        assertEquals(3, arrow.structs().size());
        assertEquals(41, arrow.tables().size());
        assertEquals(14, arrow.tables().stream().filter(t -> t.slotCount() == 0).count());
        assertThrows(NoSuchElementException.class, () -> arrow.table("Buffer"));
    }

    @Test
    void arrowStructsAreLaidOutAsInTheFormat() {
        FbsDocument arrow = FbsParser.parseArrowFormat();
        assertEquals(16, arrow.struct("Buffer").sizeBytes());
        assertEquals(16, arrow.struct("FieldNode").sizeBytes());
        StructDecl block = arrow.struct("Block");
        assertEquals(24, block.sizeBytes());
        assertEquals(8, block.alignmentBytes());
        assertEquals(
                List.of(0, 8, 16), block.fields().stream().map(StructField::offsetBytes).toList());
    }

    @Test
    void onlyTensorsRequireAnything() {
        List<String> requiring =
                FbsParser.parseArrowFormat().tables().stream()
                        .filter(table -> table.fields().stream().anyMatch(FieldDecl::required))
                        .map(FbsDocument.TableDecl::name)
                        .sorted()
                        .toList();
        assertEquals(
                List.of(
                        "SparseMatrixIndexCSX",
                        "SparseTensor",
                        "SparseTensorIndexCOO",
                        "SparseTensorIndexCSF",
                        "Tensor"),
                requiring);
    }
}
