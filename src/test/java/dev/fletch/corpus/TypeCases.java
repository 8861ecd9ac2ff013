// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.corpus.MeaningParts.NONE;
import static dev.fletch.corpus.MeaningParts.fixedList;
import static dev.fletch.corpus.MeaningParts.inBatch;
import static dev.fletch.corpus.MeaningParts.inFile;
import static dev.fletch.corpus.MeaningParts.largeListView;
import static dev.fletch.corpus.MeaningParts.leaf;
import static dev.fletch.corpus.MeaningParts.legacy;
import static dev.fletch.corpus.MeaningParts.list;
import static dev.fletch.corpus.MeaningParts.map;
import static dev.fletch.corpus.MeaningParts.old;
import static dev.fletch.corpus.MeaningParts.one;
import static dev.fletch.corpus.MeaningParts.union;
import static dev.fletch.corpus.MeaningParts.without;
import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.testdata.HandmadeInput.longs;
import static dev.fletch.testdata.HandmadeInput.text;
import static dev.fletch.verify.messages.Meant.INT32;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.field;
import static dev.fletch.verify.messages.Meant.integer;
import static dev.fletch.verify.messages.Meant.required;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.struct;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.StructureRule;
import dev.fletch.format.Field;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;

import java.util.ArrayList;
import java.util.List;

/// Inputs with a type that does not exist.
final class TypeCases {
    private final List<CorpusCase> cases = new ArrayList<>();

    static List<CorpusCase> all() {
        TypeCases made = new TypeCases();
        made.numbers();
        made.decimals();
        made.times();
        made.sizes();
        made.tables();
        made.emptyTables();
        return made.cases;
    }

    /// Two values of a type of fixed width.
    private static Batch two(int width) {
        return new Batch(2).node(2, 0, NONE, new byte[2 * width]);
    }

    private static FbsValue.Table decimal(int bits, int precision) {
        return leaf("d", Type.DECIMAL, "Decimal", "bitWidth", bits, "precision", precision);
    }

    private void numbers() {
        cases.add(
                inFile(MeaningRule.INT_WIDTH, "int-24-bits", "int32", "an integer has 24 bits")
                        .file(one(INT32, two(4)), one(integer("int32", 24), two(4))));
        cases.add(
                inBatch(MeaningRule.INT_WIDTH, "int-0-bits", "int8", "an integer has 0 bits")
                        .stream(old(INT8, two(1)), old(integer("int8", 0), two(1))));
        cases.add(
                inBatch(MeaningRule.INT_WIDTH, "int-128-bits", "int64", "an integer has 128 bits")
                        .stream(
                                legacy(one(integer("n", 64), two(8)).stream()),
                                legacy(one(integer("n", 128), two(8)).stream())));
        cases.add(
                inFile(
                                MeaningRule.INT_WIDTH,
                                "int-9-bits-in-list",
                                "list",
                                "the items of a list are integers of 9 bits")
                        .file(one(list(INT8), items()), one(list(integer("int8", 9)), items())));
        cases.add(
                inFile(
                                MeaningRule.FLOAT_PRECISION,
                                "float-precision-3",
                                "double",
                                "a floating-point number has precision 3, behind double, which is"
                                        + " 2")
                        .file(one(floating(2), two(8)), one(floating(3), two(8))));
        cases.add(
                inBatch(
                        MeaningRule.FLOAT_PRECISION,
                        "float-precision-negative",
                        "half",
                        "a floating-point number has precision -1")
                        .stream(old(floating(0), two(2)), old(floating(-1), two(2))));
    }

    private static FbsValue.Table floating(int precision) {
        return leaf("f", Type.FLOATING_POINT, "FloatingPoint", "precision", precision);
    }

    private static Batch items() {
        return new Batch(2).node(2, 0, NONE, ints(0, 1, 2)).node(2, 0, NONE, bytes(1, 2));
    }

