// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Limits;
import dev.fletch.schema.internal.JsonFault;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.RandomSchemas;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What is wrong is refused with its place, and with one kind of exception.
@Isolated("looks at the heap")
class HostileJsonTest {
    private static final int DAMAGED = CaseCount.of(500, 60_000);
    private static final Pattern PLACE = Pattern.compile(": line=[1-9]\\d*, column=[1-9]");

    private static JsonFault refused(String text) {
        return assertThrows(JsonFault.class, () -> SchemaJson.parse(text), text);
    }

    private static void assertRefused(String text, String message) {
        JsonFault refused = refused(text);
        assertEquals(message, refused.getMessage(), text);
        String path = refused.fault().path();
        assertTrue(message.contains(path.isEmpty() ? ": line=" : ", path=" + path), path);
    }

    // ---- types

    /// The type begins at column 33, after `{"fields": [{"name": "f", "type": `.
    @ParameterizedTest
    @CsvFileSource(resources = "wrong-types.txt", delimiter = '|', quoteCharacter = '\'')
    void wrongTypesAreRejected(String type, String rule, int column, String key, String pair) {
        assertRefused(
                SchemaJsonTest.field(type),
                "%s: line=1, column=%d, path=fields[0].type%s, %s"
                        .formatted(rule, column, key, pair));
    }

    @Test
    void unionWithTooManyTypeIdsIsRejected() {
        String ids = "1,".repeat(100_000) + "[[1]], {\"a\": 3}";
        JsonFault refused =
                refused(
                        SchemaJsonTest.field(
                                "{\"name\": \"union\", \"mode\": \"DENSE\", \"typeIds\": [%s]}"
                                        .formatted(ids)));
        assertEquals("fields[0].type.typeIds", refused.fault().path());
        assertTrue(refused.getMessage().endsWith("value=an array of 100002"), refused::getMessage);
    }

    // ---- fields

    @ParameterizedTest
    @CsvFileSource(resources = "invalid-documents.txt", delimiter = '|', quoteCharacter = '\'')
    void invalidDocumentsAreRejected(String text, String message) {
        assertRefused(text, message);
    }

    @Test
    void childrenThatDoNotFitTheirTypeAreRejected() {
        String text =
                """
                {"fields": [
                  {"name": "m", "nullable": true, "type": {"name": "map"}, "children": [
                    {"name": "e", "nullable": false, "type": {"name": "struct"}, "children": [
                      {"name": "k", "nullable": true, "type": {"name": "utf8"}}]}]}]}\
                """;
        assertRefused(
                text,
                "entries of a map do not have two children, key and value: line=2, column=3,"
                        + " path=fields[0], field=m.e, children=1");
    }

    // ---- texts

    @Test
    void malformedJsonIsRejected() {
        assertRefused("", "text must not be empty: line=1, column=1");
        assertRefused(" \n ", "text must not be empty: line=2, column=2");
        JsonFault open = refused("{\"fields\":\n [{");
        assertTrue(open.getMessage().contains(": line=2, column="), open::getMessage);
        assertEquals("fields[0]", open.fault().path());
        assertTrue(
                open.getMessage().startsWith("text must be JSON, Unexpected end-of-input"),
                open::getMessage);
        assertEquals("fields", refused("{\"fields\": nul}").fault().path());
        assertTrue(refused("{'fields': []}").getMessage().startsWith("text must be JSON, "));
    }

    @Test
    void duplicateKeysAreRejected() {
        for (String text :
                new String[] {
                    "{\"fields\": [], \"fields\": []}",
                    SchemaJsonTest.field("{\"name\": \"utf8\", \"name\": \"utf8\"}"),
                    SchemaJsonTest.field("{\"name\": \"utf8\"}", ", \"name\": \"g\""),
                }) {
            String message = refused(text).getMessage();
            assertTrue(message.startsWith("object must not repeat a key: "), message);
        }
    }

    /// Some 50 MB of keys, of which none is kept.
    @Test
    void unknownKeysAreSkippedWithoutKeepingThem() throws IOException {
        for (String end : new String[] {"}}", ",\"k0\":0}}", ",\"x\":{\"a\":1,\"a\":2}}}"}) {
            for (String start :
                    new String[] {
                        "{\"schema\":{\"fields\":[],", "{\"schema\":{\"fields\":[]},\"x\":{"
                    }) {
                assertEquals(0, read(start, keys(100_000), end));
            }
        }
        long[] most = new long[1];
        Stream<String> many = keys(2_000_000);
        Stream<String> counted = Stream.concat(many, Stream.of("").peek(_ -> most[0] = retained()));
        long before = retained();
        assertEquals(0, read("{\"schema\":{\"fields\":[]},\"x\":{", counted, "}}"));
        assertTrue(most[0] - before < 32 << 20);
    }

