// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.diff;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.JsonTree;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.input.Models;
import dev.fletch.ipc.Frames;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.Metadata;
import dev.fletch.testdata.ModelTables;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// `fletch diff`, by meaning and by bytes.
class DiffCommandTest {
    private static final Path FILE = TradesSample.path("trades.arrow");
    private static final Path STREAM = TradesSample.path("trades.stream");

    @TempDir Path folder;
    private Path before;
    private Path after;

    private static byte[] stream(ArrowSchema schema, int seed) {
        return Frames.schemaStream(ModelTables.schema(schema), seed);
    }

    @BeforeEach
    void write() throws IOException {
        ArrowField price = ArrowField.of("price", new ArrowType.Decimal(38, 10));
        ArrowField size = ArrowField.of("size", new ArrowType.Int(64, true)).nullable();
        before = folder.resolve("before");
        after = folder.resolve("after");
        Files.write(
                before, stream(ArrowSchema.of(price, size).withMetadata(Metadata.of("k", "v")), 1));
        Files.write(
                after,
                stream(
                        ArrowSchema.of(
                                price.withType(new ArrowType.Decimal(20, 2)),
                                ArrowField.of("\u202e", ArrowType.Simple.UTF8)),
                        1));
    }

    private static Run diff(Object... args) {
        String[] all = new String[args.length + 1];
        all[0] = "diff";
        for (int i = 0; i < args.length; i++) {
            all[i + 1] = args[i].toString();
        }
        return Cli.run(all);
    }

    // ---- what is invalid

    /// No answer is none that could be taken for one; which of the two it is is told, and why.
    @Test
    void invalidInputHasAnObject() throws IOException {
        Path bad = Files.write(folder.resolve("bad"), Frames.END);
        String text = "there is no message";
        for (Path[] pair : new Path[][] {{bad, before}, {before, bad}, {bad, bad}}) {
            Run run = diff("--json", pair[0], pair[1]);
            assertEquals(1, run.status());
            Map<?, ?> object = (Map<?, ?>) run.json().getFirst();
            assertEquals(1, run.json().size());
            assertEquals(pair[0].toString(), object.get("a"));
            assertEquals(pair[1].toString(), object.get("b"));
            assertTrue(object.containsKey("same"));
            assertNull(object.get("same"));
            assertEquals(pair[0] == bad ? "a" : "b", object.get("invalid"));
            assertEquals(text, ((Map<?, ?>) object.get("fault")).get("text"));
            String line = "fletch: " + bad + ": offset 0: " + text + "\n";
            assertEquals(line.repeat(pair[0] == pair[1] ? 2 : 1), run.err());
            assertTrue(object.containsKey("changes"));
            assertNull(object.get("changes"));
            assertEquals(
                    Stream.of("a", "b")
                            .filter(id -> object.get(id).equals(bad.toString()))
                            .toList(),
                    JsonTree.array(object.get("faults")).stream()
                            .map(each -> JsonTree.object(each).get("input"))
                            .toList());
            assertEquals("", diff(pair[0], pair[1]).out());
        }
        Path cut = Files.write(folder.resolve("cut"), Arrays.copyOf(Files.readAllBytes(FILE), 999));
        Run bytes = diff("--bytes", "--json", FILE, cut);
        assertEquals(1, bytes.status());
        assertEquals("b", ((Map<?, ?>) bytes.json().getFirst()).get("invalid"));
        Run missing = diff("--json", FILE, "x");
        assertEquals(2, missing.status());
        assertEquals("fletch: x: no such file\n", missing.err());
        Map<?, ?> object = JsonTree.object(missing.json().getFirst());
        assertNull(object.get("same"));
        assertEquals("[{input=b, error=no such file}]", object.get("faults").toString());
    }

    /// The schemas are there, so they are compared.
    @Test
    void schemasOfDamagedInputsAreCompared() throws IOException {
        Path cut =
                Files.write(folder.resolve("cut"), Arrays.copyOf(Files.readAllBytes(STREAM), 9999));
        Run sound = diff(STREAM, before);
        Run damaged = diff(cut, before);
        assertEquals(sound.out(), damaged.out());
        assertEquals(1, damaged.status());
        assertTrue(
                damaged.err().startsWith("fletch: " + cut + ": message 2: offset "), damaged.err());
        Run same = diff("--json", STREAM, cut);
        assertEquals(1, same.status());
        Map<?, ?> object = JsonTree.object(same.json().getFirst());
        assertNull(object.get("same"));
        assertEquals(List.of(), object.get("changes"));
        assertEquals("b", object.get("invalid"));
    }

