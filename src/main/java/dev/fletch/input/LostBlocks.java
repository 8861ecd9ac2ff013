// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.Fault;
import dev.fletch.format.Message;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.internal.BlockCheck;
import dev.fletch.ipc.internal.ContainerPart;
import dev.fletch.ipc.internal.MessagePlace;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// The blocks of a damaged file that lead to no message. The message may have moved, or be lost.
final class LostBlocks {
    /// The most bytes of metadata that are verified to say what is wrong with blocks.
    private static final long MOST_WORK = 16 << 20;

    private final ArrowFile file;
    private final BlockCheck check;
    private final Message message = new Message();
    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    // The faults of the first blocks, the offsets of their messages, and the number of all.
    private final List<Fault> first = new ArrayList<>();
    private final List<Long> offsets = new ArrayList<>();
    private long count;
    private long work;
    // The first faults of those that are inside the file, by the offset of their message.
    private final TreeMap<Long, Fault> inside = new TreeMap<>();

    LostBlocks(ArrowFile file) {
        this.file = file;
        check = new BlockCheck(file.footer(), file.footerOffset(), 0, _ -> {});
    }

    void add(ContainerPart block) {
        count++;
        boolean isShown = first.size() < Input.MOST_DAMAGES;
        boolean isInside = inside.size() < Input.MOST_DAMAGES && isInside(block.block());
        if (isShown || isInside) {
            Fault fault = fault(block);
            if (isShown) {
                first.add(fault);
                offsets.add(block.offset());
            }
            if (isInside) {
                inside.putIfAbsent(block.offset(), fault);
            }
        }
    }

    /// What a reader says of the block.
    private Fault fault(ContainerPart block) {
        check.bind(block.block());
        long end = file.footerOffset();
        if (block.offset() >= 0 && block.offset() < end) {
            MessagePlace place = MessagePlace.at(file.memory(), block.offset(), end);
            work += place.isWhole() ? place.metadataLength() : 0;
        }
        if (work > MOST_WORK) {
            return block.fault();
        }
        try {
            if (check.isDictionary()) {
                file.dictionary(check.index(), frame, message);
            } else {
                file.recordBatch(check.index(), frame, message);
            }
            return block.fault();
        } catch (RuntimeException e) {
            return InputFaults.ofMessage(e, frame, Fault.NO_MESSAGE);
        }
    }

    /// Whether a block is inside the file. A damaged footer may have others, and more of them than
    /// the file has messages.
    private boolean isInside(int number) {
        check.bind(number);
        return check.isInside();
    }

    /// A damaged message is at an offset, or one with other lengths than those of its blocks. They
    /// come last.
    void message(long offset, int index) {
        for (int i = offsets.size() - 1; i >= 0 && offsets.get(i) == offset; i--) {
            first.set(i, first.get(i).in(index, first.get(i).position()));
        }
        inside.computeIfPresent(offset, (_, fault) -> fault.in(index, fault.position()));
    }

    /// A complete message is at an offset.
    void found(long offset) {
        inside.remove(offset);
    }

    boolean isEmpty() {
        return count == 0;
    }

    /// Number of all blocks.
    long count() {
        return count;
    }

    /// The faults of the first blocks.
    List<Fault> first() {
        return first;
    }

    /// The faults of the first blocks whose message is not at one of the offsets.
    List<Fault> notAt(List<Long> others) {
        return IntStream.range(0, first.size())
                .filter(i -> !others.contains(offsets.get(i)))
                .mapToObj(first::get)
                .toList();
    }

    /// The fault of the first block whose message is lost without a trace; null if there is none.
    ///
    /// @param found number of complete messages
    Fault lost(long found) {
        boolean isLost =
                !inside.isEmpty()
                        && found < IntStream.range(0, check.count()).filter(this::isInside).count();
        return isLost ? inside.firstEntry().getValue() : null;
    }
}
