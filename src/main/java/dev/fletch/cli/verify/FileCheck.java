// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.verify;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.Rule;
import dev.fletch.cli.annotate.MessagePlace;
import dev.fletch.cli.annotate.MessageSearch;
import dev.fletch.format.Footer;
import dev.fletch.format.FormatRules;
import dev.fletch.format.Schema;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.IpcRules;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Looks at a file: both ends, the footer, and then by the footer's blocks at the messages; or
/// where there is no footer to go by, at the messages as at those of a stream.
public final class FileCheck {
    private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
    private static final int START = ArrowFile.FIRST_MESSAGE_OFFSET;
    private static final int TAIL_BYTES = Integer.BYTES + MAGIC.length;
    private static final ValueLayout.OfInt WORD =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment memory;
    private final long size;
    private final MessageCheck check;
    private final Findings findings;

    FileCheck(MemorySegment memory, MessageCheck check, Findings findings) {
        this.memory = memory;
        this.size = memory.byteSize();
        this.check = check;
        this.findings = findings;
    }

    /// @return how many messages there are
    int run() throws IOException {
        if (size > MAGIC.length) {
            if (!hasMagic(memory, 0)) {
                add(IpcRules.NO_LEADING_MAGIC, 0, "size=" + size);
            }
            padding();
        }
        if (size <= START + TAIL_BYTES) {
            int least = START + TAIL_BYTES + 1;
            add(IpcRules.FILE_TOO_SHORT, size, "size=" + size + ", least=" + least);
            return 0;
        }
        boolean hasMagic = endsAsAFile(memory);
        if (!hasMagic) {
            add(IpcRules.NO_TRAILING_MAGIC, size - MAGIC.length, "size=" + size);
        }
        long tail = size - TAIL_BYTES;
        int length = memory.get(WORD, tail);
        long limit = tail - START;
        if (length <= 0 || length > limit) {
            if (hasMagic) {
                String details = "footerLength=" + length + ", limit=" + limit;
                add(IpcRules.FOOTER_LENGTH, tail, details);
            }
            return scan(hasMagic ? tail : messagesEnd(memory), false);
        }
        // Where the magic is missing, this is a footer only if it is a good one.
        long offset = tail - length;
        return hasMagic || check.isFooter(memory, offset, length)
                ? footer(offset, length)
                : scan(messagesEnd(memory), false);
    }

    private void padding() {
        for (long at = MAGIC.length; at < Math.min(START, size); at++) {
            byte found = memory.get(ValueLayout.JAVA_BYTE, at);
            if (found != 0) {
                String details = "value=" + (found & 0xFF);
                findings.add(InputRules.MAGIC_PADDING, Finding.NO_MESSAGE, null, at, details);
            }
        }
    }

    /// Whether there is a file's magic at the end of something, whatever it begins with.
    public static boolean endsAsAFile(MemorySegment memory) {
        long size = memory.byteSize();
        return size > START + TAIL_BYTES && hasMagic(memory, size - MAGIC.length);
    }

    private static boolean hasMagic(MemorySegment memory, long at) {
        return memory.asSlice(at, MAGIC.length).mismatch(MemorySegment.ofArray(MAGIC)) < 0;
    }

    /// Where the messages of a file end whose footer cannot be told: where messages with continuation
    /// words are followed by none, and none comes later. What is left of a footer there is no message.
    ///
    /// @return the end of the file, where it is not known
    public static long messagesEnd(MemorySegment memory) {
        long end = memory.byteSize();
        MessagePlace place = MessagePlace.at(memory, START, end);
        while (place.isCurrent() && place.isWhole() && place.hasBodyLength()) {
            long room = end - place.bodyAt();
            if (place.bodyLength() < 0 || place.bodyLength() > room) {
                return end;
            }
            place = MessagePlace.at(memory, place.bodyAt() + place.bodyLength(), end);
        }
        boolean isFooter =
                place.at() > START
                        && !place.isCurrent()
                        && new MessageSearch(memory).next(place.at(), end) == end;
        return isFooter ? place.at() : end;
    }

    /// Goes through the messages as if they were a stream.
    ///
    /// @param isFooter whether the footer is known to begin at `end`
    private int scan(long end, boolean isFooter) throws IOException {
        ForwardBytes bytes = ForwardBytes.of(memory, START, end);
        StreamCheck stream = new StreamCheck(bytes, check, findings);
        int messages = stream.run(false);
        if (isFooter && stream.hasEnded()) {
            new GapCheck(memory, check, findings).behind(bytes.offset(), end);
        }
        return messages;
    }

    private int footer(long offset, int length) throws IOException {
        boolean isSound = check.footer(memory, offset, length);
        Footer footer = new Footer();
        boolean isWrapped = true;
        try {
            footer.wrap(memory, offset, length);
        } catch (FlatBufferFormatException _) {
            isWrapped = false; // the verifier has told why
        }
        boolean hasBlocks = isWrapped && check.hasBlocks();
        SchemaSide schema = isWrapped ? schema(footer, offset, length, isSound) : null;
        if (isWrapped && (isSound || hasBlocks)) {
            check.footerVersion(footer);
        }
        if (isWrapped && isSound) {
            check.meaning().footer(footer);
        }
        if (!hasBlocks) {
            return scan(offset, true);
        }
        if (!isSound) {
            check.meaning().beginFile();
        }
        int messages = new BlocksCheck(memory, offset, footer, check, findings).run(schema);
        if (isSound) {
            check.meaning().end(footer, check.dictionaryBatches());
        }
        return messages;
    }

    /// The footer's schema, to be held against the stream's; null if it has none that can be read.
    private SchemaSide schema(Footer footer, long offset, int length, boolean isSound) {
        if (!check.isWalkable("schema")) {
            return null;
        }
        Schema schema = new Schema();
        try {
            if (!footer.schema(schema)) {
                if (!isSound) { // else the second level tells
                    findings.add(
                            FormatRules.FOOTER_WITHOUT_SCHEMA,
                            Finding.NO_MESSAGE,
                            "schema",
                            footer.position(),
                            "");
                }
                return null;
            }
        } catch (FlatBufferFormatException _) {
            return null; // the verifier has told why
        }
        check.schema(schema, "schema");
        return SchemaSide.of(schema, memory, offset, offset + length, check.broken());
    }

    private void add(Rule fault, long offset, String details) {
        findings.add(fault, Finding.NO_MESSAGE, null, offset, details);
    }
}
