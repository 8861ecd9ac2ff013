// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.FileRule;
import dev.fletch.FrameRule;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.VersionCheck;
import dev.fletch.format.write.BodyLayout;
import dev.fletch.wire.Base64Text;
import dev.fletch.wire.MessagePrefix;

import java.util.Collections;
import java.util.Set;

/// The rules of a message's frame. Most methods return whether their rule holds, and otherwise
/// report to the sink; those of deviations return whether the check goes on. Offsets count from the
/// first byte of the input: `at` is that of the checked prefix, length, version or header type.
/// `remaining` are the input's bytes from a part's start on.
public final class FrameCheck {
    /// Rules of frames that readers check if their options refuse them. If one is broken, a damaged
    /// length may end a stream early, as the zeros of a padding look like an end-of-stream marker,
    /// or may hide messages in a body.
    public static final Set<Rule> OF_EARLY_ENDS =
            Set.of(
                    FrameRule.BODY_UNALIGNED,
                    FrameRule.BODY_LONGER,
                    FrameRule.METADATA_UNALIGNED,
                    FrameRule.END_BETWEEN_MESSAGES);

    /// Messages, their metadata with the prefix, and bodies have multiples of so many bytes.
    public static final int ALIGNMENT = BodyLayout.LEAST_ALIGNMENT;

    private FrameCheck() {}

    /// Checks that an input is not empty.
    public static boolean hasBytes(long bytes, FaultSink sink) {
        return bytes != 0 || sink.broken(Fault.of(FileRule.EMPTY_INPUT, 0, 0).because("bytes=0"));
    }

    /// Checks a prefix.
    ///
    /// @param position offset of the prefix
    /// @param prefix see [MessagePrefix#read]
    /// @param bytes number of bytes of the input from there on, or of those that were read
    /// @return the kind of frame; null if it is damaged, which is reported
    public static FrameKind prefix(long position, long prefix, long bytes, FaultSink sink) {
        if (bytes == 0) {
            return FrameKind.END_OF_INPUT;
        }
        if (prefix == MessagePrefix.CUT_OFF) {
            sink.accept(
                    Fault.of(FrameRule.TRUNCATED_PREFIX, position, bytes)
                            .because("bytes=" + bytes));
            return null;
        }
        int length = MessagePrefix.metadataLength(prefix);
        if (length == 0) {
            return FrameKind.END_OF_STREAM;
        }
        if (length < 0) {
            long lengthAt = position + MessagePrefix.bytes(prefix) - Integer.BYTES;
            sink.accept(
                    Fault.of(FrameRule.NEGATIVE_METADATA_LENGTH, lengthAt, length)
                            .because("metadataLength=" + length));
            return null;
        }
        if (!MessagePrefix.isCurrent(prefix) && length == (int) FileHead.MAGIC) {
            sink.accept(
                    Fault.of(FileRule.FILE_AS_STREAM, position, length).because("firstBytes=ARRO"));
            return null;
        }
        return FrameKind.MESSAGE;
    }

    /// Checks that metadata is inside the input.
    public static boolean metadataInside(
            long metadataAt, int length, long remaining, FaultSink sink) {
        if (length <= remaining) {
            return true;
        }
        long position = metadataAt - Integer.BYTES;
        String details = "metadataLength=" + length + ", remaining=" + remaining;
        return sink.broken(
                Fault.of(FrameRule.METADATA_OUT_OF_INPUT, position, length).because(details));
    }

    /// Checks a reader's limit of metadata.
    public static boolean metadataLimit(long metadataAt, int length, long limit, FaultSink sink) {
        return metadataLimit(metadataAt - Integer.BYTES, "metadataLength", length, limit, sink);
    }

    /// Checks a reader's limit of metadata for a footer.
    public static boolean footerLimit(long footerAt, int length, long limit, FaultSink sink) {
        return metadataLimit(footerAt + length, "footerLength", length, limit, sink);
    }

