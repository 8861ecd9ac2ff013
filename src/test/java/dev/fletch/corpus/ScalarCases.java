// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.ValueRule.VALUE_CHILD_LENGTH;
import static dev.fletch.ValueRule.VALUE_DATE_PARTIAL;
import static dev.fletch.ValueRule.VALUE_DECIMAL_PRECISION;
import static dev.fletch.ValueRule.VALUE_TENSOR_SHAPE;
import static dev.fletch.ValueRule.VALUE_TENSOR_SIZE;
import static dev.fletch.ValueRule.VALUE_TIME_RANGE;
import static dev.fletch.corpus.Bodies.NONE;
import static dev.fletch.corpus.Bodies.numbers;
import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.longs;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.field;
import static dev.fletch.verify.messages.Meant.struct;
import static dev.fletch.verify.messages.Meant.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.verify.messages.Meant;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;

/// Numbers that their type does not allow, children that are too short, and tensors.
final class ScalarCases {
    private static final String[] UNITS = {"s", "ms", "us", "ns"};

    private final ValueList list = new ValueList();

    static List<CorpusCase> all() {
        ScalarCases made = new ScalarCases();
        made.decimals(32, 9);
        made.decimals(64, 18);
        made.decimals(128, 38);
        made.decimals(256, 76);
        for (int unit = 0; unit < UNITS.length; unit++) {
            made.times(unit);
        }
        made.dates();
        made.children();
        made.tensors();
        return made.list.cases;
    }

    // ---- decimals

    private static byte[] decimal(int bits, BigInteger value) {
        byte[] bytes = new byte[bits / Byte.SIZE];
        Arrays.fill(bytes, (byte) (value.signum() < 0 ? -1 : 0));
        byte[] big = value.toByteArray();
        for (int i = 0; i < Math.min(big.length, bytes.length); i++) {
            bytes[i] = big[big.length - 1 - i];
        }
        return bytes;
    }

    private void decimals(int bits, int most) {
        for (int precision : new int[] {1, most}) {
            BigInteger limit = BigInteger.TEN.pow(precision);
            FbsValue.Table type = table("Decimal", "precision", precision, "bitWidth", bits);
            FbsValue.Table field = field("decimal", Type.DECIMAL, type);
            for (int sign = -1; sign <= 1; sign += 2) {
                BigInteger wrong = sign < 0 ? limit.negate() : limit;
                BigInteger last = wrong.subtract(BigInteger.valueOf(sign));
                String digits = precision == 1 ? "1-digit" : precision + "-digits";
                list.add(
                        VALUE_DECIMAL_PRECISION,
                        "decimal%d-%s%s".formatted(bits, digits, sign < 0 ? "-negative" : ""),
                        "decimal" + bits,
                        "a decimal of %s is %s10^%d"
                                .formatted(
                                        precision == 1 ? "1 digit" : precision + " digits",
                                        sign < 0 ? "-" : "",
                                        precision),
                        Column.of(field, 1, 0, NONE, decimal(bits, last)),
                        Column.of(field, 1, 0, NONE, decimal(bits, wrong)));
            }
        }
    }

    // ---- times and dates

    private void times(int unit) {
        int bits = unit < 2 ? Integer.SIZE : Long.SIZE;
        FbsValue.Table type = table("Time", "unit", unit, "bitWidth", bits);
        FbsValue.Table field = field("time", Type.TIME, type);
        long day = 86_400L * (long) Math.pow(1_000, unit);
        String layout = "time" + bits + "[" + UNITS[unit] + "]";
        list.add(
                VALUE_TIME_RANGE,
                "time-of-a-day-" + UNITS[unit],
                layout,
                "a time is 24 hours",
                Column.of(field, 2, 0, NONE, numbers(bits, 0, day - 1)),
                Column.of(field, 2, 0, NONE, numbers(bits, 0, day)));
        list.add(
                VALUE_TIME_RANGE,
                "time-negative-" + UNITS[unit],
                layout,
                "a time is -1",
                Column.of(field, 2, 0, NONE, numbers(bits, 0, day - 1)),
                Column.of(field, 2, 0, NONE, numbers(bits, -1, day - 1)));
        list.add(
                VALUE_TIME_RANGE,
                "time-beside-null-" + UNITS[unit],
                layout,
                "a time of 24 hours is not null, only the one behind it",
                Column.of(field, 2, 1, bytes(0b01), numbers(bits, day - 1, day)),
                Column.of(field, 2, 1, bytes(0b01), numbers(bits, day, day)));
    }

