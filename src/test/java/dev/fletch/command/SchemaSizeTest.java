// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static dev.fletch.verify.messages.Meant.field;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.struct;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.utf8;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.Columns;
import dev.fletch.command.Cli.Run;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.SchemaSize;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataEdit;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.format.write.SegmentList;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.Frames;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.FirstFault;
import dev.fletch.verify.messages.Meant;
import dev.fletch.verify.messages.SemanticVerifier;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// All commands and all classes of the library accept the same schemas, and reject the same.
@Order(1) // takes long
@Timeout(300)
class SchemaSizeTest {
    private static final Pattern TOO_LARGE =
            Pattern.compile(
                    "(schema-too-large|schema shares fields or texts too often).*"
                            + "size=\\d+, limit=\\d+");

    private static final String LONG_TEXT = "x".repeat(20_000);
    private static final List<String> COMMANDS =
            List.of(
                    "ls",
                    "count",
                    "schema",
                    "schema --format=fbs",
                    "columns",
                    "map",
                    "ext",
                    "json",
                    "verify");

    /// Schemas that share something too often.
    enum TooLarge {
        NAMES(fields(2_000, _ -> utf8(LONG_TEXT))),
        TIMEZONES(fields(2_000, i -> timestamp("t" + i, LONG_TEXT))),
        METADATA_VALUES(fields(2_000, i -> described("c" + i, LONG_TEXT, 1))),
        METADATA_VECTORS(shared(2_000, described("c", "v", 1_000))),
        SCHEMA_METADATA(
                table(
                        "Schema",
                        "fields",
                        List.of(),
                        "custom_metadata",
                        Collections.nCopies(1_000, pair(LONG_TEXT)))),
        TYPE_IDS(shared(2_000, union(2_000))),
        FIELDS(
                shared(
                        20_000,
                        struct(
                                "s",
                                Collections.nCopies(9, utf8("f")).toArray(FbsValue.Table[]::new)))),
        CHILDREN(schema(Meant.doubled(16))),
        CHILDREN_OF_A_DICTIONARY(schema(Meant.encoded(Meant.doubled(16), 5)));

        final byte[] stream;

        TooLarge(FbsValue.Table schema) {
            stream = Frames.schemaStream(schema);
        }

        /// A layout has fields and names, and no other parts.
        boolean hasLargeLayout() {
            return this == NAMES || hasManyFields();
        }

        boolean hasManyFields() {
            return this == FIELDS || this == CHILDREN || this == CHILDREN_OF_A_DICTIONARY;
        }
    }

    /// Schemas that are large, or share something.
    enum Accepted {
        OWN_NAMES(fields(CaseCount.of(5_000, 100_000), i -> utf8("n".repeat(200) + i))),
        FEW_LONG_TEXTS(fields(20, i -> described("c" + i, "x".repeat(500_000), 1))),
        FEW_LONG_NAMES(fields(100, _ -> utf8("x".repeat(100_000)))),
        FIELDS(shared(50_000, utf8("f"))),
        CHILDREN(schema(Meant.doubled(10)));

        final byte[] stream;

        Accepted(FbsValue.Table schema) {
            stream = Frames.schemaStream(schema);
        }
    }

    private static FbsValue.Table fields(int count, IntFunction<FbsValue.Table> field) {
        return schema(IntStream.range(0, count).mapToObj(field).toArray(FbsValue.Table[]::new));
    }

    private static FbsValue.Table shared(int count, FbsValue.Table field) {
        return table("Schema", "fields", Collections.nCopies(count, field));
    }

    private static FbsValue.Table timestamp(String name, String timezone) {
        return field(name, Type.TIMESTAMP, table("Timestamp", "unit", 0, "timezone", timezone));
    }

    private static FbsValue.Table union(int ids) {
        return field("u", Type.UNION, table("Union", "typeIds", Collections.nCopies(ids, 1)));
    }

    private static FbsValue.Table pair(String value) {
        return table("KeyValue", "key", "k", "value", value);
    }

    private static FbsValue.Table described(String name, String value, int pairs) {
        return Meant.with(utf8(name), "custom_metadata", Collections.nCopies(pairs, pair(value)));
    }

    // ---- the library

    private static Message message(byte[] stream) {
        return new Message().wrap(MemorySegment.ofArray(stream), 8, stream.length - 8L);
    }

    private static Schema schemaOf(byte[] stream) {
        Schema schema = new Schema();
        assertTrue(message(stream).header(schema));
        return schema;
    }

