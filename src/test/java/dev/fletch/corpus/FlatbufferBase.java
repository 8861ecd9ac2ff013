// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.testdata.HandmadeInput.text;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.message;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.corpus.CorpusCase.Container;
import dev.fletch.corpus.CorpusCase.Draft;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;
import dev.fletch.verify.messages.Meant;

import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// A sound input of which one flatbuffer is changed.
///
/// @param root table of this flatbuffer
/// @param container of the input
/// @param make the input, with changed bytes of the flatbuffer
record FlatbufferBase(String root, Container container, Maker make) {
    static final byte[] NONE = {};

    /// A schema with a column and custom metadata.
    static final FbsValue.Table SCHEMA =
            with(
                    schema(UTF8),
                    "custom_metadata",
                    List.of(table("KeyValue", "key", "k", "value", "v")));

    private static final String MESSAGE = "Message";

    /// Makes an input.
    interface Maker {
        byte[] make(UnaryOperator<byte[]> edit);
    }

    // ---- bases

    /// A schema message without an end-of-stream marker, so that nothing follows it.
    static FlatbufferBase schemaAlone(FbsValue.Table schema) {
        return stream(schema, input -> input.marker());
    }

    /// A stream that has only a schema message.
    static FlatbufferBase schemaStream() {
        return schemaStream(SCHEMA);
    }

    static FlatbufferBase schemaStream(FbsValue.Table schema) {
        return stream(schema, _ -> {});
    }

    private static FlatbufferBase stream(FbsValue.Table schema, Consumer<HandmadeInput> style) {
        return new FlatbufferBase(
                MESSAGE,
                Container.STREAM,
                edit -> {
                    HandmadeInput input =
                            new HandmadeInput(schema).edit(edit, UnaryOperator.identity());
                    style.accept(input);
                    return input.stream();
                });
    }

    /// The base64 text of a schema message.
    static FlatbufferBase schemaText(FbsValue.Table schema) {
        return new FlatbufferBase(
                MESSAGE,
                Container.TEXT,
                edit -> Base64.getEncoder().encode(schemaAlone(schema).make.make(edit)));
    }

    /// A schema message that a batch follows.
    static FlatbufferBase schemaBeforeBatch() {
        return stream(SCHEMA, input -> input.batch(texts()));
    }

    /// A stream of a schema and two equal messages, of which the first is changed.
    static FlatbufferBase inStream(FbsValue.Table schema, FbsValue.Table message, byte[] body) {
        return new FlatbufferBase(
                MESSAGE,
                Container.STREAM,
                edit ->
                        new HandmadeInput(schema)
                                        .addMessage(message, body, edit)
                                        .addMessage(message, body)
                                        .stream());
    }

    /// The same with a batch of texts.
    static FlatbufferBase batchInStream() {
        return inStream(SCHEMA, batch(texts()), texts().body());
    }

    /// The same with custom metadata of the messages.
    static FlatbufferBase batchWithMetadata() {
        List<FbsValue.Table> pairs = List.of(table("KeyValue", "key", "k", "value", "v"));
        FbsValue.Table message = with(batch(texts()), "custom_metadata", pairs);
        return inStream(SCHEMA, message, texts().body());
    }

    /// The same without continuation words, and of version V4.
    static FlatbufferBase batchInLegacyStream() {
        FbsValue.Table message = with(batch(texts()), "version", 3);
        return new FlatbufferBase(
                MESSAGE,
                Container.STREAM,
                edit ->
                        new HandmadeInput(SCHEMA)
                                        .schemaMessage(with(message(SCHEMA, 0), "version", 3))
                                        .legacy()
                                        .addMessage(message, texts().body(), edit)
                                        .addMessage(message, texts().body())
                                        .stream());
    }

    /// A file with a batch of texts, which is changed.
    static FlatbufferBase batchInFile() {
        return new FlatbufferBase(
                MESSAGE,
                Container.FILE,
                edit ->
                        new HandmadeInput(SCHEMA)
                                .addMessage(batch(texts()), texts().body(), edit)
                                .file());
    }

    /// The footer of a file with a batch of texts.
    static FlatbufferBase footer() {
        return footer(SCHEMA, input -> input.batch(texts()));
    }

    static FlatbufferBase footer(FbsValue.Table schema, Consumer<HandmadeInput> messages) {
        return new FlatbufferBase(
                "Footer",
                Container.FILE,
                edit -> {
                    HandmadeInput input =
                            new HandmadeInput(schema).edit(UnaryOperator.identity(), edit);
                    messages.accept(input);
                    return input.file();
                });
    }

    /// A flatbuffer without anything around it.
    static FlatbufferBase bare(FbsValue.Table root) {
        return new FlatbufferBase(
                root.name(), Container.FLATBUFFER, edit -> edit.apply(Meant.bytes(root)));
    }

    /// A stream of one message.
    static FlatbufferBase single(FbsValue.Table message, byte[] body) {
        FbsValue.Table unused = schema();
        return new FlatbufferBase(
                MESSAGE,
                Container.STREAM,
                edit ->
                        new HandmadeInput(unused)
                                .schemaMessage(null).addMessage(message, body, edit).stream());
    }

    // ---- content

    /// A column of two texts.
    static Batch texts() {
        return new Batch(2).node(2, 0, NONE, ints(0, 2, 3), text("abc"));
    }

    static FbsValue.Table batch(Batch batch) {
        return message(batch.table(), batch.body().length);
    }

    // ---- cases

    /// A case whose flatbuffer has an edit.
    CorpusCase toCase(Draft draft, Consumer<EditedFlatbuffer> broken) {
        return toCase(draft, _ -> {}, broken);
    }

    /// The same.
    ///
    /// @param both edit of the sound twin, too: it brings the flatbuffer to the rule's limit
    CorpusCase toCase(
            Draft draft, Consumer<EditedFlatbuffer> both, Consumer<EditedFlatbuffer> broken) {
        return draft.in(container, edited(both), edited(both.andThen(broken)));
    }

    private byte[] edited(Consumer<EditedFlatbuffer> edit) {
        return make.make(
                bytes -> {
                    EditedFlatbuffer flatbuffer = new EditedFlatbuffer(bytes, root);
                    edit.accept(flatbuffer);
                    return flatbuffer.bytes();
                });
    }
}
