// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.check;

import dev.fletch.format.MessageHeader;
import dev.fletch.input.WorkDone;
import dev.fletch.ipc.FrameKind;
import dev.fletch.ipc.IpcRules;

import java.io.IOException;

/// Checks the messages of a stream in order. Continues after a damaged message if its body length is
/// readable.
final class StreamCheck {
    private final ForwardBytes bytes;
    private final MessageCheck check;
    private final FrameCheck frame;
    private final Findings findings;
    private int messages;
    private boolean hasEnded;

    StreamCheck(ForwardBytes bytes, MessageCheck check, Findings findings) {
        this.bytes = bytes;
        this.check = check;
        this.frame = new FrameCheck(check, findings);
        this.findings = findings;
    }

    /// Checks all messages that can be found.
    ///
    /// @param isWhole whether the bytes contain only the stream
    /// @return the number of messages
    int run(boolean isWhole) throws IOException {
        FrameKind end;
        check.beginStream();
        do {
            end = frame.metadata(bytes, messages);
        } while (end == FrameKind.MESSAGE && message());
        if (messages == 0 && findings.count() == 0) {
            findings.add(InputRules.NO_MESSAGE, 0, "");
        }
        hasEnded = end == FrameKind.END_OF_STREAM;
        if (isWhole && hasEnded) {
            long offset = bytes.offset();
            long behind = bytes.skip(Long.MAX_VALUE);
            if (behind > 0) {
                findings.add(InputRules.BYTES_BEHIND_END, offset, "bytes=" + behind);
            }
        }
        return messages;
    }

    /// Whether an end-of-stream marker was read; the next byte follows it.
    boolean hasEnded() {
        return hasEnded;
    }

    /// @return false if the next message cannot be found
    private boolean message() throws IOException {
        int index = messages++;
        WorkDone.reached(bytes.offset(), bytes.end());
        if (check.isSound()) {
            place(index);
        }
        if (frame.body(bytes)) {
            return true;
        }
        if (bytes.skip(1) > 0) {
            findings.add(InputRules.REST_UNREACHABLE, index, null, frame.bodyOffset(), "");
        }
        return false;
    }

    /// Checks that the only schema comes first. Tensors need no schema.
    private void place(int index) {
        int kind = check.kind();
        boolean isBatch =
                kind == MessageHeader.RECORD_BATCH || kind == MessageHeader.DICTIONARY_BATCH;
        if (index > 0 && kind == MessageHeader.SCHEMA) {
            findings.add(InputRules.REPEATED_SCHEMA, index, null, frame.offset(), "");
        } else if (index == 0 && isBatch) {
            String found = "kind=" + check.kindName();
            findings.add(IpcRules.NO_LEADING_SCHEMA, index, null, frame.offset(), found);
        }
    }
}