    private static Stream<String> keys(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> (i == 0 ? "" : ",") + "\"key number " + i + "\":0");
    }

    /// What is skipped is neither kept nor limited in length: here a string of 200 million
    /// characters.
    @Test
    void batchesOfAnyLengthAreSkipped() throws IOException {
        String start = "{\"schema\": {\"fields\": []}, \"batches\": [\"";
        String million = "x".repeat(1_000_000);
        assertEquals(0, read(start, Stream.generate(() -> million).limit(200), "\"]}"));
    }

    /// The number of fields in a text that is made while it is read, to its end.
    private static int read(String start, Stream<String> pieces, String end) throws IOException {
        Stream<String> all = Stream.concat(Stream.concat(Stream.of(start), pieces), Stream.of(end));
        Iterator<String> left = all.iterator();
        Reader source =
                new Reader() {
                    private String piece = "";
                    private int at;

                    @Override
                    public int read(char[] into, int from, int length) {
                        while (at == piece.length()) {
                            if (!left.hasNext()) {
                                return -1;
                            }
                            piece = left.next();
                            at = 0;
                        }
                        int taken = Math.min(length, piece.length() - at);
                        piece.getChars(at, at + taken, into, from);
                        at += taken;
                        return taken;
                    }

                    @Override
                    public void close() {}
                };
        int fields = SchemaJson.read(source, Limits.DEFAULT).fields().size();
        assertFalse(left.hasNext());
        return fields;
    }

    private static long retained() {
        System.gc();
        Runtime memory = Runtime.getRuntime();
        return memory.totalMemory() - memory.freeMemory();
    }

    @Test
    void longStringsAreReadUpToTheLimit() throws IOException {
        ArrowField field = ArrowField.of("a", ArrowType.Simple.UTF8);
        ArrowSchema schema =
                ArrowSchema.of(field).withMetadata(Metadata.of("k", "v".repeat(21_000_000)));
        assertEquals(schema, SchemaJson.parse(SchemaJson.text(schema)));
        Limits limits =
                Limits.DEFAULT.withDepth(64).withFields(1_000_000).withUnfoldedBytes(20_000_000);
        String text = SchemaJson.text(schema);
        var refused =
                assertThrows(
                        JsonFault.class, () -> SchemaJson.read(new StringReader(text), limits));
        assertTrue(
                refused.getMessage().contains(", limit=20000000, string value length=2"),
                refused::getMessage);
    }

    @Test
    void longPathIsShortenedInTheMiddle() {
        String deep = ("{\"" + "k".repeat(100) + "\":").repeat(900);
        JsonFault refused = refused("{\"x\":" + deep + "nul");
        assertTrue(refused.fault().path().length() < 300, () -> refused.fault().path());
        assertTrue(refused.fault().path().startsWith("x.kkk"), () -> refused.fault().path());
        assertTrue(refused.getMessage().length() < 500, refused::getMessage);
    }

    /// Lists in each other, down to a union.
    private static String nested(int levels) {
        String open = "{\"type\": {\"name\": \"list\"}, \"nullable\": true, \"children\": [";
        String leaf =
                "{\"type\": {\"name\": \"union\", \"mode\": \"DENSE\", \"typeIds\": []},"
                        + " \"nullable\": true}";
        return "{\"schema\": {\"fields\": ["
                + open.repeat(levels - 1)
                + leaf
                + "]}".repeat(levels - 1)
                + "]}}";
    }

    @Test
    void deeplyNestedJsonIsRejected() throws IOException {
        assertEquals(1, SchemaJson.parse(nested(128)).fields().size());
        for (int levels : new int[] {129, 600, 100_000}) {
            String message = refused(nested(levels)).getMessage();
            assertTrue(message.startsWith("fields must not be nested deeper"), message);
        }
        for (String bracket : new String[] {"[", "{\"a\":"}) {
            String message = refused("{\"x\": " + bracket.repeat(100_000)).getMessage();
            assertTrue(message.startsWith("text must not exceed the limits"), message);
        }
        int most = ArrowField.MAX_DEPTH;
        Limits limits =
                Limits.DEFAULT.withDepth(most).withFields(1_000_000).withUnfoldedBytes(64L << 20);
        assertEquals(1, read(nested(most), limits));
    }

    @Test
    void endlessKeysAndNumbersAreRejected() {
        assertTrue(
                refused("{\"" + "k".repeat(1_000_000) + "\": 1}")
                        .getMessage()
                        .startsWith("text must not exceed the limits"));
        JsonFault number =
                refused(
                        SchemaJsonTest.field(
                                "{\"name\": \"int\", \"bitWidth\": " + "9".repeat(5_000) + "}"));
        assertTrue(number.getMessage().length() < 400, number::getMessage);
        JsonFault name = refused("{\"fields\": \"" + "x".repeat(100_000) + "\"}");
        assertTrue(name.getMessage().length() < 400, name::getMessage);
    }

    @Test
    void valuesBeyondTheLimitsAreRejected() throws IOException {
        String text =
                SchemaJsonTest.field(
                        "{\"name\": \"timestamp\", \"unit\": \"SECOND\","
                                + " \"timezone\": \"UTC\"}",
                        ", \"metadata\": [{\"key\": \"ké\", \"value\": \"\"}]");
        int size = 256 + 64 + "f".length() + "UTC".length() + 3; // the key has 3 bytes
        Limits exact = Limits.DEFAULT.withFields(1).withUnfoldedBytes(size);
        assertEquals(1, read(text, exact));
        Limits less = exact.withUnfoldedBytes(size - 1);
        assertThrows(JsonFault.class, () -> read(text, less));
        String leaf = SchemaJsonTest.field("{\"name\": \"null\"}");
        String field = leaf.substring(leaf.indexOf('[') + 1, leaf.length() - 2);
        String two = leaf.replace(field, field + ", " + field);
        assertThrows(JsonFault.class, () -> read(two, exact));
        assertEquals(2, read(two, Limits.DEFAULT.withFields(2)));
    }

    private static int read(String text, Limits limits) throws IOException {
        return SchemaJson.read(new StringReader(text), limits).fields().size();
    }

    @Test
    void malformedEncodingIsRejected() {
        assertRefused(
                "{\"fields\": [], \"metadata\": [{\"key\": \"\\ud800\", \"value\": \"\"}]}",
                "text must have no unpaired surrogate:"
                        + " line=1, column=29, path=metadata[0], metadata key=\\ud800");
        assertEquals(
                "fields[0]",
                refused(
                                SchemaJsonTest.field("{\"name\": \"utf8\"}")
                                        .replace("\"f\"", "\"\\udc00\""))
                        .fault()
                        .path());
        assertEquals(
                "fields[0].type.timezone",
                refused(
                                SchemaJsonTest.field(
                                        "{\"name\": \"timestamp\", \"unit\": \"SECOND\","
                                                + " \"timezone\": \"\\ud800x\"}"))
                        .fault()
                        .path());
        byte[] latin = "{\"fields\": [], \"é\": 1}".getBytes(StandardCharsets.ISO_8859_1);
        JsonFault refused =
                assertThrows(
                        JsonFault.class,
                        () -> SchemaJson.read(new ByteArrayInputStream(latin), Limits.DEFAULT));
        assertTrue(refused.getMessage().contains("UTF-8"), refused::getMessage);
    }

    @Test
    void controlCharactersAreEscapedInMessages() {
        String message = refused("{\"fields\": \"\\u001b[2J\\u202e\\n\"}").getMessage();
        assertTrue(message.endsWith("value=\"\\u001b[2J\\u202e\\n\""), message);
        String inPath = refused("{\"\\u001b\": [}").getMessage();
        assertTrue(inPath.contains("path=\\u001b"), inPath);
    }

    @Test
    void exceptionOfTheSourceIsThrown() {
        InputStream failing =
                new InputStream() {
                    @Override
                    public int read() throws IOException {
                        throw new IOException("disk on fire");
                    }
                };
        IOException thrown =
                assertThrows(IOException.class, () -> SchemaJson.read(failing, Limits.DEFAULT));
        assertEquals("disk on fire", thrown.getMessage());
    }

    // ---- damage

    /// Texts of good schemas, cut or with some characters changed.
    @Test
    void damagedTextIsReadOrRefused() {
        Random random = new Random(6);
        String characters = "\"{}[],:0129.-eE \\utrfn\uD83D\u0000a";
        int refused = 0;
        int read = 0;
        for (int i = 0; i < DAMAGED; i++) {
            StringBuilder text =
                    new StringBuilder(SchemaJson.text(RandomSchemas.schema(random.nextInt(500))));
            for (int j = random.nextInt(3); j >= 0 && text.length() > 1; j--) {
                int at = random.nextInt(text.length());
                char c = characters.charAt(random.nextInt(characters.length()));
                switch (random.nextInt(4)) {
                    case 0 -> text.setCharAt(at, c);
                    case 1 -> text.insert(at, c);
                    case 2 -> text.deleteCharAt(at);
                    default ->
                            text.setLength(
                                    Math.max(1, random.nextInt(50) == 0 ? at : text.length()));
                }
            }
            try {
                SchemaJson.parse(text.toString());
                read++;
            } catch (JsonFault e) {
                assertTrue(PLACE.matcher(e.getMessage()).find(), e::getMessage);
                refused++;
            }
        }
        System.out.printf("Damaged JSON: %d read, %d refused%n", read, refused);
        assertTrue(read > DAMAGED / 60 && refused > DAMAGED / 6);
    }
}
