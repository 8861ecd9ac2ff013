// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.JsonTree;
import dev.fletch.command.text.Terminal;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Schema;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.input.DetectedInput;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/// What `fletch annotate` prints, for a person and for a program, and what it takes an input for.
@Timeout(120)
class AnnotateCommandTest {
    @TempDir Path folder;

    private static Run run(byte[] input, String... options) {
        List<String> args = new ArrayList<>(List.of("annotate"));
        args.addAll(List.of(options));
        args.add("-");
        return Cli.runWithInput(input, args.toArray(String[]::new));
    }

    private static Map<String, Object> json(Run run) {
        return JsonTree.object(run.json().getFirst());
    }

    private static List<Map<String, Object>> list(Map<String, Object> object, String field) {
        return JsonTree.array(object.get(field)).stream().map(JsonTree::object).toList();
    }

    private static byte[] metadata(byte[] message) {
        return Arrays.copyOfRange(message, 8, message.length);
    }

    private static byte[] footer(byte[] file) {
        int length =
                java.nio.ByteBuffer.wrap(file)
                        .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                        .getInt(file.length - 10);
        return Arrays.copyOfRange(file, file.length - 10 - length, file.length - 10);
    }

    @Test
    void eachByteIsInTheRegionThatContainsIt() {
        byte[] message = Frames.emptySchema();
        List<Map<String, Object>> regions = list(json(run(message, "--json")), "regions");
        int found = 0;
        for (Map<String, Object> each : regions) {
            int from = ((Number) each.get("offset")).intValue();
            for (int at = from; at < from + ((Number) each.get("length")).intValue(); at++) {
                var one = list(json(run(message, "--json", "--at", "" + at)), "regions");
                assertEquals(1, one.size());
                assertEquals(each.get("offset"), one.getFirst().get("offset"));
                assertEquals(each.get("name"), one.getFirst().get("name"));
                found++;
            }
        }
        assertEquals(message.length, found);
    }

    @Test
    void oneMessageHasTheRegionsThatItHasAmongAll() throws IOException {
        byte[] file = Files.readAllBytes(TradesSample.path("trades.arrow"));
        List<Map<String, Object>> all = list(json(run(file, "--json")), "regions");
        int found = 0;
        for (int message = 0; message < 5; message++) {
            long index = message;
            List<Object> expected =
                    all.stream()
                            .filter(
                                    each ->
                                            each.get("message") instanceof Number n
                                                    && n.longValue() == index)
                            .map(each -> each.get("offset"))
                            .toList();
            var one = list(json(run(file, "--json", "--message", "" + message)), "regions");
            assertEquals(expected, one.stream().map(each -> each.get("offset")).toList());
            found += one.size();
        }
        assertTrue(found > 100, found + " regions");
    }

    @Test
    void byteOfABodyNamesTheCommandThatKnowsIt() throws IOException {
        byte[] file = Files.readAllBytes(TradesSample.path("trades.arrow"));
        assertTrue(run(file, "--at", "4711").out().contains("'fletch map --at 4711'"));
    }

    @Test
    void byteAndMessageThatAreNotThereAreErrors() {
        byte[] message = Frames.emptySchema();
        Run none = run(message, "--at", "56");
        assertEquals(1, none.status());
        assertTrue(none.err().contains("offset 56: no such byte: size=56"), none.err());
        String expected = "no such message: message=1, messages=1";
        assertTrue(run(message, "--message", "1").err().contains(expected));
        Map<String, Object> json = json(run(message, "--json", "--message", "1"));
        assertEquals(false, json.get("ok"));
        assertTrue(json.get("faults").toString().contains("no-such-message"), json::toString);
        assertEquals(2, run(message, "--message", "1", "--at", "1").status());
        assertEquals(2, run(message, "--at", "-1").status());
        assertEquals(2, run(message, "--at", "1", "--html", "-").status());
    }

