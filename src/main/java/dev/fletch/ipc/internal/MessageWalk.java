// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.Fault;
import dev.fletch.format.Footer;
import dev.fletch.format.FrameKind;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.internal.ContainerPart.Kind;
import dev.fletch.ipc.internal.ContainerPart.State;
import dev.fletch.wire.MessagePrefix;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Queue;

/// Steps through the messages of a stream, of a file without using its footer, of a file whose
/// footer does not lead to all messages, or of the blocks of a footer.
///
/// Without a footer, as long as each message is followed by another one or the end, this only reads
/// their frames. At the first place where that is not so, the rest is divided by a [ContainerPlan],
/// which begins with the message before: it decides what is damaged, and where messages go on.
///
/// A stream ends at its end-of-stream marker, or before a second schema message. A schema message
/// behind the marker begins another stream, and a batch there means that the marker is damage. The
/// work is proportional to the input.
public final class MessageWalk {
    private static final long NOWHERE = -1;

    private final MessageBytes bytes;
    private final MessageOpener opener;
    private final MessageVisitor visitor;
    // Whether messages after damage can be searched: bodies are in memory.
    private final boolean searches;
    private final boolean isFile;

    // The blocks that lead to the messages, and how many were passed; null if none do.
    private FooterBlocks blocks;
    private int block;
    // The indices of the blocks in the order in which they are passed; null if that is their own.
    private int[] order;
    // Null as long as messages follow each other.
    private ContainerPlan plan;
    private ContainerPart part;
    // The one that says whether the current message is whole: a repeated one does not.
    private ContainerPart judged;
    private boolean keepsDoubtful;
    private final PassedMessages passed = new PassedMessages();
    // End of a schema message without prefix, which comes first; 0 if there is none.
    private long unframedEnd;

    // Offset of the current message, of the one before it if that is in memory, and what is
    // at the current one.
    private long position;
    private long before = NOWHERE;
    private long opened = NOWHERE;
    // What was opened at the current one; null if that is damaged.
    private FrameKind kind;
    // Whether its body was skipped, and is complete.
    private boolean isBodySkipped;
    private boolean isBodyComplete;
    // Number of messages, damaged ones included; and before the stream's first.
    private int count;
    private int first;
    // Whether the stream has a complete message.
    private boolean hasMessages;
    private boolean isIncomplete;
    // Whether the current message is damaged by the bytes behind it.
    private boolean isStray;
    // Whether the current bytes are damage whose end is not known.
    private boolean isDamaged;
    private boolean hasEnded;
    // The end-of-stream marker behind the last message, or zeros that look like one.
    private long marker = NOWHERE;
    private long markerEnd = NOWHERE;
    // The last zeros of a file with a footer.
    private long zerosAt = NOWHERE;
    private long zerosEnd = NOWHERE;
    // Whether a damaged schema message of another stream follows the marker. Its batches are
    // skipped.
    private boolean isForeign;
    private long nextStream = NOWHERE;
    // Blocks of the footer that lead to no message: they wait until it is known what is at their
    // offset. Of those that lead too often to the same bytes, only the first is there.
    private final Queue<ContainerPart> lostBlocks = new ArrayDeque<>();
    private boolean isTooOften;

    /// @param bytes before the first message
    /// @param first index of the first message
    /// @param searches whether to continue after damage; false if bodies are not in the memory
    /// @param isFile whether they are the messages of a file, which may have zeros between them,
    ///     and bytes of a damaged footer behind them. In a stream zeros are an end-of-stream
    ///     marker, at which readers stop
    public MessageWalk(
            MessageBytes bytes,
            int first,
            boolean searches,
            boolean isFile,
            MessageOpener opener,
            MessageVisitor visitor) {
        this.bytes = bytes;
        this.isFile = isFile;
        this.position = bytes.offset();
        this.first = first;
        this.count = first;
        this.searches = searches;
        this.opener = opener;
        this.visitor = visitor;
    }

    /// A walk over a file by its plan, with the footer's blocks. Messages come in the order of
    /// their offsets, and as often as blocks lead to them.
    ///
    /// @param footer of the file
    /// @param blocks of the footer
    public static MessageWalk ofFile(
            MemorySegment file,
            Footer footer,
            FooterBlocks blocks,
            MessageOpener opener,
            MessageVisitor visitor) {
        ContainerPlan plan = blocks.plan(file, footer, opener.rules());
        MessageBytes bytes = MessageBytes.of(file, 0, plan.end());
        MessageWalk walk = new MessageWalk(bytes, 0, true, true, opener, visitor);
        walk.plan = plan;
        return walk;
    }

