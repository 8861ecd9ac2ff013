// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.Rule;
import dev.fletch.Rule.Level;
import dev.fletch.Rule.Severity;

import java.util.ArrayList;
import java.util.List;

/// Rules of the format that several layers check. Ids are stable.
///
/// Source: the comments of `format/*.fbs`.
public final class FormatRules {
    private static final List<Rule> ALL = new ArrayList<>();

    /// The version of a message, or the version stored in a footer, is neither V4 nor V5. Value:
    /// the stored number, see [dev.fletch.format.MetadataVersion].
    public static final Rule UNSUPPORTED_VERSION =
            error("unsupported-version", Level.MEANING, "metadata version is not supported");

    /// A message has no header. Value: the header's type.
    public static final Rule NO_HEADER = error("no-header", Level.MEANING, "message has no header");

    /// A header's type is not declared in the format. Value: the type.
    public static final Rule UNKNOWN_HEADER =
            error("unknown-header", Level.MEANING, "unknown message header");

    /// A body's length is negative. Value: the length.
    public static final Rule NEGATIVE_BODY_LENGTH =
            error("negative-body-length", Level.FRAME, "body length is negative");

    /// A body's length is not a multiple of 8. Value: the length.
    public static final Rule BODY_UNALIGNED =
            deviation("body-unaligned", Level.FRAME, "body length is not a multiple of 8");

    /// A schema message has a body. Value: the body's length.
    public static final Rule SCHEMA_WITH_BODY =
            deviation("schema-with-body", Level.MEANING, "schema has a body");

    /// A footer has no schema. Value: 0.
    public static final Rule FOOTER_WITHOUT_SCHEMA =
            error("footer-without-schema", Level.MEANING, "footer has no schema");

    /// A schema exceeds the limit of its [SchemaSize]. Value: the size. A semantic verifier
    /// reports it also for more fields than its options allow. Value: their number.
    public static final Rule SCHEMA_TOO_LARGE =
            error(
                    "schema-too-large",
                    Level.MEANING,
                    "a schema does not share fields or texts too often");

    /// The byte order is neither little nor big. Value: the number.
    public static final Rule UNKNOWN_ENDIANNESS =
            error("unknown-endianness", Level.MEANING, "endianness is unknown");

    /// A field's type is not declared in the format. Value: the type.
    public static final Rule UNKNOWN_TYPE = error("unknown-type", Level.MEANING, "type is unknown");

    /// A dictionary batch has no data. Value: the dictionary's id.
    public static final Rule NO_DICTIONARY_DATA =
            error("no-dictionary-data", Level.MEANING, "dictionary batch has no data");

    /// A record batch has a negative number of rows. Value: the number.
    public static final Rule NEGATIVE_ROWS =
            error("negative-rows", Level.MEANING, "record batch has a negative number of rows");

    /// A message cannot be rewritten. Not in [#all()]: verifiers do not check it.
    public static final Rule NOT_WRITABLE =
            new Rule("not-writable", Level.MEANING, Severity.ERROR, "message cannot be rewritten");

    private FormatRules() {}

    /// {@return all rules that verifiers check, in declaration order}
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
