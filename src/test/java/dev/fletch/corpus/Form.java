// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.corpus.Bodies.NONE;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.testdata.HandmadeInput.text;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.schema;

import dev.fletch.corpus.Column.Dictionary;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;

import java.util.Arrays;

/// How a column is written: all are sound, but for the values of the column.
enum Form {
    FILE(""),
    STREAM(""),
    /// Behind a sound batch.
    SECOND("-second-batch"),
    /// Between two other columns.
    MIDDLE("-middle"),
    LZ4("-lz4"),
    ZSTD("-zstd"),
    /// With the length -1, which says that a buffer is not compressed.
    STORED("-stored"),
    V4("-v4"),
    /// V4, and without continuation words.
    LEGACY("-legacy");

    /// What the name of a case in this form ends with.
    final String suffix;

    Form(String suffix) {
        this.suffix = suffix;
    }

    boolean isFile() {
        return this != STREAM && this != STORED && this != LEGACY;
    }

    /// The form for a column and all that differ from it in their values.
    static Form of(Column sound) {
        int count = sound.dependsOnVersion() ? V4.ordinal() : values().length;
        return values()[Math.floorMod(Arrays.hashCode(FILE.bytes(sound, sound)), count)];
    }

    /// An input with a column.
    ///
    /// @param sound the column without faults
    byte[] bytes(Column sound, Column column) {
        HandmadeInput input =
                this == MIDDLE
                        ? new HandmadeInput(schema(INT8, column.field(), UTF8))
                        : new HandmadeInput(schema(column.field()));
        if (this == V4 || this == LEGACY) {
            input.version(MetadataVersion.V4);
        }
        if (this == LEGACY) {
            input.legacy();
        }
        for (Dictionary each : column.dictionaries()) {
            Batch values = batch(each.rows());
            each.nodes().accept(values);
            input.dictionary(each.id(), each.isDelta(), values);
        }
        if (this == SECOND) {
            sound.addTo(input, batch(sound.rows()));
        }
        if (this == MIDDLE) {
            between(input, column);
        } else {
            column.addTo(input, batch(column.rows()));
        }
        return isFile() ? input.file() : input.stream();
    }

    private Batch batch(long rows) {
        Batch batch = new Batch(rows);
        return switch (this) {
            case LZ4 -> batch.compressed(CompressionType.LZ4_FRAME, Bodies::lz4);
            case ZSTD -> batch.compressed(CompressionType.ZSTD, Bodies::zstd);
            case STORED -> batch.compressed(CompressionType.ZSTD, Bodies::stored);
            default -> batch;
        };
    }

    private static void between(HandmadeInput input, Column column) {
        int rows = (int) column.rows();
        Batch batch = new Batch(rows).node(rows, 0, NONE, new byte[rows]);
        column.nodes().accept(batch);
        int[] offsets = new int[rows + 1];
        Arrays.fill(offsets, 1, rows + 1, 1);
        input.batch(batch.node(rows, 0, NONE, ints(offsets), text("x")));
    }
}
