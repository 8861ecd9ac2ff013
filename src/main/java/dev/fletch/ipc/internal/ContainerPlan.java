// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.Fault;
import dev.fletch.FrameRule;
import dev.fletch.format.Footer;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.internal.ContainerPart.Kind;
import dev.fletch.ipc.internal.ContainerPart.State;
import dev.fletch.wire.MessagePrefix;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;

/// Divides an input into parts, in the order of their offsets: a file, a file whose footer is lost,
/// or a stream.
///
/// The input may have lost or gained bytes anywhere. A message's own bytes do not tell whether
/// some of its body are missing, so the bytes behind it decide: another message, a marker, the end,
/// or a damaged message must begin exactly where it ends.
///
/// Messages that a block of a sound footer confirms are **anchors**: what is inside such a message
/// is not searched while another anchor or message follows it.
///
/// A step finds one part. Memory is needed for the footer's blocks only; bodies are not copied. The
/// work is proportional to the input: see [MessageFinder].
public final class ContainerPlan {
    /// As many zeros are no padding: a message may be lost. arrow-rs aligns messages to as many
    /// bytes.
    public static final int LEAST_LOST_BYTES = 64;

    /// The most parts that [#areWhole] keeps. An input may have one for every few bytes.
    private static final int MOST_KEPT_PARTS = 1 << 16;

    private static final int NONE = -1;
    private static final String IN_IT = "behind this message or in it";
    private static final String LIKE_MARKER =
            "the last bytes of the message look like an end-of-stream marker: offset=";

    private final MemorySegment memory;
    private final long size;
    private final MessageFinder finder;
    private final DamagedMessage damaged;
    // Null if it is not sound.
    private final Footer footer;
    private final FooterBlocks blocks;
    // End of the messages: the footer, or the end of the input.
    private final long end;
    // Whether a damaged footer may follow the messages.
    private final boolean isFile;

    private final Deque<ContainerPart> ready = new ArrayDeque<>();
    // Wait for the parts before them: blocks without message, and those of the current message.
    private final Queue<ContainerPart> withoutMessage = new ArrayDeque<>();
    private final Queue<ContainerPart> repeated = new ArrayDeque<>();
    private long offset;
    private boolean hasEnded;
    // Index of the first block that is not before the offset, and the message there.
    private int block;
    private FoundMessage anchor;
    // Index of the block of the last message that has one; and the last sound batch.
    private int lastBlock = NONE;
    private FoundMessage lastBatch;
    // The range of the last search, and its result.
    private long searchedFrom = Long.MAX_VALUE;
    private long searchedTo;
    private FoundMessage searched;
    // Whether a marker is behind the last message.
    private boolean isBehindMarker;
    // End of the bytes in which there is no sound message.
    private long gapEnd;
    // Whether parts were passed that are not returned.
    private boolean hasLostParts;

    private ContainerPlan(
            MemorySegment memory,
            MessageFinder finder,
            Footer footer,
            FooterBlocks blocks,
            boolean isFile) {
        this.memory = memory;
        this.size = memory.byteSize();
        this.finder = finder;
        this.damaged = new DamagedMessage(memory);
        this.footer = footer;
        this.end = blocks.messagesEnd();
        this.blocks = blocks;
        this.isFile = isFile;
    }

    /// The plan of an input, with its footer if that is sound.
    ///
    /// @param memory all its bytes
    /// @param rules of messages
    public static ContainerPlan of(MemorySegment memory, MessageRules rules) {
        Footer footer = FileTail.usable(memory, MessagePlace.LIMITS);
        long size = memory.byteSize();
        long end =
                footer == null ? size : FileTail.footerOffset(size, FileTail.footerLength(memory));
        return of(memory, footer, new FooterBlocks(footer, end), rules);
    }

