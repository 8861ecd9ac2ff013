// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import dev.fletch.testdata.OracleFile.Container;
import dev.fletch.testdata.OracleFile.EndOfStream;
import dev.fletch.testdata.OracleFile.OracleFooter;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/// Lists the messages of any Arrow IPC bytes: the framing read by hand, the metadata by flatc's
/// generated classes alone. Written to be compared with, so in the plainest way.
///
/// ```
/// message   [FFFFFFFF]  size  flatbuffer and padding (size bytes)  body
/// stream    messages  [end of stream]
/// file      "ARROW1" 0 0  stream  footer  footer's length (4 bytes)  "ARROW1"
/// ```
public final class OracleListing {
    private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
    private static final int FIRST_MESSAGE_IN_FILE = 8;
    private static final int FOOTER_TAIL_BYTES = Integer.BYTES + MAGIC.length;
    private static final int CONTINUATION = -1;

    private final ByteBuffer input;
    private final int end;
    private final List<OracleMessage> messages = new ArrayList<>();
    private int position;
    private EndOfStream endOfStream;

    /// The bytes are not what the format says.
    public static final class MalformedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        MalformedException(String what, long offset) {
            super(what + ": offset=" + offset);
        }
    }

    private OracleListing(ByteBuffer input, int start, int end) {
        this.input = input;
        this.position = start;
        this.end = end;
    }

    /// Returns what these bytes hold; whether that is a file or a stream, the first bytes tell.
    ///
    /// @throws MalformedException when a size is negative or leads out of the input, when a file
    ///     lacks its end, or when its messages don't end where its footer begins
    public static OracleFile list(byte[] bytes) {
        ByteBuffer input = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        return isFile(bytes) ? listFile(input) : listStream(input);
    }

    /// Returns the stream of some of its messages alone, without a mark at the end.
    public static byte[] only(byte[] stream, Predicate<OracleMessage> kept) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (OracleMessage each : list(stream).messages()) {
            if (kept.test(each)) {
                out.writeBytes(AssembledFile.bytes(stream, each));
            }
        }
        return out.toByteArray();
    }

    /// Tells whether the bytes begin like a file.
    public static boolean isFile(byte[] bytes) {
        return hasMagicAt(bytes, 0);
    }

    private static boolean hasMagicAt(byte[] bytes, int at) {
        return at + MAGIC.length <= bytes.length
                && Arrays.equals(bytes, at, at + MAGIC.length, MAGIC, 0, MAGIC.length);
    }

    private static OracleFile listStream(ByteBuffer input) {
        OracleListing listing = new OracleListing(input, 0, input.capacity());
        int endOffset = listing.readMessages();
        return new OracleFile(
                Container.STREAM, listing.messages, listing.endOfStream, endOffset, null);
    }

    private static OracleFile listFile(ByteBuffer input) {
        OracleFooter footer = footer(input);
        int footerOffset = Math.toIntExact(footer.offset());
        OracleListing listing = new OracleListing(input, FIRST_MESSAGE_IN_FILE, footerOffset);
        int endOffset = listing.readMessages();
        if (listing.position != footerOffset) {
            throw new MalformedException("bytes between messages and footer", listing.position);
        }
        return new OracleFile(
                Container.FILE, listing.messages, listing.endOfStream, endOffset, footer);
    }

    private static OracleFooter footer(ByteBuffer input) {
        int size = input.capacity();
        if (size < FIRST_MESSAGE_IN_FILE + FOOTER_TAIL_BYTES
                || !hasMagicAt(input.array(), size - MAGIC.length)) {
            throw new MalformedException("no magic at the file's end", size);
        }
        int lengthAt = size - FOOTER_TAIL_BYTES;
        int length = input.getInt(lengthAt);
        if (length <= 0 || length > lengthAt - FIRST_MESSAGE_IN_FILE) {
            throw new MalformedException("footer's length " + length, lengthAt);
        }
        int offset = lengthAt - length;
        return new OracleFooter(offset, length, input.slice(offset, length));
    }

    /// Returns the position of what ends the messages; `position` is behind it then.
    private int readMessages() {
        while (position < end) {
            int start = position;
            boolean continued = nextInt() == CONTINUATION;
            if (!continued) {
                position = start;
            }
            int size = nextInt();
            if (size == 0) {
                endOfStream = continued ? EndOfStream.CONTINUATION : EndOfStream.LEGACY;
                return start;
            }
            readMessage(start, size);
        }
        endOfStream = EndOfStream.INPUT;
        return end;
    }

    /// Reads one message whose prefix is behind `position`.
    private void readMessage(int start, int size) {
        if (size < 0 || size > end - position) {
            throw new MalformedException("metadata's length " + size, start);
        }
        OracleMessage message =
                OracleMessage.of(
                        messages.size(), start, position - start, input.slice(position, size));
        position += size;
        if (message.bodyLength() < 0 || message.bodyLength() > end - position) {
            throw new MalformedException("body's length " + message.bodyLength(), start);
        }
        position += (int) message.bodyLength();
        messages.add(message);
    }

    private int nextInt() {
        if (end - position < Integer.BYTES) {
            throw new MalformedException("input ends inside a prefix", position);
        }
        int value = input.getInt(position);
        position += Integer.BYTES;
        return value;
    }
}
