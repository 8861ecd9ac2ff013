// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert.internal;

import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.input.InputFaults;
import dev.fletch.input.InputMessage;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.internal.BlockNumbers;
import dev.fletch.ipc.internal.ContainerPart;
import dev.fletch.verify.messages.SemanticVerifier;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongPredicate;

/// Finds the first error in the meaning of each message, as verifying finds it, and the
/// dictionaries that are missing: see [SemanticVerifier#leavesOut].
final class MessageErrors {
    private final SemanticVerifier verifier;
    private final MemorySegment bodies;
    // The first fault of each dictionary that is missing.
    private final Map<Long, Fault> missing = new LinkedHashMap<>();
    // What is checked, and index and place of a message; null for others.
    private String part;
    private int index;
    private EncapsulatedMessage frame;
    // Of a file: the order of its blocks; null for a stream. And the number of messages so far.
    private BlockNumbers blocks;
    private int dictionaries;
    private int batches;
    private Fault found;
    private final Map<Integer, Fault> byField = new HashMap<>();

    /// @param bodies the input, to read the prefixes of compressed buffers; null to read no bodies
    MessageErrors(MemorySegment bodies, Checks options) {
        this.bodies = bodies;
        verifier = new SemanticVerifier(options, this::add).withoutGaps();
    }

    /// Begins a stream. Returns the first error of its schema, with an offset in the message; null
    /// if there is none.
    ///
    /// @param schema a schema message; null for tensors
    Fault beginStream(MemorySegment schema) {
        begin("schema", Fault.NO_MESSAGE, null);
        verifier.beginInOrder(false);
        if (schema != null) {
            verifier.message(new Message().wrap(schema));
        }
        return found;
    }

    /// Begins a file. Returns the first error of its footer; null if there is none.
    ///
    /// @param footer bound in the input
    Fault beginFile(Footer footer) {
        begin("schema", Fault.NO_MESSAGE, null);
        blocks = BlockNumbers.of(footer);
        verifier.footer(footer);
        return found;
    }

    /// The first error of a file after its messages; null if there is none.
    ///
    /// @param footer bound in the input
    Fault endFile(Footer footer) {
        begin("file", Fault.NO_MESSAGE, null);
        verifier.endFile(footer);
        return found;
    }

    private void begin(String what, int number, EncapsulatedMessage bound) {
        part = what;
        index = number;
        frame = bound;
        found = null;
        byField.clear();
    }

    /// The first error of the next message; null if there is none.
    ///
    /// @param bound to the message
    Fault error(InputMessage current, EncapsulatedMessage bound, Message message) {
        begin("message", current.index(), bound);
        verifier.message(message, blockIndex(current), bodies, bound.bodyOffset());
        return found;
    }

    /// The index of a message's block among those of its kind; without block, of the message. In a
    /// stream, there are no blocks.
    private int blockIndex(InputMessage current) {
        int before = current.isDictionary() ? dictionaries++ : batches++;
        if (blocks == null) {
            return ContainerPart.NO_BLOCK;
        }
        return current.block() < 0 ? before : blocks.index(current.block());
    }

    /// The first error of each field in the last message; [SoundColumns#NO_FIELD] stands for the
    /// whole message. The next message changes it.
    Map<Integer, Fault> byField() {
        return byField;
    }

    private void add(Fault fault) {
        Fault placed = frame == null ? fault : InputFaults.placed(fault, frame, index);
        if (fault.rule() == MeaningRule.DICTIONARY_UNDEFINED) {
            missing.putIfAbsent(fault.value(), placed);
        } else if (SemanticVerifier.leavesOut(fault.rule())
                && !byField.containsKey(fault.field())) {
            String prefix = part + " is invalid: ";
            Fault error = placed.withText(() -> prefix + text(fault));
            byField.put(fault.field(), error);
            found = found == null ? error : found;
        }
    }

    private static String text(Fault fault) {
        Rule rule = fault.rule();
        String values = "path=" + fault.path() + ", " + fault.values();
        return String.join(": ", rule.id(), rule.description(), values);
    }

    /// The ids of missing dictionaries.
    Set<Long> missing() {
        return missing.keySet();
    }

    /// The fault that dictionaries are missing; null if none is.
    ///
    /// @param isNeeded whether to count a missing dictionary
    Fault missingDictionaries(LongPredicate isNeeded) {
        missing.keySet().removeIf(id -> !isNeeded.test(id));
        if (missing.isEmpty()) {
            return null;
        }
        Fault first = missing.values().iterator().next();
        return first.withText(
                "dictionaries are missing, so their columns have no values: ids="
                        + new TreeSet<>(missing.keySet()));
    }
}
