// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import dev.fletch.flatbuf.FlatBufferFormatException;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.Verifier;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/// Goes through an input from its first byte to its last, and hands each region to a sink. Regions
/// follow each other without a gap and never overlap.
///
/// In a file, messages are where the footer's blocks say and a message really begins, and where one
/// ends and the next can be read. Behind a message of which the end cannot be found, the next one is
/// searched for, by its continuation word and sound metadata.
final class AnnotateWalk {
    private static final int MAGIC_BYTES = 6;
    private static final int TAIL_BYTES = Integer.BYTES + MAGIC_BYTES;
    private static final int START = ArrowFile.FIRST_MESSAGE_OFFSET;
    private static final int ALIGNMENT = Long.BYTES;

    // Zeros behind the messages are padding up to so many.
    private static final int LARGEST_PADDING = 64;

    /// How far a message is searched for: bodies are not read.
    private static final long SEARCHED_BYTES = 16L << 20;

    private final AnnotateInput input;
    private final MemorySegment memory;
    private final long size;
    private final AnnotateFaults faults;
    private final AnnotateSink sink;
    private final TreeSet<Long> starts = new TreeSet<>();
    private final Message message = new Message();
    private long searchLeft = SEARCHED_BYTES;
    private long done;
    private int index;
    private AnnotateSink.Part part;

    AnnotateWalk(AnnotateInput input, AnnotateFaults faults, AnnotateSink sink) {
        this.input = input;
        this.memory = input.memory();
        this.size = memory.byteSize();
        this.faults = faults;
        this.sink = sink;
    }

    void run() throws IOException {
        sink.start(input);
        switch (input.form()) {
            case FILE -> file();
            case STREAM, MESSAGE -> messages(0, size);
            case FLATBUFFER -> {
                String root = input.root().table();
                begin("flatbuffer " + root + ", " + size + " bytes", 0, 0);
                buffer(walk(0, size, root, 0));
            }
            case UNKNOWN -> unreferenced(0, size);
        }
        sink.end(faults, faults.in(size, Long.MAX_VALUE));
    }

    // ---- files

    private void file() throws IOException {
        begin("file", Finding.NO_MESSAGE, Region.NOWHERE);
        plain(RegionKind.MAGIC, 0, Math.min(size, MAGIC_BYTES));
        plain(RegionKind.PADDING, done, Math.min(size, START) - done);
        boolean hasMagic = FileCheck.endsAsAFile(memory);
        long tail = size - TAIL_BYTES;
        long footerAt = footerAt(hasMagic, tail);
        if (footerAt == Region.NOWHERE) {
            messages(done, hasMagic ? tail : size);
        } else {
            Walked footer = walk(footerAt, tail - footerAt, "Footer", Finding.NO_MESSAGE);
            blocks(footer.regions, footerAt);
            messages(done, footerAt);
            part =
                    new AnnotateSink.Part(
                            "footer, " + (tail - footerAt) + " bytes",
                            Finding.NO_MESSAGE,
                            footerAt,
                            footerAt);
            sink.part(part);
            buffer(footer);
        }
        if (hasMagic || footerAt != Region.NOWHERE) {
            begin("end of file", Finding.NO_MESSAGE, Region.NOWHERE);
            plain(RegionKind.FOOTER_LENGTH, tail, Integer.BYTES);
            plain(RegionKind.MAGIC, size - MAGIC_BYTES, MAGIC_BYTES);
        }
    }

    /// Where the footer begins. Without magic, there is one only if it verifies.
    private long footerAt(boolean hasMagic, long tail) {
        if (tail <= START) {
            return Region.NOWHERE;
        }
        int length = memory.get(BufferWords.INT, tail);
        boolean fits = length > 0 && length <= tail - START;
        long at = tail - length;
        return fits && (hasMagic || new Verifier().footer(memory, at, length))
                ? at
                : Region.NOWHERE;
    }