    @Test
    void linesOfASmallMessageAreExact() {
        Run run = run(Frames.emptySchema());
        assertEquals(
                """
                encapsulated message, 56 bytes
                message 0: Schema, metadata 48, body 0
                      0           ff ff ff ff              continuation word
                      4           30 00 00 00              metadata length: 48
                      8       +0  10 00 00 00                root offset: 16 → +16
                     12       +4  00 00                      padding
                  vtable of Message at +6, used by +16
                     14       +6  0a 00                        vtable size: 10
                     16       +8  0c 00                        table size: 12
                     18      +10  06 00                        slot 0 version: at 6
                     20      +12  05 00                        slot 1 headerType: at 5
                """,
                String.join("\n", run.lines().subList(0, 11)) + "\n");
        assertEquals("no fault", run.lines().getLast());
        assertTrue(run.out().contains("version (MetadataVersion): 4 V5"), run.out());
        assertTrue(run.out().contains("headerType (MessageHeader): 1 Schema"), run.out());
        assertTrue(run.out().contains("header (MessageHeader): "), run.out());
        assertTrue(run.out().contains("vector fields, header.schema.fields at +"), run.out());
        assertFalse(run.out().contains("\u001b"));
        assertEquals(0, run.status());
        assertEquals("", run.err());
    }

    @Test
    void formOfTheInputIsDetected() throws IOException {
        byte[] file = Files.readAllBytes(TradesSample.path("trades.arrow"));
        byte[] stream = Files.readAllBytes(TradesSample.path("trades.stream"));
        byte[] schema = Frames.emptySchema();
        byte[] batch = Frames.recordBatch(3, 16);
        assertForm("file", file);
        assertForm("stream", stream);
        assertForm("stream", Frames.join(schema, Frames.recordBatch(3, 0)));
        assertForm("encapsulated message", schema);
        assertForm("encapsulated message", batch); // its body is elsewhere
        assertForm("encapsulated message", Frames.join(batch, new byte[16]));
        assertForm("encapsulated message", Arrays.copyOfRange(schema, 4, schema.length));
        assertForm("flatbuffer Message", metadata(schema));
        assertForm("flatbuffer Message", metadata(batch));
        assertForm("flatbuffer Footer", footer(file));
        assertForm("flatbuffer Schema", schemaAlone(file));
        byte[] headless = file.clone();
        headless[0] = 0;
        assertEquals("file, ", run(headless).out().substring(0, 6));
        assertEquals(1, run(headless).status());
    }

    private static byte[] schemaAlone(byte[] file) {
        Schema schema = new Schema();
        ArrowFile.of(MemorySegment.ofArray(file)).footer().schema(schema);
        FlatBufferWriter buffer = EmissionOrder.ARROW_CPP.newWriter();
        new MetadataWriter(EmissionOrder.ARROW_CPP, buffer.reset()).schema(schema);
        return buffer.segment().toArray(ValueLayout.JAVA_BYTE);
    }

    private static void assertForm(String form, byte[] bytes) {
        Run run = run(bytes);
        assertEquals(form + ", " + bytes.length + " bytes", run.lines().getFirst());
        assertEquals(0, run.status(), run.out());
        String text = new String(Base64.getMimeEncoder().encode(bytes), StandardCharsets.US_ASCII);
        for (String each :
                List.of(
                        text,
                        text.replace("\r\n", ""),
                        text.replace("\r\n", "\n").replace("=", "") + "\n",
                        text.replace('+', '-').replace('/', '_'))) {
            Run decoded = run(each.getBytes(StandardCharsets.US_ASCII));
            assertEquals("base64 of: " + run.out(), decoded.out());
            assertEquals(0, decoded.status());
        }
    }

    @Test
    void inputWithoutMessagesIsAFault() {
        Run text = run("hello".getBytes(StandardCharsets.US_ASCII));
        assertEquals(1, text.status());
        assertTrue(text.out().startsWith("not a file, stream"), text.out());
        assertTrue(text.out().contains("fault: file: not-arrow: offset=0"), text.out());
        Run empty = run(new byte[0]);
        assertEquals(1, empty.status());
        assertTrue(empty.out().contains("empty-input"), empty.out());
        assertEquals(0L, json(run(new byte[0], "--json")).get("size"));
    }