    /// @param footer of the input; null if it is not sound
    /// @param blocks of the footer
    static ContainerPlan of(
            MemorySegment memory, Footer footer, FooterBlocks blocks, MessageRules rules) {
        MessageFinder finder = new MessageFinder(memory, rules);
        if (footer != null) {
            finder.useFooter(footer, blocks.messagesEnd());
        }
        boolean hasMagic =
                memory.byteSize() >= FileHead.USUAL_BYTES && FileHead.hasMagic(memory, 0);
        ContainerPlan plan = new ContainerPlan(memory, finder, footer, blocks, hasMagic);
        if (hasMagic) {
            plan.head();
        }
        plan.learnFraming();
        return plan;
    }

    /// The plan of the rest of a stream, or of a file whose footer is not used.
    ///
    /// @param memory ends with the messages, or with the input
    /// @param from offset of a message, a marker or damage
    /// @param isLegacy whether messages before it lack the continuation word
    /// @param rules of messages, with the schema of the messages before
    static ContainerPlan ofRest(
            MemorySegment memory, long from, boolean isFile, boolean isLegacy, MessageRules rules) {
        MessageFinder finder = new MessageFinder(memory, rules);
        finder.learnFraming(isLegacy);
        FooterBlocks none = new FooterBlocks(null, memory.byteSize());
        ContainerPlan plan = new ContainerPlan(memory, finder, null, none, isFile);
        plan.offset = from;
        plan.learnFraming();
        return plan;
    }

    /// Learns from the first message that messages lack the continuation word: perhaps its metadata
    /// is damaged, and its prefix is not.
    private void learnFraming() {
        MessagePlace first = MessagePlace.at(memory, offset, end);
        finder.learnFraming(
                footer == null
                        && first.isWhole()
                        && !first.isCurrent()
                        && first.hasTable(first.bodyAt()));
    }

    /// Whether bytes are zeros that a writer may put in front of a message: not so many that a
    /// message may be lost.
    public static boolean isPadding(MemorySegment memory, long from, long to) {
        return mayBePadding(to - from) && MessageFinder.areZeros(memory, from, to);
    }

    /// Whether a run of so many zeros may be padding.
    public static boolean mayBePadding(long zeros) {
        return zeros < LEAST_LOST_BYTES;
    }

    /// The footer; null if there is none, or it is not sound.
    public Footer footer() {
        return footer;
    }

    /// Whether the footer has a message in a range.
    boolean hasBlock(long from, long to) {
        return blocks.isIn(from, to);
    }

    /// Offset after the messages: of the footer, or the end of the input.
    public long end() {
        return end;
    }

    /// The next part; null at the end.
    public ContainerPart next() {
        while (ready.isEmpty() && !hasEnded) {
            Work.reached(offset, end);
            step();
        }
        return ready.poll();
    }

    /// Looks at the parts up to the first message that has lost or gained bytes. Afterwards [#next]
    /// returns them, unless [#hasLostParts].
    ///
    /// @return whether no message has lost or gained bytes, as far as the bytes behind it can tell
    boolean areWhole() {
        Deque<ContainerPart> passed = new ArrayDeque<>();
        boolean areWhole = true;
        for (ContainerPart part; areWhole && (part = next()) != null; ) {
            if (passed.size() < MOST_KEPT_PARTS) {
                passed.push(part);
            } else {
                hasLostParts = true;
            }
            areWhole =
                    part.state() != State.DOUBTFUL
                            && part.state() != State.OVERLAPPED
                            && part.state() != State.CUT_OFF;
        }
        passed.forEach(ready::push);
        return areWhole;
    }

    /// Whether [#areWhole] has passed too many parts to keep them: then another plan is needed.
    boolean hasLostParts() {
        return hasLostParts;
    }

    // ---- steps

    private void head() {
        FileHead head = FileHead.of(memory, end);
        offset = head.length();
        add(Kind.HEAD, 0, offset, State.WHOLE, null);
        long unframedEnd = head.first(blocks).unframedEnd();
        if (unframedEnd > 0) {
            int bytes = (int) (unframedEnd - offset);
            var schema = new FoundMessage(offset, 0, bytes, 0, MessageHeader.SCHEMA, null);
            learn(schema);
            add(part(schema, unframedEnd, ContainerPart.NO_BLOCK, State.WHOLE, null));
            offset = unframedEnd;
        }
    }

