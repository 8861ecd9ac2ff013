// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import dev.fletch.Fault;
import dev.fletch.FlatBufferFormatException;
import dev.fletch.Limits;
import dev.fletch.check.ContainerRules;
import dev.fletch.check.internal.FileCheck;
import dev.fletch.format.Block;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.input.DetectedInput;
import dev.fletch.input.SchemaFit;
import dev.fletch.ipc.walk.BlockCheck;
import dev.fletch.ipc.walk.ContainerPart;
import dev.fletch.ipc.walk.ContainerPart.Kind;
import dev.fletch.ipc.walk.ContainerPlan;
import dev.fletch.ipc.walk.FileHead;
import dev.fletch.ipc.walk.FileTail;
import dev.fletch.ipc.walk.MessagePlace;
import dev.fletch.ipc.walk.MessageSearch;
import dev.fletch.ipc.walk.Work;
import dev.fletch.wire.MessagePrefix;
import dev.fletch.wire.Wire;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.TreeSet;
import java.util.function.Predicate;

/// Divides an input into regions, from its first byte to its last, without gaps or overlaps, and
/// passes them to a sink.
///
/// In a file, a message begins at a block's offset if the prefix there is plausible, and after a
/// message of known length. If the length of a message is unknown, the next one is found by its
/// continuation word and sound metadata.
///
/// Places, searches, head and tail of a file are those of `ipc.walk`, but the steps are not those
/// of [dev.fletch.ipc.walk.MessageWalk], which goes from one usable message to the next. Here a
/// message without its body length is shown as well, words of a damaged prefix are repaired, cut
/// metadata ends where the next message begins, blocks of a damaged footer give offsets, and
/// nothing ends at a marker.
final class AnnotateWalk {
    private static final int ALIGNMENT = Long.BYTES;

    // The longest metadata whose length is repaired in bytes, its most regions, and the work that
    // computing a length counts as.
    private static final int REPAIRED_BYTES = 1 << 20;
    private static final int REPAIRED_REGIONS = 1 << 18;
    private static final int REPAIR_COST = 1 << 14;
    // The most bytes to search for the end of metadata with a wrong length.
    private static final long CUT_BYTES = 16L << 20;

    // The header type of a message that has none.
    private static final int UNREADABLE = -1;

    private static final Predicate<Region> ALL = _ -> true;

    private final DetectedInput input;
    private final MemorySegment memory;
    private final long size;
    private final AnnotateFaults faults;
    private final AnnotateSink sink;
    // Offsets of messages by the footer's blocks.
    private final TreeSet<Long> starts = new TreeSet<>();
    private final Message message = new Message();
    private final MessageSearch search;
    private final BatchOwners owners;
    // Of a file: the offset of its footer, if there is one, and of its first message.
    private final boolean hasMagic;
    private final long footerAt;
    private final int start;
    private long done;
    private int index;
    // Whether the previous message had no continuation word.
    private boolean isLegacy;
    private AnnotateSink.Part part;

    AnnotateWalk(DetectedInput input, AnnotateFaults faults, AnnotateSink sink) {
        this.input = input;
        this.memory = input.memory();
        this.size = memory.byteSize();
        this.faults = faults;
        this.sink = sink;
        this.hasMagic = FileTail.isFile(memory);
        boolean isFile = input.form() == DetectedInput.Form.FILE;
        this.footerAt = isFile ? FileCheck.footerOffset(memory) : Region.NOWHERE;
        this.start =
                isFile ? FileHead.length(memory, footerAt == Region.NOWHERE ? size : footerAt) : 0;
        this.search = new MessageSearch(memory, MessageSearch.SEARCHED_BYTES, start);
        this.owners = new BatchOwners(memory);
    }

    void run() throws IOException {
        switch (input.form()) {
            case FILE -> file();
            case STREAM, MESSAGE -> messages(0, size);
            case FLATBUFFER -> {
                String root = input.root().table();
                begin("flatbuffer " + root + ", " + Region.bytes(size), 0, 0);
                buffer(0, size, root);
            }
            case UNKNOWN -> unreferenced(0, size);
        }
    }

    // ---- files

    private void file() throws IOException {
        begin("file");
        plain(RegionKind.MAGIC, 0, Math.min(size, FileHead.MAGIC_BYTES));
        long tail = size - FileTail.BYTES;
        plain(RegionKind.PADDING, done, Math.min(size, start) - done);
        if (footerAt == Region.NOWHERE) {
            messages(done, hasMagic ? tail : messagesEnd());
            unreferenced(done, hasMagic ? done : size);
        } else {
            long length = tail - footerAt;
            blocks(owners.footer(footerAt, length, faults.hasSoundFooter()), length);
            messages(done, footerAt);
            String title = "footer, " + Region.bytes(tail - footerAt);
            begin(title, Fault.NO_MESSAGE, footerAt);
            buffer(footerAt, tail - footerAt, "Footer");
        }
        if (hasMagic || footerAt != Region.NOWHERE) {
            begin("end of file");
            plain(RegionKind.FOOTER_LENGTH, tail, Integer.BYTES);
            plain(RegionKind.MAGIC, size - FileHead.MAGIC_BYTES, FileHead.MAGIC_BYTES);
        }
    }

