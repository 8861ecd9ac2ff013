// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.format.Block;
import dev.fletch.format.Footer;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.internal.ContainerPart.Kind;
import dev.fletch.ipc.internal.ContainerPart.State;
import dev.fletch.wire.MessagePrefix;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/// The blocks of a footer, in the order of their offsets.
public final class FooterBlocks {
    // How many blocks around a message may be the one of that message.
    private static final int NEAR = 32;

    // The most bytes to which blocks may refer again, as a multiple of all messages and blocks, and
    // more.
    private static final int MAX_REPEATS = 16;
    private static final long FREE_REPEATED_BYTES = 64L << 20;

    private final BlockNumbers order;
    private int[] numbers;
    private long[] offsets;
    private long[] metadataLengths;
    private long[] bodyLengths;
    private final long lastEnd;
    private final long messagesEnd;
    // The first block that refers again to too many bytes, and that fault; null if none does.
    private int firstRepeated;
    private Fault repeated;
    // Null until it is needed.
    private ContainerPlan plan;

    /// @param footer null for no blocks
    /// @param messagesEnd end of the messages of the file
    public FooterBlocks(Footer footer, long messagesEnd) {
        this.messagesEnd = messagesEnd;
        order = footer == null ? new BlockNumbers(0, 0) : BlockNumbers.of(footer);
        int count = order.count();
        offsets = new long[count];
        metadataLengths = new long[count];
        bodyLengths = new long[count];
        BlockCheck blocks = count == 0 ? null : new BlockCheck(footer, messagesEnd, 0, _ -> {});
        for (int i = 0; i < count; i++) {
            Block block = blocks.bind(i);
            offsets[i] = block.offset();
            metadataLengths[i] = block.metaDataLength();
            bodyLengths[i] = block.bodyLength();
        }
        numbers = sortedNumbers(offsets);
        if (numbers == null) { // mostly: the order of the footer
            numbers = IntStream.range(0, count).toArray();
        } else {
            offsets = sorted(offsets);
            metadataLengths = sorted(metadataLengths);
            bodyLengths = sorted(bodyLengths);
        }
        long last = 0;
        for (int i = 0; i < count; i++) {
            if (isBetween(i)) {
                last = Math.max(last, end(i));
            }
        }
        lastEnd = last;
        limitRepeats();
    }

    /// How the messages of a file are found.
    public enum Way {
        /// By the blocks: each leads to a message.
        BLOCKS,
        /// By a [ContainerPlan]: not all do, too many lead to the same bytes, or a message has
        /// probably lost or gained bytes.
        PLAN,
        /// Not at all: too many blocks lead to the same bytes, and nothing can be searched.
        NONE
    }

    /// Decides how the messages of a file are found.
    ///
    /// @param file with the footer
    /// @param of the file: the footer with these blocks
    /// @param isSearchable whether messages can be searched: bodies are in memory
    /// @param rules of messages, without a schema
    public Way way(MemorySegment file, Footer of, boolean isSearchable, MessageRules rules) {
        if (!isSearchable) {
            return repeated == null ? Way.BLOCKS : Way.NONE;
        }
        boolean isWhole = lead(file) && (areAlone(file) || plan(file, of, rules).areWhole());
        return isWhole ? Way.BLOCKS : Way.PLAN;
    }

    /// Whether a plan may be needed, which reads all bytes of the file. Otherwise the blocks lead to
    /// all messages.
    public boolean mayPlan(MemorySegment file) {
        return !lead(file) || !areAlone(file);
    }

    /// The plan of the file with these blocks: the one that [#way] has looked at, if it has all parts.
    ContainerPlan plan(MemorySegment file, Footer of, MessageRules rules) {
        if (plan == null || plan.hasLostParts()) {
            plan = ContainerPlan.of(file, of, this, rules);
        }
        return plan;
    }

    /// Whether no bytes behind a message may belong to it. Messages that overlap are as they are.
    private boolean areAlone(MemorySegment file) {
        return !areApart() || areFollowed(file);
    }

