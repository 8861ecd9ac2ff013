// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.testdata.HandmadeInput.longs;
import static dev.fletch.testdata.HandmadeInput.text;
import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.field;
import static dev.fletch.verify.messages.Meant.integer;
import static dev.fletch.verify.messages.Meant.message;
import static dev.fletch.verify.messages.Meant.required;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.struct;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.FletchException;
import dev.fletch.FrameRule;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.Rule.Severity;
import dev.fletch.StructureRule;
import dev.fletch.ValueRule;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.format.BatchCodec;
import dev.fletch.format.ids.Type;
import dev.fletch.format.ids.UnionMode;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;
import dev.fletch.verify.CheckReport;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// No deviation turns off the check of values: for each rule that is one, there are inputs that
/// deviate, and have wrong values in a column, in a struct, in a list, in a dictionary, and among
/// indices.
class DeviatingValuesTest {
    private static final byte[] NONE = {};
    private static final int V4 = 3;
    private static final FbsValue.Table TEXT = field("u", Type.UTF8, table("Utf8"));
    private static final FbsValue.Table INT8 = integer("i", 8);

    /// What is wrong in each input.
    private static final Set<String> WRONG =
            Set.of(
                    "value-offset-range u",
                    "value-offset-range struct.u",
                    "value-offset-range l",
                    "value-dictionary-index d",
                    "value-offset-range d");

    /// An input without the deviation.
    ///
    /// @param more columns behind those with wrong values
    private static HandmadeInput input(FbsValue.Table... more) {
        return input(UnaryOperator.identity(), more);
    }

    private static HandmadeInput input(
            UnaryOperator<FbsValue.Table> ofSchema, FbsValue.Table... more) {
        List<FbsValue.Table> columns =
                new ArrayList<>(
                        List.of(
                                TEXT,
                                struct(TEXT),
                                field("l", Type.LIST, table("List"), INT8),
                                encoded(with(TEXT, "name", "d"), 3)));
        columns.addAll(List.of(more));
        FbsValue.Table all = schema(columns.toArray(FbsValue.Table[]::new));
        return new HandmadeInput(ofSchema.apply(all)).dictionary(3, false, texts(new Batch(1), 1));
    }

    /// Adds texts, of which the first ends behind the data.
    private static Batch texts(Batch to, int rows) {
        int[] offsets = new int[rows + 1];
        Arrays.fill(offsets, 1, rows + 1, 9);
        return to.node(rows, 0, NONE, ints(offsets), text("abc"));
    }

    /// The batch of two rows with wrong values.
    private static Batch batch() {
        return batch(new Batch(2));
    }

    private static Batch batch(Batch batch) {
        texts(batch, 2);
        texts(batch.node(2, 0, NONE), 2);
        batch.node(2, 0, NONE, ints(0, 1, 7)).node(1, 0, NONE, bytes(1));
        return batch.node(2, 0, NONE, bytes(0, 5));
    }

    private static HandmadeInput input(FbsValue.Table column, Consumer<Batch> values) {
        Batch batch = batch();
        values.accept(batch);
        return input(column).batch(batch);
    }

    private static HandmadeInput plain() {
        return input().batch(batch());
    }

    // ---- deviations

    private final Map<Rule, List<byte[]>> inputs = new LinkedHashMap<>();

    private void add(Rule rule, byte[]... deviating) {
        inputs.computeIfAbsent(rule, _ -> new ArrayList<>()).addAll(List.of(deviating));
    }

    /// A file and a stream.
    private void both(Rule rule, HandmadeInput... ofRule) {
        for (HandmadeInput input : ofRule) {
            add(rule, input.file(), input.stream());
        }
    }