    private void step() {
        if (offset < gapEnd) {
            damage();
            return;
        }
        if (offset >= end) {
            tail();
            return;
        }
        long next = nextAnchor(offset);
        FoundMessage found = next == offset ? anchor : finder.at(offset);
        if (found != null && found.isMarker()) {
            markers();
        } else if (next == offset) {
            message(found, blocks.number(block));
        } else if (found != null && (found.isSound() || isFollowed(found, end))) {
            message(found, ContainerPart.NO_BLOCK);
        } else if (finder.zeros(offset, next) > offset) {
            zeros(finder.zeros(offset, next));
        } else {
            gap(next);
        }
    }

    private void markers() {
        long from = offset;
        while (finder.at(offset) instanceof FoundMessage found && found.isMarker()) {
            offset += found.prefixLength();
        }
        add(Kind.MARKER, from, offset - from, State.WHOLE, null);
        isBehindMarker = true;
    }

    /// Zeros are a marker in a stream, and in a file if no message follows them. With a footer, so
    /// many zeros in front of other bytes may be a lost message.
    private void zeros(long to) {
        boolean isStream = footer == null && !isFile;
        boolean isLast =
                to == end
                        || isStream
                        || anchor == null
                                && (footer == null || mayBePadding(to - offset))
                                && finder.at(to) == null
                                && search(to, to, end, to) == null;
        int marker = isLast && !isBehindMarker ? MessagePlace.markerBytes(memory, offset, to) : 0;
        isBehindMarker |= marker > 0;
        long padding = offset + marker;
        add(Kind.MARKER, offset, marker, State.WHOLE, null);
        add(Kind.PADDING, padding, to - padding, State.WHOLE, null);
        offset = to;
    }

    /// Bytes that are nothing up to the next message, or a footer with a damaged end.
    private void gap(long next) {
        FoundMessage found = search(offset, offset + 1, next, offset);
        if (found == null && footer == null && isFile && finder.isFooter(offset, size - offset)) {
            add(Kind.FOOTER, offset, size - offset, State.INVALID, null);
            offset = size;
            return;
        }
        gapEnd = found == null ? next : found.offset();
        damage();
    }

    /// A damaged message whose lengths lead to another one; else all bytes up to the next message.
    private void damage() {
        MessagePlace place = MessagePlace.at(memory, offset, gapEnd);
        boolean hasEnd = place.isFollowed(gapEnd) && place.hasTable(place.bodyAt());
        long to = hasEnd ? place.end() : gapEnd;
        String what =
                finder.isSpent()
                        ? "not searched for messages, too much work"
                        : damaged.isAt(offset, to, lastBatch) ? "a damaged message" : "";
        add(Kind.GAP, offset, to - offset, State.INVALID, stray(offset, what, to - offset));
        offset = to;
    }

    private void tail() {
        hasEnded = true;
        while (block < blocks.count()) {
            passWithoutMessage();
        }
        if (footer != null) {
            add(Kind.FOOTER, end, size - FileTail.BYTES - end, State.WHOLE, null);
            add(Kind.TAIL, size - FileTail.BYTES, FileTail.BYTES, State.WHOLE, null);
        }
        ready.addAll(withoutMessage);
    }

    /// Finds the next message. The last result is used again: no byte is searched twice.
    ///
    /// @param to the message begins before it: at most an anchor
    private FoundMessage search(long phase, long from, long to, long schemasFrom) {
        boolean isKnown =
                searchedFrom <= from
                        && (searched == null ? to <= searchedTo : from <= searched.offset());
        if (!isKnown) {
            searched = finder.search(phase, from, to, schemasFrom);
            searchedFrom = from;
            searchedTo = to;
        }
        return searched;
    }

    // ---- messages

