// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.internal;

import dev.fletch.Fault;
import dev.fletch.format.Footer;
import dev.fletch.format.FrameKind;
import dev.fletch.ipc.internal.BlockCheck;
import dev.fletch.ipc.internal.ContainerPart;
import dev.fletch.ipc.internal.ContainerPart.Kind;
import dev.fletch.ipc.internal.ContainerPart.State;
import dev.fletch.ipc.internal.MessagePlace;
import dev.fletch.ipc.internal.MessageWalk;
import dev.fletch.ipc.internal.Work;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Checks the messages of a file whose blocks do not lead to all of them: by the file's plan. Blocks
/// that lead to no message are reported last.
final class PlannedFileCheck implements MessageWalk.Visitor {
    private final MemorySegment memory;
    private final MessageCheck check;
    private final Faults faults;
    private final Footer footer;
    private final long end;
    private final BlockCheck blocks;
    private final MessageWalk walk;
    private final List<ContainerPart> lost = new ArrayList<>();
    // The index of each message that is where a block says, but damaged or with other lengths.
    private final Map<Long, Integer> named = new HashMap<>();
    private final Set<Long> damaged = new HashSet<>();
    private int index;
    private FrameKind kind;

    /// @param footer bound to the footer
    /// @param end offset of the footer
    PlannedFileCheck(
            MemorySegment memory,
            Footer footer,
            long end,
            MessageCheck check,
            CheckedFrame frame,
            Faults faults) {
        this.memory = memory;
        this.footer = footer;
        this.end = end;
        this.check = check;
        this.faults = faults;
        this.blocks = new BlockCheck(footer, end, 0, this::addToBlock);
        this.walk = MessageWalk.ofFile(memory, frame, this);
    }

    /// @param from end of the schema message
    /// @param count number of messages before
    /// @return number of all messages
    int run(long from, int count) throws IOException {
        walk.beginAt(from, count);
        while (walk.next()) {
            check.complete();
            Work.reached(walk.at(), end);
        }
        lost.forEach(this::lost);
        return walk.count();
    }

    private void lost(ContainerPart part) {
        long at = blocks.bind(part.block()).offset();
        index = named.getOrDefault(at, Fault.NO_MESSAGE);
        if (!blocks.hasNumbers()) {
            return;
        }
        if (part.state() == State.REPEATED) {
            faults.accept(part.fault());
            return;
        }
        MessagePlace place = MessagePlace.at(memory, at, end);
        if (damaged.contains(at) && !place.isWhole()) {
            return; // which is reported
        }
        if (!blocks.hasPrefix(place.frameKind(), place.prefixBytes(), place.metadataLength())) {
            return;
        }
        if (part.metadataLength() > 0) {
            blocks.hasMessage(part.bodyLength(), place.kind());
        } else if (!damaged.contains(at)) {
            blocks.withoutMessage(FrameKind.MESSAGE, place.prefixBytes());
        }
    }

    private void addToBlock(Fault fault) {
        faults.accept(fault.in(index, fault.position()));
    }

    // ---- for the walk

    @Override
    public void begin(long at, int number, ContainerPart part) {
        index = number;
        if (part == null) {
            return; // the end, if the plan has no footer because that has no schema
        }
        if (part.kind() == Kind.GAP) {
            damaged.add(at);
        }
        if (!lost.isEmpty() && lost.getLast().offset() == at) {
            named.put(at, number);
        }
        if (part.block() != ContainerPart.NO_BLOCK) {
            blocks.bind(part.block());
            blocks.hasNumbers();
            check.beginBlock(blocks.index());
        } else {
            boolean isDictionary = part.kind() == Kind.DICTIONARY;
            check.beginBlock(isDictionary ? check.dictionaryBatches() : check.recordBatches());
        }
    }

    @Override
    public void opened(FrameKind found) {
        kind = found;
        ContainerPart part = walk.part();
        if (kind == FrameKind.MESSAGE
                && part.block() == ContainerPart.NO_BLOCK
                && part.kind() != Kind.GAP
                && !named.containsKey(part.offset())) {
            long length = part.end() - part.offset();
            GapCheck.withoutBlock(faults, part.offset(), check.kindName(), length);
        }
    }

    @Override
    public void block(ContainerPart part) {
        lost.add(part);
    }

    @Override
    public void between(long at, long next, Fault fault) {
        if (fault != null) {
            faults.accept(fault);
        }
    }

    @Override
    public boolean nextStream(long at, boolean isBehindMarker) {
        return true;
    }

    @Override
    public void accept(Fault fault) {
        faults.accept(fault);
    }
}