    private void columns() {
        both(
                MeaningRule.NO_EMPTY_TYPE_TABLE,
                input(field("b", Type.BOOL, null), to -> to.node(2, 0, NONE, bytes(1))));
        both(
                StructureRule.UNION_TAG_WITHOUT_VALUE,
                input(field("b", Type.BOOL, null), to -> to.node(2, 0, NONE, bytes(1))));
        for (boolean isKey : new boolean[] {true, false}) {
            FbsValue.Table key = with(TEXT, "name", "k", "nullable", isKey ? 1 : 0);
            FbsValue.Table entries = with(struct(key, INT8), "nullable", isKey ? 0 : 1);
            both(
                    isKey ? MeaningRule.MAP_KEY_NULLABLE : MeaningRule.MAP_ENTRIES_NULLABLE,
                    input(
                            field("m", Type.MAP, table("Map"), entries),
                            to -> {
                                to.node(2, 0, NONE, ints(0, 1, 1)).node(1, 0, NONE);
                                to.node(1, 0, NONE, ints(0, 0), NONE);
                                to.node(1, 0, NONE, bytes(1));
                            }));
        }
        both(MeaningRule.RUN_ENDS_NULLABLE, runs(integer("ends", 32), 1, 0, 1));
        both(MeaningRule.RUN_END_NULLS, runs(required(integer("ends", 32)), 1, 1, 1));
        both(MeaningRule.RUN_CHILD_LONGER, runs(required(integer("ends", 32)), 1, 0, 2));
        both(MeaningRule.RUN_CHILD_LONGER, runs(required(integer("ends", 32)), 3, 0, 3));
        both(
                MeaningRule.NULL_COUNT_UNKNOWN,
                input(field("n", Type.NULL, table("Null")), to -> to.node(2, -1)));
        both(
                MeaningRule.CHILD_LONGER,
                input(struct(INT8), to -> to.node(2, 0, NONE).node(3, 0, NONE, bytes(1, 2, 3))));
        both(
                MeaningRule.CHILD_SHORTER,
                input(struct(INT8), to -> to.node(2, 1, bytes(1)).node(1, 0, NONE, bytes(1))));
        both(
                MeaningRule.NO_DATA_OF_NULLS,
                input(INT8, to -> to.node(2, 2, bytes(0), NONE)),
                input(encoded(with(TEXT, "name", "d"), 3), to -> to.node(2, 2, bytes(0), NONE)));
        FbsValue.Table pairs = table("FixedSizeList", "listSize", 2);
        both(
                MeaningRule.LIST_CHILD_SHORTER,
                input(
                        field("f", Type.FIXED_SIZE_LIST, pairs, INT8),
                        to -> to.node(2, 1, bytes(1)).node(2, 0, NONE, bytes(1, 2))));
        both(MeaningRule.NULL_COUNT_WITHOUT_VALIDITY, union(1, 2, 2));
        both(MeaningRule.UNION_CHILD_SHORTER, union(0, 1, 2));
        both(
                MeaningRule.BUFFER_UNALIGNED,
                input(
                        INT8,
                        to -> {
                            to.node(2, 0, NONE, bytes(1, 2, 3, 4));
                            to.buffers().getLast()[0] += 2;
                            to.buffers().getLast()[1] -= 2;
                        }));
        both(
                MeaningRule.BUFFER_ORDER,
                input(
                        INT8,
                        to -> {
                            to.node(2, 0, NONE, bytes(1, 2, 3, 4));
                            to.buffers().getLast()[0] = 0;
                        }));
        both(
                MeaningRule.NO_KEY,
                input(with(INT8, "custom_metadata", List.of(keyValue(null, "v"))), this::two));
        both(
                MeaningRule.NO_VALUE,
                input(with(INT8, "custom_metadata", List.of(keyValue("k", null))), this::two));
    }

    private void two(Batch to) {
        to.node(2, 0, NONE, bytes(1, 2));
    }

    private static FbsValue.Table keyValue(String key, String value) {
        return table("KeyValue", "key", key, "value", value);
    }

