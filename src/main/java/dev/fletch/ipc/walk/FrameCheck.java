// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.walk;

import dev.fletch.FaultSink;
import dev.fletch.Rule;
import dev.fletch.format.FormatRules;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.rules.VersionCheck;
import dev.fletch.ipc.IpcRules;
import dev.fletch.wire.Base64Text;

/// The rules of a message's frame. Each method returns whether its rule holds, and otherwise
/// reports to the sink. Offsets count from the first byte of the input.
public final class FrameCheck {
    private FrameCheck() {}

    /// Reports that the input ends inside a prefix.
    ///
    /// @param at offset of the prefix
    /// @param bytes number of its bytes in the input
    public static boolean prefixCutOff(long at, long bytes, FaultSink sink) {
        return ContainerFault.report(sink, IpcRules.TRUNCATED_PREFIX, at, bytes, "bytes=" + bytes);
    }

    /// Checks that a metadata length is not negative.
    ///
    /// @param metadataAt offset of the metadata
    public static boolean metadataLength(long metadataAt, int length, FaultSink sink) {
        return length >= 0
                || ContainerFault.report(
                        sink,
                        IpcRules.NEGATIVE_METADATA_LENGTH,
                        metadataAt - Integer.BYTES,
                        length,
                        "metadataLength=" + length);
    }

    /// Checks that metadata is inside the input.
    ///
    /// @param metadataAt offset of the metadata
    /// @param remaining bytes of the input from there on
    public static boolean metadataInside(
            long metadataAt, int length, long remaining, FaultSink sink) {
        return length <= remaining
                || ContainerFault.report(
                        sink,
                        IpcRules.METADATA_OUT_OF_INPUT,
                        metadataAt - Integer.BYTES,
                        length,
                        "metadataLength=" + length + ", remaining=" + remaining);
    }

    /// Checks a reader's limit of metadata.
    ///
    /// @param at offset of the length
    /// @param name of the length
    public static boolean metadataLimit(
            long at, String name, long length, long limit, FaultSink sink) {
        return length <= limit
                || ContainerFault.report(
                        sink,
                        IpcRules.METADATA_OVER_LIMIT,
                        at,
                        length,
                        name + "=" + length + ", limit=" + limit);
    }

    /// Checks that a body is inside the input.
    ///
    /// @param bodyAt offset of the body
    /// @param remaining bytes of the input from there on
    public static boolean bodyInside(long bodyAt, long length, long remaining, FaultSink sink) {
        return length <= remaining
                || ContainerFault.report(
                        sink,
                        IpcRules.BODY_OUT_OF_INPUT,
                        bodyAt,
                        length,
                        "bodyLength=" + length + ", remaining=" + remaining);
    }

    /// Checks that a body length is neither negative nor above a reader's limit.
    ///
    /// @param at offset of the length
    /// @param limit from [dev.fletch.Limits#bodyBytes()]
    public static boolean bodyLength(long at, long length, long limit, FaultSink sink) {
        if (length > limit) {
            return ContainerFault.report(
                    sink,
                    IpcRules.BODY_OVER_LIMIT,
                    "bodyLength",
                    at,
                    length,
                    "bodyLength=" + length + ", limit=" + limit);
        }
        return length >= 0
                || ContainerFault.report(
                        sink,
                        FormatRules.NEGATIVE_BODY_LENGTH,
                        "bodyLength",
                        at,
                        length,
                        "bodyLength=" + length);
    }

    /// Checks that messages of a version can be read.
    ///
    /// @param at offset of the version
    public static boolean version(long at, int version, FaultSink sink) {
        Rule broken = VersionCheck.broken(version);
        String details = broken == null ? null : VersionCheck.details(version);
        return broken == null
                || ContainerFault.report(sink, broken, "version", at, version, details);
    }

    /// Checks that a text is base64.
    ///
    /// @param text decoded
    /// @param at offset of the first wrong character: in the text, or in the decoded bytes
    /// @param character its index, or what it is
    public static boolean base64(Base64Text text, long at, Object character, FaultSink sink) {
        return text.faultAt() < 0
                || ContainerFault.report(
                        sink, IpcRules.NOT_BASE64, at, text.faultAt(), "character=" + character);
    }

    /// Reports that a message has the wrong kind for its position.
    ///
    /// @param at offset of the header's type
    /// @param type of the header
    public static boolean unexpectedKind(long at, int type, String details, FaultSink sink) {
        return ContainerFault.report(
                sink, FormatRules.HEADER_KIND, "headerType", at, type, details);
    }

    /// Reports that a message has no header.
    ///
    /// @param at offset of the header's type
    /// @param type of the header
    public static boolean withoutHeader(long at, int type, FaultSink sink) {
        return ContainerFault.report(
                sink,
                FormatRules.NO_HEADER,
                "header",
                at,
                type,
                "kind=" + MessageHeader.NAMES.name(type));
    }

    /// Checks that the first message is a schema message.
    ///
    /// @param at offset of the message
    /// @param message null if there is no message
    /// @param instead what is there if there is no message
    public static boolean leadingSchema(long at, Message message, Object instead, FaultSink sink) {
        if (message != null && message.headerType() == MessageHeader.SCHEMA) {
            return true;
        }
        int kind = message == null ? MessageHeader.NONE : message.headerType();
        String found =
                message == null ? "found=" + instead : "kind=" + MessageHeader.NAMES.name(kind);
        return ContainerFault.report(sink, IpcRules.NO_LEADING_SCHEMA, at, kind, found);
    }
}