    // ---- damaged inputs by bytes

    /// A stream whose first batch differs in a byte, and that ends inside its last message.
    @Test
    void bytesAreComparedUpToTheDamageOfEitherSide() throws IOException {
        byte[] sound = Files.readAllBytes(STREAM);
        List<OracleMessage> messages = OracleListing.list(sound).messages();
        OracleMessage last = messages.getLast();
        byte[] changed = Arrays.copyOf(sound, (int) last.bodyOffset() + 1);
        OracleMessage batch = OracleListing.list(sound).recordBatches().getFirst();
        changed[(int) batch.metadataOffset() + lastZero(sound, batch)] = 0x5A;
        Path cut = Files.write(folder.resolve("cut"), changed);
        Path shorter =
                Files.write(
                        folder.resolve("shorter"),
                        Arrays.copyOf(sound, (int) messages.get(3).offset() + 20));
        int complete = messages.size() - 1;
        assertIncomplete(STREAM, cut, 1, complete, "b");
        assertIncomplete(cut, STREAM, 1, complete, "a");
        assertIncomplete(STREAM, shorter, 0, 3, "b");
        assertIncomplete(cut, shorter, 1, 3, "a", "b");
        Path text = Files.writeString(folder.resolve("text"), "not Arrow at all");
        assertIncomplete(text, cut, 0, 0, "a", "b");
    }

    private void assertIncomplete(Path a, Path b, int differences, int compared, String... invalid)
            throws IOException {
        Run run = diff("--bytes", a, b);
        assertEquals(1, run.status());
        assertEquals(differences, run.lines().size(), run.out());
        List<String> lines = run.err().lines().toList();
        assertEquals(invalid.length, lines.size(), run.err());
        Run json = diff("--bytes", "--json", a, b);
        assertEquals(1, json.status());
        assertEquals(run.err(), json.err());
        Map<?, ?> object = JsonTree.object(json.json().getFirst());
        assertTrue(object.containsKey("same"));
        assertNull(object.get("same"));
        assertEquals(differences, JsonTree.array(object.get("differences")).size());
        assertEquals((long) compared, object.get("compared"));
        assertEquals(invalid[0], object.get("invalid"));
        List<Object> faults = JsonTree.array(object.get("faults"));
        assertEquals(invalid.length, faults.size());
        for (int i = 0; i < invalid.length; i++) {
            Map<?, ?> each = JsonTree.object(faults.get(i));
            assertEquals(invalid[i], each.get("input"));
            assertEquals(
                    "fletch: %s: %s; comparison is incomplete: messages compared=%d"
                            .formatted(
                                    invalid[i].equals("a") ? a : b,
                                    JsonTree.placed(each.get("fault")),
                                    compared),
                    lines.get(i));
        }
    }

    /// The messages after it keep their numbers.
    @Test
    void damageInsideAFileHidesOnlyItsMessage() throws IOException {
        byte[] damaged = Files.readAllBytes(FILE);
        OracleFile listing = OracleListing.list(damaged);
        OracleMessage second = listing.recordBatches().get(1);
        damaged[(int) second.metadataOffset()] = 0x7F; // the root offset
        OracleMessage third = listing.recordBatches().get(2);
        int at = (int) third.metadataOffset() + lastZero(damaged, third);
        damaged[at] = 0x5A;
        Path broken = Files.write(folder.resolve("broken"), damaged);
        int all = listing.messages().size();
        assertIncomplete(FILE, broken, 1, all - 1, "b");
        assertIncomplete(broken, FILE, 1, all - 1, "a");
        String line = diff("--bytes", FILE, broken).lines().getFirst();
        int index = listing.messages().indexOf(third);
        assertTrue(line.startsWith("message " + index + ", RecordBatch: byte "), line);
    }

