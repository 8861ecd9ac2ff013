// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

/// The rules of framing: prefixes, sizes and bodies of messages. A constant's description is its
/// documentation.
///
/// Source: Columnar format, "Encapsulated message format".
public enum FrameRule implements Rule {
    TRUNCATED_PREFIX("input ends inside a message's prefix"),

    /// Other than -1, the continuation indicator.
    NEGATIVE_METADATA_LENGTH("metadata length is negative"),

    METADATA_OUT_OF_INPUT("metadata does not fit the input"),

    /// Also a footer's length. The limit is [Limits#metadataBytes()].
    METADATA_OVER_LIMIT("metadata length is above the reader's limit"),

    /// Value: the length.
    NEGATIVE_BODY_LENGTH("body length is negative"),

    /// Value: the length.
    BODY_UNALIGNED(Severity.DEVIATION, "body length is not a multiple of 8"),

    /// The limit is [Limits#bodyBytes()], or that of the memory in which a reader keeps bodies.
    BODY_OVER_LIMIT("body length is above the reader's limit"),

    BODY_OUT_OF_INPUT("body does not fit the input"),

    /// Found by the check of the meaning: padding has less. A damaged length may hide messages in
    /// the body. Value: how many bytes.
    BODY_LONGER(Severity.NOTE, "body continues 64 bytes or more behind its last buffer"),

    /// A length of the message is wrong: the next message begins inside its body.
    MESSAGE_OVERLAP("message overlaps the next message"),

    /// Behind a message that has probably gained bytes, or between messages. Only salvage reports
    /// this; verifiers say what is wrong with the message that should be there.
    STRAY_BYTES("bytes belong to no message"),

    END_BETWEEN_MESSAGES("zeros or an end-of-stream marker between messages of a stream"),

    // Only verifiers check these.

    METADATA_UNALIGNED(Severity.DEVIATION, "prefix and metadata are not a multiple of 8 bytes"),

    REST_UNREACHABLE("next message cannot be found: body length cannot be read");

    final RuleRow row;

    FrameRule(String description) {
        this(Severity.ERROR, description);
    }

    FrameRule(Severity severity, String description) {
        row = new RuleRow(severity, description);
    }
}
