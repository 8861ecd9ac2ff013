// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

/// The rules of an input as a whole: a file or stream, and the consistency of its parts. A
/// constant's description is its documentation.
///
/// Source: Columnar format, "IPC Streaming Format", "IPC File Format".
public enum FileRule implements Rule {
    // ---- the start of an input

    EMPTY_INPUT("input is empty"),

    NOT_ARROW("neither an Arrow IPC file nor an Arrow IPC stream"),
    FEATHER_V1("Feather V1 is not Arrow IPC; convert it to Feather V2"),
    PARQUET(
            "Parquet is not Arrow IPC: convert the file to Arrow; to see only the schema, pass the"
                    + " value of its metadata key ARROW:schema instead"),
    GZIP("gzip is not Arrow IPC; decompress it first, with gzip -dc"),

    /// Such as zstd or zip.
    COMPRESSED("input is compressed as a whole; decompress it first"),

    /// Its first word, `ARRO`, is not a metadata length.
    FILE_AS_STREAM("an Arrow IPC file begins where a message is expected; read it as a file"),

    NOT_BASE64("text has a character that is not base64"),

    // ---- streams

    NO_MESSAGE("there is no message"),

    NO_LEADING_SCHEMA("first message is not a schema"),

    /// Other than an end-of-stream marker: see [dev.fletch.schema.ArrowSchema#ofParquet].
    BYTES_BEHIND_SCHEMA("bytes follow the schema"),

    /// Some readers stop there, and lose the batches behind it.
    REPEATED_SCHEMA("another stream begins without an end-of-stream marker before it"),

    /// Most readers read only the first.
    STREAM_FOLLOWS(Severity.NOTE, "another stream follows"),

    /// It may be truncated between two messages. Not reported for a schema message alone.
    NO_END_MARKER(Severity.NOTE, "stream ends without an end-of-stream marker"),

    // ---- files

    FILE_TOO_SHORT("file is too short"),

    NO_LEADING_MAGIC("file does not begin with ARROW1"),
    MAGIC_PADDING(Severity.DEVIATION, "padding after the leading magic is not zero"),

    /// Readers find it by the footer's blocks, or do not need it.
    HEAD_LENGTH(
            Severity.NOTE,
            "first message is not at offset 8: arrow-rs pads the magic to 64 bytes, arrow-swift did"
                    + " not pad it"),

    /// It may be truncated.
    NO_TRAILING_MAGIC("file does not end with ARROW1"),

    /// The length is not positive, or exceeds the file.
    FOOTER_LENGTH("footer length does not fit the file"),

    /// Only the footer has a schema.
    NO_SCHEMA_MESSAGE(Severity.DEVIATION, "no schema message"),

    UNFRAMED_SCHEMA(Severity.DEVIATION, "schema message has no prefix: polars does this"),
    SCHEMA_MESSAGE_DAMAGED(
            Severity.DEVIATION,
            "schema message is damaged; readers of files use the footer's schema"),
    SCHEMA_DIFFERS(Severity.DEVIATION, "schemas of footer and schema message differ"),

    /// Apart from the custom metadata of the schema.
    METADATA_DIFFERS(Severity.DEVIATION, "custom metadata of footer and schema message differ"),

    /// Apart from the custom metadata of the schema.
    METADATA_IN_FOOTER(
            Severity.NOTE,
            "custom metadata of the footer is not in the schema message: Arrow C++ and arrow-java"
                    + " do this"),

    VERSION_DIFFERS(Severity.DEVIATION, "versions of footer and message differ"),

    /// Only readers of the file as a stream find it.
    MESSAGE_WITHOUT_BLOCK(Severity.NOTE, "message has no block in the footer"),

    /// Other bytes follow the last message.
    NO_END_OF_STREAM(Severity.DEVIATION, "no end-of-stream marker between last message and footer"),

    /// Zeros are allowed.
    BYTES_BEHIND_END(Severity.DEVIATION, "bytes follow the end-of-stream marker"),

    /// Check: [Check#UNUSED_BYTES]. Value: the number of bytes.
    UNUSED_GAP(Severity.NOTE, "bytes between the messages of a file are not 0"),

    REPEATED_END(Severity.NOTE, "end-of-stream marker is repeated: flechette does this"),

    // ---- blocks

    BLOCK_NEGATIVE("block has a negative offset or length"),

    /// [dev.fletch.ipc.ArrowFile] reads such files.
    BLOCK_UNALIGNED(Severity.DEVIATION, "block is not aligned to 8 bytes"),

    /// Messages lie between the leading magic and the footer.
    BLOCK_OUT_OF_FILE("block is outside the file's messages"),

    BLOCK_WITHOUT_MESSAGE("no message at the block's offset"),

    /// A block's `metaDataLength` includes the message's prefix.
    BLOCK_METADATA_LENGTH("block and message differ in metadata length"),

    BLOCK_BODY_LENGTH("block and message differ in body length"),
    BLOCK_KIND("block and message differ in kind"),
    BLOCK_OVERLAP(Severity.DEVIATION, "block overlaps an earlier block or message"),

    /// Each kind of batch has its own order.
    BLOCK_ORDER(Severity.DEVIATION, "blocks are not in the order of their messages"),

    /// Valid. Checked only if the options refuse it.
    DELTA_IN_FILE(Severity.NOTE, "file has a delta, which some readers of files leave out"),

    /// Reading these bytes for each block would take too long.
    BLOCKS_REPEATED("blocks refer to the same bytes too often"),

    // ---- what is asked for

    NO_SUCH_BYTE("no such byte"),
    NO_SUCH_MESSAGE("no such message"),

    // ---- whole inputs

    /// The cause has no rule of its own: there is no schema, or no batches.
    NOT_CONVERTIBLE("input cannot be converted"),

    MORE_FAULTS("more faults than shown");

    final RuleRow row;

    FileRule(String description) {
        this(Severity.ERROR, description);
    }

    FileRule(Severity severity, String description) {
        row = new RuleRow(severity, description);
    }
}
