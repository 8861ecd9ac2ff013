// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import dev.fletch.Check;
import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.UnreadableFileException;
import dev.fletch.arrow.internal.BatchSequence;
import dev.fletch.arrow.internal.FileSource;
import dev.fletch.arrow.internal.MemorySource;
import dev.fletch.arrow.internal.RangedSource;
import dev.fletch.arrow.internal.ReceivedSource;
import dev.fletch.arrow.internal.Source;
import dev.fletch.arrow.internal.StreamSource;
import dev.fletch.convert.ConversionReport;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.convert.internal.Conversion;
import dev.fletch.input.DetectedInput;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.input.InputFaults;
import dev.fletch.input.Need;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.MessageReader;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.ipc.internal.Work;
import dev.fletch.remote.RangeSource;
import dev.fletch.remote.internal.RangeOptions;
import dev.fletch.remote.internal.RangedFile;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.verify.CheckReport;
import dev.fletch.verify.internal.InputCheck;
import dev.fletch.wire.Closing;
import dev.fletch.wire.MappedFile;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ScopedValue.CallableOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;

/// Opens, verifies, converts and writes Arrow's files and streams.
public final class Arrow {
    private Arrow() {}

    // ---- reading

    /// [#open(Path, ReadOptions)] with [ReadOptions#DEFAULT].
    public static BatchReader open(Path input) throws IOException {
        return open(input, ReadOptions.DEFAULT);
    }

    /// Opens a file, or a stream in a file, and reads its schema. More than 32 KiB are mapped until
    /// the reader is closed; a pipe is read as a stream.
    ///
    /// @throws FletchException if the input is neither, or invalid; it names the file, as do those
    ///     of the reader
    /// @throws IOException if the input cannot be read
    public static BatchReader open(Path input, ReadOptions options) throws IOException {
        try {
            BatchReader reader = ofPath(input, options);
            reader.source.name = input.toString();
            return reader;
        } catch (FletchException e) {
            throw e.in(input.toString());
        }
    }

    private static BatchReader ofPath(Path input, ReadOptions options) throws IOException {
        if (!Files.isRegularFile(input) && !Files.isDirectory(input)) {
            return open(FileChannel.open(input), options);
        }
        MappedFile file = MappedFile.open(input);
        return Closing.onFailure(
                file::close,
                () -> {
                    Source source = inMemory(file.memory(), file.arena(), input, options);
                    return new BatchReader(source, options);
                });
    }

    /// Opens a file or stream in memory, and reads its schema. Several threads may open the same
    /// memory.
    ///
    /// @param input all bytes
    /// @throws FletchException if the input is neither, or invalid
    public static BatchReader open(MemorySegment input, ReadOptions options) throws IOException {
        return new BatchReader(inMemory(input, null, null, options), options);
    }

    private static Source inMemory(
            MemorySegment memory, Arena arena, Path path, ReadOptions options) {
        ArrowContainer container = DetectedInput.container(memory);
        if (container == null) {
            container = ArrowContainer.detect(memory); // throws
        }
        return container == ArrowContainer.FILE
                ? new FileSource(memory, arena, path, options)
                : new MemorySource(memory, arena, BatchSequence.ofMetadata(options));
    }

    /// Opens a stream, from the current position of a channel, and reads its schema. Nothing behind
    /// the stream is read.
    ///
    /// @param input in blocking mode; closed with the reader, and if this fails
    /// @throws FletchException if the stream is invalid
    public static BatchReader open(ReadableByteChannel input, ReadOptions options)
            throws IOException {
        return new BatchReader(
                new StreamSource(MessageReader.of(input, BatchSequence.ofMetadata(options)), false),
                options);
    }

    /// [#open(ReadableByteChannel, ReadOptions)] of an input stream.
    public static BatchReader open(InputStream input, ReadOptions options) throws IOException {
        return new BatchReader(
                new StreamSource(MessageReader.of(input, BatchSequence.ofMetadata(options)), false),
                options);
    }

    /// Opens a file of which only the needed ranges are read, such as a link: the footer, the
    /// headers of batches, and the buffers of the requested columns. The schema message is not
    /// read, so no check finds blocks that overlap it. Each level includes the checks of
    /// [dev.fletch.batch.BatchCursor#requireSound]: buffers that share bytes are refused.
    ///
    /// @param input closed with the reader, and if this fails
    /// @throws FletchException if the file is invalid
    public static BatchReader open(RangeSource input, ReadOptions options) throws IOException {
        var file = RangedFile.open(input, BatchSequence.ofMetadata(options), RangeOptions.DEFAULT);
        return new BatchReader(new RangedSource(file, options.limits()), options);
    }

