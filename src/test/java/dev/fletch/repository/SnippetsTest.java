// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.arrow.Arrow;
import dev.fletch.examples.Snippets;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.forward.BatchProjector;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.MessageReader;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.testdata.FileBatches;
import dev.fletch.testdata.TradesSample;
import dev.fletch.vectors.VectorReader;

import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ValueVector;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;

/// The short examples of the pages do what the pages say.
class SnippetsTest {
    private static final Path FILE = TradesSample.path("trades.arrow");

    private static ReadableByteChannel stream(int bytes) throws IOException {
        byte[] all = Files.readAllBytes(TradesSample.path("trades.stream"));
        return Channels.newChannel(new ByteArrayInputStream(all, 0, Math.min(bytes, all.length)));
    }

    @Test
    void rowsOfAStreamAreCounted() throws IOException {
        assertEquals(800, Snippets.nextBatch(stream(Integer.MAX_VALUE)));
    }

    @Test
    void untrustedInputIsReadVerifiedAndMeasured() throws IOException {
        assertEquals(800, Snippets.untrusted(FILE));
        try (var allocator = new RootAllocator()) {
            assertEquals(800, Snippets.verifiedStream(stream(Integer.MAX_VALUE), allocator));
            assertEquals(800, Snippets.verifiedFile(FILE, allocator));
        }
        try (var reader = Arrow.open(FILE, ReadOptions.UNTRUSTED)) {
            assertEquals(3, Snippets.needed(reader, 100));
        }
        try (var reader = Arrow.open(FILE, ReadOptions.UNTRUSTED)) {
            assertEquals(0, Snippets.needed(reader, 1 << 20));
        }
    }

    @Test
    void kindsOfMessagesAreNamed() throws IOException {
        try (var reader = MessageReader.of(stream(Integer.MAX_VALUE), ReadOptions.DEFAULT)) {
            Snippets.kinds(reader, new Message());
        }
    }

    @Test
    void chosenColumnsAreOpenedWithOptions() throws IOException {
        try (var allocator = new RootAllocator();
                var vectors = Snippets.chosenVectors(FILE, allocator)) {
            assertTrue(vectors.loadNext());
            assertEquals(2, vectors.root().getFieldVectors().size());
        }
    }

    @Test
    void schemasAreReadWrittenAndCompared() throws IOException {
        try (var file = ArrowFile.open(FILE)) {
            var schema = new Schema();
            assertTrue(file.footer().schema(schema));
            assertEquals("timesymbolpricesizesidevenuetags".length(), Snippets.names(schema));
            ArrowSchema read = ArrowSchema.of(schema);
            assertTrue(read.semanticallyEquals(Snippets.json(schema)));
            Snippets.changes(read, ArrowSchema.of(read.fields()));
            Snippets.extensions(read);
        }
        assertTrue(Snippets.table().length > 12);
    }

    @Test
    void filesAreScannedAndReadByRanges() throws IOException {
        Snippets.scan(FILE.toString());
        Snippets.ranges(FILE);
        Snippets.faults(FILE);
        Snippets.faults(TradesSample.path("trades.stream")); // prints the rule
    }

    @Test
    void schemasAreRecognizedFromTheThirdFileOn() throws IOException {
        try (var arena = Arena.ofShared()) {
            var shared = Snippets.shared(FILE, arena, ReadOptions.DEFAULT);
            assertEquals(3, shared.recordBatchCount());
        }
        assertEquals(3, Snippets.knownSchemas(Collections.nCopies(5, FILE)));
    }

    @Test
    void aDictionaryIsDecoded() throws IOException {
        try (var allocator = new RootAllocator();
                var vectors = VectorReader.open(FILE, allocator, "symbol")) {
            assertTrue(vectors.loadNext());
            try (ValueVector texts = Snippets.decoded(vectors)) {
                assertEquals(250, texts.getValueCount());
            }
        }
    }

    @Test
    void columnsAreForwardedInParts() throws IOException {
        try (var file = ArrowFile.open(FILE)) {
            var layout = FileBatches.of(file).layout();
            assertEquals(0, Snippets.projector(layout).bodyLength());
            var projector = BatchProjector.of(layout, "size");
            var bytes = new ByteArrayOutputStream();
            var out = MessageWriter.of(ArrowContainer.STREAM, bytes);
            var schema = new Schema();
            file.footer().schema(schema);
            out.write(projector.schemaMessage(schema, layout.version()));
            var frame = new EncapsulatedMessage();
            var message = new Message();
            file.recordBatch(0, frame, message);
            assertEquals(
                    32 + 250 * Long.BYTES, // validity and values
                    Snippets.forwarded(file.memory(), frame, message, projector, out));
            out.finish();
            var in = new ByteArrayInputStream(bytes.toByteArray());
            assertEquals(250, Snippets.nextBatch(Channels.newChannel(in)));
        }
    }
}
