// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import dev.fletch.FletchException;
import dev.fletch.UnreadableFileException;
import dev.fletch.convert.ConversionReport;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.convert.internal.Conversion;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.input.InputFaults;
import dev.fletch.input.Need;
import dev.fletch.ipc.internal.Work;
import dev.fletch.remote.RangeOptions;
import dev.fletch.remote.RangeSource;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.Objects;

/// Writes the schema, dictionaries and batches of an input as a valid file or stream. Repairs old
/// framing, a missing schema message and a lost footer; with [ConvertOptions#salvaging], leaves out
/// what is damaged and reports it.
///
/// ```java
/// var options = ConvertOptions.DEFAULT.withTarget(ArrowContainer.FILE).salvaging();
/// ConversionReport report = new Converter(options).convert(broken, out);
/// ```
///
/// All messages are found and checked before the first byte is written. Bodies are copied without
/// decoding them, from file to file by the operating system where it can.
///
/// The output stays open. A report of what was written is returned.
///
/// **Errors.** A [FletchException] if nothing can be written, with the offset in the input. An
/// [IOException] if the input cannot be read, or the output cannot be written and is incomplete. An
/// [IllegalArgumentException] if a chosen column is not in the input, or cannot be written without
/// others.
///
/// **Threads.** Immutable; threads may share it.
public final class Converter {
    private final ConvertOptions options;

    /// Creates a converter with [ConvertOptions#DEFAULT].
    public Converter() {
        this(ConvertOptions.DEFAULT);
    }

    /// Creates a converter.
    ///
    /// @param options what to write
    public Converter(ConvertOptions options) {
        this.options = Objects.requireNonNull(options, "options");
    }

    /// Converts a file, which is mapped meanwhile.
    ///
    /// @param input a file or stream
    /// @param output not the same file
    /// @throws UnreadableFileException if another process truncates the input meanwhile
    public ConversionReport convert(Path input, WritableByteChannel output) throws IOException {
        return convert(() -> InputBytes.open(input, () -> {}), output);
    }

    /// Converts an input in memory.
    ///
    /// @param input all bytes; they must not change meanwhile
    public ConversionReport convert(MemorySegment input, WritableByteChannel output)
            throws IOException {
        return convert(() -> InputBytes.of(input), output);
    }

    /// Converts an input stream, which is first stored: up to 1 MiB in memory, otherwise in a
    /// temporary file.
    ///
    /// @param input closed by this method
    public ConversionReport convert(InputStream input, WritableByteChannel output)
            throws IOException {
        return convert(() -> InputBytes.of(input), output);
    }

    /// Converts an object, which is first read into a temporary file: completely, or with chosen
    /// columns only headers and these columns.
    ///
    /// @param input closed by this method
    public ConversionReport convert(RangeSource input, WritableByteChannel output)
            throws IOException {
        Need need = Conversion.need(options);
        return convert(
                () -> InputBytes.open(input, need, RangeOptions.DEFAULT, options.limits()), output);
    }

    private ConversionReport convert(InputBytes.Opening opening, WritableByteChannel output)
            throws IOException {
        Objects.requireNonNull(output, "output");
        try {
            return Work.watched(options.monitor(), () -> run(opening, output));
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    private ConversionReport run(InputBytes.Opening opening, WritableByteChannel output)
            throws IOException {
        Input input = null;
        try (InputBytes bytes = opening.open()) {
            bytes.keep();
            input = Conversion.open(bytes, options);
            Conversion conversion = new Conversion(input, options);
            conversion.find();
            conversion.write(output);
            return report(conversion);
        } catch (RuntimeException e) {
            throw FletchException.inInput(InputFaults.required(e, input), e);
        }
    }

    private static ConversionReport report(Conversion conversion) {
        return new ConversionReport(
                conversion.target(),
                conversion.batches(),
                conversion.rows(),
                conversion.notes(),
                conversion.leftOut(),
                conversion.leftOutCount(),
                conversion.soundColumns());
    }
}
