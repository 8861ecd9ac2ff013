// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.command.text.Numbers;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.input.DetectedInput;
import dev.fletch.input.SchemaFit;
import dev.fletch.ipc.internal.ContainerPart;
import dev.fletch.ipc.internal.ContainerPart.Kind;
import dev.fletch.ipc.internal.ContainerPart.State;
import dev.fletch.ipc.internal.ContainerPlan;
import dev.fletch.ipc.internal.FileHead;
import dev.fletch.ipc.internal.FileTail;
import dev.fletch.ipc.internal.FrameCheck;
import dev.fletch.ipc.internal.MessagePlace;
import dev.fletch.ipc.internal.Work;
import dev.fletch.wire.MessagePrefix;
import dev.fletch.wire.Wire;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Divides an input into regions, from its first byte to its last, without gaps or overlaps, and
/// passes them to a sink.
///
/// A [ContainerPlan] says which parts a file or stream has. What is left of a damaged message is
/// between them: here its prefix is repaired, and its metadata is read as far as possible.
final class AnnotateWalk {
    // The longest metadata whose length is repaired in bytes, its most regions, and the most
    // repairs.
    private static final int REPAIRED_BYTES = 1 << 20;
    private static final int REPAIRED_REGIONS = 1 << 18;
    private static final int MOST_REPAIRS = 1_000;

    private static final String NO_CONTINUATION = "no continuation word before sound metadata";
    private static final String WRONG_LENGTH = "metadata length is wrong: ";

    // The header type of a message that has none.
    private static final int UNREADABLE = -1;

    private final DetectedInput input;
    private final MemorySegment memory;
    private final long size;
    private final AnnotateFaults faults;
    private final AnnotateSink sink;
    private final Message message = new Message();
    private final BatchOwners owners;
    // Of a file or stream.
    private ContainerPlan plan;
    private long done;
    private int repairs;
    // Whether the previous message had no continuation word, and whether a marker came after it.
    private boolean isLegacy;
    private boolean hasEnded;
    // Whether the bytes behind the previous message may belong to it.
    private boolean isDoubtful;
    private AnnotateSink.Part part;

    AnnotateWalk(DetectedInput input, AnnotateFaults faults, AnnotateSink sink) {
        this.input = input;
        this.memory = input.memory();
        this.size = memory.byteSize();
        this.faults = faults;
        this.sink = sink;
        this.owners = new BatchOwners(memory);
    }

    void run() throws IOException {
        switch (input.form()) {
            case FILE, STREAM -> container();
            case MESSAGE -> message(MessagePlace.at(memory, 0, size), size, 0);
            case FLATBUFFER -> {
                String root = input.root().table();
                begin("flatbuffer " + root + ", " + Numbers.bytes(size), 0, 0);
                buffer(0, size, root);
            }
            case UNKNOWN -> unreferenced(size);
        }
    }

    // ---- parts of a file or stream

    private void container() throws IOException {
        plan = ContainerPlan.of(memory, new SchemaFit());
        Footer footer = plan.footer();
        if (footer != null) {
            owners.footer(footer, size - FileTail.BYTES - plan.end());
        }
        for (ContainerPart each = plan.next(); each != null; each = plan.next()) {
            boolean isBlock = each.kind() == Kind.GAP && each.block() != ContainerPart.NO_BLOCK;
            if (each.state() != State.REPEATED && !isBlock && each.kind() != Kind.PADDING) {
                Work.reached(done, size);
                part(each);
            }
        }
        unreferenced(plan.end());
    }

    /// Shows a part, and before it the padding in front of it.
    private void part(ContainerPart each) throws IOException {
        long from = done;
        long to = each.nextOffset();
        boolean isGap = each.kind() == Kind.GAP;
        if (isFile() && done == 0) {
            head(each.kind() == Kind.HEAD ? to : damagedHead(isGap ? to : each.offset()));
        }
        // Fewer zeros than a word may be the start of a damaged one.
        if (!isGap || each.offset() - done >= Integer.BYTES) {
            unreferenced(each.offset());
        }
        switch (each.kind()) {
            case HEAD, PADDING -> {} // done
            case MARKER -> marker(to);
            case GAP -> gap(from, each);
            case FOOTER -> footer(to);
            case TAIL -> tail();
            default -> message(each);
        }
    }

    private boolean isFile() {
        return input.form() == DetectedInput.Form.FILE;
    }

    private long damagedHead(long to) {
        return Math.min(to, FileHead.of(memory, size).length());
    }

    private void head(long to) throws IOException {
        begin("file");
        plain(RegionKind.MAGIC, 0, Math.min(to, FileHead.MAGIC_BYTES));
        plain(RegionKind.PADDING, done, to - done);
    }