    /// All messages of a file without its end are compared; its footer is not, as it cannot be
    /// read.
    @Test
    void fileWithoutItsFooterIsComparedCompletely() throws IOException {
        byte[] bytes = Files.readAllBytes(FILE);
        Path cut = Files.write(folder.resolve("cut"), Arrays.copyOf(bytes, bytes.length - 1));
        OracleFile listing = OracleListing.list(bytes);
        int all = listing.messages().size();
        assertIncomplete(FILE, cut, 0, all, "b");
        // Cut between messages, it may have lost some; with the marker after them it has not.
        OracleMessage last = listing.messages().getLast();
        byte[] shorter = Arrays.copyOf(bytes, (int) last.offset());
        Files.write(cut, shorter);
        assertIncomplete(FILE, cut, 0, all - 1, "b");
        assertIncomplete(cut, FILE, 0, all - 1, "a");
        Files.write(cut, Frames.join(shorter, Frames.END));
        assertIncomplete(FILE, cut, 1, all - 1, "b");
        assertEquals(
                List.of("message " + (all - 1) + ", RecordBatch: only in A"),
                diff("--bytes", FILE, cut).lines());
    }

    // ---- by meaning

    @Test
    void changesOfASchemaArePrinted() {
        assertEquals(
                new Run(
                        1,
                        """
                        schema: metadata k removed v
                        price: type decimal(38, 10) → decimal(20, 2)
                        size: removed int64
                        "\\u202e": added utf8 not null
                        """,
                        ""),
                diff(before, after));
    }

    @Test
    void changesOfASchemaArePrintedAsJson() {
        Run run = diff("--json", before, after);
        assertEquals(1, run.status());
        Map<String, Object> object = JsonTree.object(run.json().getFirst());
        assertEquals(List.of("a", "b", "same", "changes"), List.copyOf(object.keySet()));
        assertEquals(before.toString(), object.get("a"));
        assertEquals(false, object.get("same"));
        assertEquals(
                """
                [{path=null, kind=metadata, key=k, before=v, after=null}, \
                {path=price, kind=type, key=null, before=decimal(38, 10), after=decimal(20, 2)}, \
                {path=size, kind=removed, key=null, before=int64, after=null}, \
                {path=\u202e, kind=added, key=null, before=null, after=utf8 not null}]\
                """,
                object.get("changes").toString());
        assertEquals(
                "{\"a\":\"%s\",\"b\":\"%s\",\"same\":true,\"changes\":[]}\n"
                        .formatted(before, before),
                diff("--json", before, before).out());
    }

    @Test
    void equalSchemasInDifferentBytesAreEqual() throws IOException {
        assertEquals(new Run(0, "", ""), diff(FILE, STREAM));
        Path other = folder.resolve("other");
        InputBytes opened = InputBytes.open(before, () -> {});
        Files.write(other, stream(Models.of(Input.of(opened)), 7));
        assertTrue(Files.mismatch(before, other) >= 0);
        assertEquals(new Run(0, "", ""), diff(before, other));
        assertEquals(1, diff("--bytes", before, other).status());
    }

    @Test
    void standardInputIsCompared() throws IOException {
        byte[] piped = Files.readAllBytes(after);
        Run run = Cli.runWithInput(piped, "diff", before.toString(), "-");
        assertEquals(diff(before, after), run);
        assertEquals(0, Cli.runWithInput(piped, "diff", "--bytes", "-", after.toString()).status());
        assertEquals(2, diff("-", "-").status());
    }

    // ---- by bytes

    @Test
    void inputsWithTheSameBytesAreEqual() throws IOException {
        Path copy = Files.copy(FILE, folder.resolve("copy"));
        assertEquals(new Run(0, "", ""), diff("--bytes", FILE, copy));
        assertEquals(
                "{\"a\":\"%s\",\"b\":\"%s\",\"same\":true,\"differences\":[]}\n"
                        .formatted(FILE, copy),
                diff("--bytes", "--json", FILE, copy).out());
    }

    @Test
    void bodiesAreNotCompared() throws IOException {
        byte[] bytes = Files.readAllBytes(FILE);
        OracleMessage batch = OracleListing.list(bytes).recordBatches().getFirst();
        bytes[(int) batch.bodyOffset()] ^= 1;
        Path changed = Files.write(folder.resolve("changed"), bytes);
        assertEquals(new Run(0, "", ""), diff("--bytes", FILE, changed));
    }