    /// @param nulls of the run ends
    private static HandmadeInput runs(FbsValue.Table ends, int runs, int nulls, int values) {
        int[] all = {2, 4, 6};
        return input(
                field("r", Type.RUN_END_ENCODED, table("RunEndEncoded"), ends, INT8),
                to -> {
                    byte[] validity = nulls == 0 ? NONE : bytes(0);
                    to.node(2, 0).node(runs, nulls, validity, ints(Arrays.copyOf(all, runs)));
                    to.node(values, 0, NONE, new byte[values]);
                });
    }

    private static HandmadeInput union(int nulls, int first, int second) {
        FbsValue.Table sparse = table("Union", "mode", UnionMode.SPARSE);
        return input(
                field("x", Type.UNION, sparse, INT8, with(INT8, "name", "j")),
                to -> {
                    to.node(2, nulls, bytes(0, 1)).node(first, 0, NONE, new byte[first]);
                    to.node(second, 0, NONE, new byte[second]);
                });
    }

    private void values() {
        FbsValue.Table dense = table("Union", "mode", UnionMode.DENSE);
        both(
                ValueRule.VALUE_UNION_ORDER,
                input(
                        field("x", Type.UNION, dense, INT8),
                        to ->
                                to.node(2, 0, bytes(0, 0), ints(1, 0))
                                        .node(2, 0, NONE, bytes(1, 2))));
        FbsValue.Table decimal = table("Decimal", "precision", 1, "bitWidth", 64);
        both(
                ValueRule.VALUE_DECIMAL_PRECISION,
                input(field("p", Type.DECIMAL, decimal), to -> to.node(2, 0, NONE, longs(100, 0))));
        FbsValue.Table seconds = table("Time", "unit", 0, "bitWidth", 32);
        both(
                ValueRule.VALUE_TIME_RANGE,
                input(field("t", Type.TIME, seconds), to -> to.node(2, 0, NONE, ints(0, 86_400))));
        both(
                ValueRule.VALUE_DATE_PARTIAL,
                input(
                        field("t", Type.DATE, table("Date", "unit", 1)),
                        to -> to.node(2, 0, NONE, longs(1, 0))));
        for (boolean isMalformed : new boolean[] {false, true}) {
            both(ValueRule.VALUE_TENSOR_SHAPE, tensors(-1, 1, isMalformed));
            both(ValueRule.VALUE_TENSOR_SIZE, tensors(1, 2, isMalformed));
        }
    }

    /// @param isMalformed whether other metadata of the column is not UTF-8
    private static HandmadeInput tensors(int firstSize, int secondSize, boolean isMalformed) {
        FbsValue.Table one = table("FixedSizeList", "listSize", 1);
        List<FbsValue.Table> metadata =
                List.of(
                        keyValue("ARROW:extension:name", "arrow.variable_shape_tensor"),
                        keyValue("other", "Qtext"));
        FbsValue.Table tensor =
                struct(
                        field("data", Type.LIST, table("List"), INT8),
                        field("shape", Type.FIXED_SIZE_LIST, one, integer("size", 32)));
        HandmadeInput made =
                input(
                        with(tensor, "name", "tensor", "custom_metadata", metadata),
                        to -> {
                            to.node(2, 0, NONE).node(2, 0, NONE, ints(0, 1, 2));
                            to.node(2, 0, NONE, bytes(1, 2)).node(2, 0, NONE);
                            to.node(2, 0, NONE, ints(firstSize, secondSize));
                        });
        return isMalformed ? made.edit(malformed("Qtext"), malformed("Qtext")) : made;
    }

    private static UnaryOperator<byte[]> malformed(String text) {
        return bytes -> {
            String all = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
            byte[] changed = bytes.clone();
            changed[all.indexOf(text)] = (byte) 0xFF;
            return changed;
        };
    }

