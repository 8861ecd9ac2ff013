// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.Limits;
import dev.fletch.Rule;
import dev.fletch.Rule.Level;
import dev.fletch.RuleList;

import java.util.List;

/// Rules of message framing and of the file format, used by [ArrowFormatException]. Ids are stable.
///
/// Source: Columnar format, "Encapsulated message format", "IPC File Format".
public final class IpcRules {
    private static final RuleList FILE = new RuleList(Level.FILE);
    private static final RuleList FRAME = FILE.at(Level.FRAME);
    private static final RuleList STRUCTURE = FILE.at(Level.STRUCTURE);
    private static final RuleList MEANING = FILE.at(Level.MEANING);

    /// The input has no bytes.
    public static final Rule EMPTY_INPUT = FILE.error("empty-input", "input is empty");

    /// The first bytes belong neither to an Arrow file nor to an Arrow stream.
    public static final Rule NOT_ARROW =
            FILE.error("not-arrow", "neither an Arrow IPC file nor an Arrow IPC stream");

    /// The first bytes are those of Feather V1, a different format.
    public static final Rule FEATHER_V1 =
            FILE.error("feather-v1", "Feather V1 is not Arrow IPC; convert it to Feather V2");

    /// The first bytes are those of a Parquet file.
    public static final Rule PARQUET =
            FILE.error(
                    "parquet",
                    "Parquet is not Arrow IPC: convert the file to Arrow; to see only the schema,"
                            + " pass the value of its metadata key ARROW:schema instead");

    /// The first bytes are those of gzip.
    public static final Rule GZIP =
            FILE.error("gzip", "gzip is not Arrow IPC; decompress it first, with gzip -dc");

    /// The first bytes are those of another compressed format, such as zstd or zip.
    public static final Rule COMPRESSED =
            FILE.error("compressed", "input is compressed as a whole; decompress it first");

    /// An Arrow IPC file is read as a stream. Its first word, `ARRO`, is not a metadata length.
    public static final Rule FILE_AS_STREAM =
            FILE.error(
                    "file-as-stream",
                    "an Arrow IPC file begins where a message is expected; read it as a file");

    /// A base64 text contains another character.
    public static final Rule NOT_BASE64 =
            FILE.error("not-base64", "text has a character that is not base64");

    /// Bytes other than an end-of-stream marker follow the only message: see [ParquetSchema].
    public static final Rule BYTES_BEHIND_SCHEMA =
            FILE.error("bytes-behind-schema", "bytes follow the schema");

    /// The input ends inside a message's prefix.
    public static final Rule TRUNCATED_PREFIX =
            FRAME.error("truncated-prefix", "input ends inside a message's prefix");

    /// A metadata length is negative and not the continuation indicator.
    public static final Rule NEGATIVE_METADATA_LENGTH =
            FRAME.error("negative-metadata-length", "metadata length is negative");

    /// A message's metadata extends past the end of the input.
    public static final Rule METADATA_OUT_OF_INPUT =
            FRAME.error("metadata-out-of-input", "metadata does not fit the input");

    /// The length of metadata or of a footer exceeds [Limits#metadataBytes()].
    public static final Rule METADATA_OVER_LIMIT =
            FRAME.error("metadata-over-limit", "metadata length is above the reader's limit");

    /// The metadata does not verify; the cause is a [dev.fletch.VerificationException].
    public static final Rule METADATA_INVALID =
            STRUCTURE.error("metadata-invalid", "metadata does not verify");

    /// Unverified metadata is not a valid flatbuffer; the cause has the details.
    public static final Rule METADATA_MALFORMED =
            STRUCTURE.error("metadata-malformed", "metadata is malformed");

    /// A body length exceeds [Limits#bodyBytes()].
    public static final Rule BODY_OVER_LIMIT =
            FRAME.error("body-over-limit", "body length is above the reader's limit");

    /// A message's body extends past the end of the input.
    public static final Rule BODY_OUT_OF_INPUT =
            FRAME.error("body-out-of-input", "body does not fit the input");

    /// A length of the message is wrong: the next message begins inside its body.
    public static final Rule MESSAGE_OVERLAP =
            FRAME.error("message-overlap", "message overlaps the next message");

    /// Bytes that are no message: behind one that has probably gained bytes, or between messages. Only
    /// salvage names them so; verifiers say what is wrong with the message that should be there.
    public static final Rule STRAY_BYTES = FRAME.error("stray-bytes", "bytes belong to no message");

    /// A message that belongs to the stream follows an end-of-stream marker, or zeros that look
    /// like one.
    public static final Rule END_BETWEEN_MESSAGES =
            FRAME.error(
                    "end-between-messages",
                    "zeros or an end-of-stream marker between messages of a stream");

    /// The file is too short for both magics and a footer.
    public static final Rule FILE_TOO_SHORT = FILE.error("file-too-short", "file is too short");

    /// The file does not begin with its magic.
    public static final Rule NO_LEADING_MAGIC =
            FILE.error("no-leading-magic", "file does not begin with ARROW1");

    /// The file does not end with its magic; it may be truncated.
    public static final Rule NO_TRAILING_MAGIC =
            FILE.error("no-trailing-magic", "file does not end with ARROW1");

    /// The footer's length is not positive, or exceeds the file.
    public static final Rule FOOTER_LENGTH =
            FILE.error("footer-length", "footer length does not fit the file");

    /// The footer does not verify; the cause is a [dev.fletch.VerificationException].
    public static final Rule FOOTER_INVALID =
            STRUCTURE.error("footer-invalid", "footer does not verify");

    /// The unverified footer is not a valid flatbuffer; the cause has the details.
    public static final Rule FOOTER_MALFORMED =
            STRUCTURE.error("footer-malformed", "footer is malformed");

    /// A block has a negative offset or length.
    public static final Rule BLOCK_NEGATIVE =
            FILE.error("block-negative", "block has a negative offset or length");

    /// A block's offset or length is not a multiple of 8. [ArrowFile] reads such files.
    public static final Rule BLOCK_UNALIGNED =
            FILE.deviation("block-unaligned", "block is not aligned to 8 bytes");

    /// A block is not between the leading magic and the footer.
    public static final Rule BLOCK_OUT_OF_FILE =
            FILE.error("block-out-of-file", "block is outside the file's messages");

    /// No message begins at a block's offset.
    public static final Rule BLOCK_WITHOUT_MESSAGE =
            FILE.error("block-without-message", "no message at the block's offset");

    /// The block's `metaDataLength` is not the length of the message's prefix and metadata.
    public static final Rule BLOCK_METADATA_LENGTH =
            FILE.error("block-metadata-length", "block and message differ in metadata length");

    /// The block's `bodyLength` differs from the message's.
    public static final Rule BLOCK_BODY_LENGTH =
            FILE.error("block-body-length", "block and message differ in body length");

    /// A dictionary block has another message than a dictionary batch, or a record batch block
    /// another than a record batch.
    public static final Rule BLOCK_KIND =
            FILE.error("block-kind", "block and message differ in kind");

    /// The stream ends before its first message.
    public static final Rule NO_MESSAGE = FILE.error("no-message", "there is no message");

    /// Many blocks refer to one message. Reading it for each would take too long.
    public static final Rule BLOCKS_REPEATED =
            FILE.error("blocks-repeated", "blocks refer to the same message too often");

    /// The first message is not the schema.
    public static final Rule NO_LEADING_SCHEMA =
            FILE.error("no-leading-schema", "first message is not a schema");

    private IpcRules() {}

    /// {@return all rules, in the order of declaration}
    public static List<Rule> all() {
        return FILE.all();
    }
}