    @Test
    void differentBytesAreLocated() throws IOException {
        byte[] bytes = Files.readAllBytes(FILE);
        OracleFile listing = OracleListing.list(bytes);
        int footer = (int) listing.footer().offset();
        int last = footer + listing.footer().length() - 1;
        OracleMessage batch = listing.recordBatches().getFirst();
        // Behind the flatbuffer, or in an unread place: what stands there is the same to a reader.
        int at = (int) batch.metadataOffset() + lastZero(bytes, batch);
        bytes[at] = 0x5A;
        bytes[last] ^= 1;
        Path changed = Files.write(folder.resolve("changed"), bytes);
        Run run = diff("--bytes", FILE, changed);
        int index = listing.messages().indexOf(batch);
        assertEquals(1, run.status(), run.err());
        assertEquals(
                List.of(
                        "message %d, RecordBatch: byte %d: A 0x00 at offset %d, B 0x5a at offset %d"
                                .formatted(
                                        index, lastZero(Files.readAllBytes(FILE), batch), at, at),
                        "footer: byte %d: A 0x%02x at offset %d, B 0x%02x at offset %d"
                                .formatted(
                                        listing.footer().length() - 1,
                                        bytes[last] ^ 1,
                                        last,
                                        bytes[last],
                                        last)),
                run.lines());
        Object object = diff("--bytes", "--json", FILE, changed).json().getFirst();
        assertEquals(
                "{message=%d, kind=RecordBatch, byte=%d, a={offset=%d, length=%d, value=0}, "
                                .formatted(
                                        index,
                                        at - batch.metadataOffset(),
                                        batch.metadataOffset(),
                                        batch.metadataLength())
                        + "b={offset=%d, length=%d, value=90}}"
                                .formatted(batch.metadataOffset(), batch.metadataLength()),
                JsonTree.array(JsonTree.object(object).get("differences")).getFirst().toString());
    }

    private static int lastZero(byte[] file, OracleMessage message) {
        int at = message.metadataLength() - 1;
        while (file[(int) message.metadataOffset() + at] != 0) {
            at--;
        }
        return at;
    }

    @Test
    void messagesOfOnlyOneSideAreNamed() throws IOException {
        byte[] stream = Files.readAllBytes(STREAM);
        OracleFile listing = OracleListing.list(stream);
        int end = (int) listing.messages().getLast().offset();
        Path cut = Files.write(folder.resolve("cut"), Arrays.copyOf(stream, end));
        int last = listing.messages().size() - 1;
        assertEquals(
                List.of("message " + last + ", RecordBatch: only in A"),
                diff("--bytes", STREAM, cut).lines());
        assertEquals(
                List.of("message " + last + ", RecordBatch: only in B"),
                diff("--bytes", cut, STREAM).lines());
        assertEquals(List.of("footer: only in A"), diff("--bytes", FILE, STREAM).lines());
        String json = diff("--bytes", "--json", STREAM, FILE).out();
        assertTrue(
                json.contains("{\"message\":null,\"kind\":\"Footer\",\"byte\":null,\"a\":null,"),
                json);
    }

    @Test
    void differentMetadataLengthsAreReported() {
        Run run = diff("--bytes", before, after);
        assertEquals(1, run.lines().size());
        assertTrue(
                run.out().matches("message 0, Schema: byte \\d+: A .*, B .* at offset \\d+\n"),
                run.out());
    }

    // ---- usage and failures

    @Test
    void helpIsPrinted() {
        Run run = Cli.run("diff", "--help");
        assertEquals(0, run.status());
        assertTrue(run.out().startsWith("Usage: fletch diff "), run.out());
        assertTrue(run.out().contains("\n  fletch diff "), run.out());
        assertTrue(run.lines().stream().allMatch(line -> line.length() <= 80), run.out());
    }

    @Test
    void failuresNameTheirInput() throws IOException {
        Path none = folder.resolve("none");
        assertEquals(new Run(2, "", "fletch: " + none + ": no such file\n"), diff(FILE, none));
        assertEquals(new Run(2, "", "fletch: " + none + ": no such file\n"), diff(none, FILE));
        Path text = Files.writeString(folder.resolve("text"), "not Arrow at all");
        for (String[] options : List.of(new String[0], new String[] {"--bytes"})) {
            Object[] args = new Object[options.length + 2];
            System.arraycopy(options, 0, args, 0, options.length);
            args[options.length] = FILE;
            args[options.length + 1] = text;
            Run run = diff(args);
            assertEquals(1, run.status());
            assertEquals("", run.out());
            assertTrue(run.err().startsWith("fletch: " + text + ": offset "), run.err());
        }
        assertEquals(2, diff(FILE).status());
        assertEquals(2, diff(FILE, FILE, FILE).status());
    }
}