    /// Adds a message, and decides whether it has all its bytes.
    ///
    /// @param number of its block; or [ContainerPart#NO_BLOCK]
    private void message(FoundMessage found, int number) {
        isBehindMarker = false;
        finder.learnFraming(found);
        int ownBlock = number >= 0 ? block : blocks.blockOf(found, lastBlock);
        lastBlock = ownBlock < blocks.count() ? ownBlock : lastBlock;
        if (number >= 0) {
            passAnchor();
        }
        learn(found);
        long next = nextAnchor(found.offset() + 1);
        long to = found.end();
        State state = found.isSound() ? State.WHOLE : State.INVALID;
        Fault fault = found.isSound() ? null : Fault.of(found.broken(), found.offset(), 0);
        boolean isFollowed = isFollowed(found, next);
        if (!isFollowed || !found.isSound() || isNextLost(ownBlock, found, next)) {
            FoundMessage inside =
                    search(found.offset(), found.metadataOffset(), next, Math.min(to, next));
            inside = inside == null && next < end ? anchor : inside;
            // Values may look like a marker.
            boolean isValue =
                    inside != null
                            && inside.isMarker()
                            && (isFollowed
                                    || found.end() > end && finder.zeros(inside.end(), end) == end);
            if (inside != null && inside.offset() < to && !isValue) {
                to = inside.offset();
                state = State.OVERLAPPED;
                fault = overlapped(found, to, to);
            } else if (to > end) {
                to = end;
                state = State.CUT_OFF;
                long bodyAt = found.bodyOffset();
                fault = FrameCheck.bodyOutside(bodyAt, found.bodyLength(), end - bodyAt);
            } else if (!isFollowed && found.isSound() && found.bodyLength() > 0) {
                state = unfollowed(found, ownBlock, inside);
                fault = unfollowed(state, found.offset(), offset(inside) - to);
            }
        }
        if (state == State.WHOLE && isFollowed && found.bodyLength() > 0) {
            long marker = end - MessagePrefix.BYTES;
            long behind = finder.zeros(to, next);
            if (MessagePlace.endsInMarker(memory, to, end)) {
                boolean isValue = isPadded(found, to); // perhaps
                state = isValue ? State.UNDECIDED : State.OVERLAPPED;
                fault = overlapped(found, to, marker);
                fault = isValue ? fault.withText(LIKE_MARKER + marker) : fault;
                to = isValue ? to : marker;
            } else if (hasMoved(found, ownBlock, behind) && isPadded(found, behind)) {
                state = isPadded(found, to) ? State.UNDECIDED : State.DOUBTFUL;
                fault = stray(found.offset(), IN_IT, behind - to);
            }
        }
        add(part(found, to, number, state, fault));
        for (ContainerPart each; (each = repeated.poll()) != null; ) {
            boolean isTooOften = each.fault() != null;
            add(isTooOften ? each : part(found, to, each.block(), State.REPEATED, null));
        }
        offset = to;
    }

    private static Fault unfollowed(State state, long position, long bytes) {
        return switch (state) {
            case DOUBTFUL -> stray(position, IN_IT, bytes);
            case UNDECIDED -> stray(position, "behind this message, perhaps a damaged one", bytes);
            default -> null;
        };
    }

    private static Fault overlapped(FoundMessage found, long value, long next) {
        return Fault.of(FrameRule.MESSAGE_OVERLAP, found.offset(), value).because("next=" + next);
    }

    private static Fault stray(long position, String what, long bytes) {
        String details = (what.isEmpty() ? "" : what + ", ") + "bytes=" + bytes;
        return Fault.of(FrameRule.STRAY_BYTES, position, bytes).because(details);
    }

    private long offset(FoundMessage next) {
        return next == null ? end : next.offset();
    }

    private void learn(FoundMessage found) {
        if (found.kind() == MessageHeader.RECORD_BATCH && found.isSound()) {
            lastBatch = found;
        }
        if (found.kind() == MessageHeader.SCHEMA && found.isSound()) {
            finder.useSchema(found);
            anchor = anchor == null ? null : finder.at(anchor.offset());
        }
    }