    private void footer(long to) throws IOException {
        if (done < to) {
            begin("footer, " + Numbers.bytes(to - done), Fault.NO_MESSAGE, done);
            buffer(done, to - done, "Footer");
        }
    }

    private void tail() throws IOException {
        begin("end of file");
        plain(RegionKind.FOOTER_LENGTH, done, Integer.BYTES);
        plain(RegionKind.MAGIC, done, FileHead.MAGIC_BYTES);
    }

    private void marker(long to) throws IOException {
        begin("end of stream");
        while (done < to) {
            int bytes = MessagePlace.at(memory, done, to).prefixBytes();
            plain(RegionKind.END_OF_STREAM, done, bytes);
        }
        hasEnded = true;
    }

    // ---- messages

    private void message(ContainerPart each) throws IOException {
        MessagePlace place =
                new MessagePlace(
                        memory,
                        each.offset(),
                        each.prefixLength(),
                        each.metadataLength(),
                        size - each.metadataOffset(),
                        true,
                        each.bodyLength());
        int number = faults.messageIn(each.offset(), each.offset());
        message(place, each.nextOffset(), number);
        isDoubtful = each.state() == State.DOUBTFUL;
    }

    /// @param to end of its bytes
    /// @param number [Fault#NO_MESSAGE] if readers skip it
    private void message(MessagePlace place, long to, int number) throws IOException {
        long metadata = place.metadataAt();
        String name = number == Fault.NO_MESSAGE ? skipped(place) : "message " + number;
        String bodyLength = place.hasBodyLength() ? "" + place.bodyLength() : "unknown";
        String lengths = ", metadata " + place.metadataLength() + ", body " + bodyLength;
        int type = headerType(place);
        String kind = type == UNREADABLE ? "unreadable" : MessageHeader.NAMES.name(type);
        begin(name + ": " + kind + lengths, number, metadata);
        boolean isShown = sink.needs(part, metadata, place.bodyAt());
        owners.message(metadata, place.metadataLength(), type, isShown);
        isLegacy = place.prefixBytes() == MessagePrefix.LEGACY_BYTES;
        hasEnded = false;
        isDoubtful = false;
        if (to < metadata) { // another message begins in the prefix
            plain(RegionKind.UNREFERENCED, done, to - done);
            return;
        }
        prefix(place);
        buffer(metadata, Math.min(place.metadataLength(), to - metadata), "Message");
        long length = Math.min(place.bodyLength(), to - done);
        if (length > 0) {
            String found = "bodyLength=" + place.bodyLength() + ", available=" + length;
            String note = "body length exceeds the available bytes: " + found;
            boolean isCut = length < place.bodyLength();
            region(Region.of(RegionKind.BODY, done, length, null, 0), isCut ? note : null);
        }
    }

    private String skipped(MessagePlace place) {
        return place.prefixBytes() == 0
                ? "message without prefix"
                : plan.footer() == null ? "message outside the stream" : "message without a block";
    }

    private int headerType(MessagePlace place) {
        try {
            message.wrap(memory, place.metadataAt(), place.metadataLength());
            return message.headerType();
        } catch (FletchException e) {
            return UNREADABLE;
        }
    }

    /// Shows a prefix, with notes on its repaired words.
    private void prefix(MessagePlace place) throws IOException {
        if (place.isCurrent()) {
            boolean isRepaired = !MessagePrefix.isContinuation(memory, done);
            word(RegionKind.CONTINUATION, isRepaired ? NO_CONTINUATION : null);
        }
        if (done < place.metadataAt()) {
            int length = Wire.int32(memory, done);
            String values = "metadataLength=" + length + ", found=" + place.metadataLength();
            boolean isRepaired = length != place.metadataLength();
            word(RegionKind.METADATA_LENGTH, isRepaired ? WRONG_LENGTH + values : null);
        }
    }

    /// @param note on the word, unless it has a fault; null for none
    private void word(RegionKind kind, String note) throws IOException {
        boolean hasFault = !faults.in(done, done + Integer.BYTES).isEmpty();
        region(Region.of(kind, done, Integer.BYTES, null, 0), hasFault ? null : note);
    }

    // ---- what is left of messages

    private void gap(long from, ContainerPart each) throws IOException {
        int number = faults.messageIn(from, each.offset());
        long last = size - FileTail.BYTES;
        long footerAt =
                isFile() && each.nextOffset() == size ? FileTail.endOfMessages(memory) : size;
        if (footerAt == size || done > last) {
            damage(each.nextOffset(), number);
            return;
        }
        // The length of a damaged footer may be damaged, too, and lead into a message.
        damage(footerAt < done ? last : footerAt, number);
        footer(last);
        tail();
    }