    /// Checks a reader's limit of metadata.
    ///
    /// @param position offset of the length
    /// @param name of the length
    public static boolean metadataLimit(
            long position, String name, long length, long limit, FaultSink sink) {
        if (length <= limit) {
            return true;
        }
        String details = name + "=" + length + ", limit=" + limit;
        return sink.broken(
                Fault.of(FrameRule.METADATA_OVER_LIMIT, position, length).because(details));
    }

    /// Checks that a body is inside the input.
    public static boolean bodyInside(long bodyAt, long length, long remaining, FaultSink sink) {
        return length <= remaining || sink.broken(bodyOutside(bodyAt, length, remaining));
    }

    /// The fault of a body that is not inside the input.
    static Fault bodyOutside(long bodyAt, long length, long remaining) {
        String details = "bodyLength=" + length + ", remaining=" + remaining;
        return Fault.of(FrameRule.BODY_OUT_OF_INPUT, bodyAt, length).because(details);
    }

    /// Checks that a body length is neither negative nor above a reader's limit.
    public static boolean bodyLength(long position, long length, long limit, FaultSink sink) {
        if (length >= 0 && length <= limit) {
            return true;
        }
        Rule broken = length < 0 ? FrameRule.NEGATIVE_BODY_LENGTH : FrameRule.BODY_OVER_LIMIT;
        String details = "bodyLength=" + length + (length < 0 ? "" : ", limit=" + limit);
        return sink.broken(Fault.of(broken, position, length).at("bodyLength").because(details));
    }

    /// Whether any of [#OF_EARLY_ENDS] is among some rules.
    public static boolean hasSome(Set<Rule> refused) {
        return !Collections.disjoint(refused, OF_EARLY_ENDS);
    }

    /// Whether [#markerPrefix] must be checked.
    public static boolean refusesMarkers(Set<Rule> refused) {
        return refused.contains(FrameRule.END_BETWEEN_MESSAGES);
    }

    /// Checks that an end-of-stream marker has the prefix of the messages before it.
    public static boolean markerPrefix(
            long position, int prefixBytes, int ofMessages, FaultSink sink) {
        if (prefixBytes == ofMessages) {
            return true;
        }
        String details = "prefix=" + prefixBytes + ", prefixOfMessages=" + ofMessages;
        return sink.broken(endBetween(position, 0, details));
    }

    /// Whether a length is a multiple of 8.
    public static boolean isAligned(long length) {
        return length % ALIGNMENT == 0;
    }

    /// Checks that a body's length is a multiple of 8.
    public static boolean bodyAligned(long position, long length, FaultSink sink) {
        return isAligned(length)
                || sink.add(Fault.of(FrameRule.BODY_UNALIGNED, position, length).at("bodyLength"));
    }

    /// Checks that a body ends with its last buffer and padding.
    ///
    /// @param lastEnd end of the last buffer in the body
    public static void bodyEnd(long position, long length, long lastEnd, FaultSink sink) {
        long behind = length - lastEnd;
        if (behind >= ContainerPlan.LEAST_LOST_BYTES) {
            String details = "bytes=" + behind + ", bodyLength=" + length;
            sink.accept(
                    Fault.of(FrameRule.BODY_LONGER, position, behind)
                            .at("bodyLength")
                            .because(details));
        }
    }

    /// Checks that prefix and metadata are a multiple of 8 bytes.
    ///
    /// @param position offset of the prefix
    public static boolean metadataAligned(
            long position, int prefixBytes, int length, FaultSink sink) {
        if (isAligned((long) prefixBytes + length)) {
            return true;
        }
        long lengthAt = position + prefixBytes - Integer.BYTES;
        String details = "prefix=" + prefixBytes + ", metadataLength=" + length;
        return sink.add(Fault.of(FrameRule.METADATA_UNALIGNED, lengthAt, 0).because(details));
    }

    /// The fault of an end-of-stream marker, or zeros, where it is no end.
    public static Fault endBetween(long position, long value, String details) {
        return Fault.of(FrameRule.END_BETWEEN_MESSAGES, position, value).because(details);
    }