    /// Takes from a footer where messages begin.
    private void blocks(List<Region> footer, long end) {
        RegionText text = new RegionText(memory);
        for (Region each : footer) {
            boolean isOffset =
                    each.kind() == RegionKind.ELEMENT
                            && each.member() != null
                            && each.field().type().name().equals("Block")
                            && each.member().name().equals("offset");
            if (isOffset) {
                long at = text.number(each);
                if (at >= START && at < end && mayBeMessage(at, end)) {
                    starts.add(at);
                }
            }
        }
    }

    private boolean mayBeMessage(long at, long end) {
        MessagePlace place = MessagePlace.at(memory, at, end);
        return place.isWhole() && (place.isCurrent() || place.hasBodyLength());
    }

    // ---- messages

    private void messages(long from, long end) throws IOException {
        long at = from;
        boolean isExpected = true;
        while (at < end) {
            MessagePlace place = MessagePlace.at(memory, at, end);
            Long next = starts.higher(at);
            boolean isBlock = starts.contains(at);
            if (place.isWhole() && (isBlock || isExpected && starts.isEmpty() || at == from)
                    || place.isWhole() && place.isSound(memory)) {
                boolean isTold = isBlock || starts.isEmpty() || at == from;
                at = message(place, end, isTold ? index++ : Finding.NO_MESSAGE);
                isExpected = place.hasBodyLength() && place.bodyLength() >= 0;
            } else if (place.isEnd() && isExpected) {
                begin("end of stream", Finding.NO_MESSAGE, Region.NOWHERE);
                plain(RegionKind.END_OF_STREAM, at, place.prefixBytes());
                at += place.prefixBytes();
                unreferenced(at, next == null ? end : next);
                at = done;
                isExpected = false;
            } else {
                at = gap(place, isExpected, next == null ? end : next);
                isExpected = true;
            }
        }
    }

    /// What begins like no message, or like one that does not fit.
    ///
    /// @param to where the next message is known to begin, or the end
    private long gap(MessagePlace place, boolean isExpected, long to) throws IOException {
        long at = place.at();
        if (isExpected && place.prefixBytes() >= EncapsulatedMessage.LEGACY_PREFIX_BYTES) {
            long metadata = place.metadataAt();
            long end = Math.min(to, metadata + SEARCHED_BYTES);
            boolean isCut =
                    place.metadataLength() > to - metadata
                            && end - metadata >= ALIGNMENT
                            && isTable(metadata, end);
            if (isCut || place.isCurrent()) {
                int number = index++;
                begin(
                        isCut ? "message " + number + ", cut off" : "damaged prefix",
                        isCut ? number : Finding.NO_MESSAGE,
                        isCut ? metadata : Region.NOWHERE);
                prefix(place);
                if (isCut) {
                    long found = search(metadata, end);
                    buffer(walk(metadata, found - metadata, "Message", number));
                    return done;
                }
            }
        }
        long found = search(Math.max(done, at + 1), to);
        unreferenced(done, found);
        return found;
    }

    private boolean isTable(long at, long end) {
        BufferWords words =
                new BufferWords(memory, at, end - at, (code, where, value, path) -> {}) {};
        return words.isPlausibleTable(at + words.uint32(at));
    }