    /// Opens what is at each block, in the order of offsets: for a file each of whose blocks leads
    /// to a message, or whose bodies are not in memory.
    public static MessageWalk ofBlocks(
            MemorySegment file, FooterBlocks blocks, MessageOpener opener, MessageVisitor visitor) {
        MessageBytes bytes = MessageBytes.of(file, 0, blocks.messagesEnd());
        MessageWalk walk = new MessageWalk(bytes, 0, false, true, opener, visitor);
        walk.blocks = blocks;
        return walk;
    }

    /// Passes the blocks in the order of the footer, dictionaries first.
    public void followBlocks() {
        order = blocks.byNumber();
    }

    /// Keeps messages that are followed by bytes that may belong to them.
    public void keepDoubtful() {
        keepsDoubtful = true;
    }

    /// Begins with a schema message without prefix.
    ///
    /// @param end of that message; 0 if there is none
    public void beginUnframed(long end) {
        unframedEnd = end;
    }

    /// Begins behind messages that the caller has read.
    ///
    /// @param messages number of these messages
    public void beginAt(long offset, int messages) {
        position = offset;
        bytes.seek(offset);
        hasMessages = messages > 0;
        count += messages;
    }

    /// Moves to the next complete message.
    ///
    /// @return false at the end of the stream; then the visitor has opened an incomplete message,
    ///     or the end
    public boolean next() throws IOException {
        boolean isComplete = false;
        while (!hasEnded && !isComplete) {
            isComplete = blocks != null ? block() : plan == null ? follower() : part(plan.next());
        }
        return isComplete;
    }

    private void open(long offset) throws IOException {
        open(offset, count);
    }

    private void open(long offset, int index) throws IOException {
        position = offset;
        bytes.seek(offset);
        bytes.begin();
        opened = offset;
        isBodySkipped = false;
        passLostBlocks(part);
        visitor.begin(offset, index, part);
        kind = opener.open(bytes, (int) Math.max(0, unframedEnd - offset), index);
        visitor.opened(kind);
    }

    // ---- messages of blocks

    /// @return whether the next block leads to a complete message
    private boolean block() throws IOException {
        if (block == blocks.count()) {
            return end(bytes.end());
        }
        part = blocks.part(order == null ? block : order[block]);
        block++;
        count++;
        if (part.offset() == opened && isSameMessage()) {
            visitor.again(index(), part);
        } else if (part.state() == State.WHOLE) {
            open(part.offset(), index());
            isBodyComplete = kind == FrameKind.MESSAGE && opener.skipBody(bytes);
            if (kind == null) {
                opener.damaged(bytes);
            }
        } else {
            visitor.begin(part.offset(), index(), part);
            isBodyComplete = false;
        }
        position = Math.max(part.nextOffset(), isBodyComplete ? bytes.offset() : 0);
        return isBodyComplete;
    }

    /// Whether a message that was opened is opened once for all its blocks: a dictionary batch may
    /// replace another one or append to it again.
    private boolean isSameMessage() {
        return kind == null || kind == FrameKind.MESSAGE && part.kind() != Kind.DICTIONARY;
    }

    // ---- messages that follow each other

    /// @return whether a complete message follows
    private boolean follower() throws IOException {
        if (unframedEnd > 0) {
            return unframedSchema();
        }
        if (isFile && mayPlan() && count > first && !mayFollow(bytes.offset())) {
            begin(bytes.offset()); // perhaps a damaged footer
            return false;
        }
        open(bytes.offset());
        return switch (kind) {
            case MESSAGE -> message();
            case END_OF_STREAM -> endOfStream();
            case END_OF_INPUT -> end(position);
            case null, default -> damage();
        };
    }

    /// Whether the rest can be divided by a plan.
    private boolean mayPlan() {
        return searches && !bytes.isPipe();
    }

    private boolean message() throws IOException {
        if (isRepeatedSchema()) {
            return false;
        }
        passed.add(bytes, opener, position);
        skipBody();
        long next = bytes.offset();
        if (!mayPlan() && !isBodyComplete) {
            return skipTo(bytes.end());
        }
        boolean isPlanned =
                mayPlan()
                        && (!isBodyComplete
                                || !mayFollow(next)
                                || MessagePlace.endsInMarker(bytes.memory(), next, bytes.end()));
        if (isPlanned) {
            begin(position);
            return false;
        }
        hasMessages = true;
        before = bytes.isPipe() ? NOWHERE : position;
        count++;
        position = next;
        return true;
    }

