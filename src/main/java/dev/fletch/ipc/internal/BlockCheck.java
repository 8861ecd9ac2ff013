// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.FileRule;
import dev.fletch.Rule;
import dev.fletch.format.Block;
import dev.fletch.format.Footer;
import dev.fletch.format.FrameKind;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.wire.MessagePrefix;

import java.lang.foreign.MemorySegment;
import java.util.Set;

/// Binds to the blocks of a footer, and has their rules. A block is checked in three steps: its
/// numbers ([#isInside], or [#hasNumbers] for checks), the prefix at its offset ([#hasPrefix]), and
/// what the metadata there says ([#hasMessage]). A reader opens the message between them, and goes
/// no further than a step that fails. [#lost] does them at once, for blocks that lead to no
/// message.
///
/// Each returns whether its rules hold, and otherwise reports to the sink; the position of a fault
/// is that of the block in the footer.
///
/// Source: `format/File.fbs`; Columnar format, "IPC File Format".
public final class BlockCheck {
    /// The kind of a message whose metadata is not sound.
    public static final int UNKNOWN_KIND = -1;

    private final Footer footer;
    private final long footerOffset;
    // Offset in the file of the memory that holds the footer.
    private final long shift;
    private final FaultSink sink;
    private final Block block = new Block();
    private final BlockNumbers order;
    private int kind;
    private int index;

    /// @param footer bound to the footer
    /// @param footerOffset offset of the footer in the file
    /// @param shift offset in the file of the memory that holds the footer
    public BlockCheck(Footer footer, long footerOffset, long shift, FaultSink sink) {
        this.footer = footer;
        this.order = BlockNumbers.of(footer);
        this.footerOffset = footerOffset;
        this.shift = shift;
        this.sink = sink;
    }

    /// Binds to a block.
    ///
    /// @param ofKind the kind of message that it leads to
    /// @param number its index among the blocks of that kind
    /// @return always the same flyweight
    /// @throws IndexOutOfBoundsException if there is no such block
    public Block bind(int ofKind, int number) {
        kind = ofKind;
        index = number;
        return isDictionary()
                ? footer.dictionaries(number, block)
                : footer.recordBatches(number, block);
    }

    /// Binds to a block by its number among all blocks: see [BlockNumbers].
    ///
    /// @return always the same flyweight
    public Block bind(int number) {
        return bind(order.kind(number), order.index(number));
    }

    /// Number of all blocks of the footer.
    public int count() {
        return order.count();
    }

    /// Whether the block is one of a dictionary.
    public boolean isDictionary() {
        return kind == MessageHeader.DICTIONARY_BATCH;
    }

    /// Index of the block among those of its kind.
    public int index() {
        return index;
    }

    /// Path of the block in the footer, such as `recordBatches[3]`.
    public String path() {
        return BlockNumbers.path(kind, index);
    }

    /// Offset of the block in the file.
    public long position() {
        return block.position() + shift;
    }

    /// The block's numbers, for a text.
    public String numbers() {
        String metadata = ", metaDataLength=" + block.metaDataLength();
        return "blockOffset=" + block.offset() + metadata + ", bodyLength=" + block.bodyLength();
    }

    /// [#isInside], and also checks that the numbers are multiples of 8. Readers accept others.
    public boolean hasNumbers() {
        requireAligned();
        return isInside();
    }

    /// Checks that the block is between the leading magic and the footer.
    public boolean isInside() {
        long offset = block.offset();
        if ((offset | block.metaDataLength() | block.bodyLength()) < 0) {
            return report(FileRule.BLOCK_NEGATIVE, offset, "");
        }
        return fits(offset, block.metaDataLength(), block.bodyLength(), footerOffset)
                || report(FileRule.BLOCK_OUT_OF_FILE, offset, ", footer=" + footerOffset);
    }

    /// Whether a block is between the leading magic and the footer.
    static boolean fits(long offset, long metadataLength, long bodyLength, long footerOffset) {
        long room = footerOffset - offset;
        return isBetween(offset, footerOffset)
                && metadataLength >= 0
                && metadataLength <= room
                && bodyLength >= 0
                && bodyLength <= room - metadataLength;
    }

    /// Whether the offset of a block is between the leading magic and the footer. Otherwise it is
    /// damaged.
    static boolean isBetween(long offset, long footerOffset) {
        return offset >= FileHead.MAGIC_BYTES && offset <= footerOffset;
    }

    /// Whether some rules refuse what [#requireApart] finds.
    public static boolean refusesOverlaps(Set<Rule> refused) {
        return refused.contains(FileRule.BLOCK_OVERLAP);
    }

    /// Checks that the blocks of each kind have the order of their offsets. Reports the first of a
    /// kind that is before an earlier one.
    public void requireOrder() {
        requireOrder(0, order.dictionaries());
        requireOrder(order.dictionaries(), count());
    }

