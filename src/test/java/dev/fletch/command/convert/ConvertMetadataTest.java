// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.convert;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.arrow.Arrow;
import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.verify.Verified;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Message;
import dev.fletch.format.write.CustomMetadata;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataEdit;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.testdata.GeneratedMessages;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.TradesSample;

import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.flatbuf.KeyValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;

/// The custom metadata of schema message and footer, apart from that of the schema: equal in what
/// `fletch convert` writes.
class ConvertMetadataTest {
    private static final List<String> NONE = List.of();
    private static final List<String> RUN = List.of("run=42", "a=", "run=43");
    private static final List<String> OTHER = List.of("run=42", "a=b", "run=43");
    private static final String DIFFER =
            "schema message and footer have different custom metadata; that of the %s is used";

    @TempDir Path folder;

    // ---- inputs

    private static CustomMetadata pairs(List<String> texts) {
        CustomMetadata pairs = new CustomMetadata();
        for (String each : texts) {
            String[] parts = each.split("=", -1);
            pairs.add(parts[0])
                    .set(pairs.count() - 1, parts[1].getBytes(StandardCharsets.ISO_8859_1));
        }
        return pairs;
    }

    private static FlatBufferWriter buffer() {
        return EmissionOrder.ARROW_CPP.newWriter().reset();
    }

    /// The sample as a stream whose schema message has custom metadata.
    private static byte[] stream(List<String> inMessage) throws IOException {
        byte[] sample = TradesSample.stream();
        OracleMessage schema = OracleListing.list(sample).messages().getFirst();
        FlatBufferWriter buffer = buffer();
        new MetadataWriter(EmissionOrder.ARROW_CPP, buffer)
                .message(
                        new Message()
                                .wrap(
                                        MemorySegment.ofArray(sample),
                                        schema.metadataOffset(),
                                        schema.metadataLength()),
                        new MetadataEdit().customMetadata(pairs(inMessage)));
        byte[] metadata = buffer.toByteArray();
        int padded = metadata.length + 7 & -8;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(words(-1, padded));
        out.writeBytes(Arrays.copyOf(metadata, padded));
        out.write(sample, (int) schema.endOffset(), sample.length - (int) schema.endOffset());
        return out.toByteArray();
    }

