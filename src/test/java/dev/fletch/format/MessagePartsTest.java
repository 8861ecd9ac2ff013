// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.flatbuf.internal.FieldDeclaration;
import dev.fletch.format.internal.tables.ArrowRules;

import org.junit.jupiter.api.Test;

import java.util.Set;
import java.util.stream.Collectors;

/// [MessageParts#find] names the offsets that it follows. A field with another one would be read
/// unverified.
class MessagePartsTest {
    private static Set<Integer> offsets(String table) {
        return ArrowRules.SET.table(ArrowRules.SET.kind(table)).fields().stream()
                .filter(FieldDeclaration::isOffset)
                .map(FieldDeclaration::slot)
                .collect(Collectors.toSet());
    }

    @Test
    void everyOffsetOfABatchMessageIsFollowed() {
        assertEquals(Set.of(Message.HEADER_SLOT, Message.CUSTOM_METADATA_SLOT), offsets("Message"));
        assertEquals(Set.of(DictionaryBatch.DATA_SLOT), offsets("DictionaryBatch"));
        assertEquals(
                Set.of(
                        RecordBatch.NODES_SLOT,
                        RecordBatch.BUFFERS_SLOT,
                        RecordBatch.COMPRESSION_SLOT,
                        RecordBatch.VARIADIC_BUFFER_COUNTS_SLOT),
                offsets("RecordBatch"));
    }
}