    private boolean unframedSchema() throws IOException {
        open(position);
        long end = unframedEnd;
        unframedEnd = 0;
        if (kind != FrameKind.MESSAGE) {
            return damaged(end);
        }
        passed.add(bytes, opener, position);
        beginAt(end, 1);
        return true;
    }

    private boolean isRepeatedSchema() throws IOException {
        if (!hasMessages || !isSchema()) {
            return false;
        }
        if (passed.hasSchema()) {
            FrameCheck.repeatedSchema(position, fault -> visitor.accept(fault.inMessage(count)));
        }
        return !follow(position, false);
    }

    private boolean isSchema() {
        return opener.message().headerType() == MessageHeader.SCHEMA;
    }

    private void skipBody() throws IOException {
        if (!isBodySkipped) {
            isBodySkipped = true;
            isBodyComplete = opener.skipBody(bytes);
        }
    }

    /// [PassedMessages#mayFollow] for the messages so far.
    public boolean mayFollow(long offset) {
        return passed.mayFollow(bytes, offset);
    }

    private boolean damage() throws IOException {
        if (!searches) {
            MessagePlace place = MessagePlace.at(bytes.memory(), position, bytes.end());
            return damaged(place.hasEndIn(bytes.end()) ? place.end() : bytes.end());
        }
        bytes.stored();
        begin(before == NOWHERE ? position : before);
        return false;
    }

    private boolean endOfStream() throws IOException {
        marker = position;
        markerEnd = bytes.offset();
        if (bytes.isPipe() && bytes.takesOnlyZeros()) {
            return end(marker);
        }
        bytes.stored();
        if (markerEnd == bytes.end()) {
            return end(marker);
        }
        if (searches) {
            begin(marker);
            return false;
        }
        long next = behindMarkers(bytes.memory(), markerEnd, bytes.end());
        MessagePlace behind = MessagePlace.at(bytes.memory(), next, bytes.end());
        if (!behind.isSound()) {
            return end(marker);
        }
        behindMarker(behind.isSchema(), next);
        return false;
    }

    /// Offset of the first bytes behind a marker that are neither zeros nor markers.
    ///
    /// @param from end of the marker
    public static long behindMarkers(MemorySegment memory, long from, long end) {
        long limit = from + Math.min(end - from, MessageFinder.MAX_ZEROS);
        long position = endOfZeros(memory, from, limit);
        while (MessagePlace.markerBytes(memory, position, limit) == MessagePrefix.BYTES) {
            position = endOfZeros(memory, position + MessagePrefix.BYTES, limit);
        }
        return position;
    }

    /// End of the zeros at an offset, without those that begin a word: it may be the length of a
    /// message without continuation word.
    private static long endOfZeros(MemorySegment memory, long from, long to) {
        long position = MessageFinder.endOfRun(memory, from, to, 0);
        long word = position - (position - from) % Integer.BYTES;
        boolean isPrefix = to - position >= Integer.BYTES;
        return isPrefix && MessagePrefix.isContinuation(memory, position) ? position : word;
    }

    // ---- the rest, by its plan

    private void begin(long from) {
        plan = passed.rest(bytes, opener, from, isFile);
    }

    /// @return whether the part is a complete message of this stream
    private boolean part(ContainerPart next) throws IOException {
        part = next;
        if (next == null) {
            return endOfParts();
        }
        if (next.block() != ContainerPart.NO_BLOCK && next.kind() == Kind.GAP) {
            boolean isRepeated = next.state() == State.REPEATED;
            if (!isRepeated || !isTooOften) {
                lostBlocks.add(next);
            }
            isTooOften |= isRepeated;
            return false;
        }
        // A damaged schema message may claim bytes of the first batch.
        boolean isBatch = next.kind() == Kind.BATCH || next.kind() == Kind.DICTIONARY;
        boolean isClaimed = hasFooter() && isBatch;
        // A gap may begin with a message that was passed, whose schema is invalid.
        boolean isPassed = next.kind() != Kind.GAP || hasFooter() || next.nextOffset() <= position;
        if (next.offset() < position && next.offset() != opened && !isClaimed && isPassed) {
            return false;
        }
        return switch (next.kind()) {
            case HEAD, TAIL -> false;
            case FOOTER -> hasFooter() ? false : end(next.offset());
            case MARKER, PADDING -> hasFooter() ? zeros() : marker();
            case GAP -> gap();
            default -> plannedMessage();
        };
    }