    /// Searches for a message that nothing leads to.
    private long search(long from, long to) {
        long at = (from + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        for (; to - at >= EncapsulatedMessage.PREFIX_BYTES && searchLeft > 0; at += ALIGNMENT) {
            searchLeft -= ALIGNMENT;
            if (memory.get(BufferWords.INT, at) == EncapsulatedMessage.CONTINUATION) {
                MessagePlace place = MessagePlace.at(memory, at, to);
                searchLeft -= place.isWhole() ? place.metadataLength() : 0;
                if (place.isWhole() && place.isSound(memory)) {
                    return at;
                }
            }
        }
        return to;
    }

    /// @return where the next one is to be looked for
    private long message(MessagePlace place, long end, int number) throws IOException {
        long body = place.bodyAt();
        String kind = kind(place);
        String title = number < 0 ? "message in no block" : "message " + number;
        begin(
                String.format(
                        Locale.ROOT,
                        "%s: %s, metadata %d, body %s",
                        title,
                        kind,
                        place.metadataLength(),
                        place.hasBodyLength() ? "" + place.bodyLength() : "unknown"),
                number,
                place.metadataAt());
        prefix(place);
        buffer(walk(place.metadataAt(), place.metadataLength(), "Message", number));
        Long next = starts.ceiling(body);
        long limit = next == null ? end : next;
        if (place.hasBodyLength() && place.bodyLength() > 0) {
            long length = Math.min(place.bodyLength(), limit - body);
            String note =
                    length < place.bodyLength()
                            ? String.format(
                                    Locale.ROOT,
                                    "claims %d bytes, of which %d are not its own",
                                    place.bodyLength(),
                                    place.bodyLength() - length)
                            : null;
            if (length > 0) {
                region(Region.plain(RegionKind.BODY, body, length, null), false, note);
            }
            return body + length;
        }
        return body;
    }

    private String kind(MessagePlace place) {
        try {
            message.wrap(memory, place.metadataAt(), place.metadataLength());
            return MessageHeader.name(message.headerType());
        } catch (FlatBufferFormatException e) {
            return "unreadable";
        }
    }

    private void prefix(MessagePlace place) throws IOException {
        if (place.isCurrent()) {
            plain(RegionKind.CONTINUATION, place.at(), Integer.BYTES);
        }
        plain(RegionKind.METADATA_LENGTH, done, place.metadataAt() - done);
    }

    // ---- flatbuffers

    /// @param regions from its first byte to its last
    private record Walked(BufferWalk walk, List<Region> regions) {}

    private Walked walk(long at, long length, String root, int number) {
        if (length > Integer.MAX_VALUE - ALIGNMENT) {
            Region all = Region.plain(RegionKind.NOT_ANNOTATED, at, length, null);
            return new Walked(null, List.of(all));
        }
        BufferWalk walk =
                new BufferWalk(
                        memory,
                        at,
                        length,
                        (code, where, value, path) -> faults.add(code, where, value, path, number));
        return new Walked(walk, walk.run(root));
    }

    private void buffer(Walked walked) throws IOException {
        Node owner = null;
        for (Region each : walked.regions) {
            if (each.node() != owner && each.node() != null) {
                owner = each.node();
                sink.node(owner, part);
                owner.isShown = true;
            }
            String note = walked.walk == null ? "larger than 2^31 bytes" : walked.walk.note(each);
            if (each.kind() == RegionKind.NOT_ANNOTATED && note == null) {
                note = "limit reached: regions=" + BufferClaims.MAX_REGIONS;
            }
            region(each, true, note);
        }
    }

    // ---- regions

    private void begin(String title, int number, long bufferAt) throws IOException {
        part = new AnnotateSink.Part(title, number, done, bufferAt);
        sink.part(part);
    }

    private void plain(RegionKind kind, long at, long length) throws IOException {
        if (length > 0) {
            region(Region.plain(kind, at, length, null), false, null);
        }
    }

    /// Few zeros are padding.
    private void unreferenced(long from, long to) throws IOException {
        if (from < to) {
            boolean isPadding =
                    to - from <= LARGEST_PADDING && BufferClaims.isZero(memory, from, to);
            begin("between", Finding.NO_MESSAGE, Region.NOWHERE);
            plain(isPadding ? RegionKind.PADDING : RegionKind.UNREFERENCED, from, to - from);
        }
    }

    private void region(Region region, boolean isInBuffer, String note) throws IOException {
        if (region.at() != done) {
            throw new IllegalStateException("gap: at=" + region.at() + ", expected=" + done);
        }
        done = region.end();
        sink.region(region, part, isInBuffer, faults.in(region.at(), done), note);
    }
}
