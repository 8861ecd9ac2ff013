// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.Fault;
import dev.fletch.Rule;
import dev.fletch.Rule.Severity;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.DictionaryOrder;
import dev.fletch.ipc.internal.MessagePlace;
import dev.fletch.ipc.internal.MessageRules;
import dev.fletch.verify.messages.SemanticVerifier;

/// Compares messages with the schemas of their input.
public final class SchemaFit implements MessageRules {
    private static final int MOST_FAULTS = 100;
    // Each has a schema; null if there is none. The first differs from the last.
    private SemanticVerifier last;
    private SemanticVerifier first;
    private Rule broken;

    @Override
    public void useFooter(Footer footer) {
        last = verifier();
        last.footer(footer);
    }

    @Override
    public void useSchema(Message message) {
        first = first == null ? last : first;
        last = verifier();
        last.message(message);
    }

    private SemanticVerifier verifier() {
        SemanticVerifier created =
                new SemanticVerifier(MessagePlace.CHECKS, this::add, MOST_FAULTS);
        created.beginBlocks();
        return created;
    }

    private void add(Fault fault) {
        Rule rule = fault.rule();
        boolean isError = rule.severity() == Severity.ERROR && !DictionaryOrder.isOfOrder(rule);
        broken = broken == null && isError ? rule : broken;
    }

    @Override
    public boolean hasSchema() {
        return last != null;
    }

    @Override
    public Rule broken(Message message) {
        if (message.headerType() == MessageHeader.SCHEMA || last == null) {
            return broken(verifier(), message);
        }
        Rule rule = broken(last, message);
        return rule == null || first == null || broken(first, message) != null ? rule : null;
    }

    private Rule broken(SemanticVerifier by, Message message) {
        broken = null;
        by.message(message);
        return broken;
    }
}