    @Test
    void quotesInTextsAreEscaped() {
        var builder = new com.google.flatbuffers.FlatBufferBuilder();
        int key = builder.createString("a\"b\\c");
        builder.startTable(2);
        builder.addOffset(0, key, 0);
        int pair = builder.endTable();
        int pairs =
                org.apache.arrow.flatbuf.Schema.createCustomMetadataVector(
                        builder, new int[] {pair});
        org.apache.arrow.flatbuf.Schema.startSchema(builder);
        org.apache.arrow.flatbuf.Schema.addCustomMetadata(builder, pairs);
        builder.finish(org.apache.arrow.flatbuf.Schema.endSchema(builder));
        Run run = run(builder.sizedByteArray(), "--root=schema");
        assertTrue(run.out().contains("text: \"a\\\"b\\\\c\""), run.out());
    }

    @Test
    void flatbufferAloneHasOneHeading() {
        Run run = run(metadata(Frames.emptySchema()));
        assertEquals(1, run.lines().stream().filter(l -> l.startsWith("flatbuffer ")).count());
    }

    @Test
    void paddingOfABlockThatIsNotZeroIsNoted() throws IOException {
        byte[] footer = footer(Files.readAllBytes(TradesSample.path("trades.arrow")));
        Annotated all = Annotated.of(footer);
        Region padding =
                all.regions.stream()
                        .map(Annotated.Told::region)
                        .filter(each -> each.kind() == RegionKind.PADDING && each.length() == 4)
                        .filter(each -> each.node().kind == Node.Kind.VECTOR)
                        .findFirst()
                        .orElseThrow();
        footer[(int) padding.at()] = 1;
        Run run = run(footer, "--root=footer");
        assertEquals(0, run.status());
        assertTrue(run.out().contains("note: padding is not zero"), run.out());
    }

    @Test
    void rootOptionForcesTheRootTable() {
        byte[] message = metadata(Frames.emptySchema());
        assertTrue(run(message, "--root", "message").out().startsWith("flatbuffer Message"));
        Run forced = run(message, "--root", "footer");
        assertTrue(forced.out().startsWith("flatbuffer Footer"), forced.out());
        Run framed = run(Frames.emptySchema(), "--root=message");
        assertEquals(1, framed.status());
        assertTrue(framed.out().startsWith("flatbuffer Message"), framed.out());
    }

