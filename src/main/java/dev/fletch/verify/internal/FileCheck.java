// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.internal;

import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.FletchException;
import dev.fletch.format.Footer;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.write.CustomMetadata;
import dev.fletch.input.Models;
import dev.fletch.input.SchemaDifferences;
import dev.fletch.ipc.internal.BlockCheck;
import dev.fletch.ipc.internal.ContainerPlan;
import dev.fletch.ipc.internal.FileHead;
import dev.fletch.ipc.internal.FileTail;
import dev.fletch.ipc.internal.FooterBlocks;
import dev.fletch.ipc.internal.FooterBlocks.Way;
import dev.fletch.ipc.internal.FrameCheck;
import dev.fletch.ipc.internal.MessageBytes;
import dev.fletch.ipc.internal.MessagePlace;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.SchemaChange;
import dev.fletch.wire.Escaper;
import dev.fletch.wire.Wire;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Checks a file: magic, footer, and the messages of the footer's blocks, which are all that
/// readers of files use. Faults of the schema message and of messages without a block are
/// deviations, not errors. Without a footer, checks the messages as a stream.
public final class FileCheck {
    private static final String PAIRS = "customMetadata";

    private final MemorySegment memory;
    private final long size;
    private final MessageCheck check;
    private final CheckedFrame frame;
    private final Faults faults;
    private final boolean searches;
    private int messages;

    // What is in front of the first message, and the offset of that.
    private FileHead head;
    private long start = FileHead.USUAL_BYTES;

    // For a file with a sound footer.
    private final Footer footer = new Footer();

    /// @param searches whether to search messages after damage
    FileCheck(MemorySegment memory, MessageCheck check, Faults faults, boolean searches) {
        this.memory = memory;
        this.size = memory.byteSize();
        this.check = check;
        this.frame = new CheckedFrame(check, faults, true);
        this.faults = faults;
        this.searches = searches;
    }

    /// @return the number of messages
    int run() throws IOException {
        FileTail.leadingMagic(memory, size, faults);
        long position = FileTail.findFooter(memory);
        FileTail.footerLength(memory, size, faults);
        if (position >= 0 && FileTail.otherBytes(memory) == 0) {
            footer(position, (int) (size - FileTail.BYTES - position));
        } else if (size >= FileTail.LEAST_FILE_BYTES) {
            scan(Math.max(0, position));
        } else {
            padding();
        }
        return messages;
    }

    /// Finds and checks what is in front of the first message, which is in front of `end`.
    private void head(long end) {
        head = FileHead.of(memory, end);
        start = head.length();
        padding();
    }

    private void padding() {
        if (start != FileHead.USUAL_BYTES) {
            faults.add(FileRule.HEAD_LENGTH, start, "offset=" + start);
        }
        for (long position = FileHead.MAGIC_BYTES; position < Math.min(start, size); position++) {
            byte found = Wire.int8(memory, position);
            if (found != 0) {
                faults.add(FileRule.MAGIC_PADDING, position, "value=" + (found & 0xFF));
            }
        }
    }

    /// Checks the messages as a stream, as commands read them: the length of the footer may be
    /// damaged, and lead into a message.
    ///
    /// @param footerAt offset of the footer by its length; 0 if it has none
    private void scan(long footerAt) throws IOException {
        head(size);
        MessageBytes bytes = MessageBytes.of(memory, start, size);
        StreamCheck stream = new StreamCheck(bytes, check, faults, searches, true);
        long unframedEnd = head.unframedSchemaEnd();
        unframed(unframedEnd, 0);
        messages = stream.run(unframedEnd);
        if (stream.hasEnded()) {
            new GapCheck(memory, check, faults).unreferenced(stream.markerEnd(), footerAt);
        }
    }

    // ---- the footer

    private void footer(long offset, int length) throws IOException {
        long limit = check.limits().metadataBytes();
        if (!FrameCheck.footerLimit(offset, length, limit, faults)
                || !check.footer(memory, offset, length)) {
            scan(offset);
            return;
        }
        head(offset);
        footer.wrap(memory, offset, length);
        BlockCheck blocks = new BlockCheck(footer, offset, 0, faults);
        blocks.requireOrder();
        FooterBlocks sorted = new FooterBlocks(footer, offset);
        FileHead.First first = head.first(sorted);
        Way way = sorted.way(memory, footer, searches, frame.rules());
        schemaMessage(first, way == Way.PLAN);
        if (sorted.repeated() == null) { // else only that is reported
            blocks.requireApart(sorted, first.schemaEnd());
        }
        if (way == Way.NONE) {
            faults.accept(sorted.repeated());
            return;
        }
        var file = new FileMessageCheck(memory, footer, sorted, check, frame, faults);
        // A damaged schema message may claim a part of the first message, which the plan knows.
        boolean isDecided = way == Way.PLAN && !(first.isSound() && first.place().isSchema());
        file.run(way, isDecided ? start : first.claimedEnd(), messages);
        messages = file.count();
        check.endFile(footer);
    }

