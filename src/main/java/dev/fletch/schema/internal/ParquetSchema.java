// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.internal;

import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.FletchException;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.internal.FrameCheck;
import dev.fletch.ipc.internal.MessagePlace;
import dev.fletch.wire.Base64Text;
import dev.fletch.wire.MessagePrefix;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.util.Base64;
import java.util.Locale;
import java.util.Objects;

/// The Arrow schema in a Parquet file: the value of the metadata key `ARROW:schema`, an
/// encapsulated schema message in base64.
///
/// Arrow C++, pyarrow and the Rust implementations write base64 with padding and without line
/// breaks. Arrow Go appends an end-of-stream marker, and before 2022 omitted the base64 padding.
/// Writers before Arrow 0.15.0 omitted the continuation indicator. [#decode] accepts all of these,
/// and a text as tools print it:
///
/// | part | accepted |
/// |---|---|
/// | alphabet | the standard and the URL-safe one, also mixed |
/// | spaces, tabs, line breaks | anywhere |
/// | padding | correct, missing, or too long; bits that do not fill a byte are ignored |
/// | quotes | single or double ones; the last one may be missing |
/// | literals of Python | `b'…'` and `b"…"`, also several in a row, as `pprint` breaks long ones |
/// | escapes | `\n`, `\r`, `\t`, `\/`, `\x3d` and `\u003d`, with one backslash or more |
/// | key | `ARROW:schema`, then `=` or `:`; any text before it, up to 1 MiB; any text after the last quote |
/// | around it | a byte order mark; brackets; `,` and `;` at the end |
///
/// Everything else is refused, such as a digit after padding, or, without the key, text around the
/// quotes. [dev.fletch.schema.ArrowSchema#ofParquet] returns the schema as an immutable value.
///
/// **Errors.** A [FletchException], if a character is not base64 (its offset is the
/// character's index), or if the message is truncated, does not verify, is not a schema, or is
/// followed by anything but an end-of-stream marker (its offset counts in the decoded bytes).
public final class ParquetSchema {
    /// The key in the metadata of the Parquet file.
    public static final String KEY = "ARROW:schema";

    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private ParquetSchema() {}

    /// Decodes a value.
    ///
    /// @param value the text under [#KEY]; not null, which files without an Arrow schema have
    /// @return the schema, in new memory
    public static Schema decode(CharSequence value, ReadOptions options) {
        Objects.requireNonNull(value, "value is null: key=" + KEY);
        FrameCheck.metadataLimit(
                0,
                "characters",
                value.length(),
                options.limits().metadataBytes(),
                FletchException::raiseInInput);
        // One byte per character, also of a pair: what is not in ISO 8859-1 becomes '?', which is
        // not base64.
        byte[] text = new byte[value.length()];
        for (int i = 0; i < text.length; i++) {
            text[i] = (byte) (value.charAt(i) <= 0xFF ? value.charAt(i) : '?');
        }
        if (text.length > 0 && value.charAt(0) == BYTE_ORDER_MARK) {
            text[0] = ' ';
        }
        Base64Text decoded = Base64Text.decode(MemorySegment.ofArray(text), KEY);
        long wrong = decoded.faultAt();
        if (wrong >= 0) {
            int character = value.charAt((int) wrong);
            String code = String.format(Locale.ROOT, "U+%04X", character);
            FrameCheck.base64(decoded, wrong, code, FletchException::raiseInInput);
        }
        MemorySegment bytes = MemorySegment.ofArray(decoded.bytes());
        EncapsulatedMessage frame = new EncapsulatedMessage(options);
        Message message = new Message();
        Schema schema = new Schema();
        FrameKind kind = frame.wrap(bytes, 0, message);
        FrameCheck.hasBytes(bytes.byteSize(), FletchException::raiseInInput);
        FrameCheck.leadingSchema(0, kind, message, FletchException::raiseInInput);
        if (!message.header(schema)) {
            FrameCheck.withoutHeader(
                    frame.inputOffset(message.position(Message.HEADER_TYPE_SLOT)),
                    MessageHeader.SCHEMA,
                    FletchException::raiseInInput);
        }
        requireEnd(bytes, frame.nextOffset());
        return schema;
    }

    private static void requireEnd(MemorySegment bytes, long position) {
        long rest = bytes.byteSize() - position;
        MessagePlace marker = MessagePlace.at(bytes, position, bytes.byteSize());
        if (rest != 0 && !(marker.isEnd() && rest == marker.prefixBytes())) {
            throw FletchException.inInput(
                    Fault.of(FileRule.BYTES_BEHIND_SCHEMA, position, rest)
                            .because("bytes=" + rest));
        }
    }

    /// Encodes a schema message like Arrow C++: with continuation indicator, base64 padding, and no
    /// line breaks.
    ///
    /// @param message bound to a schema message, by its `wrap`
    /// @return the text for [#KEY]
    /// @throws IllegalArgumentException if it is not a schema message
    public static String encode(Message message) {
        if (message.headerType() != MessageHeader.SCHEMA) {
            throw new IllegalArgumentException(
                    "not a schema message: kind=" + MessageHeader.NAMES.name(message.headerType()));
        }
        MemorySegment metadata = new ByteSlice().wrapBufferOf(message).asSlice();
        long length = Math.ceilDiv(metadata.byteSize(), Long.BYTES) * Long.BYTES;
        byte[] framed = new byte[Math.toIntExact(Long.BYTES + length)];
        MemorySegment into = MemorySegment.ofArray(framed);
        into.set(Wire.LONG, 0, MessagePrefix.words((int) length));
        MemorySegment.copy(metadata, 0, into, Long.BYTES, metadata.byteSize());
        return Base64.getEncoder().encodeToString(framed);
    }
}