    /// {@return the batches of a stream whose messages the caller receives}
    public static BatchReceiver receive(ReadOptions options) {
        return new BatchReceiver(new ReceivedSource(BatchSequence.ofMetadata(options)), options);
    }

    // ---- writing

    /// Writes a file.
    ///
    /// @param output created, or replaced
    public static BatchWriter writeFile(Path output, ArrowSchema schema) throws IOException {
        return writeFile(
                FileChannel.open(
                        output,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING),
                schema);
    }

    /// Writes a file, from the current position of a channel, which should be its start.
    ///
    /// @param output closed with the writer, and if this fails
    public static BatchWriter writeFile(WritableByteChannel output, ArrowSchema schema)
            throws IOException {
        return Closing.onFailure(
                output,
                () -> new BatchWriter(MessageWriter.of(ArrowContainer.FILE, output), schema));
    }

    /// Writes a stream.
    ///
    /// @param output closed with the writer, and if this fails
    public static BatchWriter writeStream(WritableByteChannel output, ArrowSchema schema)
            throws IOException {
        return Closing.onFailure(
                output,
                () -> new BatchWriter(MessageWriter.of(ArrowContainer.STREAM, output), schema));
    }

    /// Writes batches of a reader as a stream.
    ///
    /// @param from before its first batch; it may have columns of its own
    /// @param output closed with the forwarder, and if this fails
    /// @param columns paths of the columns to write, in their order; none for all
    /// @throws FletchException if there is no such column
    /// @throws IllegalArgumentException if a column is named twice, or as for
    ///     [dev.fletch.batch.BatchLayout#choose(int...)]
    public static Forwarder forward(BatchReader from, WritableByteChannel output, String... columns)
            throws IOException {
        return Closing.onFailure(
                output,
                () ->
                        new Forwarder(
                                MessageWriter.of(ArrowContainer.STREAM, output),
                                from,
                                List.of(columns)));
    }

    // ---- verifying

    /// Verifies a file or stream in a file, which is mapped meanwhile; or a pipe, which is read to
    /// its end.
    ///
    /// ```java
    /// CheckReport report = Arrow.verify(path, ReadOptions.VERIFY, fault -> log.warn(fault.toJson()));
    /// ```
    ///
    /// Frames, structure and meaning of all messages are checked, and the file around them: for any
    /// level. Goes on after a fault, so that all of them are reported. The input may also be a
    /// single message or flatbuffer, or base64 of any of these. Bodies are read at [Level#VALUES]
    /// only, but for the uncompressed lengths of compressed buffers, and to find messages after
    /// damage.
    ///
    /// **Faults** are passed to the sink at once, in the order in which they are found, at most
    /// [CheckReport#MAX_FAULTS] for an input. An exception of the sink ends the verification.
    ///
    /// **Work** is proportional to the size of the input, also for hostile ones;
    /// [ReadOptions#monitor] watches and stops it.
    ///
    /// @param columns paths of the fields whose values are checked, with their children: see
    ///     [dev.fletch.batch.BatchLayout#field]; none for all. Without effect below [Level#VALUES]
    /// @return what was found
    /// @throws UnreadableFileException if another process truncates the file meanwhile
    public static CheckReport verify(
            Path input, ReadOptions options, FaultSink sink, String... columns) throws IOException {
        return verify(() -> InputBytes.open(input, () -> {}), options, sink, columns);
    }

    /// [#verify(Path, ReadOptions, FaultSink, String...)] of an input in memory.
    ///
    /// @param input all bytes; they must not change meanwhile
    public static CheckReport verify(
            MemorySegment input, ReadOptions options, FaultSink sink, String... columns) {
        try {
            return verify(() -> InputBytes.of(input), options, sink, columns);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // only memory is read
        }
    }

    /// [#verify(Path, ReadOptions, FaultSink, String...)] of an input stream, from its current
    /// position to its end. A stream that is damaged is stored in a temporary file from there on,
    /// and an Arrow file completely.
    ///
    /// @param input closed by this method
    public static CheckReport verify(
            InputStream input, ReadOptions options, FaultSink sink, String... columns)
            throws IOException {
        return verify(() -> InputBytes.of(input), options, sink, columns);
    }

