// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.cli.io.Progress;
import dev.fletch.cli.verify.FileCheck;
import dev.fletch.cli.verify.Finding;
import dev.fletch.cli.verify.InputRules;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.Verifier;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.wire.Wire;

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

    // Behind a length that is wrong, metadata that is cut off is looked for in so many bytes.
    private static final long CUT_BYTES = 16L << 20;

    private final AnnotateInput input;
    private final MemorySegment memory;
    private final long size;
    private final AnnotateFaults faults;
    private final AnnotateSink sink;
    private final TreeSet<Long> starts = new TreeSet<>();
    private final Message message = new Message();
    private final MessageSearch search;
    private long done;
    private int index;
    // Whether the message before had no continuation word.
    private boolean isLegacy;
    private AnnotateSink.Part part;

    AnnotateWalk(AnnotateInput input, AnnotateFaults faults, AnnotateSink sink) {
        this.input = input;
        this.memory = input.memory();
        this.size = memory.byteSize();
        this.faults = faults;
        this.sink = sink;
        this.search = new MessageSearch(memory);
    }

    void run() throws IOException {
        sink.start(input);
        switch (input.form()) {
            case FILE -> file();
            case STREAM, MESSAGE -> messages(0, size);
            case FLATBUFFER -> {
                String root = input.root().table();
                begin("flatbuffer " + root + ", " + Region.bytes(size), 0, 0);
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
            messages(done, hasMagic ? tail : FileCheck.messagesEnd(memory));
            unreferenced(done, hasMagic ? done : size);
        } else {
            Walked footer = walk(footerAt, tail - footerAt, "Footer", Finding.NO_MESSAGE);
            blocks(footer.regions, footerAt);
            messages(done, footerAt);
            part =
                    new AnnotateSink.Part(
                            "footer, " + Region.bytes(tail - footerAt),
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
        int length = Wire.int32(memory, tail);
        boolean fits = length > 0 && length <= tail - START;
        long at = tail - length;
        return fits && (hasMagic || new Verifier().footer(memory, at, length))
                ? at
                : Region.NOWHERE;
    }

    /// Takes from a footer where messages begin.
    private void blocks(List<Region> footer, long end) {
        for (Region each : footer) {
            boolean isOffset =
                    each.kind() == RegionKind.ELEMENT
                            && each.member() != null
                            && each.field().type().name().equals("Block")
                            && each.member().name().equals("offset");
            if (isOffset) {
                long at = each.number(memory);
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
            Progress.reached(at, end);
            MessagePlace place = place(at, end, isExpected);
            Long next = starts.higher(at);
            boolean isBlock = starts.contains(at);
            boolean isTold = isBlock || starts.isEmpty() || at == from;
            boolean isMessage =
                    isBlock && place.isWhole()
                            || isTold && isExpected && looksLikeOne(place, end)
                            || place.isSoundAndWhole(memory);
            if (isMessage) {
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

    /// What the words at a place say. Of a stream they are not believed if they lead to nothing; in
    /// a file, blocks say where messages are.
    private MessagePlace place(long at, long end, boolean isExpected) {
        MessagePlace place = MessagePlace.at(memory, at, end);
        boolean mayBeRepaired = isExpected && isStream();
        return mayBeRepaired ? search.repaired(place, end) : place;
    }

    private boolean isStream() {
        return starts.isEmpty() && input.form() != AnnotateInput.Form.MESSAGE;
    }

    /// Whether bytes where a message is due are one, if a damaged one.
    private boolean looksLikeOne(MessagePlace place, long end) {
        return place.isWhole()
                && (place.isCurrent()
                        || isLegacy
                                && (place.metadataAt() + place.metadataLength()) % ALIGNMENT == 0
                        || FlatbufferWalk.hasRoot(memory, place.metadataAt(), place.bodyAt())
                        || place.at() == 0 && search.nextUnaligned(1, end) == end);
    }

    /// What begins like no message, or like one that does not fit.
    ///
    /// @param to where the next message is known to begin, or the end
    private long gap(MessagePlace place, boolean isExpected, long to) throws IOException {
        long at = place.at();
        if (isExpected && place.prefixBytes() >= EncapsulatedMessage.LEGACY_PREFIX_BYTES) {
            long metadata = place.metadataAt();
            long end = Math.min(to, metadata + CUT_BYTES);
            boolean isCut =
                    !place.isWhole()
                            && !place.isEnd()
                            && FlatbufferWalk.hasRoot(memory, metadata, end);
            if (isCut || place.isCurrent()) {
                int number = index++;
                begin(
                        isCut ? "message " + number + ", cut off" : "damaged prefix",
                        isCut ? number : Finding.NO_MESSAGE,
                        isCut ? metadata : Region.NOWHERE);
                prefix(place);
                if (isCut) {
                    long found = search.next(metadata, end);
                    buffer(walk(metadata, found - metadata, "Message", number));
                    return done;
                }
            }
        }
        long from = Math.max(done, at + 1);
        long found = at == 0 ? search.nextUnaligned(from, to) : search.next(from, to);
        unreferenced(done, found);
        return found;
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
        complain(place, number);
        isLegacy = !place.isCurrent();
        prefix(place);
        buffer(walk(place.metadataAt(), place.metadataLength(), "Message", number));
        Long next = starts.ceiling(body);
        long limit = next == null ? end : next;
        if (isStream() && place.bodyLength() > 0 && !search.isFollowed(place, end)) {
            limit = search.next(body, end); // the body's length may be wrong
        }
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
                region(Region.of(RegionKind.BODY, body, length, null, 0), false, note);
            }
            return body + length;
        }
        return body;
    }

    /// Tells what is wrong with words that were not believed, where no verifier has.
    private void complain(MessagePlace place, int number) {
        boolean isWrongWord =
                place.isCurrent()
                        && Wire.int32(memory, place.at()) != EncapsulatedMessage.CONTINUATION;
        if (isWrongWord) {
            faults.add(InputRules.NO_CONTINUATION, place.at(), number, "");
        }
        long at = place.metadataAt() - Integer.BYTES;
        int told = Wire.int32(memory, at);
        if (told != place.metadataLength()) {
            String details = "metadataLength=" + told + ", found=" + place.metadataLength();
            faults.add(InputRules.METADATA_LENGTH_WRONG, at, number, details);
        }
    }

    private String kind(MessagePlace place) {
        try {
            message.wrap(memory, place.metadataAt(), place.metadataLength());
            return MessageHeader.NAMES.name(message.headerType());
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
    private record Walked(FlatbufferWalk walk, List<Region> regions) {}

    private Walked walk(long at, long length, String root, int number) {
        if (length > Integer.MAX_VALUE - ALIGNMENT) {
            Region all = Region.of(RegionKind.NOT_ANNOTATED, at, length, null, 0);
            return new Walked(null, List.of(all));
        }
        FlatbufferWalk walk =
                new FlatbufferWalk(
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
                note = "limit reached: regions=" + FlatbufferWalk.MAX_REGIONS;
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
            region(Region.of(kind, at, length, null, 0), false, null);
        }
    }

    /// Few zeros are padding.
    private void unreferenced(long from, long to) throws IOException {
        if (from < to) {
            boolean isPadding =
                    to - from <= LARGEST_PADDING && FlatbufferWalk.isZero(memory, from, to);
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
