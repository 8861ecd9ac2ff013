// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert.internal;

import dev.fletch.FletchException;
import dev.fletch.batch.BatchLayout;
import dev.fletch.input.InputMessage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Moves dictionaries in front of those whose values refer to them.
final class InnerDictionaries {
    // The dictionaries that the values of each dictionary refer to.
    private final Map<Long, Set<Long>> inner;
    // Dictionaries without another message between them.
    private final Map<Long, List<InputMessage>> waiting = new LinkedHashMap<>();
    // Dictionaries of which others come first: each is needed by the one before. Not recursive: an
    // invalid schema has any number of dictionaries inside each other.
    private final Deque<Opened> opened = new ArrayDeque<>();
    private final List<InputMessage> ordered = new ArrayList<>();

    /// @param needed the ids of the dictionaries that come first, but for those that did
    private record Opened(List<InputMessage> messages, Iterator<Long> needed) {}

    private InnerDictionaries(Map<Long, Set<Long>> inner) {
        this.inner = inner;
    }

    /// Returns the messages in the new order. Only dictionaries without another message between
    /// them change places: batches between two dictionaries may need the first, but not the second.
    static List<InputMessage> first(List<InputMessage> messages, OutputSchema schema) {
        try {
            Map<Long, Set<Long>> inner = schema.schema() == null ? Map.of() : of(schema.layout());
            return inner.isEmpty() ? messages : new InnerDictionaries(inner).order(messages);
        } catch (FletchException _) {
            return messages; // the check of the schema reports the fault
        }
    }

    /// By the id of each dictionary with others inside, the ids of these, without its own.
    static Map<Long, Set<Long>> of(BatchLayout layout) {
        Map<Long, Set<Long>> inner = new HashMap<>();
        for (int i = 0; i < layout.dictionaryCount(); i++) {
            long id = layout.dictionary(i);
            BatchLayout values = layout.dictionaryLayout(id);
            Set<Long> needed =
                    values.encodedFields()
                            .mapToObj(values::dictionaryId)
                            .filter(each -> each != id)
                            .collect(Collectors.toSet());
            if (!needed.isEmpty()) {
                inner.put(id, needed);
            }
        }
        return inner;
    }

    private List<InputMessage> order(List<InputMessage> messages) {
        for (InputMessage each : messages) {
            if (each.isDictionary()) {
                waiting.computeIfAbsent(each.dictionaryId(), _ -> new ArrayList<>()).add(each);
            } else {
                release();
                ordered.add(each);
            }
        }
        release();
        return ordered;
    }

    private void release() {
        for (Long each : List.copyOf(waiting.keySet())) {
            open(each);
            while (!opened.isEmpty()) {
                Opened last = opened.getLast();
                if (last.needed.hasNext()) {
                    open(last.needed.next());
                } else {
                    ordered.addAll(opened.removeLast().messages);
                }
            }
        }
    }

    /// Lets the messages of a dictionary follow those that its values refer to.
    private void open(Long id) {
        List<InputMessage> messages = waiting.remove(id);
        if (messages != null) {
            opened.add(new Opened(messages, inner.getOrDefault(id, Set.of()).iterator()));
        }
    }
}
