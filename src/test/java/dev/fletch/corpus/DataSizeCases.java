// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.corpus.MeaningParts.NONE;
import static dev.fletch.corpus.MeaningParts.compression;
import static dev.fletch.corpus.MeaningParts.fixedList;
import static dev.fletch.corpus.MeaningParts.inBatch;
import static dev.fletch.corpus.MeaningParts.leaf;
import static dev.fletch.corpus.MeaningParts.list;
import static dev.fletch.corpus.MeaningParts.lz4;
import static dev.fletch.corpus.MeaningParts.moved;
import static dev.fletch.corpus.MeaningParts.old;
import static dev.fletch.corpus.MeaningParts.one;
import static dev.fletch.corpus.MeaningParts.prefixed;
import static dev.fletch.corpus.MeaningParts.runEnds;
import static dev.fletch.corpus.MeaningParts.runs;
import static dev.fletch.corpus.MeaningParts.union;
import static dev.fletch.corpus.MeaningParts.zstd;
import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.verify.messages.Meant.INT32;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.integer;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Inputs with data buffers that are too small for the values of their field, by one byte.
final class DataSizeCases {
    private static final FbsValue.Table BOOL = leaf("bool", Type.BOOL, "Bool");

    private final List<CorpusCase> cases = new ArrayList<>();

    static List<CorpusCase> all() {
        DataSizeCases made = new DataSizeCases();
        made.fixedWidths();
        made.nestedData();
        made.compressedData();
        made.dataOfNulls();
        return made.cases;
    }

    private void shorter(
            Rule rule,
            String layout,
            String what,
            FbsValue.Table column,
            Supplier<Batch> batch,
            int buffer) {
        cases.add(MeaningParts.shorter(cases.size(), rule, layout, what, column, batch, buffer));
    }

    // ---- data of fixed width

    private void fixedWidths() {
        Object[][] widths = {
            {"int8", 2, INT8},
            {"int16", 4, integer("n", 16)},
            {"int64", 16, integer("n", 64)},
            {"half", 4, leaf("f", Type.FLOATING_POINT, "FloatingPoint", "precision", 0)},
            {"double", 16, leaf("f", Type.FLOATING_POINT, "FloatingPoint", "precision", 2)},
            {"date32", 8, leaf("d", Type.DATE, "Date", "unit", 0)},
            {"date64", 16, leaf("d", Type.DATE, "Date", "unit", 1)},
            {"time32", 8, leaf("t", Type.TIME, "Time", "unit", 0, "bitWidth", 32)},
            {"time64", 16, leaf("t", Type.TIME, "Time", "unit", 3, "bitWidth", 64)},
            {"timestamp", 16, leaf("t", Type.TIMESTAMP, "Timestamp", "unit", 2)},
            {"duration", 16, leaf("d", Type.DURATION, "Duration", "unit", 1)},
            {"interval-months", 8, leaf("i", Type.INTERVAL, "Interval", "unit", 0)},
            {"interval-days", 16, leaf("i", Type.INTERVAL, "Interval", "unit", 1)},
            {
                "interval-months-days-nanoseconds",
                32,
                leaf("i", Type.INTERVAL, "Interval", "unit", 2)
            },
            {"decimal32", 8, decimal(32)},
            {"decimal128", 32, decimal(128)},
            {"decimal256", 64, decimal(256)},
            {
                "fixed_size_binary",
                10,
                leaf("b", Type.FIXED_SIZE_BINARY, "FixedSizeBinary", "byteWidth", 5)
            }
        };
        for (Object[] each : widths) {
            int bytes = (int) each[1];
            shorter(
                    MeaningRule.DATA_SIZE,
                    (String) each[0],
                    "a data buffer of 2 values has %d bytes".formatted(bytes - 1),
                    (FbsValue.Table) each[2],
                    () -> new Batch(2).node(2, 0, NONE, new byte[bytes]),
                    1);
        }
        shorter(
                MeaningRule.DATA_SIZE,
                "bool",
                "a data buffer of 9 booleans has 8 bits",
                BOOL,
                () -> new Batch(9).node(9, 0, NONE, bytes(0xFF, 1)),
                1);
    }

    private static FbsValue.Table decimal(int bits) {
        return leaf("d", Type.DECIMAL, "Decimal", "bitWidth", bits, "precision", 5);
    }

    private void nestedData() {
        Rule rule = MeaningRule.DATA_SIZE;
        shorter(
                rule,
                "list",
                "a data buffer of 2 items of a list has 7 bytes",
                list(INT32),
                () -> new Batch(1).node(1, 0, NONE, ints(0, 2)).node(2, 0, NONE, ints(1, 2)),
                3);
        shorter(
                rule,
                "fixed_size_list",
                "a data buffer of 2 items of a fixed-size list has 7 bytes",
                fixedList(2, INT32),
                () -> new Batch(1).node(1, 0, NONE).node(2, 0, NONE, ints(1, 2)),
                2);
        shorter(
                rule,
                "run-ends",
                "a buffer of 1 run end has 3 bytes",
                runs(runEnds(32), INT8),
                () -> new Batch(2).node(2, 0).node(1, 0, NONE, ints(2)).node(1, 0, NONE, bytes(7)),
                1);
        shorter(
                rule,
                "sparse_union",
                "a data buffer of 2 values of a union has 7 bytes",
                union(0, List.of(0), INT32),
                () -> new Batch(2).node(2, 0, bytes(0, 0)).node(2, 0, NONE, ints(1, 2)),
                2);
        HandmadeInput words =
                new HandmadeInput(schema(encoded(INT32, 3)))
                        .dictionary(3, false, new Batch(1).node(1, 0, NONE, ints(7)));
        cases.add(
                inBatch(rule, "data-size-indices", "dictionary", "a buffer of 2 indices has 1 byte")
                        .file(
                                HandmadeInput.copy(words).batch(twoIndices(0)),
                                HandmadeInput.copy(words).batch(twoIndices(-1))));
        HandmadeInput none = new HandmadeInput(schema(encoded(INT32, 3)));
        cases.add(
                inBatch(
                        rule,
                        "data-size-dictionary",
                        "dictionary",
                        "a buffer of 1 value of a dictionary has 3 bytes")
                        .stream(
                                HandmadeInput.copy(none).dictionary(3, false, value(0)),
                                HandmadeInput.copy(none).dictionary(3, false, value(-1))));
    }