    /// Whether a message, a marker, an anchor or the end follows a message, perhaps behind zeros.
    private boolean isFollowed(FoundMessage found, long next) {
        if (found.end() > next) {
            return false;
        }
        long behind = finder.zeros(found.end(), next);
        return behind == next || finder.at(found.end()) != null || finder.at(behind) != null;
    }

    /// Whether what follows is nearer than the blocks say, and the message between is lost: perhaps
    /// exactly as many bytes are missing as that has, and it is inside.
    private boolean isNextLost(int ownBlock, FoundMessage found, long next) {
        boolean isAnchor = next < end && finder.zeros(found.end(), next) == next;
        if (isAnchor || ownBlock + 1 >= blocks.count()) {
            return false;
        }
        FoundMessage other = finder.at(found.end());
        if (other == null || other.isMarker()) {
            return true;
        }
        int ofOther = blocks.blockOf(other, ownBlock);
        return ofOther > ownBlock + 1
                && ofOther < blocks.count()
                && other.offset() - blocks.offset(ofOther)
                        < found.offset() - blocks.offset(ownBlock);
    }

    /// Judges a sound message with bytes behind it that are neither zeros nor a message.
    ///
    /// @param ownBlock index of its block; the number of blocks if it has none
    /// @param next the next message or marker; null if there is none
    private State unfollowed(FoundMessage found, int ownBlock, FoundMessage next) {
        long from = found.end();
        long to = offset(next);
        long behindZeros = finder.zeros(from, to);
        boolean isBatch = next != null && next.kind() == MessageHeader.RECORD_BATCH;
        FoundMessage like = isBatch ? next : lastBatch;
        if (damaged.isAt(from, to, like)
                || damaged.isAt(behindZeros, to, like)
                || isWholeByBlocks(found, ownBlock, next)) {
            return State.WHOLE;
        }
        if (next == null && end == size) {
            return State.UNDECIDED;
        }
        State unknown = isLastListed(found, ownBlock, next) ? State.UNDECIDED : State.DOUBTFUL;
        // A lost message may be there, with a part of its prefix, or zeros in place of it.
        if (like == null || to - from < MessagePrefix.BYTES + like.metadataLength()) {
            return unknown;
        }
        boolean isInPhase = (to - from) % Long.BYTES == 0;
        boolean isPrefix = damaged.isPartOfPrefix(from);
        return isInPhase && (isPrefix || !mayBePadding(behindZeros - from))
                ? State.WHOLE
                : isPrefix ? State.UNDECIDED : unknown;
    }

    /// Whether what follows a message behind zeros has moved against it: as many zeros were
    /// inserted between them, or bytes into the message, whose last zeros are then behind it.
    ///
    /// @param behind end of the zeros
    private boolean hasMoved(FoundMessage found, int ownBlock, long behind) {
        FoundMessage next = behind == found.end() ? null : finder.at(behind);
        if (next == null) {
            return false;
        }
        int other = next.isMarker() ? blocks.count() : blocks.blockOf(next, ownBlock);
        return other == ownBlock + 1 && other < blocks.count()
                ? behind - blocks.offset(other) != found.offset() - blocks.offset(ownBlock)
                : (behind - found.offset()) % Long.BYTES != 0;
    }

    /// Whether there are zeros behind the last buffer of a message, if it ends there.
    private boolean isPadded(FoundMessage found, long to) {
        long padding = DamagedMessage.padding(found, finder.bind(found));
        return MessageFinder.areZeros(memory, to - padding, to);
    }

    /// Whether a message is where the last block says, and only an end-of-stream marker follows it
    /// up to the footer. No block tells where the footer was, so it is not known whether bytes were
    /// inserted into the message.
    private boolean isLastListed(FoundMessage found, int ownBlock, FoundMessage next) {
        boolean isEnd = next == null || next.isMarker() && finder.zeros(next.end(), end) == end;
        return isEnd && ownBlock == blocks.count() - 1 && blocks.offset(ownBlock) == found.offset();
    }

