// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static dev.fletch.format.FormatRules.BODY_UNALIGNED;
import static dev.fletch.format.FormatRules.NEGATIVE_BODY_LENGTH;

import dev.fletch.format.Footer;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Message;
import dev.fletch.format.MetadataVersion;

/// The rules of what messages and footers say beside their headers and schemas. Each check says
/// whether to go on.
final class HeadCheck {
    private static final int ALIGNMENT = 8;

    private final Report report;
    private final KeyValue pair = new KeyValue();

    HeadCheck(Report report) {
        this.report = report;
    }

    static boolean isSupported(int version) {
        return version == MetadataVersion.V4 || version == MetadataVersion.V5;
    }

    boolean bodyLength(Message message) {
        final long length = message.bodyLength();
        final long at = message.position(Message.BODY_LENGTH_SLOT);
        if (length < 0) {
            return report.add(NEGATIVE_BODY_LENGTH, at, length, "bodyLength");
        }
        return length % ALIGNMENT == 0 || report.add(BODY_UNALIGNED, at, length, "bodyLength");
    }

    boolean pairs(Message message) {
        for (int i = 0; i < message.customMetadataCount(); i++) {
            if (!SchemaCheck.pair(report, message.customMetadata(i, pair), i)) {
                return false;
            }
        }
        return true;
    }

    boolean pairs(Footer footer) {
        for (int i = 0; i < footer.customMetadataCount(); i++) {
            if (!SchemaCheck.pair(report, footer.customMetadata(i, pair), i)) {
                return false;
            }
        }
        return true;
    }
}
