// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FileRule;
import dev.fletch.FletchException;
import dev.fletch.FrameRule;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.StructureRule;
import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Endianness;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.Frames;
import dev.fletch.ipc.KnownSchemas;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.schema.internal.ParquetSchema;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.Goldens;
import dev.fletch.verify.messages.Meant;

import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/// The schema in the metadata of a Parquet file: base64 of a message.
class ParquetKeyTest {
    private static final byte[] FRAME =
            frame(
                    new org.apache.arrow.vector.types.pojo.Schema(
                            List.of(
                                    Field.nullable("id", new ArrowType.Int(64, true)),
                                    Field.notNullable("ü", new ArrowType.Utf8()))));
    private static final String TEXT = text(FRAME);

    /// What arrow-java writes.
    private static byte[] frame(org.apache.arrow.vector.types.pojo.Schema schema) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            MessageSerializer.serialize(new WriteChannel(Channels.newChannel(out)), schema);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toByteArray();
    }

    private static String text(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static byte[] withoutContinuation(byte[] frame) {
        return Arrays.copyOfRange(frame, 4, frame.length);
    }

    // ---- reading

    @Test
    void aValueIsReadAsFlyweightAndAsValue() {
        Schema schema = ParquetSchema.decode(TEXT, ReadOptions.DEFAULT);
        assertEquals(2, schema.fieldsCount());
        assertEquals(Endianness.LITTLE, schema.endianness());
        ArrowSchema value = ArrowSchema.ofParquet(TEXT);
        assertEquals(ArrowSchema.of(schema), value);
        assertEquals("id", value.fields().getFirst().name());
        assertEquals("ü", value.fields().get(1).name());
    }

    @Test
    void schemasOfOtherWritersAreRead() {
        ArrowSchema expected = ArrowSchema.ofParquet(TEXT);
        byte[] stream = Frames.join(FRAME, Frames.END); // Arrow Go
        byte[] old = withoutContinuation(FRAME);
        byte[] oldStream = Frames.join(old, Frames.LEGACY_END);
        for (byte[] bytes : List.of(FRAME, stream, old, oldStream)) {
            String text = text(bytes);
            String url = Base64.getUrlEncoder().encodeToString(bytes);
            String lines = Base64.getMimeEncoder().encodeToString(bytes) + "\r\n";
            String unpadded = Base64.getEncoder().withoutPadding().encodeToString(bytes);
            for (CharSequence each : List.of(text, url, lines, unpadded, new StringBuilder(text))) {
                assertEquals(expected, ArrowSchema.ofParquet(each));
            }
        }
        assertTrue(text(stream).endsWith("="));
    }

    /// A value as tools print it.
    private static List<String> printed(String text) {
        String half = text.substring(0, 40);
        String rest = text.substring(40);
        return List.of(
                "b'" + text + "'",
                "b'" + text + "'\n",
                "b\"" + text + "\"",
                "b'" + text + "',",
                "'" + text + "'",
                '"' + text + "\";\r\n",
                '"' + text, // without its end
                "(b'" + half + "'\n b'" + rest + "')",
                "{b'ARROW:schema': b'" + text + "'}\n",
                "{b'pandas': b'{\"columns\": []}', b'ARROW:schema': b'" + text + "'}",
                "{b'ARROW:schema': b'" + text + "', b'pandas': b'{\"columns\": []}'}",
                "{b'ARROW:schema': b'" + half + "'\n  b'" + rest + "',\n b'pandas': b'{}'}",
                "{\"ARROW:schema\": \"" + text + "\", \"writer\": \"x\"}",
                "{\"ARROW:schema\":\"" + text.replace("/", "\\/") + "\"}",
                "{\"ARROW:schema\":\"" + text.replace("=", "\\u003d") + "\"}",
                "{\"ARROW:schema\":\"" + text.replace("=", "\\x3d") + "\"}",
                "ARROW:schema=" + text,
                "ARROW:schema: " + text,
                "ARROW:schema " + text,
                "extra: ARROW:schema = " + text,
                "b'" + half + "\\n" + rest + "\\r\\n'",
                "b'" + half + "\\\\n" + rest + "\\\\n'",
                "[\"" + text + "\"]",
                half + " " + rest.substring(0, 20) + "\t\r\n" + rest.substring(20) + "==",
                "\ufeff" + text,
                "\ufeff{b'ARROW:schema': b'" + text + "'}");
    }

    @Test
    void valuesAsToolsPrintThemAreAccepted() {
        ArrowSchema expected = ArrowSchema.ofParquet(TEXT);
        assertTrue(TEXT.contains("/") && TEXT.endsWith("="), TEXT);
        Run plain = Cli.runWithInput(TEXT.getBytes(StandardCharsets.UTF_8), "annotate", "-");
        assertEquals(0, plain.status(), plain.err());
        for (String each : printed(TEXT)) {
            assertEquals(expected, ArrowSchema.ofParquet(each), each);
            byte[] input = each.getBytes(StandardCharsets.UTF_8);
            assertEquals(plain, Cli.runWithInput(input, "annotate", "-"), each);
        }
    }

    /// The offset is that of the character in the given text.
    @Test
    void otherCharactersAroundAValueAreRefused() {
        String value = "'" + TEXT + "'";
        for (String after : List.of(" x", " 'A", "A", "=", ":", " #", "b")) {
            int at = value.length() + (after.startsWith(" ") ? 1 : 0);
            int quote = after.equals(" 'A") ? 1 : 0; // then, a digit after padding
            assertFault(FileRule.NOT_BASE64, at + quote, value + after);
        }
        assertFault(FileRule.NOT_BASE64, 2, "b'\\q" + TEXT + "'");
        assertFault(FileRule.NOT_BASE64, 2, "b'\\u00" + TEXT);
        assertFault(FileRule.NOT_BASE64, 0, "<" + TEXT + ">");
        assertFault(FileRule.NOT_BASE64, 0, "{" + TEXT + "}");
        assertFault(FileRule.NOT_BASE64, 2, "b\"'" + TEXT);
        assertFault(FileRule.NOT_BASE64, TEXT.length(), TEXT + "A");
        assertFault(FileRule.NOT_BASE64, TEXT.length(), TEXT + "\u2028");
    }

    @Test
    void readOptionsAreApplied() {
        KnownSchemas known = new KnownSchemas();
        ReadOptions options = ReadOptions.DEFAULT.withKnownSchemas(known);
        for (int i = 0; i < 3; i++) {
            assertEquals(2, ParquetSchema.decode(TEXT, options).fieldsCount());
        }
    }

    // ---- both ways

    static List<ArrowCase> cases() {
        return ArrowVectorFiles.cases();
    }

    /// As arrow-java reads them.
    @ParameterizedTest
    @MethodSource("cases")
    void schemaOfArrowJavaIsWrittenAndReadBack(ArrowCase each) throws IOException {
        byte[] frame = frame(each.schema());
        ArrowSchema schema = ArrowSchema.ofParquet(text(frame));
        String written = schema.toParquet(MeaningRule.values());
        assertEquals(schema, ArrowSchema.ofParquet(written));
        if (each.isReadByArrowJava()) {
            assertEquals(
                    readByArrowJava(frame), readByArrowJava(Base64.getDecoder().decode(written)));
        }
    }

    private static Object readByArrowJava(byte[] framed) throws IOException {
        return MessageSerializer.deserializeSchema(
                new ReadChannel(Channels.newChannel(new ByteArrayInputStream(framed))));
    }

    /// The text of a message that was read is that of its bytes.
    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Goldens#parameters")
    void messagesOfGoldensAreEncodedUnchanged(Path golden) {
        byte[] bytes = Goldens.read(golden);
        if (!Goldens.isStream(golden) || golden.toString().contains("0.14.1")) {
            return; // a file, or without a continuation word
        }
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        frame.wrap(MemorySegment.ofArray(bytes), 0, message);
        byte[] first = Arrays.copyOf(bytes, (int) frame.nextOffset());
        assertEquals(text(first), ParquetSchema.encode(message));
        ArrowSchema schema = ArrowSchema.ofParquet(text(first));
        String written = schema.toParquet(MeaningRule.values());
        assertEquals(schema, ArrowSchema.ofParquet(written));
    }

    @Test
    void writtenValueIsPaddedBase64OfAFramedMessage() {
        ArrowSchema schema = ArrowSchema.ofParquet(TEXT);
        String text = schema.toParquet();
        byte[] bytes = Base64.getDecoder().decode(text);
        assertEquals(0, bytes.length % 8);
        assertEquals(-1, bytes[0] & bytes[1] & bytes[2] & bytes[3]);
        assertEquals(text, ArrowSchema.ofParquet(text).toParquet());
        assertEquals(
                schema.toString() + "\n",
                Cli.runWithInput(text.getBytes(StandardCharsets.US_ASCII), "schema", "-")
                        .out()
                        .replace("\r", ""));
    }

    @Test
    void onlySchemaMessagesAreEncoded() {
        Message batch = new Message().wrap(MemorySegment.ofArray(Frames.batch(0)));
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> ParquetSchema.encode(batch));
        assertEquals("not a schema message: kind=RecordBatch", e.getMessage());
    }

    /// Metadata of any length is padded to 8 bytes.
    @Test
    void metadataIsPadded() {
        byte[] schema = Frames.schema();
        for (int more = 0; more < 8; more++) {
            MemorySegment metadata =
                    MemorySegment.ofArray(Arrays.copyOf(schema, schema.length + more));
            String text = ParquetSchema.encode(new Message().wrap(metadata));
            assertEquals(0, Base64.getDecoder().decode(text).length % 8);
            assertEquals(0, ParquetSchema.decode(text, ReadOptions.DEFAULT).fieldsCount());
        }
    }

    // ---- faults

    private static void assertFault(Rule rule, long offset, String value) {
        FletchException e = assertRule(rule, () -> ArrowSchema.ofParquet(value));
        assertEquals(offset, e.offset(), e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 20, 100})
    void characterThatIsNotBase64IsNamed(int at) {
        for (String wrong : List.of("!", "ü", "€", "\0", ".")) {
            assertFault(
                    FileRule.NOT_BASE64,
                    at,
                    TEXT.substring(0, at) + wrong + TEXT.substring(at + 1));
        }
        FletchException e =
                assertThrows(
                        FletchException.class,
                        () -> ArrowSchema.ofParquet(TEXT.substring(0, 20) + "€"));
        assertEquals(
                "offset 20: text has a character that is not base64: character=U+20AC",
                e.getMessage());
        assertFault(FileRule.NOT_BASE64, 5, "AAAA=AAA");
        String lead = "\uD83D\uDE00 ARROW:schema: "; // a pair counts as two characters
        assertFault(FileRule.NOT_BASE64, lead.length() + 4, lead + "AAAA!AAA");
    }

    @Test
    void textsThatAreCutOffAreRefused() {
        for (int length = 0; length < TEXT.length(); length++) {
            String cut = TEXT.substring(0, length);
            if (Base64.getDecoder().decode(TEXT).length == length * 6 / 8) {
                continue; // only padding is missing
            }
            assertThrows(FletchException.class, () -> ArrowSchema.ofParquet(cut), cut);
        }
        assertFault(FileRule.EMPTY_INPUT, 0, "");
        assertFault(FileRule.EMPTY_INPUT, 0, "====");
        assertFault(FrameRule.TRUNCATED_PREFIX, 0, "/////w==");
        assertFault(FrameRule.METADATA_OUT_OF_INPUT, 4, TEXT.substring(0, 100));
    }

    @Test
    void messageThatIsNotASchemaIsRefused() {
        assertFault(FileRule.NO_LEADING_SCHEMA, 0, text(Frames.frame(Frames.batch(0))));
        assertFault(FileRule.NO_MESSAGE, 0, text(Frames.END));
        assertFault(StructureRule.BUFFER_TOO_SMALL, 8, text(Frames.words(-1, 8, 100, 0)));
        assertThrows(
                FletchException.class,
                () -> ArrowSchema.ofParquet(text("not an Arrow schema".getBytes())));
    }

    @Test
    void aSchemaMessageWithoutHeaderIsNamed() {
        FbsValue.Table message = Meant.table("Message", "version", 4, "header_type", 1);
        byte[] frame = Frames.frame(Meant.bytes(message));
        FletchException e =
                assertRule(MeaningRule.NO_HEADER, () -> ArrowSchema.ofParquet(text(frame)));
        assertEquals("offset 25: message has no header: kind=Schema", e.getMessage());
        for (String command : List.of("schema", "columns", "map", "ext", "json")) {
            for (byte[] input : List.of(frame, text(frame).getBytes(StandardCharsets.UTF_8))) {
                Run run = Cli.runWithInput(input, command, "-");
                assertEquals(1, run.status(), command);
                assertTrue(run.err().contains("message has no header: kind=Schema"), run.err());
            }
        }
        Run json = Cli.runWithInput(frame, "schema", "--json", "-");
        assertTrue(json.out().contains("message has no header: kind=Schema"), json.out());
    }

    @Test
    void bytesAfterTheSchemaAreRefused() {
        for (int more : new int[] {1, 3, 4, 5, 8, 100}) {
            byte[] rest = new byte[more];
            Arrays.fill(rest, (byte) 1);
            assertFault(FileRule.BYTES_BEHIND_SCHEMA, FRAME.length, text(Frames.join(FRAME, rest)));
        }
        byte[] twice = Frames.join(FRAME, Frames.END, Frames.END);
        assertFault(FileRule.BYTES_BEHIND_SCHEMA, FRAME.length, text(twice));
    }

    @Test
    void textOverTheLimitIsNotDecoded() {
        CharSequence endless =
                new CharSequence() {
                    @Override
                    public int length() {
                        return Integer.MAX_VALUE;
                    }

                    @Override
                    public char charAt(int index) {
                        throw new AssertionError();
                    }

                    @Override
                    public CharSequence subSequence(int start, int end) {
                        throw new AssertionError();
                    }
                };
        assertRule(
                FrameRule.METADATA_OVER_LIMIT,
                () -> ParquetSchema.decode(endless, ReadOptions.DEFAULT));
    }
}
