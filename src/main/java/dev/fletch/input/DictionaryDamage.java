// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.Fault;
import dev.fletch.MeaningRule;
import dev.fletch.ipc.internal.ContainerPart;

import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Where damage of an input may be a dictionary batch. Of a delta behind it, values may have other
/// indices; values of a batch behind it may be those of another dictionary.
///
/// If blocks of a file lead to all its dictionary batches, such damage is a block without message;
/// else it is between their offsets.
public final class DictionaryDamage {
    private final Input input;
    private final TreeMap<Long, Fault> byOffset = new TreeMap<>();
    // Of these, batches that define one of a file's dictionaries again, by its id; and all others,
    // which may be batches of any dictionary.
    private final Map<Long, TreeMap<Long, Fault>> replacements = new HashMap<>();
    private final TreeMap<Long, Fault> others = new TreeMap<>();
    // The blocks that lead to messages.
    private final BitSet leading = new BitSet();
    // Whether blocks lead to all dictionary batches of a file.
    private boolean areInBlocks;
    // Whether a file has a footer, and nothing is lost.
    private boolean isWhole;

    public DictionaryDamage(Input input) {
        this.input = input;
    }

    /// Adds the current message of the input.
    public void add(InputMessage message) {
        if (message.block() != ContainerPart.NO_BLOCK) {
            leading.set(message.block());
        }
    }

    /// Ends the input, before [#between] and [#order].
    ///
    /// @param messages of the input, dictionary batches at least
    /// @param damages of the input
    public void end(Collection<InputMessage> messages, List<Fault> damages) {
        damages.forEach(each -> add(each.position(), each));
        isWhole = input.hasFooter() && damages.isEmpty() && input.lostBlocks() == 0;
        areInBlocks =
                input.hasFooter()
                        && messages.stream()
                                .filter(InputMessage::isDictionary)
                                .noneMatch(each -> each.block() == ContainerPart.NO_BLOCK);
        if (!isWhole && areInBlocks) {
            input.unexplainedBlocks().forEach(each -> add(each.position(), each));
        }
    }

    /// Adds a message that is left out as damage: its id or kind is wrong.
    public void add(InputMessage message, Fault fault) {
        add(message.offset(), fault);
        if (areInBlocks && message.block() != ContainerPart.NO_BLOCK) {
            leading.clear(message.block());
        }
    }

    private void add(long offset, Fault fault) {
        if (byOffset.putIfAbsent(offset, fault) == null) {
            boolean isOfOne = fault.rule() == MeaningRule.DICTIONARY_REPLACED;
            (isOfOne ? replacements.computeIfAbsent(fault.value(), _ -> new TreeMap<>()) : others)
                    .put(offset, fault);
        }
    }

    /// Damage between two messages, which may be a batch of the first one's dictionary; null if
    /// there is none.
    public Fault between(InputMessage first, InputMessage second) {
        if (areInBlocks) {
            boolean isWhole = leading.nextClearBit(first.block()) >= second.block();
            return isWhole || byOffset.isEmpty() ? null : byOffset.firstEntry().getValue();
        }
        Map.Entry<Long, Fault> next = next(first);
        if (next == null && input.damageCount() > input.damages().size()) {
            next = byOffset.lastEntry(); // behind it is damage that was not kept
        }
        return next == null || next.getKey() > second.offset() ? null : next.getValue();
    }

    /// The first damage behind a message; behind a dictionary batch, no batches of others.
    private Map.Entry<Long, Fault> next(InputMessage message) {
        if (!message.isDictionary()) {
            return byOffset.higherEntry(message.offset());
        }
        Map.Entry<Long, Fault> other = others.higherEntry(message.offset());
        TreeMap<Long, Fault> own = replacements.get(message.dictionaryId());
        Map.Entry<Long, Fault> again = own == null ? null : own.higherEntry(message.offset());
        boolean isOther = again == null || other != null && other.getKey() < again.getKey();
        return isOther ? other : again;
    }

    /// The order of the messages of a file. Dictionaries come first: a file may have them behind
    /// their batches. Both are in the order of their blocks; that of their offsets counts for
    /// dictionaries if one has no block, and for batches if something is lost.
    public Comparator<InputMessage> order() {
        boolean areOrdered = areInBlocks || isWhole;
        return Comparator.comparing((InputMessage each) -> !each.isDictionary())
                .thenComparingInt(
                        each -> (each.isDictionary() ? areOrdered : isWhole) ? each.order() : 0);
    }
}
