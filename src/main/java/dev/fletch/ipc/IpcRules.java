// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.Rule.Level.FILE;
import static dev.fletch.Rule.Level.FRAME;
import static dev.fletch.Rule.Level.MEANING;
import static dev.fletch.Rule.Level.STRUCTURE;

import dev.fletch.Limits;
import dev.fletch.Rule;
import dev.fletch.Rule.Level;
import dev.fletch.Rule.Severity;

import java.util.ArrayList;
import java.util.List;

/// Rules of message framing and of the file format, used by [ArrowFormatException]. Ids are stable.
///
/// Source: Columnar format, "Encapsulated message format", "IPC File Format".
public final class IpcRules {
    private static final List<Rule> ALL = new ArrayList<>();

    /// The input has no bytes.
    public static final Rule EMPTY_INPUT = error("empty-input", FILE, "input is empty");

    /// The first bytes belong neither to an Arrow file nor to an Arrow stream.
    public static final Rule NOT_ARROW =
            error("not-arrow", FILE, "neither an Arrow IPC file nor an Arrow IPC stream");

    /// The first bytes are those of Feather V1, a different format.
    public static final Rule FEATHER_V1 =
            error("feather-v1", FILE, "Feather V1 is not Arrow IPC; convert it to Feather V2");

    /// The first bytes are those of a Parquet file.
    public static final Rule PARQUET =
            error(
                    "parquet",
                    FILE,
                    "Parquet is not Arrow IPC: convert the file to Arrow; to see only the schema,"
                            + " pass the value of its metadata key ARROW:schema instead");

    /// The first bytes are those of gzip.
    public static final Rule GZIP =
            error("gzip", FILE, "gzip is not Arrow IPC; decompress it first, with gzip -dc");

    /// The first bytes are those of another compressed format, such as zstd or zip.
    public static final Rule COMPRESSED =
            error("compressed", FILE, "input is compressed as a whole; decompress it first");

    /// An Arrow IPC file is read as a stream. Its first word, `ARRO`, is not a metadata length.
    public static final Rule FILE_AS_STREAM =
            error(
                    "file-as-stream",
                    FILE,
                    "an Arrow IPC file begins where a message is expected; read it as a file");

    /// A base64 text contains another character.
    public static final Rule NOT_BASE64 =
            error("not-base64", FILE, "text has a character that is not base64");

    /// Bytes other than an end-of-stream marker follow the only message: see [ParquetSchema].
    public static final Rule BYTES_BEHIND_SCHEMA =
            error("bytes-behind-schema", FILE, "bytes follow the schema");

    /// The input ends inside a message's prefix.
    public static final Rule TRUNCATED_PREFIX =
            error("truncated-prefix", FRAME, "input ends inside a message's prefix");

    /// A metadata length is negative and not the continuation indicator.
    public static final Rule NEGATIVE_METADATA_LENGTH =
            error("negative-metadata-length", FRAME, "metadata length is negative");

    /// A message's metadata extends past the end of the input.
    public static final Rule METADATA_OUT_OF_INPUT =
            error("metadata-out-of-input", FRAME, "metadata does not fit the input");

    /// The length of metadata or of a footer exceeds [Limits#metadataBytes()].
    public static final Rule METADATA_OVER_LIMIT =
            error("metadata-over-limit", FRAME, "metadata length is above the reader's limit");

    /// The metadata does not verify; the cause is a [dev.fletch.VerificationException].
    public static final Rule METADATA_INVALID =
            error("metadata-invalid", STRUCTURE, "metadata does not verify");

    /// Unverified metadata is not a valid flatbuffer; the cause has the details.
    public static final Rule METADATA_MALFORMED =
            error("metadata-malformed", STRUCTURE, "metadata is malformed");

    /// The schema declares big-endian bodies, which the options reject.
    public static final Rule FOREIGN_ENDIANNESS =
            error("foreign-endianness", MEANING, "bodies are big-endian, which the options reject");

    /// A body length exceeds [Limits#bodyBytes()].
    public static final Rule BODY_OVER_LIMIT =
            error("body-over-limit", FRAME, "body length is above the reader's limit");

    /// A message's body extends past the end of the input.
    public static final Rule BODY_OUT_OF_INPUT =
            error("body-out-of-input", FRAME, "body does not fit the input");

    /// A length of the message is wrong: the next message begins inside its body.
    public static final Rule MESSAGE_OVERLAP =
            error("message-overlap", FRAME, "message overlaps the next message");

    /// A message that belongs to the stream follows an end-of-stream marker, or zeros that look like one.
    public static final Rule END_BETWEEN_MESSAGES =
            error(
                    "end-between-messages",
                    FRAME,
                    "end-of-stream marker between messages of a stream");

    /// The file is too short for both magics and a footer.
    public static final Rule FILE_TOO_SHORT = error("file-too-short", FILE, "file is too short");

    /// The file does not begin with its magic.
    public static final Rule NO_LEADING_MAGIC =
            error("no-leading-magic", FILE, "file does not begin with ARROW1");

    /// The file does not end with its magic; it may be truncated.
    public static final Rule NO_TRAILING_MAGIC =
            error("no-trailing-magic", FILE, "file does not end with ARROW1");

    /// The footer's length is not positive, or exceeds the file.
    public static final Rule FOOTER_LENGTH =
            error("footer-length", FILE, "footer length does not fit the file");

    /// The footer does not verify; the cause is a [dev.fletch.VerificationException].
    public static final Rule FOOTER_INVALID =
            error("footer-invalid", STRUCTURE, "footer does not verify");

    /// The unverified footer is not a valid flatbuffer; the cause has the details.
    public static final Rule FOOTER_MALFORMED =
            error("footer-malformed", STRUCTURE, "footer is malformed");

    /// A block has a negative offset or length.
    public static final Rule BLOCK_NEGATIVE =
            error("block-negative", FILE, "block has a negative offset or length");

    /// A block's offset or length is not a multiple of 8. [ArrowFile] reads such files.
    public static final Rule BLOCK_UNALIGNED =
            deviation("block-unaligned", FILE, "block is not aligned to 8 bytes");

    /// A block is not between the leading magic and the footer.
    public static final Rule BLOCK_OUT_OF_FILE =
            error("block-out-of-file", FILE, "block is outside the file's messages");

    /// No message begins at a block's offset.
    public static final Rule BLOCK_WITHOUT_MESSAGE =
            error("block-without-message", FILE, "no message at the block's offset");

    /// The block's `metaDataLength` is not the length of the message's prefix and metadata.
    public static final Rule BLOCK_METADATA_LENGTH =
            error("block-metadata-length", FILE, "block and message differ in metadata length");

    /// The block's `bodyLength` differs from the message's.
    public static final Rule BLOCK_BODY_LENGTH =
            error("block-body-length", FILE, "block and message differ in body length");

    /// A dictionary block has another message than a dictionary batch, or a record batch block another than a
    /// record batch.
    public static final Rule BLOCK_KIND =
            error("block-kind", FILE, "block and message differ in kind");

    /// The first message is not the schema.
    public static final Rule NO_LEADING_SCHEMA =
            error("no-leading-schema", FILE, "first message is not a schema");

    private IpcRules() {}

    /// {@return all rules, in the order of declaration}
    public static List<Rule> all() {
        return List.copyOf(ALL);
    }

    private static Rule error(String id, Level level, String description) {
        return add(new Rule(id, level, Severity.ERROR, description));
    }

    private static Rule deviation(String id, Level level, String description) {
        return add(new Rule(id, level, Severity.DEVIATION, description));
    }

    private static Rule add(Rule rule) {
        ALL.add(rule);
        return rule;
    }
}