    /// What uses a schema.
    private static Map<String, Executable> uses(byte[] stream, boolean isLayoutMeasured) {
        Message message = message(stream);
        Schema schema = schemaOf(stream);
        Map<String, Executable> uses = new HashMap<>();
        uses.put("SchemaSize", () -> SchemaSize.check(schema, Limits.DEFAULT));
        uses.put("ArrowSchema", () -> ArrowSchema.of(schema));
        if (isLayoutMeasured) {
            uses.put("BatchLayout", () -> BatchLayout.compile(schema, MetadataVersion.V5));
        }
        uses.put("message", () -> writer().message(message));
        uses.put("schema", () -> writer().schema(schema));
        uses.put(
                "schemaMessage",
                () -> writer().schemaMessage(schema, MetadataVersion.V5, new MetadataEdit()));
        uses.put(
                "schemaFooter",
                () -> writer().schemaFooter(schema, MetadataVersion.V5, new MetadataEdit()));
        for (ArrowContainer each : ArrowContainer.values()) {
            uses.put("MessageWriter " + each, () -> write(each, stream));
        }
        return uses;
    }

    private static MetadataWriter writer() {
        return new MetadataWriter(
                EmissionOrder.ARROW_CPP, EmissionOrder.ARROW_CPP.newWriter().reset());
    }

    private static void write(ArrowContainer container, byte[] stream) throws IOException {
        ByteArrayOutputStream to = new ByteArrayOutputStream();
        try (MessageWriter writer = MessageWriter.of(container, Channels.newChannel(to))) {
            writer.write(MemorySegment.ofArray(stream), 8, stream.length - 8, new SegmentList());
            writer.finish();
        } catch (FletchException e) {
            assertEquals(0, to.size());
            throw e;
        }
    }

    @ParameterizedTest
    @EnumSource
    void allClassesRejectWhatIsSharedTooOften(TooLarge given) {
        List<Fault> faults = new ArrayList<>();
        SemanticVerifier verifier = new SemanticVerifier(Checks.DEFAULT, faults::add);
        Message message = message(given.stream);
        assertFalse(verifier.message(message));
        Fault last = faults.getLast(); // ends the walk
        assertEquals(MeaningRule.SCHEMA_TOO_LARGE, last.rule());
        String limit = "limit=" + Limits.DEFAULT.unfoldedBytes(given.stream.length - 8);
        assertTrue(last.details().matches("size=\\d+, " + limit));
        assertTrue(last.value() > Limits.DEFAULT.unfoldedBytes(given.stream.length - 8));
        uses(given.stream, given.hasLargeLayout())
                .forEach(
                        (what, use) -> {
                            var e = assertThrows(FletchException.class, use, what);
                            // Values are checked as by the verifier, in its order.
                            Fault fault = what.equals("ArrowSchema") ? faults.getFirst() : last;
                            assertEquals(fault.rule(), e.rule());
                            assertTrue(fault != last || e.getMessage().endsWith(limit));
                            assertEquals(fault.position(), e.offset(), what);
                        });
    }

    @ParameterizedTest
    @EnumSource
    void allClassesAcceptLargeSchemas(Accepted given) {
        FirstFault first = new FirstFault();
        SemanticVerifier verifier = new SemanticVerifier(Checks.DEFAULT, first);
        Message message = message(given.stream);
        assertTrue(verifier.message(message), () -> "" + first.fault());
        uses(given.stream, true).forEach((what, use) -> assertDoesNotThrow(use, what));
    }

    /// Layouts have no other parts, so what they accept does not depend on these. A layout of one
    /// column counts the fields of all, but not the names of the others.
    @ParameterizedTest
    @EnumSource
    void layoutsCountFieldsAndNamesOnly(TooLarge given) {
        assertLayout(given.hasLargeLayout(), given, Columns.all());
        if (given != TooLarge.SCHEMA_METADATA) { // which has no column
            assertLayout(given.hasManyFields(), given, Columns.at(0));
        }
    }

    private static void assertLayout(boolean isTooLarge, TooLarge given, Columns columns) {
        Schema schema = schemaOf(given.stream);
        Executable compile =
                () -> BatchLayout.compile(schema, MetadataVersion.V5, Limits.DEFAULT, columns);
        if (isTooLarge) {
            assertThrows(FletchException.class, compile);
        } else {
            assertDoesNotThrow(compile);
        }
    }