    private void requireOrder(int from, int to) {
        long before = Long.MIN_VALUE;
        for (int number = from; number < to; number++) {
            long offset = bind(number).offset();
            if (offset < before) {
                String details = "blockOffset=" + offset + ", before=" + before;
                sink.accept(
                        Fault.of(FileRule.BLOCK_ORDER, position(), 0).at(path()).because(details));
                return;
            }
            before = offset;
        }
    }

    /// Checks that each block begins behind all earlier ones and the schema message, but for those
    /// that are outside the file.
    ///
    /// @param sorted the blocks of the footer
    /// @param from end of the schema message, or of the head
    public void requireApart(FooterBlocks sorted, long from) {
        long claimed = from;
        for (int i = 0; i < sorted.count(); i++) {
            if (sorted.fits(i)) {
                if (bind(sorted.number(i)).offset() < claimed) {
                    report(FileRule.BLOCK_OVERLAP, 0, ", claimed=" + claimed);
                }
                claimed = sorted.claimed(i, claimed);
            }
        }
    }

    /// Negative numbers break another rule.
    private void requireAligned() {
        long all = block.offset() | block.metaDataLength() | block.bodyLength();
        if (all >= 0 && !FrameCheck.isAligned(all)) {
            report(FileRule.BLOCK_UNALIGNED, block.offset(), "");
        }
    }

    /// Compares the block with the prefix at its offset.
    ///
    /// @param kind what is there
    /// @param prefixLength its length
    /// @param metadataLength by the prefix
    public boolean hasPrefix(FrameKind kind, int prefixLength, int metadataLength) {
        if (kind != FrameKind.MESSAGE) {
            return withoutMessage(kind, prefixLength);
        }
        long length = prefixLength + (long) metadataLength;
        return length == block.metaDataLength()
                || report(FileRule.BLOCK_METADATA_LENGTH, length, ", found=" + length);
    }

    /// Reports that no message is at the block's offset. The fault has that offset, not the one of
    /// the block in the footer: the message may be damaged, and the block sound.
    ///
    /// @param kind what is there
    /// @param prefixLength length of its prefix: without continuation word, an end-of-stream marker
    ///     is only zeros, which damage leaves, too
    public boolean withoutMessage(FrameKind kind, int prefixLength) {
        boolean areZeros =
                kind == FrameKind.END_OF_STREAM && prefixLength == MessagePrefix.LEGACY_BYTES;
        String details = numbers() + ", found=" + (areZeros ? "zeros" : kind);
        return sink.broken(withoutMessage(block.offset(), details).at(path()));
    }

    /// The fault that no message is at a block's offset.
    static Fault withoutMessage(long position, String details) {
        return Fault.of(FileRule.BLOCK_WITHOUT_MESSAGE, position, position).because(details);
    }

    /// Compares the block with what the metadata of its message says.
    ///
    /// @param found its kind, or [#UNKNOWN_KIND]
    public boolean hasMessage(long bodyLength, int found) {
        return hasBodyLength(bodyLength) && (found == UNKNOWN_KIND || hasKind(found));
    }

    private boolean hasBodyLength(long found) {
        return found == block.bodyLength()
                || report(FileRule.BLOCK_BODY_LENGTH, found, ", found=" + found);
    }

    private boolean hasKind(int found) {
        return found == kind
                || report(FileRule.BLOCK_KIND, found, ", found=" + MessageHeader.NAMES.name(found));
    }

    /// Checks a block that leads to no message of its own.
    ///
    /// @param memory of the file
    /// @param part the block, as the plan of the file has it
    /// @param there what was opened at the offset of the block; null if that is something else.
    ///     Damage is reported where it was opened
    public boolean lost(MemorySegment memory, ContainerPart part, ContainerPart there) {
        bind(part.block());
        if (!hasNumbers()) {
            return false;
        }
        MessagePlace place = MessagePlace.at(memory, block.offset(), footerOffset);
        boolean isDamaged = there != null && there.kind() == ContainerPart.Kind.GAP;
        if (isDamaged && !place.isWhole()) {
            return false;
        }
        if (!hasPrefix(place.frameKind(), place.prefixBytes(), place.metadataLength())) {
            return false;
        }
        if (part.metadataLength() > 0) {
            return hasMessage(part.bodyLength(), place.kind());
        }
        return !isDamaged && withoutMessage(FrameKind.MESSAGE, place.prefixBytes());
    }

    /// Names the block in the details of a fault of one, for readers: their texts have no path.
    public static Fault named(Fault fault) {
        String path = fault.path();
        boolean isOfBlock = path.indexOf('[') >= 0;
        return isOfBlock ? fault.because("block=" + path + ", " + fault.details()) : fault;
    }

    private boolean report(Rule rule, long value, String more) {
        return sink.broken(Fault.of(rule, position(), value).at(path()).because(numbers() + more));
    }
}