    /// @param there what is opened behind the blocks; null at the end
    private void passLostBlocks(ContainerPart there) {
        for (ContainerPart each; (each = lostBlocks.poll()) != null; ) {
            boolean isThere = there != null && there.offset() == each.offset();
            visitor.block(each, isThere ? there : null, isThere ? count : Fault.NO_MESSAGE);
        }
    }

    /// Whether blocks confirm messages. Then markers between them mean nothing.
    private boolean hasFooter() {
        return plan.footer() != null;
    }

    /// Passes zeros or a marker of a file with a footer: so many zeros may be a lost message.
    private boolean zeros() {
        boolean mayBeLost =
                part.kind() == Kind.PADDING
                        && !ContainerPlan.mayBePadding(part.bodyLength())
                        && part.nextOffset() < plan.end()
                        && marker == NOWHERE;
        marker = part.kind() == Kind.MARKER ? part.offset() : marker;
        zerosAt = part.offset();
        zerosEnd = part.nextOffset();
        if (mayBeLost) {
            long from = part.offset();
            visitor.between(from, part.nextOffset(), endBetween(from, part.nextOffset()));
            zerosEnd = NOWHERE; // bytes behind them are the same damage
        }
        return false;
    }

    private boolean endOfParts() throws IOException {
        passLostBlocks(null);
        if (isDamaged) {
            return damaged(bytes.end());
        }
        if (hasFooter()) {
            return end(plan.end());
        }
        if (marker != NOWHERE) {
            if (opened != marker) {
                open(marker);
            }
            return end(marker);
        }
        open(bytes.end());
        return end(position);
    }

    private boolean marker() throws IOException {
        if (marker != NOWHERE && opened != part.offset()) {
            return false;
        }
        if (isStray && part.kind() == Kind.PADDING) { // reported with the message before
            isStray = false;
            return passTo(part.nextOffset());
        }
        if (opened != part.offset()) {
            open(part.offset());
        }
        if (kind != FrameKind.END_OF_STREAM) {
            isDamaged = true; // these zeros are a part of it
            return false;
        }
        marker = part.offset();
        markerEnd = bytes.offset();
        return false;
    }

    private boolean gap() throws IOException {
        long from = hasFooter() ? part.offset() : Math.max(part.offset(), position);
        long to = part.nextOffset();
        if (marker != NOWHERE) { // behind the end, unless a message follows
            long prefix = MessagePrefix.read(bytes.memory(), from, bytes.end() - from);
            isForeign |= from == markerEnd && MessagePrefix.isCurrent(prefix);
            return false;
        }
        if (hasFooter() && count == 0 && !plan.hasBlock(from, to)) {
            return passTo(to); // the schema message, which readers of files do not need
        }
        if (isStray) { // reported with the message before
            isStray = false;
            return passTo(to);
        }
        boolean isFooter =
                isFile
                        && !hasFooter()
                        && count > first
                        && to == bytes.end()
                        && !passed.mayBeDamaged(bytes.memory(), from, to);
        if (isFooter) {
            return end(from);
        }
        damage(from, to);
        return false;
    }

    private void damage(long from, long next) throws IOException {
        if (!isDamaged && opened != from) {
            open(from);
        }
        if (hasFooter()) {
            long begin = zerosEnd == from ? zerosAt : from;
            // Of what is no message, nothing was reported.
            visitor.between(begin, next, kind == null ? null : fault());
            skipTo(next);
        } else if (kind != FrameKind.MESSAGE) {
            damaged(next);
        } else {
            skipBody();
            if (isBodyComplete) {
                visitor.accept(fault());
            }
            skipTo(next);
        }
    }

    /// What is wrong with the current message.
    private Fault fault() {
        return part.fault().inMessage(count);
    }

    private static Fault endBetween(long from, long next) {
        return FrameCheck.endBetween(from, next, "next=" + next);
    }

    private boolean damaged(long next) throws IOException {
        isDamaged = false;
        opener.damaged(bytes);
        visitor.damaged(position, next);
        return skipTo(next);
    }

