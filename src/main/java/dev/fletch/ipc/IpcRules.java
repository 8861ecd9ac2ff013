// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.Rule.Level.FILE;
import static dev.fletch.Rule.Level.FRAME;
import static dev.fletch.Rule.Level.MEANING;
import static dev.fletch.Rule.Level.STRUCTURE;

import dev.fletch.Rule;
import dev.fletch.Rule.Level;
import dev.fletch.Rule.Severity;

import java.util.ArrayList;
import java.util.List;

/// The rules of the framing of messages, and of a file around them, carried by [ArrowFormatException]. Ids
/// are stable.
///
/// Source: the chapters "Encapsulated message format" and "IPC File Format" of Arrow's columnar
/// format.
public final class IpcRules {
    private static final List<Rule> ALL = new ArrayList<>();

    /// No byte at all: neither a file nor a stream.
    public static final Rule EMPTY_INPUT = error("empty-input", FILE, "input is empty");

    /// The first bytes are those of no Arrow file or stream.
    public static final Rule NOT_ARROW =
            error("not-arrow", FILE, "neither an Arrow IPC file nor an Arrow IPC stream");

    /// The first bytes are those of Feather's first version, which is another format.
    public static final Rule FEATHER_V1 =
            error(
                    "feather-v1",
                    FILE,
                    "Feather V1 is not Arrow IPC; write the table again as Feather V2, which is");

    /// The first bytes are those of a Parquet file.
    public static final Rule PARQUET =
            error(
                    "parquet",
                    FILE,
                    "Parquet is not Arrow IPC; the value of its key ARROW:schema is, in base64");

    /// The first bytes are those of gzip.
    public static final Rule GZIP =
            error("gzip", FILE, "gzip is not Arrow IPC; decompress it first, with gzip -dc");

    /// The input is base64 except for a character.
    public static final Rule NOT_BASE64 =
            error("not-base64", FILE, "text has a character that is not base64");

    /// Bytes that are no end mark follow a message that should be the only one: see [ParquetSchema].
    public static final Rule BYTES_BEHIND_SCHEMA =
            error("bytes-behind-schema", FILE, "bytes follow the schema");

    /// The input ends inside a continuation or size word.
    public static final Rule TRUNCATED_PREFIX =
            error("truncated-prefix", FRAME, "input ends inside a message's prefix");

    /// A size word is negative and no continuation word.
    public static final Rule NEGATIVE_METADATA_LENGTH =
            error("negative-metadata-length", FRAME, "metadata length is negative");

    /// A size word leads behind the end of the input.
    public static final Rule METADATA_OUT_OF_INPUT =
            error("metadata-out-of-input", FRAME, "metadata does not fit the input");

    /// A size word is above the limit that the reader's owner has set.
    public static final Rule METADATA_OVER_LIMIT =
            error("metadata-over-limit", FRAME, "metadata length is above the reader's limit");

    /// The metadata does not verify; the cause is a [dev.fletch.VerificationException].
    public static final Rule METADATA_INVALID =
            error("metadata-invalid", STRUCTURE, "metadata does not verify");

    /// The metadata is no flatbuffer, and was not verified before; the cause says why.
    public static final Rule METADATA_MALFORMED =
            error("metadata-malformed", STRUCTURE, "metadata is malformed");

    /// The schema announces bodies that are not little-endian, which the options refuse.
    public static final Rule FOREIGN_ENDIANNESS =
            error(
                    "foreign-endianness",
                    MEANING,
                    "bodies are not little-endian, and the options refuse them");

    /// A message's body leads behind the end of the input.
    public static final Rule BODY_OUT_OF_INPUT =
            error("body-out-of-input", FRAME, "body does not fit the input");

    /// Too few bytes for magic, footer and magic.
    public static final Rule FILE_TOO_SHORT = error("file-too-short", FILE, "file is too short");

    /// The file does not begin with its magic.
    public static final Rule NO_LEADING_MAGIC =
            error("no-leading-magic", FILE, "file does not begin with ARROW1");

    /// The file does not end with its magic; it may be cut off.
    public static final Rule NO_TRAILING_MAGIC =
            error("no-trailing-magic", FILE, "file does not end with ARROW1");

    /// The footer's length is not positive, or leads out of the file.
    public static final Rule FOOTER_LENGTH =
            error("footer-length", FILE, "footer length does not fit the file");

    /// The footer does not verify; the cause is a [dev.fletch.VerificationException].
    public static final Rule FOOTER_INVALID =
            error("footer-invalid", STRUCTURE, "footer does not verify");

    /// The footer is no flatbuffer, and was not verified before; the cause says why.
    public static final Rule FOOTER_MALFORMED =
            error("footer-malformed", STRUCTURE, "footer is malformed");

    /// A block has a negative number.
    public static final Rule BLOCK_NEGATIVE =
            error("block-negative", FILE, "block has a negative number");

    /// A block has a number that is no multiple of 8. [ArrowFile] reads such files.
    public static final Rule BLOCK_UNALIGNED =
            deviation("block-unaligned", FILE, "block is not aligned to 8 bytes");

    /// A block leads out of what is between magic and footer.
    public static final Rule BLOCK_OUT_OF_FILE =
            error("block-out-of-file", FILE, "block leads out of the file's messages");

    /// No message begins where a block says one does.
    public static final Rule BLOCK_WITHOUT_MESSAGE =
            error("block-without-message", FILE, "block leads to no message");

    /// Prefix and metadata are shorter or longer than their block says.
    public static final Rule BLOCK_METADATA_LENGTH =
            error("block-metadata-length", FILE, "block and message differ in metadata length");

    /// The body is shorter or longer than its block says.
    public static final Rule BLOCK_BODY_LENGTH =
            error("block-body-length", FILE, "block and message differ in body length");

    /// The message is not of the kind that its block is for.
    public static final Rule BLOCK_KIND =
            error("block-kind", FILE, "block and message differ in kind");

    /// The first message is not the schema.
    public static final Rule NO_LEADING_SCHEMA =
            error("no-leading-schema", FILE, "first message is no schema");

    private IpcRules() {}

    /// {@return all of them, in this order}
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