    /// [#verify(Path, ReadOptions, FaultSink, String...)] of an object of which only the needed
    /// ranges are read: no bodies below [Level#VALUES], but for the lengths that
    /// [Check#UNCOMPRESSED_SIZES] needs. Messages after damage are searched only in small objects.
    ///
    /// @param input closed by this method
    public static CheckReport verify(
            RangeSource input, ReadOptions options, FaultSink sink, String... columns)
            throws IOException {
        Need need = InputCheck.need(options);
        return verify(
                () -> InputBytes.open(input, need, RangeOptions.DEFAULT, options.limits()),
                options,
                sink,
                columns);
    }

    private static CheckReport verify(
            CallableOp<InputBytes, IOException> opening,
            ReadOptions options,
            FaultSink sink,
            String... columns)
            throws IOException {
        Objects.requireNonNull(sink, "sink");
        InputCheck check = new InputCheck(options, List.of(columns), sink);
        return watched(
                options,
                () -> {
                    try (InputBytes bytes = opening.call()) {
                        if (options.checks().has(Check.UNCOMPRESSED_SIZES)) {
                            bytes.loadPrefixes();
                        }
                        check.run(bytes);
                    }
                    return check.report();
                });
    }

    // ---- converting

    /// Writes the schema, dictionaries and batches of a file, which is mapped meanwhile, as a valid
    /// file or stream. Repairs old framing, a missing schema message and a lost footer; with
    /// [ConvertOptions#salvaging], leaves out what is damaged and reports it.
    ///
    /// ```java
    /// var options = ConvertOptions.DEFAULT.withTarget(ArrowContainer.FILE).salvaging();
    /// ConversionReport report = Arrow.convert(broken, out, options);
    /// ```
    ///
    /// All messages are found and checked before the first byte is written. Bodies are copied
    /// without decoding them, from file to file by the operating system where it can.
    ///
    /// @param input a file or stream
    /// @param output not the same file; stays open
    /// @return what was written
    /// @throws FletchException if nothing can be written, with the offset in the input
    /// @throws IOException if the input cannot be read, or the output cannot be written and is
    ///     incomplete
    /// @throws IllegalArgumentException if a chosen column is not in the input, or cannot be
    ///     written without others
    /// @throws UnreadableFileException if another process truncates the input meanwhile
    public static ConversionReport convert(
            Path input, WritableByteChannel output, ConvertOptions options) throws IOException {
        return convert(() -> InputBytes.open(input, () -> {}), output, options);
    }

    /// [#convert(Path, WritableByteChannel, ConvertOptions)] of an input in memory.
    ///
    /// @param input all bytes; they must not change meanwhile
    public static ConversionReport convert(
            MemorySegment input, WritableByteChannel output, ConvertOptions options)
            throws IOException {
        return convert(() -> InputBytes.of(input), output, options);
    }

    /// [#convert(Path, WritableByteChannel, ConvertOptions)] of an input stream, which is first
    /// stored: up to 1 MiB in memory, otherwise in a temporary file.
    ///
    /// @param input closed by this method
    public static ConversionReport convert(
            InputStream input, WritableByteChannel output, ConvertOptions options)
            throws IOException {
        return convert(() -> InputBytes.of(input), output, options);
    }

    /// [#convert(Path, WritableByteChannel, ConvertOptions)] of an object, which is first read into
    /// a temporary file: completely, or with chosen columns only headers and these columns.
    ///
    /// @param input closed by this method
    public static ConversionReport convert(
            RangeSource input, WritableByteChannel output, ConvertOptions options)
            throws IOException {
        Need need = Conversion.need(options);
        return convert(
                () ->
                        InputBytes.open(
                                input, need, RangeOptions.DEFAULT, options.reading().limits()),
                output,
                options);
    }

    private static ConversionReport convert(
            CallableOp<InputBytes, IOException> opening,
            WritableByteChannel output,
            ConvertOptions options)
            throws IOException {
        Objects.requireNonNull(output, "output");
        return watched(options.reading(), () -> run(opening, output, options));
    }

    private static ConversionReport run(
            CallableOp<InputBytes, IOException> opening,
            WritableByteChannel output,
            ConvertOptions options)
            throws IOException {
        Input input = null;
        try (InputBytes bytes = opening.call()) {
            input = Conversion.open(bytes, options);
            Conversion conversion = new Conversion(input, options);
            conversion.find();
            conversion.write(output);
            return conversion.report();
        } catch (RuntimeException e) {
            throw FletchException.inInput(InputFaults.required(e, input), e);
        }
    }

    private static <T> T watched(ReadOptions options, CallableOp<T, IOException> task)
            throws IOException {
        try {
            return Work.watched(options.monitor(), task);
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }
}
