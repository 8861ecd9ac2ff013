// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import com.google.flatbuffers.FlatBufferBuilder;

import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MetadataVersion;

/// Messages by the generated class, for tests and benchmarks: the one place that calls its
/// `createMessage`, whose parameters change when the format gets a new field.
public final class GeneratedMessages {
    private GeneratedMessages() {}

    /// Writes a message of version V5 without metadata.
    public static int create(
            FlatBufferBuilder builder, byte headerType, int header, long bodyLength) {
        return create(builder, MetadataVersion.V5, headerType, header, bodyLength, 0);
    }

    /// Writes a message. Without metadata, the builder may not force defaults.
    public static int create(
            FlatBufferBuilder builder,
            short version,
            byte headerType,
            int header,
            long bodyLength,
            int customMetadata) {
        return Message.createMessage(
                builder, version, headerType, header, bodyLength, customMetadata);
    }
}