    private void decimals() {
        cases.add(
                inFile(
                                MeaningRule.DECIMAL_WIDTH,
                                "decimal-512-bits",
                                "decimal256",
                                "a decimal has 512 bits")
                        .file(one(decimal(256, 2), two(32)), one(decimal(512, 2), two(32))));
        cases.add(
                inBatch(
                        MeaningRule.DECIMAL_WIDTH,
                        "decimal-16-bits",
                        "decimal32",
                        "a decimal has 16 bits")
                        .stream(one(decimal(32, 2), two(4)), one(decimal(16, 2), two(4))));
        int[][] most = {{32, 9}, {64, 18}, {128, 38}, {256, 76}};
        for (int[] each : most) {
            Batch batch = two(each[0] / Byte.SIZE);
            cases.add(
                    inFile(
                                    MeaningRule.DECIMAL_PRECISION,
                                    "decimal%d-%d-digits".formatted(each[0], each[1] + 1),
                                    "decimal" + each[0],
                                    "a decimal of %d bits has %d digits"
                                            .formatted(each[0], each[1] + 1))
                            .file(
                                    one(decimal(each[0], each[1]), batch),
                                    one(decimal(each[0], each[1] + 1), batch)));
        }
        cases.add(
                inBatch(
                        MeaningRule.DECIMAL_PRECISION,
                        "decimal128-0-digits",
                        "decimal128",
                        "a decimal has 0 digits")
                        .stream(old(decimal(128, 1), two(16)), old(decimal(128, 0), two(16))));
    }

    private void times() {
        unit(MeaningRule.DATE_UNIT, "date-unit-2", Type.DATE, "Date", 8, 1, 2);
        unit(MeaningRule.DATE_UNIT, "date-unit-negative", Type.DATE, "Date", 4, 0, -1);
        unit(MeaningRule.TIME_UNIT, "time-unit-4", Type.TIME, "Time", 8, 3, 4, "bitWidth", 64);
        unit(MeaningRule.TIME_UNIT, "time-unit-negative", Type.TIME, "Time", 4, 0, -1);
        Rule timestamp = MeaningRule.TIMESTAMP_UNIT;
        unit(timestamp, "timestamp-unit-4", Type.TIMESTAMP, "Timestamp", 8, 3, 4);
        unit(
                timestamp,
                "timestamp-unit-negative-with-zone",
                Type.TIMESTAMP,
                "Timestamp",
                8,
                0,
                -1,
                "timezone",
                "UTC");
        unit(MeaningRule.DURATION_UNIT, "duration-unit-4", Type.DURATION, "Duration", 8, 3, 4);
        unit(MeaningRule.INTERVAL_UNIT, "interval-unit-3", Type.INTERVAL, "Interval", 16, 2, 3);
        cases.add(width("time-seconds-64-bits", "time32", 0, 32, 64, "seconds"));
        cases.add(width("time-milliseconds-64-bits", "time32", 1, 32, 64, "milliseconds"));
        cases.add(width("time-microseconds-32-bits", "time64", 2, 64, 32, "microseconds"));
        cases.add(width("time-nanoseconds-16-bits", "time64", 3, 64, 16, "nanoseconds"));
    }

    private void unit(
            Rule rule,
            String name,
            int type,
            String table,
            int width,
            int right,
            int wrong,
            Object... others) {
        FbsValue.Table sound = with(table(table, others), "unit", right);
        String layout = table.toLowerCase(java.util.Locale.ROOT);
        HandmadeInput[] both = new HandmadeInput[2];
        both[0] = one(field("t", type, sound), two(width));
        both[1] = one(field("t", type, with(sound, "unit", wrong)), two(width));
        String what = "the unit of a " + layout + " is " + wrong;
        cases.add(
                wrong < 0
                        ? inBatch(rule, name, layout, what).stream(both[0], both[1])
                        : inFile(rule, name, layout, what).file(both[0], both[1]));
    }

