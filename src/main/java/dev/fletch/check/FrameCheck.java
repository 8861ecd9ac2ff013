// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.check;

import dev.fletch.Rule;
import dev.fletch.format.FormatRules;
import dev.fletch.format.MessageHeader;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.FrameKind;
import dev.fletch.ipc.IpcRules;

import java.io.IOException;

/// Checks consecutive encapsulated messages: prefix, metadata and body, in this order.
final class FrameCheck {
    private static final int ALIGNMENT = Long.BYTES;

    private final MessageCheck check;
    private final Findings findings;

    private int index;
    private int prefixLength;
    private int metadataLength;
    private long offset;
    private boolean isBodyComplete;

    FrameCheck(MessageCheck check, Findings findings) {
        this.check = check;
        this.findings = findings;
    }

    /// Checks and skips prefix and metadata. Call [#body] next.
    ///
    /// @param number index of the message
    /// @return the kind of frame; null if it is invalid, which is reported
    FrameKind metadata(ForwardBytes bytes, int number) throws IOException {
        index = number;
        offset = bytes.offset();
        bytes.begin();
        FrameKind kind = prefix(bytes);
        if (kind != FrameKind.MESSAGE) {
            return kind;
        }
        if ((metadataLength + (long) prefixLength) % ALIGNMENT != 0) {
            findings.add(
                    InputRules.METADATA_UNALIGNED,
                    index,
                    null,
                    sizeOffset(),
                    "prefix=" + prefixLength + ", metadataLength=" + metadataLength);
        }
        int there = bytes.take(metadataLength);
        if (there < metadataLength) {
            String details = "metadataLength=" + metadataLength + ", remaining=" + there;
            add(IpcRules.METADATA_OUT_OF_INPUT, sizeOffset(), details);
            return null;
        }
        check.message(bytes, metadataLength, index, offset + prefixLength);
        return FrameKind.MESSAGE;
    }

    private FrameKind prefix(ForwardBytes bytes) throws IOException {
        prefixLength = EncapsulatedMessage.LEGACY_PREFIX_BYTES;
        int there = bytes.take(prefixLength);
        if (there == 0) {
            return FrameKind.END_OF_INPUT;
        }
        if (there == prefixLength && bytes.word() == EncapsulatedMessage.CONTINUATION) {
            there += bytes.take(Integer.BYTES);
            prefixLength = EncapsulatedMessage.PREFIX_BYTES;
        }
        if (there < prefixLength) {
            add(IpcRules.TRUNCATED_PREFIX, offset, "bytes=" + there);
            return null;
        }
        metadataLength = bytes.word();
        if (metadataLength == 0) {
            return FrameKind.END_OF_STREAM;
        }
        if (metadataLength < 0) {
            String details = "metadataLength=" + metadataLength;
            add(IpcRules.NEGATIVE_METADATA_LENGTH, sizeOffset(), details);
            return null;
        }
        return FrameKind.MESSAGE;
    }

    /// Checks and skips the body.
    ///
    /// @return false if its length is unknown
    boolean body(ForwardBytes bytes) throws IOException {
        if (!check.hasBodyLength() || check.bodyLength() < 0) {
            return false;
        }
        long length = check.bodyLength();
        if (length > 0 && check.isSound() && check.kind() == MessageHeader.SCHEMA) {
            String details = "bodyLength=" + length;
            findings.add(FormatRules.SCHEMA_WITH_BODY, index, "bodyLength", bodyOffset(), details);
        }
        if (length % ALIGNMENT != 0) {
            String details = "bodyLength=" + length;
            findings.add(FormatRules.BODY_UNALIGNED, index, null, bodyOffset(), details);
        }
        long taken = check.bodyTaken();
        long there = taken + bytes.skip(length - taken);
        isBodyComplete = there == length;
        if (!isBodyComplete) {
            String details = "bodyLength=" + length + ", remaining=" + there;
            add(IpcRules.BODY_OUT_OF_INPUT, bodyOffset(), details);
        }
        return true;
    }

    /// Whether the body of the last message is complete.
    boolean isBodyComplete() {
        return isBodyComplete;
    }

    /// Whether the message has a continuation word.
    boolean isCurrent() {
        return prefixLength == EncapsulatedMessage.PREFIX_BYTES;
    }

    /// Offset of the message in the input.
    long offset() {
        return offset;
    }

    /// Offset of the body in the input.
    long bodyOffset() {
        return offset + prefixLength + metadataLength;
    }

    private long sizeOffset() {
        return offset + prefixLength - Integer.BYTES;
    }

    private void add(Rule fault, long at, String details) {
        findings.add(fault, index, null, at, details);
    }
}