    /// Checks that messages of a version can be read.
    public static boolean version(long position, int version, FaultSink sink) {
        Rule broken = VersionCheck.broken(version);
        return broken == null
                || sink.broken(
                        Fault.of(broken, position, version)
                                .at("version")
                                .because(VersionCheck.details(version)));
    }

    /// Checks that a text is base64.
    ///
    /// @param text decoded
    /// @param position offset of the first wrong character: in the text, or in the decoded bytes
    /// @param character its index, or what it is
    public static boolean base64(Base64Text text, long position, Object character, FaultSink sink) {
        return text.faultAt() < 0
                || sink.broken(
                        Fault.of(FileRule.NOT_BASE64, position, text.faultAt())
                                .because("character=" + character));
    }

    /// Reports that a message has no header.
    public static boolean withoutHeader(long position, int type, FaultSink sink) {
        String kind = "kind=" + MessageHeader.NAMES.name(type);
        return sink.broken(
                Fault.of(MeaningRule.NO_HEADER, position, type).at("header").because(kind));
    }

    /// Checks that a message is of a known kind, and has its place in the order of messages: a
    /// stream with a schema has no tensors. All readers and commands take a message that is refused
    /// here for damage. The offset is in the memory of the message.
    ///
    /// @param hasSchema whether the message is one of a stream with a schema
    public static boolean header(Message message, boolean hasSchema, FaultSink sink) {
        int kind = message.headerType();
        boolean isTensor = kind == MessageHeader.TENSOR || kind == MessageHeader.SPARSE_TENSOR;
        boolean isKnown =
                kind != MessageHeader.NONE
                        && MessageHeader.NAMES.isKnown(kind)
                        && message.isPresent(Message.HEADER_SLOT);
        return isKnown && !(isTensor && hasSchema) || unexpected(message, sink);
    }

    /// Reports that a message cannot be here: it has no header, or one of another kind. The offset
    /// is in the memory of the message.
    public static boolean unexpected(Message message, FaultSink sink) {
        int kind = message.headerType();
        long position = message.position(Message.HEADER_TYPE_SLOT);
        if (kind == MessageHeader.NONE || !message.isPresent(Message.HEADER_SLOT)) {
            return withoutHeader(position, kind, sink);
        }
        if (!MessageHeader.NAMES.isKnown(kind)) {
            return sink.broken(
                    Fault.of(MeaningRule.UNKNOWN_HEADER, position, kind).at("headerType"));
        }
        String found = "found=" + MessageHeader.NAMES.name(kind);
        return sink.broken(
                Fault.of(MeaningRule.HEADER_KIND, position, kind).at("headerType").because(found));
    }

    /// Reports that a stream has a second schema message.
    ///
    /// @param position offset of the message
    public static boolean repeatedSchema(long position, FaultSink sink) {
        return sink.broken(Fault.of(FileRule.REPEATED_SCHEMA, position, 0).because(""));
    }

    /// Reports that there is no message.
    ///
    /// @param found what is there instead; may be empty
    public static boolean noMessage(long position, String found, FaultSink sink) {
        return sink.broken(Fault.of(FileRule.NO_MESSAGE, position, 0).because(found));
    }

    /// Checks that there is a first message, and that it is a schema message.
    ///
    /// @param position offset of the message
    /// @param found what is there
    /// @param message bound to the message, if there is one
    public static boolean leadingSchema(
            long position, FrameKind found, Message message, FaultSink sink) {
        if (found != FrameKind.MESSAGE) {
            return noMessage(position, "found=" + found, sink);
        }
        int kind = message.headerType();
        if (kind == MessageHeader.SCHEMA) {
            return true;
        }
        String details = "kind=" + MessageHeader.NAMES.name(kind);
        return sink.broken(Fault.of(FileRule.NO_LEADING_SCHEMA, position, kind).because(details));
    }
}
