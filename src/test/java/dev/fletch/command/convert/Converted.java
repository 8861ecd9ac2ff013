// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.convert;

import dev.fletch.FletchException;
import dev.fletch.arrow.Arrow;
import dev.fletch.convert.ConversionReport;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.util.Arrays;
import java.util.List;

/// What a conversion in memory writes and reports, without the command line.
///
/// @param bytes the output
/// @param report what was written
public record Converted(byte[] bytes, ConversionReport report) {
    /// Converts as the command does.
    ///
    /// @throws FletchException if nothing is written
    public static Converted of(byte[] input, ArrowContainer to, boolean salvages) {
        ConvertOptions options = ConvertOptions.DEFAULT.withTarget(to);
        return of(input, salvages ? options.salvaging() : options);
    }

    /// @throws FletchException if nothing is written
    public static Converted of(byte[] input, ConvertOptions options) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            ConversionReport report =
                    Arrow.convert(MemorySegment.ofArray(input), Channels.newChannel(out), options);
            return new Converted(out.toByteArray(), report);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The batches and dictionaries that were written: see [#contents].
    public List<String> contents() {
        return contents(bytes);
    }

    /// A text for each batch and dictionary, equal if metadata and body are, in the order of the
    /// input. The padding of the metadata does not count.
    public static List<String> contents(byte[] sound) {
        return OracleListing.list(sound).messages().stream()
                .filter(each -> !each.isSchema())
                .map(each -> content(sound, each))
                .toList();
    }

    /// The text of one message: see [#contents].
    public static String content(byte[] bytes, OracleMessage each) {
        return content(bytes, each.metadataOffset(), each.metadataLength(), each.bodyLength());
    }

    static String content(byte[] bytes, long at, long length, long bodyLength) {
        byte[] metadata = Arrays.copyOfRange(bytes, (int) at, (int) (at + length));
        int end = metadata.length;
        while (end > 0 && metadata[end - 1] == 0) {
            end--;
        }
        int body = (int) (at + length);
        return Arrays.hashCode(Arrays.copyOf(metadata, end))
                + ":"
                + Arrays.hashCode(Arrays.copyOfRange(bytes, body, body + (int) bodyLength));
    }
}