    private void damage(long to, int number) throws IOException {
        boolean mayBeSkipped = plan.footer() != null && !hasEnded && !isDoubtful;
        boolean isMessage = number != Fault.NO_MESSAGE || mayBeSkipped;
        while (isMessage && done < to) {
            isMessage = damagedMessage(to, number);
        }
        unreferenced(to);
    }

    /// Shows what is left of a message.
    ///
    /// @param to end of the damage
    /// @return whether the rest may be another one: this one was repaired, which readers do not do
    private boolean damagedMessage(long to, int number) throws IOException {
        MessagePlace place = completed(repaired(MessagePlace.at(memory, done, to), to), to);
        if (looksLikeMessage(place, to)) {
            message(place, to, number);
            return place.isFollowed(to);
        }
        if (number != Fault.NO_MESSAGE) {
            begin("message " + number + ": damaged", number, Region.NOWHERE);
            if (place.isCurrent()) {
                prefix(place);
            }
            plain(RegionKind.UNREFERENCED, done, to - done);
        }
        return false;
    }

    /// The place with a wrong continuation word or metadata length repaired. The length is computed
    /// from the objects of the metadata.
    ///
    /// @return the same place if it is valid or cannot be repaired
    private MessagePlace repaired(MessagePlace place, long to) {
        if (place.isFollowed(to) && place.hasTable(place.bodyAt())) {
            return place;
        }
        if (!place.isCurrent()) {
            MessagePlace behind = MessagePlace.ofCurrent(memory, place.at(), to);
            if (behind.isSound()) {
                return behind;
            }
        }
        long position = place.metadataAt();
        long room = Math.min(to - position, REPAIRED_BYTES);
        if (place.isEnd() || !place.hasTable(position + room) || repairs++ >= MOST_REPAIRS) {
            return place;
        }
        FlatbufferWalk tree =
                new FlatbufferWalk(memory, position, room, REPAIRED_REGIONS, "Message");
        long length = tree.explainedEnd() - position;
        length += Math.floorMod(-(place.prefixBytes() + length), FrameCheck.ALIGNMENT);
        if (length > room || length == place.metadataLength()) {
            return place;
        }
        MessagePlace other = place.withLength((int) length);
        return other.isFollowed(to) ? other : place;
    }

    /// The same place; if its metadata is truncated, it ends with the damage.
    private static MessagePlace completed(MessagePlace place, long to) {
        boolean isCut = !place.isWhole() && !place.isEnd() && place.hasTable(to);
        long length = Math.min(to - place.metadataAt(), Integer.MAX_VALUE);
        return isCut ? place.withLength((int) length) : place;
    }

    /// Whether the bytes are a message, possibly a damaged one.
    private boolean looksLikeMessage(MessagePlace place, long to) {
        return place.isWhole()
                && (place.isCurrent()
                        || isLegacy && FrameCheck.isAligned(place.bodyAt())
                        || place.hasTable(place.bodyAt())
                        || place.at() == 0 && to == size);
    }

    // ---- flatbuffers

    private void buffer(long position, long length, String root) throws IOException {
        if (!sink.needs(part, position, position + length)) {
            done = position + length;
            return;
        }
        int limit = FlatbufferWalk.MAX_REGIONS;
        FlatbufferWalk walk = new FlatbufferWalk(memory, position, length, limit, root);
        for (Region each : walk.regions()) {
            region(each, walk.note(each));
        }
    }

    // ---- regions

    private void begin(String title) {
        begin(title, Fault.NO_MESSAGE, Region.NOWHERE);
    }

    private void begin(String title, int number, long bufferAt) {
        part = new AnnotateSink.Part(title, number, bufferAt, owners);
    }

    private void plain(RegionKind kind, long position, long length) throws IOException {
        if (length > 0) {
            region(Region.of(kind, position, length, null, 0), null);
        }
    }

    private void unreferenced(long to) throws IOException {
        if (done < to) {
            begin("outside messages");
            boolean isPadding = ContainerPlan.isPadding(memory, done, to);
            plain(isPadding ? RegionKind.PADDING : RegionKind.UNREFERENCED, done, to - done);
        }
    }

    private void region(Region region, String note) throws IOException {
        if (region.at() != done) {
            throw new IllegalStateException("gap: at=" + region.at() + ", expected=" + done);
        }
        done = region.end();
        sink.region(region, part, faults.in(region.at(), done), note);
    }
}