    @Test
    void faultIsShownAtItsRegionWithTheTextOfVerify() throws IOException {
        byte[] bytes = Files.readAllBytes(TradesSample.path("trades.stream"));
        bytes[172] = 0x71; // offset to the first field
        Path damaged = Files.write(folder.resolve("damaged"), bytes);
        Run verify = Cli.run("verify", "--json", damaged.toString());
        Run run = Cli.run("annotate", "--json", damaged.toString());
        assertEquals(1, run.status());
        Map<String, Object> all = json(run);
        assertEquals(false, all.get("ok"));
        assertTrue(list(all, "faults").containsAll(list(json(verify), "faults")));
        Map<String, Object> region =
                list(all, "regions").stream()
                        .filter(each -> each.get("offset").equals(172L))
                        .findFirst()
                        .orElseThrow();
        assertEquals("[0]", region.get("name"));
        assertEquals("table-misaligned", list(region, "faults").getFirst().get("code"));
        List<String> lines = Cli.run("annotate", damaged.toString()).lines();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains("fault: structure: table-misaligned")) {
                assertTrue(lines.get(i - 1).contains("172 "), lines.get(i - 1));
            }
        }
        assertTrue(lines.getLast().matches("[0-9]+ faults?(; .* complete, [0-9]+ rows)?"));
    }

    @Test
    void jsonCoversAllBytes() throws IOException {
        Path sample = TradesSample.path("trades.arrow");
        Map<String, Object> all = json(Cli.run("annotate", "--json", sample.toString()));
        assertEquals("file", all.get("form"));
        assertEquals(true, all.get("ok"));
        byte[] bytes = Files.readAllBytes(sample);
        long at = 0;
        for (Map<String, Object> each : list(all, "regions")) {
            assertEquals(at, each.get("offset"));
            if (each.containsKey("hex")) {
                assertTrue(
                        each.get("hex").toString().startsWith("%02x".formatted(bytes[(int) at])));
            } else {
                assertEquals("body", each.get("kind"));
            }
            if (each.containsKey("target")) {
                assertTrue((Long) each.get("target") < bytes.length);
            }
            at += (Long) each.get("length");
        }
        assertEquals(bytes.length, at);
        assertEquals(at, all.get("size"));
        assertTrue(
                list(all, "regions").stream()
                        .anyMatch(
                                each ->
                                        "schema.fields[0].name".equals(each.get("path"))
                                                && "time".equals(each.get("value"))));
        assertTrue(
                list(all, "regions").stream()
                        .anyMatch(
                                each ->
                                        "V5".equals(each.get("symbol"))
                                                && "version".equals(each.get("name"))));
    }

    @Test
    void terminalOutputIsColoured() {
        byte[] schema = Frames.emptySchema();
        assertTrue(run(schema, "--color", "always").out().contains("\u001b[1mencapsulated"));
        assertFalse(run(schema, "--color", "never").out().contains("\u001b"));
        assertTrue(Terminal.isColored(Terminal.Color.AUTO, true, Map.of()));
        assertFalse(Terminal.isColored(Terminal.Color.AUTO, false, Map.of()));
        assertFalse(Terminal.isColored(Terminal.Color.AUTO, true, Map.of("NO_COLOR", "1")));
        assertTrue(Terminal.isColored(Terminal.Color.AUTO, true, Map.of("NO_COLOR", "")));
        assertTrue(Terminal.isColored(Terminal.Color.ALWAYS, false, Map.of("NO_COLOR", "1")));
        assertFalse(Terminal.isColored(Terminal.Color.AUTO, true, Map.of("TERM", "dumb")));
        assertEquals(120, Terminal.width("120", "24 80\n"));
        assertEquals(80, Terminal.width("x", "24 80\n"));
        assertEquals(Terminal.UNLIMITED, Terminal.width(null, null));
    }

    @Test
    void linesFitATerminal() throws IOException {
        java.io.StringWriter out = new java.io.StringWriter();
        DetectedInput input =
                AnnotateInput.of(
                        java.lang.foreign.MemorySegment.ofArray(
                                Files.readAllBytes(TradesSample.path("trades.arrow"))),
                        null);
        new AnnotateText(input, new java.io.PrintWriter(out), false, 70)
                .write(AnnotateFaults.of(input, true), new Selection(null, null));
        assertTrue(out.toString().lines().allMatch(line -> line.length() <= 70));
        assertTrue(out.toString().contains("…"));
        assertTrue(out.toString().contains("of venue.code, offsets\n"));
    }

    @Test
    void wrongArgumentsAreExplained() {
        Run both = Cli.run("annotate", "--json", "--html", "x", "y");
        assertEquals(2, both.status());
        assertTrue(both.err().startsWith("fletch: --html and --json cannot be combined"));
        assertEquals(2, Cli.run("annotate", "--html", "x", "y", "z").status());
        assertEquals(2, Cli.run("annotate", "--root", "tensor", "y").status());
        assertEquals(2, Cli.run("annotate").status());
    }

    /// A newer writer's slot, enum value and union member are shown with their numbers and bytes.
    @Test
    void undeclaredSlotsAndValuesAreNamedUnknown() {
        var builder = new com.google.flatbuffers.FlatBufferBuilder();
        builder.startTable(2);
        builder.addShort(1, (short) 7, 0);
        int header = builder.endTable();
        builder.startTable(8);
        builder.addShort(0, (short) 99, 0); // version
        builder.addByte(1, (byte) 42, 0); // kind of the header
        builder.addOffset(2, header, 0);
        builder.addInt(7, 0x01020304, 0); // a slot that is not declared
        builder.finish(builder.endTable());
        Run run = run(builder.sizedByteArray(), "--root=message");
        assertTrue(run.out().contains("MetadataVersion(99), unknown"), run.out());
        assertTrue(run.out().contains("MessageHeader(42), unknown"), run.out());
        assertTrue(run.out().contains("slot 7 unknown: at "), run.out());
        assertTrue(
                run.out().contains("04 03 02 01                  unknown field of slot 7: 4 bytes"),
                run.out());
        assertTrue(run.out().contains("table MessageHeader(42), header."), run.out());
        assertTrue(run.out().contains("unknown field of slot 1"), run.out());
    }
}
