// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.Limits;
import dev.fletch.arrow.Arrow;
import dev.fletch.arrow.BatchReader;
import dev.fletch.arrow.Column;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.Columns;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.extension.ExtensionRegistry;
import dev.fletch.testdata.FirstFault;
import dev.fletch.testdata.Threads;
import dev.fletch.verify.messages.SemanticVerifier;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/// Many threads read one mapped file, each with flyweights of its own, and share all that says that
/// it may be shared. What they see is what one thread alone sees.
class ManyThreadsTest {
    private static final Path SAMPLE = Path.of("src/test/resources/samples/trades.arrow");
    private static final Path OTHER = Path.of("src/test/resources/arrow-cpp/nested.arrow");
    private static final int THREADS = 8;
    private static final int ROUNDS = 200;

    /// What the threads have in common: values that never change, and memory that nobody writes to.
    private record Shared(
            MemorySegment memory,
            MemorySegment otherMemory,
            ReadOptions options,
            Checks rules,
            Checks meaning,
            BatchLayout layout,
            ArrowSchema schema,
            ExtensionRegistry registry) {}

    private static Shared shared(Arena arena) throws IOException {
        ArrowFile file = ArrowFile.map(SAMPLE, arena, ReadOptions.DEFAULT);
        Schema schema = new Schema();
        file.footer().schema(schema);
        return new Shared(
                file.memory(),
                ArrowFile.map(OTHER, arena, ReadOptions.DEFAULT).memory(),
                ReadOptions.DEFAULT,
                Checks.STRICT,
                Checks.STRICT,
                BatchLayout.compile(schema, MetadataVersion.V5),
                ArrowSchema.of(schema),
                ExtensionRegistry.CANONICAL);
    }

    /// Reads everything with flyweights of its own.
    private static List<String> read(Shared shared) {
        List<String> seen = new ArrayList<>();
        ArrowFile file = ArrowFile.of(shared.memory(), shared.options());
        Schema schema = new Schema();
        file.footer().schema(schema);
        seen.add("same schema: " + shared.schema().semanticallyEquals(ArrowSchema.of(schema)));
        seen.add("extensions: " + shared.registry().list(shared.schema()));
        BatchLayout own = BatchLayout.compile(schema, MetadataVersion.V5);
        seen.add("own: " + own.fieldCount() + " " + own.child(own.child(-1, "tags"), "item"));
        Schema other = new Schema();
        ArrowFile.of(shared.otherMemory()).footer().schema(other);
        BatchLayout another = BatchLayout.compile(other, MetadataVersion.V5);
        seen.add("another: " + another.fieldCount() + " " + another.columnCount());
        columns(shared, schema, seen);
        messages(shared, file, seen);
        return seen;
    }

    private static void columns(Shared shared, Schema schema, List<String> seen) {
        for (String name : List.of("time", "venue", "tags", "nobody")) {
            if (!name.equals("nobody")) {
                Columns columns = Columns.named(name);
                BatchLayout one =
                        BatchLayout.compile(schema, MetadataVersion.V5, Limits.DEFAULT, columns);
                seen.add(name + ": " + one.bufferIndex(0));
            }
            seen.add(name + ": " + shared.layout().find(name));
        }
    }

    private static void messages(Shared shared, ArrowFile file, List<String> seen) {
        EncapsulatedMessage frame = new EncapsulatedMessage(shared.options());
        Message message = new Message();
        RecordBatch batch = new RecordBatch();
        BatchCursor cursor = new BatchCursor();
        Verifier verifier = new Verifier(shared.rules());
        SemanticVerifier meaning = new SemanticVerifier(shared.meaning(), new FirstFault());
        meaning.footer(file.footer());
        for (int i = 0; i < file.messageCount(); i++) {
            file.message(i, frame, message);
            seen.add(frame.offset() + ": " + MessageHeader.NAMES.name(message.headerType()));
            seen.add(
                    "structure: "
                            + verifier.verify(
                                    Verifier.Root.MESSAGE,
                                    file.memory(),
                                    frame.metadataOffset(),
                                    frame.metadataLength()));
            if (message.headerType() == MessageHeader.RECORD_BATCH) {
                message.header(batch);
                cursor.bind(shared.layout(), batch).body(frame.bodySlice());
                for (int c = 0; c < shared.layout().columnCount(); c++) {
                    int field = shared.layout().columnField(c);
                    seen.add(cursor.nullCount(field) + " of " + cursor.length(field));
                    for (int b = 0; b < cursor.bufferCount(field); b++) {
                        seen.add(
                                cursor.bufferOffset(field, b)
                                        + "+"
                                        + cursor.bufferLength(field, b));
                    }
                }
            } else if (message.headerType() == MessageHeader.DICTIONARY_BATCH) {
                DictionaryBatch dictionary = new DictionaryBatch();
                message.header(dictionary);
                seen.add("dictionary " + dictionary.id());
            }
        }
        for (int i = 0; i < file.recordBatchCount(); i++) {
            file.recordBatch(i, frame, message);
            seen.add("meaning: " + meaning.block(message, i));
        }
    }

    @Test
    void eachThreadSeesWhatOneAloneSees() throws Exception {
        try (Arena arena = Arena.ofShared()) {
            Shared shared = shared(arena);
            List<String> alone = read(shared);
            assertTrue(alone.size() > 80 && alone.getFirst().endsWith("true"), alone.toString());
            Threads.results(
                    THREADS,
                    _ -> {
                        for (int i = 0; i < ROUNDS; i++) {
                            assertEquals(alone, read(shared));
                        }
                        return ROUNDS;
                    });
        }
    }

    /// Whoever frees memory that others read ends their reading, and nothing worse.
    @Test
    void memoryFreedUnderItsReadersIsAnIllegalStateForEach() throws Exception {
        Arena arena = Arena.ofShared();
        Shared shared = shared(arena);
        List<String> alone = read(shared);
        CountDownLatch reading = new CountDownLatch(THREADS);
        List<Future<Integer>> threads =
                Threads.start(
                        THREADS,
                        _ -> {
                            for (int i = 0; ; i++) {
                                assertEquals(alone, read(shared));
                                if (i == 0) {
                                    reading.countDown();
                                }
                            }
                        });
        reading.await();
        arena.close();
        for (Future<Integer> each : threads) {
            assertInstanceOf(IllegalStateException.class, failure(each));
        }
    }

    @Test
    void confinedMemoryRefusesOtherThreads() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            ArrowFile file = ArrowFile.map(SAMPLE, arena, ReadOptions.DEFAULT);
            List<Future<Integer>> threads =
                    Threads.start(THREADS, _ -> ArrowFile.of(file.memory()).recordBatchCount());
            for (Future<Integer> each : threads) {
                assertInstanceOf(WrongThreadException.class, failure(each));
            }
        }
    }

    @Test
    void anotherThreadMayReadAndCloseWhatOneHasOpened() throws Exception {
        var opening = Threads.start(1, _ -> Arrow.open(SAMPLE)).getFirst();
        try (BatchReader reader = opening.get()) {
            Column column = reader.column("size");
            assertTrue(reader.next());
            column.int64(column.length() - 1);
        }
    }

    private static Throwable failure(Future<Integer> thread) throws InterruptedException {
        try {
            throw new AssertionError("no failure, but " + thread.get());
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }
}
