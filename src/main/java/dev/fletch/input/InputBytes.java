// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.events.Events;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.internal.Work;
import dev.fletch.remote.HttpOptions;
import dev.fletch.remote.RangeSource;
import dev.fletch.remote.internal.ByteRange;
import dev.fletch.remote.internal.RangeOptions;
import dev.fletch.remote.internal.RangeReader;
import dev.fletch.wire.Closing;

import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;

/// The bytes of an input: a mapped file, a pipe, or parts of a remote object. A pipe can be read
/// once, unless [#keep] stores its bytes.
public final class InputBytes implements AutoCloseable {
    /// The name of standard input.
    public static final String STANDARD_INPUT = "-";

    private static final int PIECE_BYTES = 64 << 10;
    // Up to this size, copying a file to an array takes no longer than mapping it. Reading it into
    // native memory, as MappedFile does for files of many opens, has another limit.
    private static final int SMALL_BYTES = 64 << 10;
    // A pipe with at least as many bytes is stored in a temporary file.
    private static final int KEPT_BYTES = 1 << 20;

    private MemorySegment memory;
    // Owns the mapping; null if there is none.
    private Arena owner;
    // Null for a file.
    private final PushbackInputStream pipe;
    private FileChannel file;
    private boolean isStandardInput;
    // Both null unless the input is remote. `remote` is null if the object fits in the first
    // request.
    private RangeSource source;
    private RemoteBytes remote;
    // The parts that were read.
    private Need parts = Need.ALL;
    private boolean hasPrefixes;

    private InputBytes(MemorySegment memory, InputStream pipe) {
        this.memory = memory;
        this.pipe =
                pipe == null ? null : new PushbackInputStream(pipe, ArrowContainer.LEADING_BYTES);
    }

    /// Opens an input.
    ///
    /// @param name a path, a link, or [#STANDARD_INPUT]
    /// @param need the parts of a remote object to read
    /// @param beforePipe called before a pipe is opened, or another file that can be read only once
    /// @param http of requests, if it is a link
    public static InputBytes open(String name, Need need, HttpOptions http, Runnable beforePipe)
            throws IOException {
        return open(name, need, http, Limits.DEFAULT, beforePipe);
    }

    /// [#open(String, Need, HttpOptions, Runnable)] within other limits.
    ///
    /// @param limits of footer and metadata, if it is a link
    public static InputBytes open(
            String name, Need need, HttpOptions http, Limits limits, Runnable beforePipe)
            throws IOException {
        FileName.requireDecoded(name);
        if (Links.isLink(name)) {
            try {
                return open(RangeSource.http(name, http), need, RangeOptions.DEFAULT, limits);
            } catch (IllegalArgumentException e) {
                throw new IOException(e.getMessage(), e);
            }
        }
        if (name.equals(STANDARD_INPUT)) {
            InputBytes bytes = of(System.in);
            bytes.isStandardInput = true;
            return bytes;
        }
        if (name.isEmpty()) {
            throw new NoSuchFileException(name); // Java takes it for the working directory
        }
        return open(FileName.path(name), beforePipe);
    }

    /// Opens the object of a source.
    ///
    /// @param source closed by [#close], and if this throws
    /// @param options of the requests
    /// @param limits of footer and metadata
    public static InputBytes open(
            RangeSource source, Need need, RangeOptions options, Limits limits) throws IOException {
        InputBytes bytes = new InputBytes(null, null);
        bytes.source = source;
        return Closing.onFailure(
                bytes::close,
                () -> {
                    RangeReader reader = new RangeReader(source, options);
                    byte[] end = reader.readEnd();
                    if (end.length == reader.size()) {
                        bytes.memory = MemorySegment.ofArray(end);
                        return bytes;
                    }
                    bytes.file = TemporaryFile.create();
                    int window = options.endBytes();
                    bytes.remote = new RemoteBytes(source, reader, end, bytes.file, window, limits);
                    bytes.parts = need;
                    bytes.memory = bytes.map(bytes.file);
                    bytes.remote.read(need, bytes.memory);
                    return bytes;
                });
    }

