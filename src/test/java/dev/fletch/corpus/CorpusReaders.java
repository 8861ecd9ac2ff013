// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import dev.fletch.Limits;
import dev.fletch.arrow.Arrow;
import dev.fletch.arrow.BatchReader;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.Columns;
import dev.fletch.corpus.CorpusCase.Container;
import dev.fletch.corpus.CorpusConsumer.Reading;
import dev.fletch.corpus.CorpusConsumer.Verdict;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.forward.BatchProjector;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.MessageDecoder;
import dev.fletch.ipc.MessageReader;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.remote.RangeSource;
import dev.fletch.remote.internal.RangeOptions;
import dev.fletch.remote.internal.RangedFile;
import dev.fletch.testdata.Blocks;
import dev.fletch.testdata.FileBatches;
import dev.fletch.vectors.VectorOptions;
import dev.fletch.vectors.VectorReader;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// The readers of the library as consumers of the corpus. Each reads an input to its end.
public final class CorpusReaders {
    private static final Set<String> FRAMES = Set.of("frame", "structure");
    private static final Set<String> FILES = Set.of("frame", "structure", "file");
    private static final Set<Container> OF_FILES = Set.of(Container.FILE);
    private static final Set<Container> OF_STREAMS = Set.of(Container.STREAM);
    private static final Set<Container> OF_BOTH = Set.of(Container.FILE, Container.STREAM);
    private static final Set<String> ALL =
            Set.of("frame", "structure", "meaning", "file", "values");
    static final ReadOptions UNTRUSTED =
            ReadOptions.UNTRUSTED
                    .withLimits(Limits.DEFAULT)
                    .withDecompressedBytes(AllValuesOf.MOST_BYTES);

    private CorpusReaders() {}

    static List<CorpusConsumer> all() {
        return List.of(
                new CorpusConsumer(
                        "MessageReader", FRAMES, OF_STREAMS, plain(CorpusReaders::messages)),
                new CorpusConsumer(
                        "MessageDecoder", FRAMES, OF_STREAMS, plain(CorpusReaders::pushed)),
                new CorpusConsumer("ArrowFile", FILES, OF_FILES, plain(CorpusReaders::file)),
                new CorpusConsumer(
                        "RangedFile",
                        FILES,
                        OF_FILES,
                        file -> ranges(file, ReadOptions.DEFAULT, RangeOptions.DEFAULT)),
                new CorpusConsumer("BatchProjector", FILES, OF_FILES, CorpusReaders::projected),
                new CorpusConsumer("ColumnValues", FILES, OF_FILES, CorpusReaders::values),
                new CorpusConsumer("open path", ALL, OF_BOTH, CorpusReaders::path),
                new CorpusConsumer("open memory", ALL, OF_BOTH, CorpusReaders::memory),
                new CorpusConsumer("open stream", ALL, OF_STREAMS, CorpusReaders::stream),
                new CorpusConsumer("open ranges", ALL, OF_FILES, CorpusReaders::openedRanges),
                new CorpusConsumer(
                        "VectorReader of a file",
                        FILES,
                        OF_FILES,
                        plain(CorpusReaders::fileVectors)),
                new CorpusConsumer(
                        "VectorReader", FRAMES, OF_STREAMS, plain(CorpusReaders::streamVectors)));
    }

    /// Reads with options.
    private interface WithOptions {
        Verdict of(Path file, ReadOptions options) throws Exception;
    }

    private static Reading plain(WithOptions reading) {
        return file -> reading.of(file, ReadOptions.DEFAULT);
    }

    public static Verdict messages(Path path, ReadOptions options) throws IOException {
        long batches = 0;
        try (MessageReader reader = MessageReader.of(Files.newInputStream(path), options)) {
            Message message = new Message();
            while (reader.next(message) == FrameKind.MESSAGE) {
                reader.skipBody();
                batches += isBatch(message) ? 1 : 0;
            }
        }
        return Verdict.read(batches);
    }

    private static boolean isBatch(Message message) {
        return message.headerType() == MessageHeader.RECORD_BATCH;
    }

