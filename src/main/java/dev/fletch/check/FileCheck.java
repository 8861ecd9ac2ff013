// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.check;

import dev.fletch.Rule;
import dev.fletch.format.Block;
import dev.fletch.format.Footer;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.Schema;
import dev.fletch.input.DetectedInput;
import dev.fletch.input.Input;
import dev.fletch.input.MessagePlace;
import dev.fletch.input.MessageSearch;
import dev.fletch.input.Models;
import dev.fletch.input.WorkDone;
import dev.fletch.ipc.FileHead;
import dev.fletch.ipc.FrameKind;
import dev.fletch.ipc.IpcRules;
import dev.fletch.model.ArrowSchema;
import dev.fletch.model.SchemaChange;
import dev.fletch.wire.Wire;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.stream.IntStream;

/// Checks a file: magic, footer, and the messages of the footer's blocks, which are all that readers of
/// files use. Faults of the schema message and of messages without a block are deviations, not errors.
/// Without a footer, checks the messages as a stream.
///
/// Several blocks may refer to one message, which is checked once. Blocks inside the metadata of another message
/// are checked until their metadata adds up to the file's size.
public final class FileCheck {
    private static final int MAGIC_BYTES = 6;
    private static final int TAIL_BYTES = Integer.BYTES + MAGIC_BYTES;
    private static final int ALIGNMENT = Long.BYTES;

    private final MemorySegment memory;
    private final long size;
    private final MessageCheck check;
    private final FrameCheck frame;
    private final Findings findings;
    private final GapCheck gaps;
    private final boolean searches;
    private int messages;

    // Offset of the first message.
    private long start = FileHead.USUAL_BYTES;

    // For a file with a sound footer, which begins at `end`.
    private final Footer footer = new Footer();
    private long end;
    private final Block block = new Block();
    private String path;
    // End of the bytes claimed by messages and blocks, and end of the checked metadata.
    private long claimed;
    private long checked;
    // The bytes of metadata inside other metadata, and the kind of frame checked last.
    private long againBytes;
    private FrameKind frameKind;

    /// @param searches whether to search messages after damage
    FileCheck(MemorySegment memory, MessageCheck check, Findings findings, boolean searches) {
        this.memory = memory;
        this.size = memory.byteSize();
        this.check = check;
        this.frame = new FrameCheck(check, findings);
        this.findings = findings;
        this.gaps = new GapCheck(memory, check, findings);
        this.searches = searches;
    }

    /// @return the number of messages
    int run() throws IOException {
        if (size > MAGIC_BYTES && !DetectedInput.hasMagic(memory, 0)) {
            findings.add(IpcRules.NO_LEADING_MAGIC, 0, "size=" + size);
        }
        if (size <= FileHead.USUAL_BYTES + TAIL_BYTES) {
            padding();
            int least = FileHead.USUAL_BYTES + TAIL_BYTES + 1;
            findings.add(IpcRules.FILE_TOO_SHORT, size, "size=" + size + ", least=" + least);
            return 0;
        }
        boolean hasMagic = DetectedInput.endsAsAFile(memory);
        long tail = size - TAIL_BYTES;
        int length = Wire.int32(memory, tail);
        long limit = tail - FileHead.USUAL_BYTES;
        boolean fits = length > 0 && length <= limit;
        // Without the trailing magic, only sound bytes count as a footer.
        boolean hasFooter =
                fits && (hasMagic || DetectedInput.isFooter(memory, tail - length, length));
        start = FileHead.length(memory, hasFooter ? tail - length : size);
        padding();
        if (!hasMagic) {
            findings.add(IpcRules.NO_TRAILING_MAGIC, size - MAGIC_BYTES, "size=" + size);
        }
        if (hasFooter) {
            footer(tail - length, length);
        } else if (hasMagic) {
            findings.add(
                    IpcRules.FOOTER_LENGTH, tail, "footerLength=" + length + ", limit=" + limit);
            scan(tail, false);
        } else {
            scan(messagesEnd(memory, start), false);
        }
        return messages;
    }

    private void padding() {
        if (start != FileHead.USUAL_BYTES) {
            findings.add(InputRules.HEAD_LENGTH, start, "offset=" + start);
        }
        for (long at = MAGIC_BYTES; at < Math.min(start, size); at++) {
            byte found = Wire.int8(memory, at);
            if (found != 0) {
                findings.add(InputRules.MAGIC_PADDING, at, "value=" + (found & 0xFF));
            }
        }
    }

    /// The end of the messages of a file whose footer is lost: after consecutive messages with
    /// continuation words, if no message follows later. A truncated footer may follow there.
    ///
    /// @param start offset of the first message
    /// @return the end of the file if unknown
    public static long messagesEnd(MemorySegment memory, long start) {
        long end = memory.byteSize();
        MessagePlace place = MessagePlace.at(memory, start, end);
        while (place.isCurrent() && place.isWhole() && place.hasBodyLength()) {
            long room = end - place.bodyAt();
            if (place.bodyLength() < 0 || place.bodyLength() > room) {
                return end;
            }
            place = MessagePlace.at(memory, place.bodyAt() + place.bodyLength(), end);
        }
        boolean isFooter =
                place.at() > start
                        && !MessagePlace.mayBeDamaged(memory, place.at(), end)
                        && new MessageSearch(memory).next(place.at(), end) == end;
        return isFooter ? place.at() : end;
    }