    /// Opens a file: a small one is copied, others are mapped.
    public static InputBytes open(Path path, Runnable beforePipe) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        if (attributes.isDirectory()) {
            throw new FileNotFoundException("is a directory");
        }
        if (!attributes.isRegularFile()) {
            beforePipe.run();
        }
        if (!attributes.isRegularFile() || attributes.size() == 0) { // such as files of /proc
            return of(Files.newInputStream(path));
        }
        return attributes.size() <= SMALL_BYTES ? read(path, (int) attributes.size()) : map(path);
    }

    public static InputBytes of(MemorySegment memory) {
        return new InputBytes(memory, null);
    }

    public static InputBytes of(InputStream pipe) {
        return new InputBytes(null, pipe);
    }

    /// Reads no more, if the file has grown.
    private static InputBytes read(Path path, int size) throws IOException {
        try (InputStream from = Files.newInputStream(path)) {
            return of(MemorySegment.ofArray(from.readNBytes(size)));
        }
    }

    private static InputBytes map(Path path) throws IOException {
        InputBytes bytes = new InputBytes(null, null);
        Object event = Events.mappingBegins();
        bytes.file = FileChannel.open(path);
        bytes.memory = Closing.onFailure(bytes::close, () -> bytes.map(bytes.file));
        if (event != null) {
            Events.fileMapped(event, path.toString(), bytes.memory.byteSize());
        }
        return bytes;
    }

    private MemorySegment map(FileChannel mapped) throws IOException {
        owner = Arena.ofShared();
        return mapped.map(MapMode.READ_ONLY, 0, mapped.size(), owner);
    }

    /// Returns an input's name for output.
    public static String title(String name) {
        return switch (name) {
            case STANDARD_INPUT -> "standard input";
            case "" -> "''";
            default -> Links.shown(name);
        };
    }

    /// Same as [MemorySegment#mismatch], safe for mapped files. Compares copies of pieces: if a
    /// mapped file was truncated, copying throws an [InternalError], while the JVM's comparison
    /// crashes.
    public static long mismatch(MemorySegment a, MemorySegment b) {
        long size = Math.min(a.byteSize(), b.byteSize());
        for (long position = 0; position < size; position += PIECE_BYTES) {
            long length = Math.min(PIECE_BYTES, size - position);
            int found = Arrays.mismatch(piece(a, position, length), piece(b, position, length));
            if (found >= 0) {
                return position + found;
            }
        }
        return a.byteSize() == b.byteSize() ? -1 : size;
    }

    private static byte[] piece(MemorySegment from, long position, long length) {
        return from.asSlice(position, length).toArray(ValueLayout.JAVA_BYTE);
    }

    /// Whether the bytes can be read only once. False for a pipe that was stored.
    public boolean isPipe() {
        return memory == null;
    }

    /// The bytes of a pipe that is not stored, from the first byte.
    public InputStream pipe() {
        return pipe;
    }

    /// All bytes, from the first byte.
    public InputStream stream() {
        if (isPipe()) {
            return pipe;
        }
        return file == null
                ? new ByteArrayInputStream(memory.toArray(ValueLayout.JAVA_BYTE))
                : Channels.newInputStream(file);
    }

    /// The first bytes, for [ArrowContainer#detect]. They are not consumed.
    public byte[] leading() throws IOException {
        if (isPipe()) {
            byte[] leading = pipe.readNBytes(ArrowContainer.LEADING_BYTES);
            pipe.unread(leading);
            return leading;
        }
        long length = Math.min(memory.byteSize(), ArrowContainer.LEADING_BYTES);
        return memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    }

    /// Whether all bytes were read, so that messages can be searched after damage.
    public boolean isSearchable() {
        return hasBodies() || leadingBytes() == memory.byteSize();
    }

    /// Number of bytes at the start of the memory that were read.
    long leadingBytes() {
        return hasBodies() ? memory.byteSize() : remote.leadingBytes();
    }

    /// Whether the headers of all messages were read.
    public boolean hasHeaders() {
        return parts != Need.SCHEMA;
    }

    /// Whether bodies were read. Otherwise their bytes in [#memory] are 0 and must not be used.
    public boolean hasBodies() {
        return parts == Need.ALL;
    }

    /// Reads the prefixes of compressed buffers, if bodies were not read.
    public void loadPrefixes() throws IOException {
        if (!hasBodies()) {
            hasPrefixes = true;
            try {
                remote.loadPrefixes(this);
            } catch (FletchException _) {
                // Reading the input reports the same fault.
            }
        }
    }

    /// Reads ranges of bodies, if bodies were not read.
    public void load(List<ByteRange> ranges) throws IOException {
        if (!hasBodies()) {
            remote.load(ranges);
        }
    }

    /// Whether the prefixes (uncompressed lengths) of compressed buffers were read.
    public boolean hasPrefixes() {
        return hasBodies() || hasPrefixes;
    }

    /// Why a remote object is not readable as Arrow; null if no reason is known.
    public FletchException refusal() {
        return remote == null ? null : remote.refusal();
    }

    /// Throws if bytes of a remote object were not read.
    void requireRead(long offset, long length) throws IOException {
        if (!hasBodies() && !remote.has(offset, length)) {
            throw remote.failed(offset, length, "message was not read", null);
        }
    }

    /// All bytes; null for a pipe that is not stored.
    public MemorySegment memory() {
        return memory;
    }

    /// The file mapped by [#memory]; null if it is not mapped.
    public FileChannel file() {
        return file;
    }

    /// Stores a pipe's bytes in memory or a temporary file. Does nothing for other inputs.
    ///
    /// @throws IOException if the pipe fails, or the temporary directory is full
    public void keep() throws IOException {
        if (!isPipe()) {
            return;
        }
        byte[] first = pipe.readNBytes(KEPT_BYTES);
        memory =
                first.length < KEPT_BYTES
                        ? MemorySegment.ofArray(first)
                        : keepRest(0, List.of(first));
    }

    /// Stores the rest of a pipe at its offsets in the input. The bytes before are zeros.
    ///
    /// @param offset of the rest
    /// @param first the first bytes of the rest, which were read before, in pieces
    /// @return memory as large as the input, valid until [#close]
    public MemorySegment keepRest(long offset, List<byte[]> first) throws IOException {
        file = TemporaryFile.create();
        long position = offset;
        for (byte[] each : first) {
            TemporaryFile.write(file, ByteBuffer.wrap(each), position);
            position += each.length;
        }
        byte[] piece = new byte[PIECE_BYTES];
        for (int read = pipe.read(piece); read >= 0; read = pipe.read(piece)) {
            TemporaryFile.write(file, ByteBuffer.wrap(piece, 0, read), position);
            position += read;
            Work.reached(position, 0);
        }
        file.position(0); // for #stream
        return map(file);
    }

    @Override
    public void close() throws IOException {
        // From the last to the first: some systems do not delete a file that is mapped.
        try (var _ = source;
                var _ = isStandardInput ? null : pipe;
                var _ = file;
                var _ = owner) {}
    }
}
