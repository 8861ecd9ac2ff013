// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fuzz;

import dev.fletch.testdata.LargeSchemas;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Streams and files put together by hand, of messages and footers that may be anything.
final class FileAround {
    private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
    private static final int COLUMNS = 1;
    private static final int ALIGNMENT = 8;

    private FileAround() {}

    /// Returns a file of a schema and a batch that ends with this footer.
    static byte[] footer(byte[] footer) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(MAGIC);
        file.writeBytes(new byte[2]);
        file.writeBytes(stream(true));
        file.writeBytes(footer);
        file.writeBytes(word(footer.length));
        file.writeBytes(MAGIC);
        return file.toByteArray();
    }

    /// Returns a stream of a schema and a batch without columns or body.
    ///
    /// @param continuation whether with continuation words, or as old writers put it
    static byte[] stream(boolean continuation) {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        message(stream, continuation, LargeSchemas.schemaMessage(COLUMNS));
        message(stream, continuation, LargeSchemas.recordBatchMessage(0));
        stream.writeBytes(continuation ? word(-1) : new byte[0]);
        stream.writeBytes(word(0));
        return stream.toByteArray();
    }

    private static void message(
            ByteArrayOutputStream stream, boolean continuation, byte[] metadata) {
        int prefix = continuation ? 2 * Integer.BYTES : Integer.BYTES;
        int padded = (prefix + metadata.length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - prefix;
        stream.writeBytes(continuation ? word(-1) : new byte[0]);
        stream.writeBytes(word(padded));
        stream.writeBytes(metadata);
        stream.writeBytes(new byte[padded - metadata.length]);
    }

    private static byte[] word(int value) {
        return ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(value)
                .array();
    }
}