    /// Checks the messages as a stream.
    ///
    /// @param isFooter whether the footer is known to begin at `to`
    private void scan(long to, boolean isFooter) throws IOException {
        ForwardBytes bytes = ForwardBytes.of(memory, start, to);
        StreamCheck stream = new StreamCheck(bytes, check, findings, searches);
        messages = stream.run(false);
        if (isFooter && stream.hasEnded()) {
            gaps.unreferenced(bytes.offset(), to);
        }
    }

    // ---- the footer

    private void footer(long offset, int length) throws IOException {
        if (!check.footer(memory, offset, length)) {
            scan(offset, true);
            return;
        }
        end = offset;
        claimed = start;
        checked = start;
        footer.wrap(memory, offset, length);
        int count = footer.dictionariesCount() + footer.recordBatchesCount();
        order(0, footer.dictionariesCount());
        order(footer.dictionariesCount(), count);
        int[] order =
                IntStream.range(0, count)
                        .boxed()
                        .sorted(Comparator.comparingLong(number -> bind(number).offset()))
                        .mapToInt(Integer::intValue)
                        .toArray();
        long first = end;
        for (int number : order) {
            if (bind(number).offset() >= start) {
                first = Math.min(end, block.offset());
                break;
            }
        }
        long last = schemaMessage(first);
        long scanned = last;
        for (int i = 0; i < count; i++) {
            scanned = gaps.messages(scanned, Math.min(bind(order[i]).offset(), end));
            WorkDone.reached(i, count);
            long blockEnd = block(order[i]);
            messages++;
            last = Math.max(last, blockEnd);
            scanned = Math.max(scanned, last);
        }
        gaps.end(gaps.messages(scanned, end), end);
        check.endFile(footer);
    }

    /// Reports the first block of a kind that is before an earlier one.
    private void order(int from, int to) {
        long before = Long.MIN_VALUE;
        for (int number = from; number < to; number++) {
            long at = bind(number).offset();
            if (at < before) {
                path = path(number);
                String details = "blockOffset=" + at + ", before=" + before;
                long position = block.position();
                findings.add(InputRules.BLOCK_ORDER, Finding.NO_MESSAGE, path, position, details);
                return;
            }
            before = at;
        }
    }

    private String path(int number) {
        int dictionaries = footer.dictionariesCount();
        return number < dictionaries
                ? "dictionaries[" + number + "]"
                : "recordBatches[" + (number - dictionaries) + "]";
    }

    private Block bind(int number) {
        int dictionaries = footer.dictionariesCount();
        return number < dictionaries
                ? footer.dictionaries(number, block)
                : footer.recordBatches(number - dictionaries, block);
    }

    // ---- the schema message

    /// Checks the schema message before all blocks, which readers of files do not need.
    ///
    /// @param first offset of the first block's message
    /// @return end of the schema message; `start` if there is none
    private long schemaMessage(long first) throws IOException {
        MessagePlace place = MessagePlace.at(memory, start, first);
        boolean isBare =
                !place.isCurrent()
                        && first - start > Long.BYTES
                        && first - start <= Integer.MAX_VALUE
                        && check.isMessage(memory, start, first - start)
                        && check.kind() == MessageHeader.SCHEMA;
        if (isBare) {
            findings.add(InputRules.UNFRAMED_SCHEMA, start, "bytes=" + (first - start));
            compareSchemas(Finding.NO_MESSAGE);
            claimed = first;
            return first;
        }
        if (place.isWhole() && (place.isCurrent() || place.metadataLength() >= Long.BYTES)) {
            return framedSchema(first);
        }
        boolean isEmpty = first == start;
        findings.add(
                InputRules.NO_SCHEMA_MESSAGE,
                start,
                isEmpty ? "arrow-js does this, apache/arrow-js#51" : "bytes=" + (first - start));
        return start;
    }

    private long framedSchema(long first) throws IOException {
        ForwardBytes bytes = ForwardBytes.of(memory, start, first);
        check.beginBlock(0);
        findings.replaceErrors(InputRules.SCHEMA_MESSAGE_DAMAGED);
        frameKind = frame.metadata(bytes, 0);
        if (frameKind != FrameKind.MESSAGE) {
            findings.replaceErrors(null);
            return start;
        }
        messages = 1;
        checked = frame.bodyOffset();
        claimed = frame.body(bytes) ? bytes.offset() : checked;
        findings.replaceErrors(null);
        if (check.isSound() && check.kind() != MessageHeader.SCHEMA) {
            findings.add(InputRules.NO_SCHEMA_MESSAGE, start, "found=" + check.kindName());
        } else {
            compareSchemas(0);
        }
        return claimed;
    }