    /// Whether the blocks of a message and of the next one prove that no bytes were inserted into
    /// the first. Either neither of them has moved against the other: then bytes between them have
    /// other values. Or the distance has grown, with no message between: then the new bytes would
    /// have moved the end of the first one, but its padding does not fit.
    private boolean isWholeByBlocks(FoundMessage found, int ownBlock, FoundMessage next) {
        int count = blocks.count();
        boolean isEnd = next == null || next.isMarker();
        int other = isEnd || ownBlock == count ? count : blocks.blockOf(next, ownBlock);
        if (ownBlock == count || !isEnd && other == count) {
            return false;
        }
        long to = offset(next);
        long expected = other < count ? blocks.offset(other) : blocks.lastEnd();
        boolean isNext = other == ownBlock + 1;
        if (to - expected == found.offset() - blocks.offset(ownBlock) && !(isEnd && isNext)) {
            return true;
        }
        boolean isSure = other + 1 >= count || !blocks.isLike(other + 1, next);
        return isNext && isSure && !isPadded(found, to);
    }

    // ---- blocks

    /// Offset of the first anchor from an offset on; the end if there is none. Passes blocks whose
    /// message is not there.
    private long nextAnchor(long from) {
        while (block < blocks.count() && blocks.offset(block) < end) {
            long position = blocks.offset(block);
            if (position >= from && anchor != null && anchor.offset() == position) {
                finder.learnFraming(anchor);
                return position;
            }
            anchor = position < from ? null : finder.at(position);
            if (anchor == null || !blocks.isLike(block, anchor)) {
                passWithoutMessage();
            }
        }
        anchor = null;
        return end;
    }

    private void passWithoutMessage() {
        Fault fault = BlockCheck.withoutMessage(blocks.offset(block), "");
        withoutMessage.add(block(block++, State.INVALID, fault));
    }

    /// A block without message; with the lengths of the message at its offset if that is not like
    /// it.
    private ContainerPart block(int i, State state, Fault fault) {
        long position = blocks.offset(i);
        int number = blocks.number(i);
        boolean isThere = anchor != null && anchor.offset() == position && !anchor.isMarker();
        return isThere
                ? part(Kind.GAP, anchor, position, number, state, fault)
                : new ContainerPart(Kind.GAP, position, 0, 0, 0, position, number, state, fault);
    }

    /// Passes the block of the anchor, and others that refer to it.
    private void passAnchor() {
        long position = blocks.offset(block);
        block++;
        while (block < blocks.count() && blocks.offset(block) == position) {
            if (!blocks.isLike(block, anchor)) {
                passWithoutMessage();
                continue;
            }
            Fault fault = blocks.repeated(block);
            repeated.add(
                    fault == null
                            ? part(anchor, anchor.end(), blocks.number(block), State.REPEATED, null)
                            : block(block, State.REPEATED, fault));
            block++;
        }
    }

    // ---- parts

    private static ContainerPart part(
            FoundMessage found, long next, int block, State state, Fault fault) {
        Kind kind =
                switch (found.kind()) {
                    case MessageHeader.SCHEMA -> Kind.SCHEMA;
                    case MessageHeader.RECORD_BATCH -> Kind.BATCH;
                    case MessageHeader.DICTIONARY_BATCH -> Kind.DICTIONARY;
                    default -> Kind.MESSAGE;
                };
        return part(kind, found, next, block, state, fault);
    }

    private static ContainerPart part(
            Kind kind, FoundMessage found, long next, int block, State state, Fault fault) {
        return new ContainerPart(
                kind,
                found.offset(),
                found.prefixLength(),
                found.metadataLength(),
                found.bodyLength(),
                next,
                block,
                state,
                fault);
    }

    private void add(Kind kind, long from, long bytes, State state, Fault fault) {
        if (bytes > 0) {
            int none = ContainerPart.NO_BLOCK;
            add(new ContainerPart(kind, from, 0, 0, bytes, from + bytes, none, state, fault));
        }
    }

    private void add(ContainerPart part) {
        while (!withoutMessage.isEmpty() && withoutMessage.peek().offset() <= part.offset()) {
            ready.add(withoutMessage.poll());
        }
        ready.add(part);
    }
}
