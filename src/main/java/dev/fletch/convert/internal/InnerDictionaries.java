// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert.internal;

import dev.fletch.FletchException;
import dev.fletch.batch.BatchLayout;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MetadataVersion;

import java.util.ArrayList;
import java.util.HashMap;
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
    private final List<InputMessage> ordered = new ArrayList<>();

    private InnerDictionaries(Map<Long, Set<Long>> inner) {
        this.inner = inner;
    }

    /// Returns the messages in the new order. Only dictionaries without another message between
    /// them change places: batches between two dictionaries may need the first, but not the second.
    static List<InputMessage> first(List<InputMessage> messages, Schema schema) {
        Map<Long, Set<Long>> inner = schema == null ? Map.of() : of(schema);
        return inner.isEmpty() ? messages : new InnerDictionaries(inner).order(messages);
    }

    private static Map<Long, Set<Long>> of(Schema schema) {
        BatchLayout layout;
        try {
            layout = BatchLayout.compile(schema, MetadataVersion.V5);
        } catch (FletchException _) {
            return Map.of(); // the check of the schema reports the fault
        }
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
        List.copyOf(waiting.keySet()).forEach(this::release);
    }

    /// Adds the messages of a dictionary after those that its values refer to. Recursive: at most
    /// as deep as the fields of the schema.
    private void release(Long id) {
        List<InputMessage> own = waiting.remove(id);
        if (own != null) {
            inner.getOrDefault(id, Set.of()).forEach(this::release);
            ordered.addAll(own);
        }
    }
}