    /// Pushes pieces of random lengths into a decoder.
    public static Verdict pushed(Path path, ReadOptions options) throws IOException {
        byte[] bytes = Files.readAllBytes(path);
        Random random = new Random(bytes.length);
        MessageDecoder decoder = new MessageDecoder(options);
        Message message = new Message();
        ByteBuffer buffer = ByteBuffer.allocate(bytes.length + 1).flip();
        int taken = 0;
        long batches = 0;
        FrameKind event = FrameKind.BODY;
        while (event != FrameKind.END_OF_STREAM) {
            event = decoder.next(buffer, message);
            if (event == FrameKind.MESSAGE) {
                batches += isBatch(message) ? 1 : 0;
            } else if (event == FrameKind.NEED_MORE) {
                if (taken == bytes.length) {
                    decoder.finish();
                    break;
                }
                int count = 1 + random.nextInt(Math.min(64, bytes.length - taken));
                buffer.compact().put(bytes, taken, count).flip();
                taken += count;
            }
        }
        return Verdict.read(batches);
    }

    public static Verdict file(Path path, ReadOptions options) throws IOException {
        try (ArrowFile file = ArrowFile.open(path, options)) {
            Blocks.of(file, (message, frame) -> frame.nextOffset());
            return Verdict.read(file.recordBatchCount());
        }
    }

    public static Verdict ranges(Path path, ReadOptions options, RangeOptions ranges)
            throws IOException {
        RangeSource source = RangeSource.open(path);
        try (RangedFile file = RangedFile.open(source, options, ranges)) {
            Blocks.of(file, (_, _) -> {});
            return Verdict.read(file.index().count(MessageHeader.RECORD_BATCH));
        }
    }

    /// Forwards all columns of all batches.
    private static Verdict projected(Path path) throws IOException {
        try (ArrowFile file = ArrowFile.open(path)) {
            BatchLayout layout = FileBatches.of(file).layout();
            BatchProjector projector = new BatchProjector(layout);
            Blocks.of(file, (message, frame) -> projector.write(message));
            return Verdict.read(file.recordBatchCount());
        }
    }

    private static Verdict values(Path path) throws IOException {
        try (ArrowFile file = ArrowFile.open(path)) {
            return Verdict.read(AllValuesOf.file(file));
        }
    }

    private static Verdict path(Path path) throws IOException {
        return batches(Arrow.open(path, UNTRUSTED));
    }

    private static Verdict memory(Path path) throws IOException {
        return batches(Arrow.open(MemorySegment.ofArray(Files.readAllBytes(path)), UNTRUSTED));
    }

    private static Verdict stream(Path path) throws IOException {
        return batches(Arrow.open(Files.newInputStream(path), UNTRUSTED));
    }

    private static Verdict openedRanges(Path path) throws IOException {
        return batches(Arrow.open(RangeSource.open(path), UNTRUSTED));
    }

    private static Verdict batches(BatchReader reader) throws IOException {
        try (reader) {
            return Verdict.read(AllValuesOf.batches(reader));
        }
    }

    /// What the reader of columns says of all batches.
    static Verdict columns(Path path, boolean isFile, ReadOptions options) {
        return verdict(
                path,
                file -> {
                    try (BatchReader reader =
                            isFile
                                    ? Arrow.open(file, options)
                                    : Arrow.open(Files.newInputStream(file), options)) {
                        int batches = 0;
                        while (reader.next()) {
                            reader.load();
                            batches++;
                        }
                        return Verdict.read(batches);
                    }
                });
    }

    private static Verdict verdict(Path path, Reading reading) {
        return new CorpusConsumer("", ALL, OF_BOTH, reading).verdict(path);
    }

    /// What the reader of vectors says of all columns.
    static Verdict vectors(Path path, boolean isFile, ReadOptions options) {
        return verdict(
                path, file -> isFile ? fileVectors(file, options) : streamVectors(file, options));
    }

    private static VectorOptions vectors(ReadOptions options) {
        return AllValuesOf.OPTIONS.withReadOptions(options);
    }

    public static Verdict fileVectors(Path path, ReadOptions options) throws IOException {
        try (BufferAllocator allocator = new RootAllocator();
                VectorReader vectors =
                        VectorReader.open(path, allocator, Columns.all(), vectors(options))) {
            return Verdict.read(AllValuesOf.vectors(vectors));
        }
    }

    public static Verdict streamVectors(Path path, ReadOptions options) throws IOException {
        try (BufferAllocator allocator = new RootAllocator();
                InputStream in = Files.newInputStream(path);
                VectorReader vectors =
                        VectorReader.open(in, allocator, Columns.all(), vectors(options))) {
            return Verdict.read(AllValuesOf.vectors(vectors));
        }
    }
}
