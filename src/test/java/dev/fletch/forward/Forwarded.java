// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.forward;

import dev.fletch.batch.BatchLayout;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.internal.VersionCheck;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.testdata.OracleListing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;

/// Forwards the messages of a file or a stream.
final class Forwarded {
    /// The projection of the messages; null before the schema.
    BatchProjector projection;

    int dropped;

    private final Function<BatchLayout, BatchProjector> choice;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final MessageWriter target;
    private BatchProjector projector;

    /// Forwards as a stream.
    ///
    /// @param choice returns the projection of a layout
    Forwarded(Function<BatchLayout, BatchProjector> choice) {
        this(ArrowContainer.STREAM, choice);
    }

    Forwarded(ArrowContainer container, Function<BatchLayout, BatchProjector> choice) {
        this.choice = choice;
        target = MessageWriter.of(container, out);
    }

    /// Forwards all messages, and returns the file or stream.
    byte[] all(byte[] content) throws IOException {
        MemorySegment input = MemorySegment.ofArray(content);
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        if (OracleListing.isFile(content)) {
            ArrowFile file = ArrowFile.of(input);
            Schema schema = new Schema();
            file.footer().schema(schema);
            int version = file.footer().version();
            if (!VersionCheck.isSupported(version)) { // Arrow 0.14 left it out
                version = MetadataVersion.V4;
            }
            schema(schema, version);
            for (int i = 0; i < file.dictionaryCount(); i++) {
                file.dictionary(i, frame, message);
                next(input, frame, message);
            }
            for (int i = 0; i < file.recordBatchCount(); i++) {
                file.recordBatch(i, frame, message);
                next(input, frame, message);
            }
        } else {
            long at = 0;
            while (frame.wrap(input, at, message) == FrameKind.MESSAGE) {
                next(input, frame, message);
                at = frame.nextOffset();
            }
        }
        target.finish();
        return out.toByteArray();
    }

    private void next(MemorySegment input, EncapsulatedMessage frame, Message message)
            throws IOException {
        if (message.headerType() == MessageHeader.SCHEMA) {
            if (projector == null) {
                Schema schema = new Schema();
                message.header(schema);
                schema(schema, message.version());
            }
            return;
        }
        if (!projector.forward(input, frame, message, target)) {
            dropped++;
        }
    }

    private void schema(Schema schema, int version) throws IOException {
        projection = choice.apply(BatchLayout.compile(schema, version));
        projector = new BatchProjector(projection.layout());
        target.write(projection.schemaMessage(schema, version));
    }
}