    private void texts() {
        FbsValue.Table zoned = table("Timestamp", "unit", 0, "timezone", "Qzone");
        List<FbsValue.Table> metadata = List.of(keyValue("Qkey", "Qvalue"));
        for (String text : List.of("Qname", "Qzone", "Qkey", "Qvalue")) {
            FbsValue.Table column =
                    text.equals("Qzone") ? field("t", Type.TIMESTAMP, zoned) : integer("Qname", 64);
            HandmadeInput ofColumn =
                    input(
                            with(column, "custom_metadata", metadata),
                            to -> to.node(2, 0, NONE, longs(1, 2)));
            both(StructureRule.STRING_NOT_UTF8, ofColumn.edit(malformed(text), malformed(text)));
            HandmadeInput ofSchema =
                    input(all -> with(all, "custom_metadata", metadata)).batch(batch());
            if (text.equals("Qkey") || text.equals("Qvalue")) {
                both(
                        StructureRule.STRING_NOT_UTF8,
                        ofSchema.edit(malformed(text), malformed(text)));
            }
        }
        HandmadeInput named =
                input(
                        field("s", Type.STRUCT_, table("Struct_"), INT8),
                        to -> {
                            to.node(2, 0, NONE).node(2, 0, NONE, bytes(1, 2));
                        });
        both(StructureRule.STRING_NOT_UTF8, named.edit(malformed("i\0"), malformed("i\0")));
    }

    // ---- bytes of tables