    /// Each part has the size that the documentation says.
    @Test
    void sizeOfASchemaIsTheDocumentedSum() {
        FbsValue.Table union = field("u", Type.UNION, table("Union", "typeIds", List.of(1, 2)));
        FbsValue.Table all =
                table(
                        "Schema",
                        "fields",
                        List.of(
                                timestamp("time", "Asia/Tokyo"),
                                struct("s", described("child", "value", 3)),
                                union),
                        "custom_metadata",
                        List.of(pair("value")),
                        "features",
                        List.of(1, 2));
        byte[] bytes = Meant.bytes(all);
        SchemaSize size = new SchemaSize(Limits.DEFAULT);
        size.require(new Schema().wrap(MemorySegment.ofArray(bytes)));
        long texts = "time".length() + "Asia/Tokyo".length() + "schild".length() + 1;
        texts += 4 * "kvalue".length();
        assertEquals(4 * 256 + (3 + 2 + 1 + 2) * 64 + texts, size.size());
        assertEquals((16 << 20) + 64L * bytes.length, size.limit());
    }

    /// The footer's schema may be another one than that of the first message.
    @Test
    void tooLargeSchemaOfAFooterIsRejected() {
        FbsValue.Table schema = fields(2_000, _ -> utf8(LONG_TEXT));
        byte[] bytes = Meant.bytes(table("Footer", "version", 4, "schema", schema));
        Footer footer = new Footer().wrap(MemorySegment.ofArray(bytes));
        assertThrows(FletchException.class, () -> writer().footer(footer));
        Schema large = new Schema();
        assertTrue(footer.schema(large));
        byte[] small =
                Meant.bytes(table("Footer", "version", 4, "schema", fields(0, _ -> utf8("c"))));
        Footer other = new Footer().wrap(MemorySegment.ofArray(small));
        MetadataEdit replaced = new MetadataEdit().footerSchema(large);
        assertThrows(FletchException.class, () -> writer().footer(other, replaced));
        FirstFault first = new FirstFault();
        assertFalse(new SemanticVerifier(Checks.DEFAULT, first).footer(footer));
        assertEquals(MeaningRule.SCHEMA_TOO_LARGE, first.fault().rule());
        byte[] file = Frames.file(table("Footer", "version", 4, "schema", schema));
        for (String command : List.of("verify", "schema", "columns", "map", "ext", "json")) {
            assertEquals(1, Cli.runWithInput(file, command, "-").status(), command);
        }
    }

    // ---- commands

    /// With other options, and of the rest, the corpus has a schema that is too large.
    @ParameterizedTest
    @EnumSource
    void allCommandsRejectWhatIsSharedTooOften(TooLarge given, @TempDir Path folder)
            throws IOException {
        Path file = Files.write(folder.resolve("in.arrows"), given.stream);
        // A usual run gives each command some of the schemas.
        int step = CaseCount.of(COMMANDS.size() - 1, 1);
        for (int i = given.ordinal() % step; i < COMMANDS.size(); i += step) {
            Run run = Cli.run((COMMANDS.get(i) + " " + file).split(" "));
            assertEquals(1, run.status(), () -> given + ": " + run.err());
            String text = run.err() + run.out();
            // More tables than the structure may have are found first.
            boolean isStructure = text.contains("table-limit");
            assertTrue(isStructure || TOO_LARGE.matcher(text).find(), COMMANDS.get(i) + text);
            // A line for each fault before.
            int most = text.contains("union-type-ids") ? 40_000 : 2_000;
            assertTrue(run.out().length() < most, COMMANDS.get(i) + run.out().length());
        }
    }

    @ParameterizedTest
    @EnumSource
    void allCommandsAcceptLargeSchemas(Accepted given, @TempDir Path folder) throws IOException {
        String file = Files.write(folder.resolve("in.arrows"), given.stream).toString();
        int step = CaseCount.of(2, 1);
        for (int i = given.ordinal() % step; i < COMMANDS.size(); i += step) {
            String command = COMMANDS.get(i);
            Run run = Cli.run((command + " " + file).split(" "));
            assertEquals(0, run.status(), () -> command + ": " + run.err());
        }
        assertEquals(0, Cli.run("diff", file, file).status());
        for (String suffix : List.of(".arrow", ".arrows")) {
            Path to = folder.resolve("out" + suffix);
            Run run = Cli.run("convert", file, to.toString());
            assertEquals(0, run.status(), run::err);
        }
    }
}
