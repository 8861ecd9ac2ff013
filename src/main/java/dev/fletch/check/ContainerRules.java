// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.check;

import dev.fletch.Rule;
import dev.fletch.Rule.Level;
import dev.fletch.RuleList;

import java.util.List;

/// The rules of `fletch verify` in addition to those of the library.
public final class ContainerRules {
    private static final RuleList FRAME = new RuleList(Level.FRAME);
    private static final RuleList FILE = FRAME.at(Level.FILE);

    // ---- frames

    /// The body does not begin at a multiple of 8 bytes after the message's start.
    public static final Rule METADATA_UNALIGNED =
            FRAME.deviation(
                    "metadata-unaligned", "prefix and metadata are not a multiple of 8 bytes");

    /// Metadata is sound, but no continuation word precedes it. Only `fletch annotate` reports
    /// this.
    public static final Rule NO_CONTINUATION =
            FRAME.error("no-continuation", "no continuation word before sound metadata");

    /// With another metadata length, the next message follows. Only `fletch annotate` reports this.
    public static final Rule METADATA_LENGTH_WRONG =
            FRAME.error("metadata-length-wrong", "metadata length is wrong");

    /// The message is damaged, and its body length is unreadable.
    public static final Rule REST_UNREACHABLE =
            FRAME.error(
                    "rest-unreachable", "next message cannot be found: body length cannot be read");

    // ---- streams

    /// A schema message follows another message: another stream begins, without an end-of-stream
    /// marker before it.
    public static final Rule REPEATED_SCHEMA =
            FILE.deviation(
                    "repeated-schema",
                    "another stream begins without an end-of-stream marker before it");

    /// Another stream follows the end-of-stream marker. Most readers read only the first.
    public static final Rule STREAM_FOLLOWS = FILE.note("stream-follows", "another stream follows");

    /// The input ends without an end-of-stream marker: it may be truncated between two messages.
    /// Not reported for a schema message alone.
    public static final Rule NO_END_MARKER =
            FILE.note("no-end-marker", "stream ends without an end-of-stream marker");

    // ---- files

    /// The padding after the leading magic is not zero.
    public static final Rule MAGIC_PADDING =
            FILE.deviation("magic-padding", "padding after the leading magic is not zero");

    /// The first message is not at offset 8. Readers find it by the footer's blocks, or do not need
    /// it.
    public static final Rule HEAD_LENGTH =
            FILE.note(
                    "head-length",
                    "first message is not at offset 8: arrow-rs pads the magic to 64 bytes,"
                            + " arrow-swift did not pad it");

    /// Only the footer has a schema.
    public static final Rule NO_SCHEMA_MESSAGE =
            FILE.deviation("no-schema-message", "no schema message");

    /// The schema message has no prefix.
    public static final Rule UNFRAMED_SCHEMA =
            FILE.deviation("unframed-schema", "schema message has no prefix: polars does this");

    /// The schema message has an error.
    public static final Rule SCHEMA_MESSAGE_DAMAGED =
            FILE.deviation(
                    "schema-message-damaged",
                    "schema message is damaged; readers of files use the footer's schema");

    /// Footer and schema message have different schemas.
    public static final Rule SCHEMA_DIFFERS =
            FILE.deviation("schema-differs", "schemas of footer and schema message differ");

    /// Footer and schema message have different custom metadata, apart from that of the schema.
    public static final Rule METADATA_DIFFERS =
            FILE.deviation(
                    "metadata-differs", "custom metadata of footer and schema message differ");

    /// Only the footer has custom metadata, apart from that of the schema.
    public static final Rule METADATA_IN_FOOTER =
            FILE.note(
                    "metadata-in-footer",
                    "custom metadata of the footer is not in the schema message: Arrow C++ and"
                            + " arrow-java do this");

    /// Footer and messages have different metadata versions.
    public static final Rule VERSION_DIFFERS =
            FILE.deviation("version-differs", "versions of footer and message differ");

    /// A block overlaps another block or the schema message.
    public static final Rule BLOCK_OVERLAP =
            FILE.deviation("block-overlap", "block overlaps an earlier block or message");

    /// The blocks of one kind are not in the order of their messages.
    public static final Rule BLOCK_ORDER =
            FILE.deviation("block-order", "blocks are not in the order of their messages");

    /// A message without a block: only readers of the file as a stream find it.
    public static final Rule MESSAGE_WITHOUT_BLOCK =
            FILE.note("message-without-block", "message has no block in the footer");

    /// Bytes other than an end-of-stream marker follow the last message.
    public static final Rule NO_END_OF_STREAM =
            FILE.deviation(
                    "no-end-of-stream", "no end-of-stream marker between last message and footer");

    /// Bytes after the end-of-stream marker are not zero.
    public static final Rule BYTES_BEHIND_END =
            FILE.deviation("bytes-behind-end", "bytes follow the end-of-stream marker");

    /// More than one end-of-stream marker.
    public static final Rule REPEATED_END =
            FILE.note("repeated-end", "end-of-stream marker is repeated: flechette does this");

    /// The input has more findings than shown.
    public static final Rule MORE_FAULTS = FILE.error("more-faults", "more faults than shown");

    private ContainerRules() {}

    /// {@return all rules, in the order above}
    public static List<Rule> all() {
        return FRAME.all();
    }
}
