// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.verify;

import dev.fletch.flatbuf.FaultCode;
import dev.fletch.ipc.IpcFault;
import dev.fletch.semantics.SemanticRule;

import java.util.Locale;

/// What `fletch verify` finds besides the faults of a flatbuffer, which are [FaultCode]s, those of
/// what it means, which are [SemanticRule]s, and those that keep a reader from going on, which are
/// [IpcFault]s.
public enum InputFault {
    /// A body begins where nobody can read it in place.
    METADATA_UNALIGNED(Level.FRAME, "prefix and metadata have no multiple of 8 bytes"),
    /// The next message begins where nobody can read it in place.
    BODY_UNALIGNED(Level.FRAME, "body has no multiple of 8 bytes"),
    /// A message is sound but for the word in front of it; `fletch annotate` alone goes on there.
    NO_CONTINUATION(Level.FRAME, "no continuation word in front of sound metadata"),
    /// With another length, the message ends where the next one begins; `fletch annotate` alone
    /// looks for it.
    METADATA_LENGTH_WRONG(Level.FRAME, "metadata is not as long as told"),
    /// A message is so damaged that its body's length cannot be read.
    REST_UNREACHABLE(Level.FRAME, "what follows cannot be found: body length cannot be read"),

    /// A message whose header is absent.
    NO_HEADER(Level.MEANING, "message has no header"),
    /// A header that this version of the format does not declare.
    UNKNOWN_HEADER(Level.MEANING, "kind of the message's header is not known"),
    /// A dictionary batch that has no values, not even none.
    NO_DICTIONARY_DATA(Level.MEANING, "dictionary batch has no data"),
    /// A record batch of less than 0 rows.
    NEGATIVE_ROWS(Level.MEANING, "record batch has a negative length"),
    /// Neither little nor big.
    UNKNOWN_ENDIANNESS(Level.MEANING, "endianness is not known"),
    /// Bodies belong to batches and tensors.
    SCHEMA_WITH_BODY(Level.MEANING, "schema has a body"),
    /// The footer is all that a reader of a file looks at.
    FOOTER_WITHOUT_SCHEMA(Level.MEANING, "footer has no schema"),

    /// A text that is base64, but for a character or from it on.
    NOT_BASE64(Level.FILE, "text has a character that is no base64"),
    /// The two bytes behind the leading magic.
    MAGIC_PADDING(Level.FILE, "padding behind the leading magic is not zero"),
    /// Nothing but ends.
    NO_MESSAGE(Level.FILE, "there is no message"),
    /// A stream has one schema, in front.
    REPEATED_SCHEMA(Level.FILE, "schema is not the first message"),
    /// Footer and first message tell of other columns.
    SCHEMA_DIFFERS(Level.FILE, "schemas of footer and stream differ"),
    /// Footer and messages are of different generations.
    VERSION_DIFFERS(Level.FILE, "versions of footer and message differ"),
    /// Two blocks claim the same bytes, or one those of the schema.
    BLOCK_OVERLAP(Level.FILE, "block overlaps what comes before it"),
    /// A message that a scan finds and the footer does not know.
    MESSAGE_WITHOUT_BLOCK(Level.FILE, "message is in no block"),
    /// A file's messages end with the mark, or where the footer begins.
    NO_END_OF_STREAM(Level.FILE, "no end-of-stream mark between last message and footer"),
    /// Bytes behind the mark belong to nothing.
    BYTES_BEHIND_END(Level.FILE, "bytes follow the end-of-stream mark"),
    /// So many faults in one input that not all are told.
    MORE_FAULTS(Level.FILE, "there are more faults than are shown");

    private final Level level;
    private final String id = name().toLowerCase(Locale.ROOT).replace('_', '-');
    private final String text;

    InputFault(Level level, String text) {
        this.level = level;
        this.text = text;
    }

    Level level() {
        return level;
    }

    /// The name in texts and JSON, such as `block-overlap`.
    public String id() {
        return id;
    }

    String text() {
        return text;
    }

    /// The level of a fault of the framing.
    static Level levelOf(IpcFault fault) {
        return switch (fault) {
            case TRUNCATED_PREFIX,
                    NEGATIVE_METADATA_LENGTH,
                    METADATA_OUT_OF_INPUT,
                    METADATA_OVER_LIMIT,
                    NEGATIVE_BODY_LENGTH,
                    BODY_OUT_OF_INPUT ->
                    Level.FRAME;
            case METADATA_INVALID, METADATA_MALFORMED, FOOTER_INVALID, FOOTER_MALFORMED ->
                    Level.STRUCTURE;
            case UNSUPPORTED_VERSION, FOREIGN_ENDIANNESS, UNKNOWN_ENDIANNESS -> Level.MEANING;
            default -> Level.FILE;
        };
    }
}
