// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.text.Terminal;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Schema;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.input.DetectedInput;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/// What `fletch annotate` prints, for a person and for a program, and what it takes an input for.
@Timeout(120)
class AnnotateCommandTest {
    private static Run run(byte[] input, String... options) {
        List<String> args = new ArrayList<>(List.of("annotate"));
        args.addAll(List.of(options));
        args.add("-");
        return Cli.runWithInput(input, args.toArray(String[]::new));
    }

    private static byte[] metadata(byte[] message) {
        return Arrays.copyOfRange(message, 8, message.length);
    }

    @Test
    void formOfTheInputIsDetected() {
        byte[] file = TradesSample.file();
        byte[] stream = TradesSample.stream();
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
        assertForm("flatbuffer Footer", OracleListing.list(file).flatbuffers().getLast().bytes());
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
        StringWriter out = new StringWriter();
        DetectedInput input = AnnotateInput.of(MemorySegment.ofArray(TradesSample.file()), null);
        new AnnotateText(input, new PrintWriter(out), false, 70)
                .write(AnnotateFaults.of(input, true), new Selection(null, null));
        assertTrue(out.toString().lines().allMatch(line -> line.length() <= 70));
        assertTrue(out.toString().contains("…"));
        assertTrue(out.toString().contains("of venue.code, offsets\n"));
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
