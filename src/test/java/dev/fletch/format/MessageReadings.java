// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.FletchException;
import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.wire.Wire;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// All that a message's accessors show, and those of its batch: numbers and places, and what is
/// thrown instead.
final class MessageReadings {
    private static final int AT_EACH_END = 3;

    /// By class, the accessors without parameters that return a number.
    private static final ClassValue<List<Method>> ACCESSORS =
            new ClassValue<>() {
                @Override
                protected List<Method> computeValue(Class<?> table) {
                    return accessors(table);
                }
            };

    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final RecordBatch batch = new RecordBatch();
    private final BodyCompression compression = new BodyCompression();
    private final FieldNode node = new FieldNode();
    private final Buffer buffer = new Buffer();
    private final KeyValue pair = new KeyValue();
    private final Utf8Slice text = new Utf8Slice();
    private List<Object> shown;

    /// Reads everything.
    List<Object> of(Message message) {
        shown = new ArrayList<>();
        try {
            numbers(message);
            places(message);
            boolean isDictionary = message.header(dictionary);
            boolean isBatch = message.header(batch);
            shown.add(isDictionary);
            shown.add(isBatch);
            if (isDictionary) {
                numbers(dictionary);
                places(dictionary);
                if (dictionary.data(batch)) {
                    batch();
                }
            } else if (isBatch) {
                batch();
            }
            pairs(message);
        } catch (FletchException e) {
            shown.add(e.getMessage());
        }
        return shown;
    }

    private void numbers(Table table) {
        shown.addAll(numbersOf(table));
    }

    /// Reads all numbers of a table, and the counts of its vectors.
    static List<Object> numbersOf(Table table) {
        List<Object> numbers = new ArrayList<>();
        for (Method each : ACCESSORS.get(table.getClass())) {
            numbers.add(Flyweights.invoke(each, table));
        }
        return numbers;
    }

    private static List<Method> accessors(Class<?> table) {
        return Stream.of(table.getDeclaredMethods())
                .filter(each -> Modifier.isPublic(each.getModifiers()))
                .filter(each -> each.getParameterCount() == 0)
                .filter(each -> each.getReturnType().isPrimitive())
                .sorted(Comparator.comparing(Method::getName))
                .toList();
    }

    private void places(Table table) {
        shown.add(table.position());
        shown.add(table.bufferLength());
        for (int slot = 0; slot < Wire.SLOTS; slot++) {
            shown.add(table.isPresent(slot));
            shown.add(table.position(slot));
        }
    }

    private void batch() {
        places(batch);
        numbers(batch);
        for (int i = 0; i < batch.nodesCount(); i = next(i, batch.nodesCount())) {
            batch.nodes(i, node);
            shown.add(node.length());
            shown.add(node.nullCount());
            shown.add(batch.nodesLength(i));
            shown.add(batch.nodesNullCount(i));
        }
        for (int i = 0; i < batch.buffersCount(); i = next(i, batch.buffersCount())) {
            batch.buffers(i, buffer);
            shown.add(buffer.offset());
            shown.add(buffer.length());
            shown.add(batch.buffersOffset(i));
            shown.add(batch.buffersLength(i));
        }
        long[] copy = new long[2 * Math.max(batch.nodesCount(), batch.buffersCount())];
        shown.add(batch.copyNodes(copy, 0) + ": " + Arrays.hashCode(copy));
        shown.add(batch.copyBuffers(copy, 0) + ": " + Arrays.hashCode(copy));
        int views = batch.variadicBufferCountsCount();
        for (int i = 0; i < views; i = next(i, views)) {
            shown.add(batch.variadicBufferCounts(i));
        }
        if (batch.compression(compression)) {
            places(compression);
            numbers(compression);
        }
    }

    private static int next(int index, int count) {
        return index == AT_EACH_END ? Math.max(index + 1, count - AT_EACH_END) : index + 1;
    }

    private void pairs(Message message) {
        int count = message.customMetadataCount();
        for (int i = 0; i < count; i = next(i, count)) {
            message.customMetadata(i, pair);
            places(pair);
            shown.add(pair.key(text) ? text.toString() : null);
            shown.add(pair.value(text) ? text.toString() : null);
        }
    }
}