    private static Batch twoIndices(long longer) {
        return moved(new Batch(2).node(2, 0, NONE, bytes(0, 0)), 1, 0, longer);
    }

    private static Batch value(long longer) {
        return moved(new Batch(1).node(1, 0, NONE, ints(7)), 1, 0, longer);
    }

    private void compressedData() {
        Rule rule = MeaningRule.DATA_SIZE;
        cases.add(
                inBatch(
                                rule,
                                "data-size-compressed-lz4",
                                "int32",
                                "the uncompressed length of a data buffer of 2 values is 7")
                        .file(
                                compressed(0, prefixed(8, lz4(ints(7, 7)))),
                                compressed(0, prefixed(7, lz4(ints(7, 7))))));
        cases.add(
                inBatch(
                        rule,
                        "data-size-compressed-zstd",
                        "int32",
                        "the uncompressed length of a data buffer of 2 values is 0")
                        .stream(
                                compressed(1, prefixed(8, zstd(ints(7, 7)))),
                                compressed(1, prefixed(0, zstd(ints(7, 7))))));
        cases.add(
                inBatch(
                                rule,
                                "data-size-compressed-empty",
                                "int32",
                                "a compressed data buffer of 2 values has no bytes")
                        .file(
                                compressed(0, prefixed(-1, ints(7, 7)), 0),
                                compressed(0, prefixed(-1, ints(7, 7)), -16)));
        cases.add(
                inBatch(
                        rule,
                        "data-size-compressed-stored",
                        "int32",
                        "a data buffer of 2 values that is not compressed has 7 bytes behind"
                                + " its uncompressed length")
                        .stream(
                                compressed(1, prefixed(-1, ints(7, 7)), 0),
                                compressed(1, prefixed(-1, ints(7, 7)), -1)));
    }

    private static HandmadeInput compressed(int codec, byte[] data) {
        return compressed(codec, data, 0);
    }

    private static HandmadeInput compressed(int codec, byte[] data, long longer) {
        Batch batch = moved(new Batch(2).node(2, 0, NONE, data), 1, 0, longer);
        FbsValue.Table how = compression(codec, 0);
        return one(INT32).add(with(batch.table(), "compression", how), batch.body());
    }

    // ---- nulls without data

    private void dataOfNulls() {
        Rule rule = MeaningRule.NO_DATA_OF_NULLS;
        String what = "the data buffer of a column of 2 nulls is empty";
        cases.add(
                inBatch(rule, "no-data-of-nulls-bool", "bool", what)
                        .file(one(BOOL, nulls(1, 0)), one(BOOL, nulls(1, -1))));
        cases.add(
                inBatch(rule, "no-data-of-nulls-int32", "int32", what).stream(
                        one(INT32, nulls(8, 0)), one(INT32, nulls(8, -8))));
        cases.add(
                inBatch(rule, "no-data-of-nulls-decimal128", "decimal128", what).stream(
                        old(decimal(128), nulls(32, 0)), old(decimal(128), nulls(32, -32))));
        HandmadeInput words =
                new HandmadeInput(schema(encoded(INT32, 3)))
                        .dictionary(3, false, new Batch(1).node(1, 0, NONE, ints(7)));
        cases.add(
                inBatch(
                                rule,
                                "no-data-of-nulls-dictionary",
                                "dictionary",
                                "the indices of a column of 2 nulls are absent")
                        .file(
                                HandmadeInput.copy(words).batch(nulls(2, 0)),
                                HandmadeInput.copy(words).batch(nulls(2, -2))));
        cases.add(
                inBatch(
                                MeaningRule.DATA_SIZE,
                                "data-size-of-nulls-int32",
                                "int32",
                                "the data buffer of a column of 2 nulls has 7 bytes")
                        .file(one(INT32, nulls(8, 0)), one(INT32, nulls(8, -1))));
        Batch value = new Batch(2).node(2, 1, bytes(1), ints(7, 0));
        Batch none = moved(new Batch(2).node(2, 1, bytes(1), ints(7, 0)), 1, 0, -8);
        cases.add(
                inBatch(
                        MeaningRule.DATA_SIZE,
                        "data-size-of-one-value-int32",
                        "int32",
                        "the data buffer of a column of a null and a value is empty")
                        .stream(one(INT32, value), one(INT32, none)));
    }

    private static Batch nulls(int bytes, long longer) {
        return moved(new Batch(2).node(2, 2, bytes(0), new byte[bytes]), 1, 0, longer);
    }
}
