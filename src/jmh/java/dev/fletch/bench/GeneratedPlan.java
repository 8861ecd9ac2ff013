// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Type;

import java.util.HashMap;
import java.util.Map;

/// Columns by name, and their first nodes and buffers, as users of the generated classes would
/// build them. The peer of [dev.fletch.batch.BatchLayout].
final class GeneratedPlan {
    private static final int LEVELS = 4;

    final Map<String, Integer> columns;

    /// Index of the first one per column; one more for the total.
    final int[] firstNode;

    /// Index of the first one per column; one more for the total.
    final int[] firstBuffer;

    private GeneratedPlan(int columnCount) {
        columns = HashMap.newHashMap(columnCount);
        firstNode = new int[columnCount + 1];
        firstBuffer = new int[columnCount + 1];
    }

    static GeneratedPlan of(Schema schema) {
        int count = schema.fieldsLength();
        GeneratedPlan plan = new GeneratedPlan(count);
        Field[] levels = new Field[LEVELS];
        for (int i = 0; i < LEVELS; i++) {
            levels[i] = new Field();
        }
        for (int i = 0; i < count; i++) {
            Field field = schema.fields(levels[0], i);
            plan.columns.put(field.name(), i);
            plan.firstNode[i + 1] = plan.firstNode[i];
            plan.firstBuffer[i + 1] = plan.firstBuffer[i];
            plan.add(field, i + 1, levels, 1);
        }
        return plan;
    }

    private void add(Field field, int end, Field[] levels, int depth) {
        firstNode[end]++;
        firstBuffer[end] += buffers(field.typeType());
        for (int i = 0, n = field.childrenLength(); i < n; i++) {
            add(field.children(levels[depth], i), end, levels, depth + 1);
        }
    }

    /// Number of buffers per type, for the types of the benchmarks.
    static int buffers(int type) {
        return switch (type) {
            case Type.Utf8 -> 3;
            case Type.Int,
                    Type.FloatingPoint,
                    Type.Timestamp,
                    Type.Decimal,
                    Type.Date,
                    Type.Bool,
                    Type.List ->
                    2;
            case Type.Struct_ -> 1;
            default -> throw new AssertionError("unexpected type: " + type);
        };
    }

    int bufferCount() {
        return firstBuffer[firstBuffer.length - 1];
    }
}