    private static byte[] words(int... words) {
        ByteBuffer bytes =
                ByteBuffer.allocate(words.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        Arrays.stream(words).forEach(bytes::putInt);
        return bytes.array();
    }

    /// The sample as a file with custom metadata in schema message and footer.
    private static byte[] file(List<String> inMessage, List<String> inFooter) throws IOException {
        byte[] file = Converted.of(stream(inMessage), ArrowContainer.FILE, false).bytes();
        ArrowFile opened = ArrowFile.of(MemorySegment.ofArray(file));
        FlatBufferWriter buffer = buffer();
        new MetadataWriter(EmissionOrder.ARROW_CPP, buffer)
                .footer(opened.footer(), new MetadataEdit().footerMetadata(pairs(inFooter)));
        byte[] footer = buffer.toByteArray();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(file, 0, (int) opened.footerOffset());
        out.writeBytes(footer);
        out.writeBytes(words(footer.length));
        out.writeBytes("ARROW1".getBytes(StandardCharsets.US_ASCII));
        return out.toByteArray();
    }

    // ---- outputs, as the generated classes read them

    private static List<String> texts(int count, IntFunction<KeyValue> pair) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            KeyValue each = pair.apply(i);
            byte[] value = new byte[each.valueAsByteBuffer().remaining()];
            each.valueAsByteBuffer().get(value);
            texts.add(each.key() + "=" + new String(value, StandardCharsets.ISO_8859_1));
        }
        return texts;
    }

    private static List<String> inMessage(byte[] bytes) {
        OracleMessage schema = OracleListing.list(bytes).messages().getFirst();
        int at = (int) schema.metadataOffset();
        ByteBuffer metadata =
                ByteBuffer.wrap(bytes, at, schema.metadataLength())
                        .slice()
                        .order(ByteOrder.LITTLE_ENDIAN);
        var message = org.apache.arrow.flatbuf.Message.getRootAsMessage(metadata);
        return texts(message.customMetadataLength(), message::customMetadata);
    }

    private static List<String> inFooter(byte[] file) {
        int at = (int) OracleListing.list(file).footer().offset();
        Footer footer =
                Footer.getRootAsFooter(
                        ByteBuffer.wrap(file, at, file.length - 10 - at)
                                .slice()
                                .order(ByteOrder.LITTLE_ENDIAN));
        return texts(footer.customMetadataLength(), footer::customMetadata);
    }

    /// Converts, by command and library, to file and stream, with all or some columns, with and
    /// without salvage.
    private int assertWrites(List<String> expected, String note, byte[] input) throws IOException {
        Path in = Files.write(folder.resolve("in"), input);
        int cases = 0;
        for (String target : List.of("file", "stream")) {
            for (String option : List.of("", "--columns=price", "--salvage", "--values")) {
                Path out = folder.resolve("out");
                List<String> args = new ArrayList<>(List.of("convert", "--force", "-q"));
                args.addAll(List.of("--to=" + target, in.toString(), out.toString()));
                if (!option.isEmpty()) {
                    args.add(option);
                }
                Run run = Cli.runAlone(args.toArray(String[]::new));
                assertEquals(0, run.status(), run.err());
                assertEquals(
                        note == null ? "" : "fletch: " + in + ": " + note + "\n",
                        run.err(),
                        option);
                byte[] written = Files.readAllBytes(out);
                assertEquals(expected, inMessage(written), target + option);
                if (target.equals("file")) {
                    assertEquals(expected, inFooter(written), option);
                }
                assertEquals(List.of(), Verified.of(written).brief());
                cases++;
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ConvertOptions options =
                    ConvertOptions.DEFAULT.withTarget(
                            ArrowContainer.valueOf(target.toUpperCase(Locale.ROOT)));
            List<String> notes =
                    Arrow.convert(MemorySegment.ofArray(input), Channels.newChannel(out), options)
                            .notes();
            assertEquals(note == null ? List.of() : List.of(note), notes);
            assertEquals(expected, inMessage(out.toByteArray()));
        }
        return cases;
    }

    @Test
    void schemaMessageAndFooterHaveTheSameMetadata() throws IOException {
        int cases = assertWrites(NONE, null, stream(NONE));
        cases += assertWrites(RUN, null, stream(RUN));
        cases += assertWrites(NONE, null, file(NONE, NONE));
        cases += assertWrites(RUN, null, file(RUN, RUN));
        cases += assertWrites(OTHER, String.format(DIFFER, "footer"), file(RUN, OTHER));
        cases += assertWrites(RUN, String.format(DIFFER, "message"), file(RUN, NONE));
        System.out.printf("custom metadata: %d conversions%n", cases);
    }

    /// A file of Arrow C++ stays as it is; a stream has no other place than its schema message.
    @Test
    void metadataOfTheFooterAloneStaysThereInAFile() throws IOException {
        byte[] file = file(NONE, OTHER);
        for (boolean salvages : new boolean[] {false, true}) {
            Converted same = Converted.of(file, ArrowContainer.FILE, salvages);
            assertEquals(List.of(), same.report().notes());
            assertEquals(NONE, inMessage(same.bytes()));
            assertEquals(OTHER, inFooter(same.bytes()));
            Converted stream = Converted.of(file, ArrowContainer.STREAM, salvages);
            assertEquals(List.of(String.format(DIFFER, "footer")), stream.report().notes());
            assertArrayEquals(stream(OTHER), stream.bytes());
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Arrow.convert(
                MemorySegment.ofArray(file),
                Channels.newChannel(out),
                ConvertOptions.DEFAULT.withColumns("price"));
        assertEquals(OTHER, inFooter(out.toByteArray()));
        assertEquals(
                List.of("file metadata-in-footer customMetadata"),
                Verified.of(out.toByteArray()).brief());
    }

    /// Bytes that are not UTF-8 are kept, and are different from others.
    @Test
    void metadataThatIsNotUtf8IsKept() throws IOException {
        List<String> bytes = List.of("k=\u00ff\u0001");
        List<String> others = List.of("k=\u00fe\u0001");
        byte[] file = file(bytes, bytes);
        assertEquals(bytes, inMessage(Converted.of(file, ArrowContainer.STREAM, false).bytes()));
        assertEquals(bytes, inFooter(Converted.of(file, ArrowContainer.FILE, false).bytes()));
        Converted converted = Converted.of(file(bytes, others), ArrowContainer.STREAM, false);
        assertEquals(others, inMessage(converted.bytes()));
        assertEquals(List.of(String.format(DIFFER, "footer")), converted.report().notes());
        assertTrue(differs(file(bytes, others)).contains("key=k, "), "compared as bytes");
    }

    @Test
    void roundTripKeepsTheMetadata() throws IOException {
        byte[] file = file(RUN, RUN);
        byte[] stream = Converted.of(file, ArrowContainer.STREAM, false).bytes();
        assertArrayEquals(stream(RUN), stream);
        byte[] again = Converted.of(stream, ArrowContainer.FILE, false).bytes();
        assertEquals(RUN, inFooter(again));
        assertArrayEquals(stream(RUN), Converted.of(again, ArrowContainer.STREAM, false).bytes());
    }

    @Test
    void lostFooterIsReplacedByTheMetadataOfTheMessage() throws IOException {
        byte[] file = file(RUN, OTHER);
        byte[] cut = Arrays.copyOf(file, (int) OracleListing.list(file).footer().offset());
        assertEquals(RUN, inFooter(Converted.of(cut, ArrowContainer.FILE, true).bytes()));
        byte[] tail = Arrays.copyOf(file, file.length - 10); // the footer is whole
        Converted salvaged = Converted.of(tail, ArrowContainer.FILE, true);
        assertEquals(OTHER, inFooter(salvaged.bytes()));
        assertEquals(OTHER, inMessage(salvaged.bytes()));
    }

    /// A few kilobytes that share one text are gigabytes when they are copied.
    @Test
    void sharedPairsDoNotFillTheMemory() throws IOException {
        byte[] hostile = sharing(400_000, 10_000);
        Path in = Files.write(folder.resolve("in.arrows"), hostile);
        for (String to : List.of("--to=file", "--columns=price")) {
            Run run = Cli.runAlone("convert", to, in.toString(), folder.resolve("out") + "");
            assertEquals(1, run.status(), run.err());
            assertTrue(run.err().contains("custom metadata is too long: pairs=400000"), run.err());
        }
    }

    /// The sample's stream, with pairs of its schema message that are all the same one.
    private static byte[] sharing(int pairs, int length) throws IOException {
        var builder = new com.google.flatbuffers.FlatBufferBuilder();
        byte[] sample = TradesSample.stream();
        OracleMessage first = OracleListing.list(sample).messages().getFirst();
        var schema =
                org.apache.arrow.vector.types.pojo.Schema.convertSchema(
                        OracleListing.list(sample).schema());
        int text = builder.createString("x".repeat(length));
        int pair = KeyValue.createKeyValue(builder, text, text);
        int[] all = new int[pairs];
        Arrays.fill(all, pair);
        int vector = org.apache.arrow.flatbuf.Message.createCustomMetadataVector(builder, all);
        int header = schema.getSchema(builder);
        builder.finish(GeneratedMessages.create(builder, (short) 4, (byte) 1, header, 0, vector));
        byte[] metadata = builder.sizedByteArray();
        int padded = metadata.length + 7 & -8;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(words(-1, padded));
        out.writeBytes(Arrays.copyOf(metadata, padded));
        out.write(sample, (int) first.endOffset(), sample.length - (int) first.endOffset());
        return out.toByteArray();
    }

    // ---- verify

    /// The lines of `fletch verify`, without the input's name.
    private String differs(byte[] file) throws IOException {
        Path in = Files.write(folder.resolve("in.arrow"), file);
        return Cli.runAlone("verify", in.toString()).out().replace(in + ": ", "");
    }

    @Test
    void exitStatusFollowsTheSeverity() throws IOException {
        Path differ = Files.write(folder.resolve("differ"), file(RUN, OTHER));
        Path note = Files.write(folder.resolve("note"), file(NONE, RUN));
        assertEquals(0, Cli.runAlone("verify", differ + "").status());
        assertEquals(1, Cli.runAlone("verify", "--fail-on=deviation", differ + "").status());
        assertEquals(0, Cli.runAlone("verify", "--fail-on=deviation", note + "").status());
        assertEquals(1, Cli.runAlone("verify", "--fail-on=note", note + "").status());
    }
}