    private static CorpusCase width(
            String name, String layout, int unit, int right, int wrong, String units) {
        return inFile(
                        MeaningRule.TIME_WIDTH,
                        name,
                        layout,
                        "a time in %s has %d bits".formatted(units, wrong))
                .file(
                        one(time(unit, right), two(right / Byte.SIZE)),
                        one(time(unit, wrong), two(right / Byte.SIZE)));
    }

    private static FbsValue.Table time(int unit, int bits) {
        return leaf("t", Type.TIME, "Time", "unit", unit, "bitWidth", bits);
    }

    private void sizes() {
        cases.add(
                inFile(
                                MeaningRule.BYTE_WIDTH,
                                "fixed-size-binary-negative",
                                "fixed_size_binary",
                                "the width of a fixed-size binary is -1")
                        .file(one(binary(0), two(0)), one(binary(-1), two(0))));
        Batch none = new Batch(2).node(2, 0, NONE).node(0, 0, NONE, NONE);
        cases.add(
                inFile(
                                MeaningRule.LIST_SIZE,
                                "fixed-size-list-negative",
                                "fixed_size_list",
                                "the size of a fixed-size list is -1")
                        .file(one(fixedList(0, INT8), none), one(fixedList(-1, INT8), none)));
        cases.add(
                inBatch(
                        MeaningRule.LIST_SIZE,
                        "fixed-size-list-smallest-in-struct",
                        "fixed_size_list",
                        "the size of a fixed-size list in a struct is -2147483648")
                        .stream(
                                one(struct(fixedList(0, INT8)), below(none)),
                                one(struct(fixedList(Integer.MIN_VALUE, INT8)), below(none))));
        FbsValue.Table dense = union(1, List.of(0), INT8);
        FbsValue.Table other = union(2, List.of(0), INT8);
        Batch values = new Batch(1).node(1, 0, bytes(0), ints(0)).node(1, 0, NONE, bytes(7));
        cases.add(
                inFile(
                                MeaningRule.UNION_MODE,
                                "union-mode-2",
                                "dense_union",
                                "the mode of a union is 2")
                        .file(one(dense, values), one(other, values)));
        Batch sparse = new Batch(1).node(1, 0, bytes(0)).node(1, 0, NONE, bytes(7));
        cases.add(
                inBatch(
                        MeaningRule.UNION_MODE,
                        "union-mode-negative",
                        "sparse_union",
                        "the mode of a union is -1")
                        .stream(
                                one(union(0, List.of(0), INT8), sparse),
                                one(union(-1, List.of(0), INT8), sparse)));
    }

    private static Batch below(Batch ignored) {
        return new Batch(2).node(2, 0, NONE).node(2, 0, NONE).node(0, 0, NONE, NONE);
    }

    private static FbsValue.Table binary(int bytes) {
        return leaf("b", Type.FIXED_SIZE_BINARY, "FixedSizeBinary", "byteWidth", bytes);
    }

