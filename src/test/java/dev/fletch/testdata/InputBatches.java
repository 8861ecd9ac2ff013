// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import dev.fletch.MeaningRule;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.DecompressedBuffers;
import dev.fletch.batch.Dictionaries;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Passes the batches of a file or stream to a visitor, in their order, with the dictionaries that
/// are defined before them.
public final class InputBatches {
    /// What to do with a batch.
    public interface Visitor {
        /// Begins a schema.
        default void schema(ArrowSchema schema, BatchLayout layout) {}

        /// Takes a record batch.
        ///
        /// @param cursor reads compressed buffers, too
        void batch(BatchCursor cursor, Dictionaries dictionaries) throws IOException;

        /// Takes a dictionary batch, before it is added.
        default void dictionary(long id, BatchCursor cursor) {}
    }

    private final Visitor visitor;
    private final BatchCursor cursor = new BatchCursor();
    private final DecompressedBuffers buffers = decompressed();
    private BatchLayout layout;
    private Dictionaries dictionaries;

    private InputBatches(Visitor visitor) {
        this.visitor = visitor;
        cursor.source(buffers);
    }

    public static void visit(byte[] content, Visitor visitor) throws IOException {
        visit(MemorySegment.ofArray(content), OracleListing.isFile(content), visitor);
    }

    public static void visit(MemorySegment input, boolean isFile, Visitor visitor)
            throws IOException {
        InputBatches batches = new InputBatches(visitor);
        if (isFile) {
            batches.file(ArrowFile.of(input));
        } else {
            batches.stream(input);
        }
    }

    /// {@return the table of a schema, which may have deviations}
    public static Schema table(ArrowSchema schema) {
        return schema.toTable(MeaningRule.values());
    }

    /// {@return the field whose values a dictionary has}
    public static ArrowField values(List<ArrowField> fields, long id) {
        for (ArrowField field : fields) {
            ArrowField found =
                    field.isDictionaryEncoded() && field.dictionary().id() == id
                            ? field
                            : values(field.children(), id);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private void file(ArrowFile file) throws IOException {
        Schema schema = new Schema();
        file.footer().schema(schema);
        layout = FileBatches.of(file).layout();
        dictionaries = new Dictionaries(layout, true);
        visitor.schema(ArrowSchema.of(schema), layout);
        Blocks.of(file, (message, frame) -> message(message, frame.bodySlice()));
    }

    private void stream(MemorySegment input) throws IOException {
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        Schema schema = new Schema();
        for (long at = 0;
                frame.wrap(input, at, message) == FrameKind.MESSAGE;
                at = frame.nextOffset()) {
            if (message.header(schema)) {
                layout = BatchLayout.compile(schema, message.version());
                dictionaries = new Dictionaries(layout);
                visitor.schema(ArrowSchema.of(schema), layout);
            } else {
                message(message, input.asSlice(frame.bodyOffset(), frame.bodyLength()));
            }
        }
    }

    public static DecompressedBuffers decompressed() {
        return new DecompressedBuffers(new LibraryDecompressor(), 1 << 30);
    }

    private void message(Message message, MemorySegment body) throws IOException {
        buffers.release();
        DictionaryBatch dictionary = new DictionaryBatch();
        if (message.header(dictionary)) {
            long id = dictionary.id();
            visitor.dictionary(id, cursor.bind(layout.dictionaryLayout(id), message).body(body));
            dictionaries.add(message, body, 0, body.byteSize(), decompressed()); // which stay
        } else if (message.header(new RecordBatch())) {
            visitor.batch(cursor.bind(layout, message).body(body), dictionaries);
        }
    }
}