    // ---- the schema message

    /// Checks the schema message before the messages of all blocks, which readers of files do not
    /// need.
    ///
    /// @param isPlanned whether the messages are those of a plan, which has a sound message of
    ///     another kind as one of them
    private void schemaMessage(FileHead.First first, boolean isPlanned) throws IOException {
        boolean isUnframed = first.unframedEnd() > 0;
        unframed(first.unframedEnd(), Fault.NO_MESSAGE);
        MessagePlace place = first.place();
        if (isPlanned && first.isSound() && !place.isSchema()) {
            String found = MessageHeader.NAMES.name(place.kind());
            faults.add(FileRule.NO_SCHEMA_MESSAGE, start, "found=" + found);
        } else if (isUnframed || first.isFramed()) {
            MessageBytes bytes = MessageBytes.of(memory, start, first.claimedEnd());
            int number = first.isCounted() ? 0 : Fault.NO_MESSAGE;
            messages = first.isCounted() ? 1 : 0;
            check.beginSchemaMessage();
            faults.replaceErrors(FileRule.SCHEMA_MESSAGE_DAMAGED);
            frame.open(bytes, isUnframed ? (int) (bytes.end() - start) : 0, number);
            if (!isUnframed && frame.hasBody()) {
                frame.skipBody(bytes);
            }
            faults.replaceErrors(null);
            boolean isOpened = frame.kind() == FrameKind.MESSAGE;
            if (isOpened && check.isSound() && check.kind() != MessageHeader.SCHEMA) {
                faults.add(FileRule.NO_SCHEMA_MESSAGE, start, "found=" + check.kindName());
            } else if (isOpened) {
                compare(number);
            }
        } else {
            String bytes = "bytes=" + (first.end() - start);
            String why = first.end() == start ? "arrow-js does this, apache/arrow-js#51" : bytes;
            faults.add(FileRule.NO_SCHEMA_MESSAGE, start, why);
        }
    }

    /// {@return the fault of a schema message that is lost; null if it is not}
    public static Fault lostSchemaMessage(MemorySegment file, FileHead.First first) {
        long position = first.place().at();
        long bytes = first.end() - position;
        // Whether bytes are there that are no message: readers of the file use the footer's schema.
        boolean isLost =
                !first.isSound()
                        && first.schemaEnd() == position
                        && !ContainerPlan.isPadding(file, position, first.end());
        return isLost
                ? Fault.of(FileRule.SCHEMA_MESSAGE_DAMAGED, position, bytes)
                        .because("bytes=" + bytes)
                : null;
    }

    /// Reports a schema message without prefix.
    ///
    /// @param unframedEnd its end; 0 if there is none
    private void unframed(long unframedEnd, int message) {
        if (unframedEnd > 0) {
            faults.add(FileRule.UNFRAMED_SCHEMA, message, start, "bytes=" + (unframedEnd - start));
        }
    }

    /// Adds a fault for each difference of the schema message from the footer.
    private void compare(int index) {
        Schema ofFooter = new Schema();
        if (check.schema() != null && footer.schema(ofFooter)) {
            long position = check.schema().position();
            List<String> all = SchemaDifferences.of(ofFooter, check.schema(), check.limits());
            for (String each : all == null ? List.<String>of() : all) { // null: other faults
                faults.add(FileRule.SCHEMA_DIFFERS, index, position, each);
            }
            compareMetadata(index);
        }
    }

    private void compareMetadata(int index) {
        long position = check.last().position();
        List<SchemaChange> changes;
        try {
            CustomMetadata written = new CustomMetadata().addAll(check.last());
            ArrowSchema inFooter = Models.metadata(new CustomMetadata().addAll(footer));
            changes = inFooter.diff(Models.metadata(written));
            if (written.count() == 0 && !changes.isEmpty()) {
                String pairs = "pairs=" + footer.customMetadataCount();
                position = footer.position();
                faults.add(FileRule.METADATA_IN_FOOTER, Fault.NO_MESSAGE, PAIRS, position, pairs);
                return;
            }
        } catch (FletchException e) { // too large to compare
            faults.add(e.rule(), index, PAIRS, position, e.fault().details());
            return;
        }
        for (SchemaChange each : changes) {
            String values =
                    "key="
                            + Escaper.shortenedName(each.key())
                            + (", footer=" + shown(each.before()))
                            + (", message=" + shown(each.after()));
            faults.add(FileRule.METADATA_DIFFERS, index, PAIRS, position, values);
        }
    }

    private static String shown(String value) {
        return value == null ? "absent" : Escaper.shortenedName(value);
    }
}
