// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.verify;

import dev.fletch.Rule;
import dev.fletch.Rule.Level;
import dev.fletch.Rule.Severity;

import java.util.ArrayList;
import java.util.List;

/// The rules that `fletch verify` checks beyond those of the library.
public final class InputRules {
    private static final List<Rule> ALL = new ArrayList<>();

    /// A body begins where nobody can read it in place.
    public static final Rule METADATA_UNALIGNED =
            error(
                    "metadata-unaligned",
                    Level.FRAME,
                    "prefix and metadata have no multiple of 8 bytes");

    /// A message is sound but for the word in front of it; `fletch annotate` alone goes on there.
    public static final Rule NO_CONTINUATION =
            error(
                    "no-continuation",
                    Level.FRAME,
                    "no continuation word in front of sound metadata");

    /// With another length, the message ends where the next one begins; `fletch annotate` alone
    /// looks for it.
    public static final Rule METADATA_LENGTH_WRONG =
            error("metadata-length-wrong", Level.FRAME, "metadata is not as long as told");

    /// A message is so damaged that its body's length cannot be read.
    public static final Rule REST_UNREACHABLE =
            error(
                    "rest-unreachable",
                    Level.FRAME,
                    "what follows cannot be found: body length cannot be read");

    /// A text that is base64, but for a character or from it on.
    public static final Rule NOT_BASE64 =
            error("not-base64", Level.FILE, "text has a character that is no base64");

    /// The two bytes behind the leading magic.
    public static final Rule MAGIC_PADDING =
            error("magic-padding", Level.FILE, "padding behind the leading magic is not zero");

    /// Nothing but ends.
    public static final Rule NO_MESSAGE = error("no-message", Level.FILE, "there is no message");

    /// A stream has one schema, in front.
    public static final Rule REPEATED_SCHEMA =
            error("repeated-schema", Level.FILE, "schema is not the first message");

    /// Footer and first message tell of other columns.
    public static final Rule SCHEMA_DIFFERS =
            error("schema-differs", Level.FILE, "schemas of footer and stream differ");

    /// Footer and messages are of different generations.
    public static final Rule VERSION_DIFFERS =
            error("version-differs", Level.FILE, "versions of footer and message differ");

    /// Two blocks claim the same bytes, or one those of the schema.
    public static final Rule BLOCK_OVERLAP =
            error("block-overlap", Level.FILE, "block overlaps what comes before it");

    /// A message that a scan finds and the footer does not know.
    public static final Rule MESSAGE_WITHOUT_BLOCK =
            error("message-without-block", Level.FILE, "message is in no block");

    /// A file's messages end with the mark, or where the footer begins.
    public static final Rule NO_END_OF_STREAM =
            error(
                    "no-end-of-stream",
                    Level.FILE,
                    "no end-of-stream mark between last message and footer");

    /// Bytes behind the mark belong to nothing.
    public static final Rule BYTES_BEHIND_END =
            error("bytes-behind-end", Level.FILE, "bytes follow the end-of-stream mark");

    /// So many faults in one input that not all are told.
    public static final Rule MORE_FAULTS =
            error("more-faults", Level.FILE, "there are more faults than are shown");

    private InputRules() {}

    /// {@return all of them, in this order}
    public static List<Rule> all() {
        return List.copyOf(ALL);
    }

    private static Rule error(String id, Level level, String description) {
        final Rule rule = new Rule(id, level, Severity.ERROR, description);
        ALL.add(rule);
        return rule;
    }
}