    private static int word(byte[] bytes, int at) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(at);
    }

    private static int half(byte[] bytes, int at) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getShort(at) & 0xFFFF;
    }

    private static byte[] put(byte[] bytes, int at, int value, int width) {
        byte[] changed = bytes.clone();
        for (int i = 0; i < width; i++) {
            changed[at + i] = (byte) (value >> Byte.SIZE * i);
        }
        return changed;
    }

    /// Position of what a slot of a table refers to.
    private static int target(byte[] bytes, int table, int slot) {
        int at = slotAt(bytes, table, slot);
        return at + word(bytes, at);
    }

    private static int slotAt(byte[] bytes, int table, int slot) {
        int vtable = table - word(bytes, table);
        return table + half(bytes, vtable + 4 + 2 * slot);
    }

    /// Position of the schema in a schema message, or in a footer.
    private static int schemaAt(byte[] bytes, boolean isMessage) {
        return target(bytes, word(bytes, 0), isMessage ? 2 : 1);
    }

    /// Changes the schema of both, whose metadata has one entry, and features.
    private interface Edit {
        byte[] of(byte[] bytes, int schema);
    }

    private void edit(Rule rule, Edit edit) {
        UnaryOperator<FbsValue.Table> more =
                all ->
                        with(
                                all,
                                "custom_metadata",
                                List.of(keyValue("k", "v")),
                                "features",
                                List.of(1, 2));
        both(
                rule,
                input(more)
                        .batch(batch())
                        .edit(
                                bytes -> edit.of(bytes, schemaAt(bytes, true)),
                                bytes -> edit.of(bytes, schemaAt(bytes, false))));
    }

    private void tables() {
        edit(
                StructureRule.TABLE_SIZE_TOO_SMALL,
                (bytes, at) -> put(bytes, at - word(bytes, at) + 2, 2, 2));
        edit(
                StructureRule.TABLE_SIZE_OUT_OF_RANGE,
                (bytes, at) -> put(bytes, at - word(bytes, at) + 2, 0xFFF0, 2));
        edit(
                StructureRule.FIELD_OUTSIDE_TABLE,
                (bytes, at) -> put(bytes, at - word(bytes, at) + 2, 4, 2));
        edit(
                StructureRule.ELEMENT_OFFSET_ZERO,
                (bytes, at) -> put(bytes, target(bytes, at, 2) + 4, 0, 4));
        edit(
                StructureRule.VTABLE_TOO_SMALL,
                (bytes, at) -> {
                    int field = target(bytes, at, 1) + 4;
                    int type = target(bytes, field + word(bytes, field), 3); // Utf8, which is empty
                    return put(bytes, type - word(bytes, type), 2, 2);
                });
        edit(
                StructureRule.ELEMENTS_MISALIGNED,
                (bytes, at) -> {
                    // The features again at the end, behind a count at a multiple of 8.
                    int end = bytes.length + 7 & -8;
                    byte[] longer = Arrays.copyOf(bytes, end + 24);
                    int slot = slotAt(bytes, at, 3);
                    System.arraycopy(bytes, target(bytes, at, 3), longer, end, 20);
                    return put(longer, slot, end - slot, 4);
                });
    }

    // ---- files and streams

    private void containers() throws IOException {
        HandmadeInput other = plain();
        FbsValue.Table schema = schema(TEXT);
        add(FileRule.NO_SCHEMA_MESSAGE, plain().schemaMessage(null).file());
        add(FileRule.UNFRAMED_SCHEMA, plain().unframed().file());
        add(
                FileRule.SCHEMA_MESSAGE_DAMAGED,
                plain().edit(bytes -> put(bytes, 0, 0x7FFFFFF0, 4), UnaryOperator.identity())
                        .file());
        add(FileRule.SCHEMA_DIFFERS, plain().schemaMessage(message(schema, 0)).file());
        FbsValue.Table named =
                with(message(plain().schema(), 0), "custom_metadata", List.of(keyValue("k", "v")));
        add(FileRule.METADATA_DIFFERS, plain().schemaMessage(named).file());
        add(MeaningRule.NO_FIELDS, plain().schemaMessage(message(table("Schema"), 0)).file());
        FbsValue.Table untagged = schema(with(TEXT, "type_type", null));
        add(
                StructureRule.UNION_VALUE_WITHOUT_TAG,
                plain().schemaMessage(message(untagged, 0)).file());
        add(FileRule.VERSION_DIFFERS, plain().footerVersion(3).file());
        add(FileRule.MAGIC_PADDING, plain().head(text("ARROW1\0\1")).file());
        add(FileRule.NO_END_OF_STREAM, plain().marker(text("12345678")).file());
        add(
                FileRule.BYTES_BEHIND_END,
                plain().marker(bytes(-1, -1, -1, -1, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8)).stream(),
                plain().marker(bytes(-1, -1, -1, -1, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8)).file());
        add(FileRule.BLOCK_UNALIGNED, plain().gap(new byte[4]).file());
        add(FileRule.BLOCK_OVERLAP, plain().file(0, 1, 1));
        add(FileRule.BLOCK_ORDER, plain().batch(batch()).file(0, 2, 1));
        both(FrameRule.METADATA_UNALIGNED, plain().padding(4));
        both(MeaningRule.SCHEMA_WITH_BODY, schemaWithBody());
        both(MeaningRule.CODEC_IN_METADATA, codecInMetadata());
        Batch unaligned = batch();
        both(
                FrameRule.BODY_UNALIGNED,
                input().add(unaligned.table(), Arrays.copyOf(unaligned.body(), 1_001)));
        ByteArrayOutputStream two = new ByteArrayOutputStream();
        two.writeBytes(plain().marker().stream());
        two.writeBytes(other.stream());
        add(FileRule.REPEATED_SCHEMA, two.toByteArray());
        Batch indices = batch().node(2, 0, NONE, bytes(0, 0));
        FbsValue.Table nested = encoded(struct(encoded(TEXT, 6)), 5);
        HandmadeInput late =
                input(nested)
                        .dictionary(
                                5, false, new Batch(1).node(1, 0, NONE).node(1, 0, NONE, bytes(0)))
                        .dictionary(6, false, new Batch(1).node(1, 0, NONE, ints(0, 0), NONE));
        add(MeaningRule.DICTIONARY_LATE, late.batch(indices).stream());
    }

    private static HandmadeInput schemaWithBody() {
        HandmadeInput plain = plain();
        return plain.schemaMessage(message(plain.schema(), 8), new byte[8]);
    }

    /// Of version 4, with buffers that are stored as they are.
    private static HandmadeInput codecInMetadata() {
        Batch batch = batch(new Batch(2).compressed(0, plain -> joined(longs(-1), plain)));
        FbsValue.Table message =
                message(with(batch.table(), "compression", null), batch.body().length);
        List<FbsValue.Table> pairs = List.of(keyValue(BatchCodec.KEY, "lz4"));
        return new HandmadeInput(input().schema())
                .version(V4)
                .dictionary(3, false, texts(new Batch(1), 1))
                .addMessage(with(message, "version", V4, "custom_metadata", pairs), batch.body());
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    // ---- what is found

    @Test
    void eachDeviationLeavesTheWrongValuesFound() throws IOException {
        columns();
        values();
        texts();
        tables();
        containers();
        Set<String> expected =
                Rule.all().stream()
                        .filter(rule -> rule.severity() == Severity.DEVIATION)
                        .map(Rule::id)
                        .collect(Collectors.toCollection(TreeSet::new));
        Set<String> made =
                inputs.keySet().stream()
                        .map(Rule::id)
                        .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(expected, made);
        Map<String, String> wrong = new TreeMap<>();
        int count = 0;
        for (Map.Entry<Rule, List<byte[]>> each : inputs.entrySet()) {
            for (int i = 0; i < each.getValue().size(); i++) {
                String name = each.getKey().id() + " " + i;
                check(each.getKey(), each.getValue().get(i), name, wrong);
                count++;
            }
        }
        System.out.printf("Deviations: %d, inputs: %d%n", made.size(), count);
        assertEquals(Map.of(), wrong);
    }

    private static void check(Rule rule, byte[] bytes, String name, Map<String, String> wrong)
            throws IOException {
        List<Fault> strict = new ArrayList<>();
        Arrow.verify(
                MemorySegment.ofArray(bytes),
                ReadOptions.VERIFY.withChecks(Checks.STRICT.enabled()).withLevel(Level.VALUES),
                strict::add);
        if (strict.stream().noneMatch(each -> each.rule() == rule)) {
            wrong.put(name, "has not the deviation: " + lines(strict));
            return;
        }
        List<Fault> usual = new ArrayList<>();
        CheckReport report =
                Arrow.verify(
                        new ByteArrayInputStream(bytes),
                        ReadOptions.VERIFY.withLevel(Level.VALUES),
                        usual::add);
        for (List<Fault> each : List.of(strict, usual)) {
            List<String> found = each.stream().map(DeviatingValuesTest::brief).toList();
            if (!found.containsAll(WRONG) || report.uncheckedFields() != 0) {
                wrong.put(name, "values are not checked: " + lines(each));
                return;
            }
        }
        try (BatchReader reader = Arrow.open(MemorySegment.ofArray(bytes), ReadOptions.UNTRUSTED)) {
            while (reader.next()) {}
            wrong.put(name, "is read");
        } catch (FletchException e) {
            boolean isRefused = ReadOptions.UNTRUSTED.refused().contains(rule);
            if (!(e.rule() instanceof ValueRule) && !(isRefused && e.rule() == rule)) {
                wrong.put(name, "is not read: " + e.getMessage());
            }
        }
        ConvertOptions options =
                ConvertOptions.DEFAULT.withReading(ReadOptions.DEFAULT.withLevel(Level.VALUES));
        try {
            Arrow.convert(
                    MemorySegment.ofArray(bytes),
                    Channels.newChannel(new ByteArrayOutputStream()),
                    options);
            wrong.put(name, "is converted");
        } catch (FletchException e) {
            if (!e.getMessage().contains("values are invalid: value-")) {
                wrong.put(name, "is not converted: " + e.getMessage());
            }
        }
    }

    private static String lines(List<Fault> found) {
        return found.stream().map(Fault::line).collect(Collectors.joining("\n  ", "\n  ", "\n"));
    }

    /// Code and column of a fault.
    private static String brief(Fault each) {
        String text = each.text();
        int at = text.lastIndexOf("column=");
        return each.rule().id() + " " + (at < 0 ? "" : text.substring(at + "column=".length()));
    }
}