    private void dates() {
        FbsValue.Table field = field("date", Type.DATE, table("Date", "unit", 1));
        long day = 86_400_000;
        date(field, "date-one-more", "a date is one millisecond after midnight", day, day + 1);
        date(field, "date-one-less", "a date is one millisecond before midnight", day, day - 1);
        date(field, "date-negative", "a date before 1970 is not at midnight", -day, -day + 1);
        list.add(
                VALUE_DATE_PARTIAL,
                "date-beside-null",
                "date64",
                "a date that is not at midnight is not null, only the one behind it",
                Column.of(field, 2, 1, bytes(0b01), longs(day, 1)),
                Column.of(field, 2, 1, bytes(0b01), longs(day + 1, 1)));
    }

    private void date(FbsValue.Table field, String name, String what, long sound, long broken) {
        list.add(
                VALUE_DATE_PARTIAL,
                name,
                "date64",
                what,
                Column.of(field, 2, 0, NONE, longs(0, sound)),
                Column.of(field, 2, 0, NONE, longs(0, broken)));
    }

    // ---- children

    /// Children that are shorter than their parent, which has a null, but not at its end.
    private void children() {
        FbsValue.Table struct = struct(INT8);
        list.add(
                VALUE_CHILD_LENGTH,
                "child-short-struct",
                "struct",
                "the last struct, which is not null, has no value in the child",
                parent(struct, 2),
                parent(struct, 1),
                MeaningRule.CHILD_SHORTER);
        FbsValue.Table pairs =
                field("pairs", Type.FIXED_SIZE_LIST, table("FixedSizeList", "listSize", 2), INT8);
        list.add(
                VALUE_CHILD_LENGTH,
                "child-short-fixed-size-list",
                "fixed_size_list",
                "the last list, which is not null, lacks one of its two values in the child",
                parent(pairs, 4),
                parent(pairs, 3),
                MeaningRule.LIST_CHILD_SHORTER);
    }

    private static Column parent(FbsValue.Table field, int values) {
        return Column.of(field, 2, 1, bytes(0b10))
                .with(new Column(INT8, values, to -> to.node(values, 0, NONE, new byte[4])));
    }

    // ---- tensors

    /// Two tensors of two dimensions.
    ///
    /// @param metadata of the type
    private static Column tensors(String metadata, int[] offsets, int... sizes) {
        FbsValue.Table shape = table("FixedSizeList", "listSize", 2);
        FbsValue.Table field =
                Meant.with(
                        struct(
                                field("data", Type.LIST, table("List"), INT8),
                                field(
                                        "shape",
                                        Type.FIXED_SIZE_LIST,
                                        shape,
                                        Meant.integer("size", 32))),
                        "custom_metadata",
                        List.of(
                                keyValue("ARROW:extension:name", "arrow.variable_shape_tensor"),
                                keyValue("ARROW:extension:metadata", metadata)));
        return Column.of(field, 2, 0, NONE)
                .with(
                        Column.of(field, 2, 0, NONE, HandmadeInput.ints(offsets)),
                        Column.of(INT8, 8, 0, NONE, "abcdefgh".getBytes(UTF_8)),
                        Column.of(field, 2, 0, NONE),
                        Column.of(INT8, 4, 0, NONE, HandmadeInput.ints(sizes)));
    }

    private static FbsValue.Table keyValue(String key, String value) {
        return table("KeyValue", "key", key, "value", value);
    }

    private void tensors() {
        int[] offsets = {0, 6, 8};
        Column sound = tensors("{}", offsets, 2, 3, 1, 2);
        tensor(
                VALUE_TENSOR_SIZE,
                "tensor-elements-less",
                "the first tensor has 6 elements, its shape 8",
                sound,
                tensors("{}", offsets, 2, 4, 1, 2));
        tensor(
                VALUE_TENSOR_SIZE,
                "tensor-elements-more",
                "the last tensor has 2 elements, its shape 0",
                sound,
                tensors("{}", offsets, 2, 3, 0, 2));
        int most = Integer.MAX_VALUE;
        tensor(
                VALUE_TENSOR_SIZE,
                "tensor-elements-most",
                "both sizes of the last shape are 2^31 - 1",
                sound,
                tensors("{}", offsets, 2, 3, most, most));
        tensor(
                VALUE_TENSOR_SHAPE,
                "tensor-size-negative",
                "the first size of the last shape is -1",
                sound,
                tensors("{}", offsets, 2, 3, -1, 2));
        String uniform = "{\"uniform_shape\":[null,3]}";
        int[] threes = {0, 6, 6};
        tensor(
                VALUE_TENSOR_SHAPE,
                "tensor-size-not-uniform",
                "the last size of the last shape is not 3, which that of all shapes is",
                tensors(uniform, threes, 2, 3, 0, 3),
                tensors(uniform, threes, 2, 3, 0, 2));
    }

    private void tensor(Rule rule, String name, String what, Column sound, Column broken) {
        list.add(rule, name, "variable_shape_tensor", what, sound, broken);
    }
}