    private void tables() {
        FbsValue.Table nulls = field("n", Type.NULL, table("Null"));
        Batch two = new Batch(2).node(2, 2);
        cases.add(
                inFile(MeaningRule.NO_TYPE, "no-type", "null", "a field has no type")
                        .file(
                                one(nulls, two),
                                without(
                                        one(nulls, two),
                                        schema -> schema.fields(0, new Field()),
                                        Field.TYPE_TYPE_SLOT,
                                        Field.TYPE_SLOT)));
        FbsValue.Table[] parameterized = {
            INT32,
            decimal(128, 5),
            leaf("t", Type.TIMESTAMP, "Timestamp", "unit", 1),
            fixedList(0, INT8),
            union(0, List.of(0), INT8),
            map(MeaningParts.entries(required(UTF8), INT8))
        };
        for (FbsValue.Table each : parameterized) {
            withoutTable(MeaningRule.NO_TYPE_TABLE, each);
        }
        Batch views = new Batch(1).node(1, 0, NONE, longs(0), longs(1)).node(1, 0, NONE, bytes(7));
        cases.add(
                inFile(
                                MeaningRule.UNKNOWN_TYPE,
                                "type-27",
                                "large_list_view",
                                "a field has type 27, behind LargeListView, which is 26")
                        .file(
                                one(largeListView(INT8), views),
                                one(with(largeListView(INT8), "type_type", 27), views)));
        Batch text = new Batch(2).node(2, 0, NONE, ints(0, 1, 2), text("ab"));
        cases.add(
                inBatch(MeaningRule.UNKNOWN_TYPE, "type-255", "utf8", "a field has type 255")
                        .stream(old(UTF8, text), old(with(UTF8, "type_type", 255), text)));
        Batch nested = new Batch(2).node(2, 0, NONE).node(2, 0, NONE, ints(0, 1, 2), text("ab"));
        cases.add(
                inBatch(
                        MeaningRule.UNKNOWN_TYPE,
                        "type-27-in-struct",
                        "struct",
                        "the child of a struct has type 27")
                        .stream(
                                legacy(one(struct(UTF8), nested).stream()),
                                legacy(one(struct(with(UTF8, "type_type", 27)), nested).stream())));
        cases.add(
                inBatch(
                        MeaningRule.UNKNOWN_TYPE,
                        "type-27-between-columns",
                        "utf8",
                        "the second of three columns has type 27")
                        .stream(between(UTF8), between(with(UTF8, "type_type", 27))));
    }

    private static HandmadeInput between(FbsValue.Table column) {
        Batch batch = new Batch(1).node(1, 0, NONE, bytes(7));
        batch.node(1, 0, NONE, ints(0, 1), text("a")).node(1, 0, NONE, bytes(7));
        return new HandmadeInput(schema(INT8, column, INT8)).batch(batch);
    }

    /// A schema without batches.
    private void withoutTable(Rule rule, FbsValue.Table column) {
        String table = ((FbsValue.Table) column.fields().get("type")).name();
        String layout = table.toLowerCase(java.util.Locale.ROOT).replace("_", "");
        cases.add(
                CorpusCase.of(
                        rule,
                        "no-type-table-" + layout,
                        "a field has the number of the type %s, but not its table".formatted(table))
                        .layout(layout)
                        .implies(StructureRule.UNION_TAG_WITHOUT_VALUE)
                        .stream(
                                new HandmadeInput(schema(column)),
                                withoutType(new HandmadeInput(schema(column)))));
    }

    private void emptyTables() {
        Batch text = new Batch(2).node(2, 0, NONE, ints(0, 1, 2), text("ab"));
        withoutEmptyTable("utf8", UTF8, text);
        withoutEmptyTable("bool", leaf("b", Type.BOOL, "Bool"), two(1));
        withoutEmptyTable("null", leaf("n", Type.NULL, "Null"), new Batch(2).node(2, 2));
        withoutEmptyTable("list", list(INT8), items());
        withoutEmptyTable(
                "struct",
                struct(INT8),
                new Batch(2).node(2, 0, NONE).node(2, 0, NONE, bytes(1, 2)));
    }

    private void withoutEmptyTable(String layout, FbsValue.Table column, Batch batch) {
        cases.add(
                inBatch(
                                MeaningRule.NO_EMPTY_TYPE_TABLE,
                                "no-empty-type-table-" + layout,
                                layout,
                                "a field has the number of a type without parameters, but not its"
                                        + " table")
                        .implies(StructureRule.UNION_TAG_WITHOUT_VALUE)
                        .file(one(column, batch), withoutType(one(column, batch))));
    }

    private static HandmadeInput withoutType(HandmadeInput input) {
        return without(input, schema -> schema.fields(0, new Field()), Field.TYPE_SLOT);
    }
}