    /// Adds a finding for each difference of the schema message from the footer's schema. Does not
    /// compare two schemas that are both invalid or too large: other findings report that.
    private void compareSchemas(int index) {
        Schema ofFooter = new Schema();
        if (check.schema() == null || !footer.schema(ofFooter)) {
            return;
        }
        long at = check.schema().position();
        ArrowSchema inFooter = Models.orNull(ofFooter);
        ArrowSchema inMessage = Models.orNull(check.schema());
        if (inFooter != null && inMessage != null) {
            for (SchemaChange each : inFooter.diff(inMessage)) {
                findings.add(InputRules.SCHEMA_DIFFERS, index, null, at, each.toString());
            }
        } else if (inFooter != inMessage) {
            String valid = inFooter == null ? "message" : "footer";
            String text = "only the schema of the " + valid + " is valid";
            findings.add(InputRules.SCHEMA_DIFFERS, index, null, at, text);
        }
    }

    // ---- blocks

    /// @return end of the message, or else of the block; `start` if the block cannot be used
    private long block(int number) throws IOException {
        int dictionaries = footer.dictionariesCount();
        boolean isDictionary = number < dictionaries;
        int place = isDictionary ? number : number - dictionaries;
        path = path(number);
        long at = bind(number).offset();
        boolean isInside = numbers();
        if (at < MAGIC_BYTES || at > end) {
            return start;
        }
        if (at < claimed) {
            add(InputRules.BLOCK_OVERLAP, ", claimed=" + claimed);
        }
        long blockEnd = isInside ? at + block.metaDataLength() + block.bodyLength() : start;
        claimed = Math.max(claimed, blockEnd);
        int wanted = isDictionary ? MessageHeader.DICTIONARY_BATCH : MessageHeader.RECORD_BATCH;
        if (at == frame.offset() && frameKind == FrameKind.MESSAGE) {
            agreement(wanted);
            if (!isDictionary || !check.isSound()) {
                check.countAgain();
                return start;
            }
        }
        if (at < checked) {
            MessagePlace inside = MessagePlace.at(memory, at, end);
            againBytes += inside.isWhole() ? inside.metadataLength() : 0;
            long limit = size + (at == frame.offset() ? Input.MOST_REPEATED_BYTES : 0);
            if (againBytes > limit) {
                add(InputRules.METADATA_OVERLAPS, ", bytes=" + againBytes + ", limit=" + limit);
                return start;
            }
        }
        ForwardBytes bytes = ForwardBytes.of(memory, at, end);
        check.beginBlock(place);
        frameKind = frame.metadata(bytes, messages);
        if (frameKind == FrameKind.MESSAGE) {
            checked = Math.max(checked, frame.bodyOffset());
            agreement(wanted);
            if (frame.body(bytes)) {
                claimed = Math.max(claimed, isInside ? blockEnd : bytes.offset());
                return bytes.offset();
            }
        } else if (frameKind != null) {
            add(IpcRules.BLOCK_WITHOUT_MESSAGE, ", found=" + frameKind);
        }
        return blockEnd;
    }

    /// Checks offset and lengths of a block.
    ///
    /// @return whether it is between the magic and the footer
    private boolean numbers() {
        long at = block.offset();
        int metadataBytes = block.metaDataLength();
        long bodyBytes = block.bodyLength();
        long all = at | metadataBytes | bodyBytes;
        if (all < 0) {
            add(IpcRules.BLOCK_NEGATIVE, "");
            return false;
        }
        if (all % ALIGNMENT != 0) {
            add(IpcRules.BLOCK_UNALIGNED, "");
        }
        if (at < MAGIC_BYTES || metadataBytes > end - at || bodyBytes > end - at - metadataBytes) {
            add(IpcRules.BLOCK_OUT_OF_FILE, ", footer=" + end);
            return false;
        }
        return true;
    }

    /// Compares a block with its message.
    private void agreement(int kind) {
        long metadataBytes = frame.bodyOffset() - frame.offset();
        if (metadataBytes != block.metaDataLength()) {
            add(IpcRules.BLOCK_METADATA_LENGTH, ", found=" + metadataBytes);
        }
        if (check.hasBodyLength() && check.bodyLength() != block.bodyLength()) {
            add(IpcRules.BLOCK_BODY_LENGTH, ", found=" + check.bodyLength());
        }
        if (check.isSound() && check.kind() != kind) {
            add(IpcRules.BLOCK_KIND, ", found=" + check.kindName());
        }
    }

    private void add(Rule rule, String more) {
        String lengths =
                ", metaDataLength=" + block.metaDataLength() + ", bodyLength=" + block.bodyLength();
        String numbers = "blockOffset=" + block.offset() + lengths + more;
        findings.add(rule, messages, path, block.position(), numbers);
    }
}