    /// The end of the messages of a file whose footer is lost: a part of it may follow.
    private long messagesEnd() {
        ContainerPlan plan = ContainerPlan.of(memory, new SchemaFit(Limits.DEFAULT));
        long end = Math.min(start, size);
        for (ContainerPart each = plan.next(); each != null; each = plan.next()) {
            boolean isFooter = each.kind() == Kind.FOOTER || each.kind() == Kind.GAP;
            end = isFooter ? end : each.nextOffset();
        }
        return MessagePlace.mayBeDamaged(memory, end, size) ? size : end;
    }

    /// Adds the offsets of the blocks that point to messages: of a damaged footer, those blocks that
    /// can be found.
    ///
    /// @param footer null for a damaged one
    private void blocks(Footer footer, long length) {
        if (footer == null) {
            walk(footerAt, length, "Footer", AnnotateWalk::isBlockOffset, null).regions().stream()
                    .filter(AnnotateWalk::isBlockOffset)
                    .forEach(each -> addStart(each.number(memory)));
            return;
        }
        Block block = new Block();
        for (int i = 0; i < BlockCheck.count(footer); i++) {
            addStart(BlockCheck.block(footer, i, block).offset());
        }
    }

    private void addStart(long at) {
        if (at >= FileHead.MAGIC_BYTES && at < footerAt) {
            MessagePlace place = MessagePlace.at(memory, at, footerAt);
            if (place.isWhole() && (place.isCurrent() || place.hasBodyLength())) {
                starts.add(at);
            }
        }
    }

    private static boolean isBlockOffset(Region region) {
        return region.kind() == RegionKind.ELEMENT
                && region.member() != null
                && region.field().type().name().equals("Block")
                && region.member().name().equals("offset");
    }

    // ---- messages

    private void messages(long from, long end) throws IOException {
        long at = from;
        boolean isExpected = true;
        while (at < end) {
            Work.reached(at, end);
            Long next = starts.higher(at);
            long limit = next == null ? end : next;
            MessagePlace place = MessagePlace.at(memory, at, end);
            if (isExpected) {
                place = isStream() ? repaired(place, end) : place;
                place = completed(place, limit);
            }
            boolean isBlock = starts.contains(at);
            boolean isReferenced = isBlock || starts.isEmpty() || at == from;
            boolean isMessage =
                    isBlock && place.isWhole()
                            || isReferenced && isExpected && looksLikeMessage(place, end)
                            || place.isSound();
            if (isMessage) {
                at = message(place, end, isReferenced ? index++ : Fault.NO_MESSAGE);
                isExpected = place.hasBody();
            } else {
                boolean isEnd = place.isEnd() && isExpected;
                at = isEnd ? endOfStream(place, limit) : gap(place, isExpected, limit);
                isExpected = !isEnd;
            }
        }
    }

    /// Whether no blocks give the offsets of messages.
    private boolean isStream() {
        return starts.isEmpty() && input.form() != DetectedInput.Form.MESSAGE;
    }

    /// The place with a wrong continuation word or metadata length repaired. The length is computed
    /// from the objects of the metadata.
    ///
    /// @return the same place if it is valid or cannot be repaired
    private MessagePlace repaired(MessagePlace place, long end) {
        if (search.isFollowed(place, end) && place.hasTable(place.bodyAt())) {
            return place;
        }
        if (!place.isCurrent()) {
            MessagePlace behind = MessagePlace.ofCurrent(memory, place.at(), end);
            if (search.isSound(behind)) {
                return behind;
            }
        }
        long at = place.metadataAt();
        long room = Math.min(end - at, REPAIRED_BYTES);
        if (place.isEnd() || !place.hasTable(at + Math.max(0, room)) || !search.spend(0)) {
            return place;
        }
        FlatbufferWalk tree =
                new FlatbufferWalk(memory, at, room, REPAIRED_REGIONS, "Message", ALL, null);
        search.spend(REPAIR_COST + tree.explainedBytes());
        long length = tree.explainedEnd() - at;
        length += Math.floorMod(-(place.prefixBytes() + length), ALIGNMENT);
        if (length > room || length == place.metadataLength()) {
            return place;
        }
        // The computed length is accepted if another message follows then.
        MessagePlace other = place.withLength((int) length);
        return search.isFollowed(other, end) ? other : place;
    }

    /// The same place; if its metadata is truncated, it ends at the next message.
    ///
    /// @param to the next known message, or the end
    private MessagePlace completed(MessagePlace place, long to) {
        long at = place.metadataAt();
        long end = Math.min(to, at + CUT_BYTES);
        boolean isCut = !place.isWhole() && !place.isEnd() && place.hasTable(end);
        return isCut ? place.withLength((int) (search.next(at, end) - at)) : place;
    }

