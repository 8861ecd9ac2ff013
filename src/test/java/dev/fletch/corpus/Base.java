// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.corpus.Bodies.NONE;
import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.testdata.HandmadeInput.text;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.schema;

import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;

/// Sound inputs with two record batches, whose container is damaged.
enum Base {
    TEXTS(""),
    /// A dictionary and its delta.
    DICTIONARIES("-dictionaries"),
    COMPRESSED("-compressed"),
    NO_ROWS("-no-rows"),
    /// Batches without nodes.
    NO_COLUMNS("-no-columns"),
    V4("-v4"),
    /// V4, and without continuation words.
    LEGACY("-legacy");

    private static final long ID = 5;

    final String suffix;

    Base(String suffix) {
        this.suffix = suffix;
    }

    /// A new input.
    HandmadeInput input() {
        return switch (this) {
            case TEXTS -> texts(new HandmadeInput(schema(UTF8)));
            case DICTIONARIES -> indices(dictionary().dictionary(ID, true, texts(new Batch(2))));
            case COMPRESSED ->
                    new HandmadeInput(schema(UTF8))
                            .batch(texts(compressed(CompressionType.LZ4_FRAME)))
                            .batch(texts(compressed(CompressionType.ZSTD)));
            case NO_ROWS -> new HandmadeInput(schema(UTF8, INT8)).batch(empty()).batch(empty());
            case NO_COLUMNS -> new HandmadeInput(schema()).batch(new Batch(2)).batch(new Batch(1));
            case V4 -> texts(new HandmadeInput(schema(UTF8)).version(MetadataVersion.V4));
            case LEGACY ->
                    texts(new HandmadeInput(schema(UTF8)).version(MetadataVersion.V4).legacy());
        };
    }

    /// That of [#DICTIONARIES] without the delta.
    static HandmadeInput withoutDelta() {
        return indices(dictionary());
    }

    private static HandmadeInput dictionary() {
        return new HandmadeInput(schema(encoded(UTF8, ID)))
                .dictionary(ID, false, texts(new Batch(2)));
    }

    private static HandmadeInput indices(HandmadeInput input) {
        return input.batch(new Batch(2).node(2, 0, NONE, bytes(0, 1)))
                .batch(new Batch(1).node(1, 0, NONE, bytes(1)));
    }

    private static HandmadeInput texts(HandmadeInput input) {
        return input.batch(texts(new Batch(2))).batch(texts(new Batch(2)));
    }

    /// Adds two texts.
    static Batch texts(Batch batch) {
        return batch.node(2, 0, NONE, ints(0, 1, 3), text("abc"));
    }

    private static Batch compressed(int codec) {
        boolean isLz4 = codec == CompressionType.LZ4_FRAME;
        return new Batch(2).compressed(codec, isLz4 ? Bodies::lz4 : Bodies::zstd);
    }

    private static Batch empty() {
        return new Batch(0).node(0, 0, NONE, ints(0), NONE).node(0, 0, NONE, NONE);
    }
}
