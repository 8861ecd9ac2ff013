// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import java.util.Locale;

/// What can be wrong with the framing of messages, and with a file around them: one name per fault,
/// carried by [ArrowFormatException].
///
/// Source: the chapters "Encapsulated message format" and "IPC File Format" of Arrow's columnar
/// format.
public enum IpcFault {
    /// No byte at all: neither a file nor a stream.
    EMPTY_INPUT("input is empty"),
    /// The first bytes are those of no Arrow file or stream.
    NOT_ARROW("neither an Arrow IPC file nor an Arrow IPC stream"),
    /// The first bytes are those of Feather's first version, which is another format.
    FEATHER_V1("Feather V1 is not Arrow IPC; only Feather V2 is"),

    /// The input ends inside a continuation or size word.
    TRUNCATED_PREFIX("input ends inside a message's prefix"),
    /// A size word is negative and no continuation word.
    NEGATIVE_METADATA_LENGTH("metadata length is negative"),
    /// A size word leads behind the end of the input.
    METADATA_OUT_OF_INPUT("metadata does not fit the input"),
    /// A size word is above the limit that the reader's owner has set.
    METADATA_OVER_LIMIT("metadata length is above the reader's limit"),
    /// The metadata does not verify; [ArrowFormatException#code] and [ArrowFormatException#path]
    /// say what and where.
    METADATA_INVALID("metadata does not verify"),
    /// The metadata is no flatbuffer, and was not verified before; the cause says why.
    METADATA_MALFORMED("metadata is malformed"),
    /// The metadata is of a generation that is not read here: see [SupportedVersions].
    UNSUPPORTED_VERSION("metadata version is not supported"),
    /// The schema announces bodies that are not little-endian, which the options refuse.
    FOREIGN_ENDIANNESS("bodies are not little-endian, and the options refuse them"),
    /// The schema says neither that bodies are little-endian nor that they are big-endian, and the
    /// options refuse all but the former.
    UNKNOWN_ENDIANNESS("byte order of bodies is not known, and the options refuse it"),
    /// A message says that its body has less than 0 bytes.
    NEGATIVE_BODY_LENGTH("body length is negative"),
    /// A message's body leads behind the end of the input.
    BODY_OUT_OF_INPUT("body does not fit the input"),

    /// Too few bytes for magic, footer and magic.
    FILE_TOO_SHORT("file is too short"),
    /// The file does not begin with its magic.
    NO_LEADING_MAGIC("file does not begin with ARROW1"),
    /// The file does not end with its magic; it may be cut off.
    NO_TRAILING_MAGIC("file does not end with ARROW1"),
    /// The footer's length is not positive, or leads out of the file.
    FOOTER_LENGTH("footer length does not fit the file"),
    /// The footer does not verify; [ArrowFormatException#code] and [ArrowFormatException#path] say
    /// what and where.
    FOOTER_INVALID("footer does not verify"),
    /// The footer is no flatbuffer, and was not verified before; the cause says why.
    FOOTER_MALFORMED("footer is malformed"),
    /// A block has a negative number.
    BLOCK_NEGATIVE("block has a negative number"),
    /// A block has a number that is no multiple of 8.
    BLOCK_UNALIGNED("block is not aligned to 8 bytes"),
    /// A block leads out of what is between magic and footer.
    BLOCK_OUT_OF_FILE("block leads out of the file's messages"),
    /// No message begins where a block says one does.
    BLOCK_WITHOUT_MESSAGE("block leads to no message"),
    /// Prefix and metadata are shorter or longer than their block says.
    BLOCK_METADATA_LENGTH("block and message differ in metadata length"),
    /// The body is shorter or longer than its block says.
    BLOCK_BODY_LENGTH("block and message differ in body length"),
    /// The message is not of the kind that its block is for.
    BLOCK_KIND("block and message differ in kind"),
    /// The first message is not the schema.
    NO_LEADING_SCHEMA("first message is no schema");

    private final String id = name().toLowerCase(Locale.ROOT).replace('_', '-');
    private final String text;

    IpcFault(String text) {
        this.text = text;
    }

    /// {@return the name in texts and JSON, such as `block-unaligned`}
    public String id() {
        return id;
    }

    /// {@return what is wrong, in a few words of English}
    public String text() {
        return text;
    }
}