    /// Whether the bytes are a message, possibly a damaged one.
    private boolean looksLikeMessage(MessagePlace place, long end) {
        return place.isWhole()
                && (place.isCurrent()
                        || isLegacy && place.bodyAt() % ALIGNMENT == 0
                        || place.hasTable(place.bodyAt())
                        || place.at() == 0 && search.nextUnaligned(1, end, end) == end);
    }

    private long endOfStream(MessagePlace place, long to) throws IOException {
        begin("end of stream");
        plain(RegionKind.END_OF_STREAM, place.at(), place.prefixBytes());
        unreferenced(done, to);
        return done;
    }

    /// Passes bytes that are no message, or a message with an invalid prefix.
    ///
    /// @param to the next known message, or the end
    /// @return possible offset of the next message
    private long gap(MessagePlace place, boolean isExpected, long to) throws IOException {
        long at = place.at();
        if (isExpected && place.isCurrent()) {
            index++;
            begin("damaged prefix");
            prefix(place);
        }
        long from = Math.max(done, at + 1);
        long found = at == 0 ? search.nextUnaligned(from, to, to) : search.next(from, to);
        unreferenced(done, found);
        return found;
    }

    /// @return possible offset of the next message
    private long message(MessagePlace place, long end, int number) throws IOException {
        long metadata = place.metadataAt();
        String name = number < 0 ? "message without a block: " : "message " + number + ": ";
        String bodyLength = place.hasBodyLength() ? "" + place.bodyLength() : "unknown";
        String lengths = ", metadata " + place.metadataLength() + ", body " + bodyLength;
        int type = headerType(place);
        String kind = type == UNREADABLE ? "unreadable" : MessageHeader.NAMES.name(type);
        begin(name + kind + lengths, number, metadata);
        boolean isShown = sink.needs(part, metadata, place.bodyAt());
        owners.message(metadata, place.metadataLength(), type, isShown);
        reportRepairs(place, number);
        isLegacy = !place.isCurrent();
        prefix(place);
        buffer(metadata, place.metadataLength(), "Message");
        long body = place.bodyAt();
        if (place.bodyLength() <= 0) {
            return body;
        }
        Long next = starts.ceiling(body);
        long limit = next == null ? end : next;
        if (isStream() && !search.isFollowed(place, end)) {
            limit = search.next(body, end); // the body length may be wrong
        }
        long length = Math.min(place.bodyLength(), limit - body);
        long others = place.bodyLength() - length;
        if (length > 0) {
            String found = "bodyLength=" + place.bodyLength() + ", available=" + length;
            String note = "body length exceeds the available bytes: " + found;
            region(Region.of(RegionKind.BODY, body, length, null, 0), others > 0 ? note : null);
        }
        return body + length;
    }

    /// Adds faults for repaired words.
    private void reportRepairs(MessagePlace place, int number) {
        if (place.isCurrent() && !MessagePrefix.isContinuation(memory, place.at())) {
            faults.addToWord(ContainerRules.NO_CONTINUATION, place.at(), number, "");
        }
        long at = place.metadataAt() - Integer.BYTES;
        int length = Wire.int32(memory, at);
        if (length != place.metadataLength()) {
            String details = "metadataLength=" + length + ", found=" + place.metadataLength();
            faults.addToWord(ContainerRules.METADATA_LENGTH_WRONG, at, number, details);
        }
    }

    private int headerType(MessagePlace place) {
        try {
            message.wrap(memory, place.metadataAt(), place.metadataLength());
            return message.headerType();
        } catch (FlatBufferFormatException e) {
            return UNREADABLE;
        }
    }

    private void prefix(MessagePlace place) throws IOException {
        if (place.isCurrent()) {
            plain(RegionKind.CONTINUATION, place.at(), Integer.BYTES);
        }
        plain(RegionKind.METADATA_LENGTH, done, place.metadataAt() - done);
    }

    // ---- flatbuffers

    private FlatbufferWalk walk(
            long at, long length, String root, Predicate<Region> kept, Long only) {
        int limit = FlatbufferWalk.MAX_REGIONS;
        return new FlatbufferWalk(memory, at, length, limit, root, kept, only);
    }

    private void buffer(long at, long length, String root) throws IOException {
        if (!sink.needs(part, at, at + length)) {
            done = at + length;
            return;
        }
        FlatbufferWalk walk = walk(at, length, root, ALL, sink.only());
        if (walk.hasUnknownNote()) {
            walk = walk(at, length, root, ALL, null);
        }
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

    private void plain(RegionKind kind, long at, long length) throws IOException {
        if (length > 0) {
            region(Region.of(kind, at, length, null, 0), null);
        }
    }

    private void unreferenced(long from, long to) throws IOException {
        if (from < to) {
            begin("outside messages");
            boolean isPadding = search.isPadding(from, to);
            plain(isPadding ? RegionKind.PADDING : RegionKind.UNREFERENCED, from, to - from);
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
