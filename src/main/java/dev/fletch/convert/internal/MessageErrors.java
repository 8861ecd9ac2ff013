// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert.internal;

import dev.fletch.Fault;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.Rule.Severity;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.input.InvalidInput;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.semantics.SemanticOptions;
import dev.fletch.semantics.SemanticVerifier;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongPredicate;

/// Finds the first error in the meaning of each message, by the rules of `fletch verify`.
/// Deviations are no errors. A missing dictionary is none either: the other columns of a batch are
/// complete.
final class MessageErrors {
    private static final int MOST_FAULTS = 1_000;

    private final SemanticVerifier verifier;
    private final Set<Long> missing = new TreeSet<>();
    private EncapsulatedMessage frame;
    private Rule missingRule;
    // Offset of the first message that needs a missing dictionary.
    private long missingAt;
    private boolean isSchema;
    private InvalidInput found;
    private final Map<Integer, InvalidInput> byField = new HashMap<>();

    MessageErrors(SemanticOptions options) {
        verifier = new SemanticVerifier(options);
        verifier.collect(this::add, MOST_FAULTS);
        verifier.beginStream();
    }

    /// The first error of the next message; null if there is none.
    ///
    /// @param at bound to the message's place
    InvalidInput error(EncapsulatedMessage at, Message message) {
        frame = at;
        isSchema = message.headerType() == MessageHeader.SCHEMA;
        found = null;
        byField.clear();
        verifier.message(message);
        if (verifier.faultCount() > MOST_FAULTS) { // other fields may have errors
            byField.putIfAbsent(SoundColumns.NO_FIELD, found);
        }
        return found;
    }

    /// The first error of a footer; null if there is none.
    ///
    /// @param footer bound in the input
    InvalidInput footer(Footer footer) {
        frame = null;
        isSchema = true;
        found = null;
        byField.clear();
        verifier.footer(footer);
        return found;
    }

    /// The first error of each field in the last message; [SoundColumns#NO_FIELD] stands for the whole
    /// message. The next message changes it.
    Map<Integer, InvalidInput> byField() {
        return byField;
    }

    private void add(Fault fault) {
        if (fault.rule() == MeaningRule.DICTIONARY_UNDEFINED) {
            missingAt = missing.isEmpty() ? frame.offset() : missingAt;
            missingRule = fault.rule();
            missing.add(fault.value());
        } else if (fault.rule().severity() == Severity.ERROR
                && !byField.containsKey(fault.field())) {
            String values = "path=" + fault.path() + ", " + fault.values();
            String text = text(isSchema, fault.rule(), values);
            long at = frame == null ? fault.position() : frame.inputOffset(fault.position());
            var error = new InvalidInput(fault.rule(), at, text);
            byField.put(fault.field(), error);
            found = found == null ? error : found;
        }
    }

    static String text(boolean isSchema, Rule rule, String values) {
        String what = isSchema ? "schema is invalid" : "message is invalid";
        return String.join(": ", what, rule.id(), rule.description(), values);
    }

    /// The ids of missing dictionaries.
    Set<Long> missing() {
        return missing;
    }

    /// The fault that dictionaries are missing; null if none is.
    ///
    /// @param isNeeded whether to count a missing dictionary
    InvalidInput missingDictionaries(LongPredicate isNeeded) {
        missing.removeIf(id -> !isNeeded.test(id));
        return missing.isEmpty()
                ? null
                : new InvalidInput(
                        missingRule,
                        missingAt,
                        "dictionaries are missing, so their columns have no values: ids="
                                + missing);
    }
}