    /// Whether nothing, zeros, a marker or a message follows each message, all of which lead to
    /// messages. Other bytes may belong to it.
    private boolean areFollowed(MemorySegment file) {
        for (int i = 0; i < count(); i++) {
            long next = i + 1 < count() ? offsets[i + 1] : messagesEnd;
            long end = end(i);
            if (next == messagesEnd && MessagePlace.endsInMarker(file, end, next)) {
                return false;
            }
            if (end < next && !MessageFinder.areZeros(file, end, next)) {
                MessagePlace behind = MessagePlace.at(file, end, next);
                boolean isMarker = behind.isEnd() && behind.isCurrent(); // else zeros and others
                if (!isMarker && !behind.hasEndIn(next)) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Whether a message with the lengths of its block is at the offset of each. Reads no more of a
    /// message than its lengths.
    private boolean lead(MemorySegment file) {
        for (int i = 0; i < count() && repeated == null; i++) {
            boolean isAgain = i > 0 && isSame(i, i - 1);
            if (!isAgain && !(isBetween(i) && leads(i, file))) {
                return false;
            }
        }
        return repeated == null;
    }

    /// Finds the first block that refers again to too many bytes, by the blocks alone.
    private void limitRepeats() {
        long bytesOfAll = messagesEnd + (long) Block.BYTES * count();
        long limit = MAX_REPEATS * bytesOfAll + FREE_REPEATED_BYTES;
        long before = 0;
        long bytes = 0;
        for (int i = 0; i < count() && repeated == null; i++) {
            if (isBetween(i)) {
                long room = messagesEnd - offsets[i];
                long metadata = Math.clamp(metadataLengths[i], 0, room);
                long to = offsets[i] + metadata + Math.clamp(bodyLengths[i], 0, room - metadata);
                bytes += Math.max(0, Math.min(before, to) - offsets[i]);
                before = Math.max(before, to);
            }
            if (bytes > limit) {
                firstRepeated = i;
                repeated =
                        Fault.of(FileRule.BLOCKS_REPEATED, offsets[i], bytes)
                                .with("bytes", bytes)
                                .with("limit", limit);
            }
        }
    }

    /// The fault that blocks refer again to too many bytes, the reason for [Way#NONE]; null if they
    /// do not.
    public Fault repeated() {
        return repeated;
    }

    /// The fault that a block, and those before it, refer again to too many bytes; null if they do
    /// not.
    Fault repeated(int i) {
        return repeated == null || i < firstRepeated ? null : repeated.in(offsets[i]);
    }

    /// Whether no message, by its block, begins inside another one. Blocks may lead to the same
    /// one.
    public boolean areApart() {
        return IntStream.range(1, count())
                .allMatch(i -> offsets[i] == offsets[i - 1] || offsets[i] >= claimed(i - 1, 0));
    }

    private boolean isSame(int i, int other) {
        return offsets[i] == offsets[other]
                && hasLengths(i, metadataLengths[other], bodyLengths[other]);
    }

    private boolean hasLengths(int i, long metadataLength, long bodyLength) {
        return metadataLengths[i] == metadataLength && bodyLengths[i] == bodyLength;
    }

    private boolean leads(int i, MemorySegment file) {
        MessagePlace place = MessagePlace.at(file, offsets[i], messagesEnd);
        return place.isWhole()
                && place.hasBody()
                && hasLengths(i, place.bodyAt() - offsets[i], place.bodyLength())
                && place.bodyLength() <= messagesEnd - place.bodyAt();
    }

    /// The message that a block leads to, by the block alone: [State#INVALID] if its offset is not
    /// in the file.
    ContainerPart part(int i) {
        return new ContainerPart(
                kind(i) == MessageHeader.DICTIONARY_BATCH ? Kind.DICTIONARY : Kind.BATCH,
                offsets[i],
                0,
                (int) metadataLengths[i],
                bodyLengths[i],
                claimed(i, offsets[i]),
                numbers[i],
                isBetween(i) ? State.WHOLE : State.INVALID,
                null);
    }

    /// The numbers of blocks, in the order of their offsets; null if that is their own order.
    private static int[] sortedNumbers(long[] offsets) {
        for (int i = 1; i < offsets.length; i++) {
            if (offsets[i - 1] > offsets[i]) {
                return IntStream.range(0, offsets.length)
                        .boxed()
                        .sorted(Comparator.comparingLong(number -> offsets[number]))
                        .mapToInt(Integer::intValue)
                        .toArray();
            }
        }
        return null;
    }

    /// The index of each block by its number.
    int[] byNumber() {
        int[] indices = new int[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            indices[numbers[i]] = i;
        }
        return indices;
    }

    private long[] sorted(long[] values) {
        return Arrays.stream(numbers).mapToLong(number -> values[number]).toArray();
    }

    public int count() {
        return offsets.length;
    }

    /// End of the messages of the file.
    public long messagesEnd() {
        return messagesEnd;
    }

    public long offset(int i) {
        return offsets[i];
    }

    /// End of the message, by its block.
    public long end(int i) {
        return offsets[i] + metadataLengths[i] + bodyLengths[i];
    }

    /// End of the bytes that a block and those before it claim. A block that is not inside the file
    /// claims none.
    ///
    /// @param before end of the bytes that were claimed before
    long claimed(int i, long before) {
        return fits(i) ? Math.max(before, end(i)) : before;
    }

    /// Receives bytes that no block claims.
    public interface GapSink {
        /// @param isLast whether they are behind all blocks
        void gap(long from, long to, boolean isLast);
    }

    /// Passes the bytes between the messages that blocks lead to, and those behind the last one.
    ///
    /// @param from end of the schema message, or of the head
    public void gaps(long from, GapSink sink) {
        long claimed = from;
        for (int i = 0; i < count(); i++) {
            sink.gap(claimed, Math.clamp(offsets[i], 0, messagesEnd), false);
            claimed = claimed(i, claimed);
        }
        sink.gap(claimed, messagesEnd, true);
    }

    /// Whether a block is inside the file.
    boolean fits(int i) {
        return BlockCheck.fits(offsets[i], metadataLengths[i], bodyLengths[i], messagesEnd);
    }

    /// Number in the footer, dictionaries first.
    public int number(int i) {
        return numbers[i];
    }

    /// The kind of message that it leads to.
    public int kind(int i) {
        return order.kind(numbers[i]);
    }

    /// Index among the blocks of that kind.
    public int index(int i) {
        return order.index(numbers[i]);
    }

    /// The greatest end of a message, by its block.
    long lastEnd() {
        return lastEnd;
    }

    /// Whether kind and lengths of a message are those of a block.
    boolean isLike(int i, FoundMessage message) {
        return message.kind() == kind(i)
                && hasLengths(i, message.bodyOffset() - message.offset(), message.bodyLength());
    }

    /// Offset of the first message that a block leads to, with or without its lengths. A block that
    /// leads to other bytes is itself wrong.
    ///
    /// @param from offset of the file's first message
    /// @return the end of the messages if no block leads to one
    public long firstMessage(MemorySegment file, long from) {
        for (int i = 0; i < count() && offsets[i] <= messagesEnd - MessagePrefix.BYTES; i++) {
            if (offsets[i] >= from
                    && (MessagePrefix.isContinuation(file, offsets[i]) || leads(i, file))) {
                return offsets[i];
            }
        }
        return messagesEnd;
    }

    /// Whether a message is in a range.
    boolean isIn(long from, long to) {
        int first = Arrays.binarySearch(offsets, from);
        first = first < 0 ? -first - 1 : first;
        return first < count() && offsets[first] < to;
    }

    /// Finds the block of a message that has moved: the nearest one that is like it.
    ///
    /// @param after only blocks behind this one count
    /// @return [#count] if there is none
    int blockOf(FoundMessage message, int after) {
        int near = Arrays.binarySearch(offsets, message.offset());
        near = near < 0 ? -near - 1 : near;
        int last = Math.min(offsets.length, near + NEAR);
        int found = offsets.length;
        for (int i = Math.max(after + 1, near - NEAR); i < last; i++) {
            if (isBetween(i)
                    && isLike(i, message)
                    && (found == offsets.length
                            || distance(i, message) < distance(found, message))) {
                found = i;
            }
        }
        return found;
    }

    /// Whether the message may be there; otherwise the offset is damaged.
    boolean isBetween(int i) {
        return BlockCheck.isBetween(offsets[i], messagesEnd);
    }

    private long distance(int i, FoundMessage message) {
        return Math.abs(message.offset() - offsets[i]);
    }
}
