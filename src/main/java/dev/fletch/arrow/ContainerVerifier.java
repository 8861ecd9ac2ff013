// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import dev.fletch.FaultSink;
import dev.fletch.UnreadableFileException;
import dev.fletch.format.SemanticOptions;
import dev.fletch.input.InputBytes;
import dev.fletch.input.Need;
import dev.fletch.ipc.internal.Work;
import dev.fletch.remote.RangeOptions;
import dev.fletch.remote.RangeSource;
import dev.fletch.verify.CheckOptions;
import dev.fletch.verify.CheckReport;
import dev.fletch.verify.internal.InputCheck;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;

/// Verifies complete files and streams: frames, structure and meaning of all messages, and the file
/// around them. Goes on after a fault, so that it reports all of them.
///
/// ```java
/// CheckReport report = new ContainerVerifier().verify(path, fault -> log.warn(fault.toJson()));
/// ```
///
/// The input may also be a single message or flatbuffer, or base64 of any of these. Bodies are not
/// read, but for the uncompressed lengths of compressed buffers, and to find messages after damage;
/// with [CheckOptions#withValues], also for their values.
///
/// **Faults** are passed to the sink at once, in the order in which they are found, at most
/// [CheckOptions#MAX_FAULTS] for an input. An exception of the sink ends the verification. The counts are
/// returned.
///
/// **Errors.** An [IOException] if the input cannot be read.
///
/// **Work** is proportional to the size of the input, also for hostile ones; [CheckOptions#monitor]
/// watches and stops it.
///
/// **Threads.** Immutable; threads may share it.
public final class ContainerVerifier {
    private final CheckOptions options;

    /// Creates a verifier with [CheckOptions#DEFAULT].
    public ContainerVerifier() {
        this(CheckOptions.DEFAULT);
    }

    /// Creates a verifier.
    ///
    /// @param options what to check
    public ContainerVerifier(CheckOptions options) {
        this.options = Objects.requireNonNull(options, "options");
    }

    /// Verifies a file, which is mapped meanwhile.
    ///
    /// @param input a file or stream; also a pipe, which is read to its end
    /// @throws UnreadableFileException if another process truncates it meanwhile
    public CheckReport verify(Path input, FaultSink sink) throws IOException {
        return verify(() -> InputBytes.open(input, () -> {}), sink);
    }

    /// Verifies an input in memory.
    ///
    /// @param input all bytes; they must not change meanwhile
    public CheckReport verify(MemorySegment input, FaultSink sink) {
        try {
            return verify(() -> InputBytes.of(input), sink);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // only memory is read
        }
    }

    /// Verifies an input stream, from its current position to its end. A stream that is damaged is
    /// stored in a temporary file from there on, and an Arrow file completely.
    ///
    /// @param input closed by this method
    public CheckReport verify(InputStream input, FaultSink sink) throws IOException {
        return verify(() -> InputBytes.of(input), sink);
    }

    /// Verifies an object of which only the needed ranges are read: no bodies, but for the lengths
    /// that [SemanticOptions.Check#UNCOMPRESSED_SIZES] needs. Messages after damage are searched only in
    /// small objects.
    ///
    /// @param input closed by this method
    public CheckReport verify(RangeSource input, FaultSink sink) throws IOException {
        return verify(
                () ->
                        InputBytes.open(
                                input,
                                options.columns() == null ? Need.ALL_BUT_BODIES : Need.ALL,
                                RangeOptions.DEFAULT,
                                options.structure().limits()),
                sink);
    }

    private CheckReport verify(InputBytes.Opening opening, FaultSink sink) throws IOException {
        Objects.requireNonNull(sink, "sink");
        try {
            return Work.watched(options.monitor(), () -> run(opening, sink));
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    private CheckReport run(InputBytes.Opening opening, FaultSink sink) throws IOException {
        InputCheck check = new InputCheck(options, sink);
        try (InputBytes bytes = opening.open()) {
            if (options.meaning().checks(SemanticOptions.Check.UNCOMPRESSED_SIZES)) {
                bytes.loadPrefixes();
            }
            check.run(bytes);
        }
        return check.report();
    }
}