    private boolean plannedMessage() throws IOException {
        long from = part.offset();
        if (isForeign && part.kind() != Kind.SCHEMA) {
            return false;
        }
        if (isDamaged) {
            damaged(from);
        }
        boolean isSchema = part.kind() == Kind.SCHEMA;
        if (isSchema && hasFooter() && (count > 0 || part.prefixLength() == 0)) {
            return false; // the footer's schema counts
        }
        if (hasFooter()) {
            marker = NOWHERE;
        } else if (marker != NOWHERE && behindMarker(isSchema, from)) {
            return false;
        }
        boolean isAgain = part.state() == State.REPEATED;
        judged = isAgain ? judged : part;
        if (isAgain && isSameMessage()) {
            visitor.again(count, part);
        } else if (isAgain || opened != from) {
            open(from);
        }
        if (kind != FrameKind.MESSAGE) {
            return refused(isSchema);
        }
        if (!isBodySkipped && !hasFooter() && isRepeatedSchema()) {
            return false;
        }
        passed.add(bytes, opener, position);
        skipBody();
        if (!isBodyComplete) {
            return skipTo(part.nextOffset());
        }
        isStray = judged.state() == State.DOUBTFUL && !keepsDoubtful;
        if (isStray || judged.state() == State.OVERLAPPED) {
            Fault fault = judged.fault().inMessage(count);
            if (isSchema && hasFooter()) {
                visitor.between(from, part.nextOffset(), fault);
            } else {
                visitor.accept(fault);
            }
            return skipTo(part.nextOffset());
        }
        hasMessages = true;
        count++;
        position = Math.max(from, part.nextOffset());
        bytes.seek(position);
        return true;
    }

    /// Passes a message that cannot be opened. In a file with a footer, it is damage only if it has
    /// a block, or if something is lost.
    private boolean refused(boolean isSchema) throws IOException {
        long next = part.nextOffset();
        if (isSchema && hasFooter()) {
            return passTo(next);
        }
        if (hasFooter() && part.block() == ContainerPart.NO_BLOCK) {
            visitor.between(part.offset(), next, null);
            return skipTo(next);
        }
        return damaged(next);
    }

    /// Passes a message behind an end-of-stream marker: it begins another stream, or the marker is
    /// damage.
    ///
    /// @return whether this stream has ended
    private boolean behindMarker(boolean isSchema, long next) throws IOException {
        boolean isStream = isSchema && hasMessages;
        if (isStream && !follow(next, true)) {
            return true;
        }
        boolean areZeros = markerEnd - marker == MessagePrefix.LEGACY_BYTES;
        boolean isPadding = isFile && areZeros && ContainerPlan.mayBePadding(next - marker);
        if (!isStream && !isPadding) {
            position = marker;
            visitor.accept(endBetween(marker, next));
            count++;
        }
        marker = NOWHERE;
        markerEnd = NOWHERE;
        isForeign = false;
        position = next;
        bytes.seek(next);
        return false;
    }

    // ---- the end

    /// @return false
    private boolean end(long offset) {
        position = offset;
        hasEnded = true;
        return false;
    }

    /// Counts damage as a message, and continues after it.
    ///
    /// @return false
    private boolean skipTo(long next) {
        count++;
        isIncomplete = kind == FrameKind.MESSAGE && !isBodyComplete && next == bytes.end();
        return passTo(next);
    }

    private boolean passTo(long next) {
        position = next;
        bytes.seek(next);
        hasEnded = next == bytes.end() && (plan == null || !hasFooter());
        return false;
    }

    /// @return whether to continue with the stream at an offset; else this stream ends
    private boolean follow(long offset, boolean isBehindMarker) throws IOException {
        if (visitor.nextStream(offset, isBehindMarker)) {
            first = count;
            hasMessages = false;
            return true;
        }
        bytes.stored();
        nextStream = offset;
        hasEnded = true;
        return false;
    }

    // ---- the current place

    /// The part of the plan that the current message is; null as long as messages follow each
    /// other.
    public ContainerPart part() {
        return part;
    }

    /// Offset of the next message, or of damage; after the last message, of the marker or the end.
    public long at() {
        return position;
    }

    /// Number of messages so far, damaged ones and those of other streams included.
    public int count() {
        return count;
    }

    /// Index of the last message, by its offset; -1 before the first one.
    public int index() {
        return order == null || block == 0 ? count - 1 : count - block + order[block - 1];
    }

    /// Index of the current stream's first message.
    public int first() {
        return first;
    }

    /// Whether the input ends inside the body of the last message.
    public boolean isIncomplete() {
        return isIncomplete;
    }

    /// Offset after the end-of-stream marker; -1 if the stream has not ended by one.
    public long markerEnd() {
        return markerEnd;
    }

    /// Offset of the first message of another stream; -1 if there is none.
    public long nextStream() {
        return nextStream;
    }
}
