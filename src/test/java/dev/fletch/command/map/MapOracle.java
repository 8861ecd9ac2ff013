// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.map;

import dev.fletch.scan.internal.BytePurpose;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;

import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.vector.BufferLayout.BufferType;
import org.apache.arrow.vector.TypeLayout;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/// What `fletch map --json` has to say, found out in another way: numbers by flatc's generated
/// classes, names and roles by arrow-vector, and what each byte is for by painting all bytes.
final class MapOracle {
    private static final int ALIGNMENT = 64;

    private final byte[] bytes;
    private final OracleFile file;
    private final List<Field> columns = new ArrayList<>();
    private final Map<Long, Field> dictionaries = new HashMap<>();
    // For each byte a class, and for those of buffers whose they are.
    private final String[] classes;
    private final String[] owners;

    /// The bytes of each class and owner, once all are painted.
    private final Map<Paint, Long> counts = new HashMap<>();

    // Of each dictionary, the first field that it encodes, and the column that this is in.
    private final Map<Long, String> users = new HashMap<>();
    private final Map<Long, String> usedIn = new HashMap<>();
    private final Queue<Long> found = new ArrayDeque<>();

    /// What a byte is painted with.
    private record Paint(String of, String owner) {}

    private MapOracle(byte[] bytes) {
        this.bytes = bytes;
        this.file = OracleListing.list(bytes);
        Schema schema = file.schema();
        for (int i = 0; i < schema.fieldsLength(); i++) {
            columns.add(Field.convertField(schema.fields(i)));
        }
        columns.forEach(this::findDictionaries);
        findUsers();
        this.classes = new String[bytes.length];
        this.owners = new String[bytes.length];
        Arrays.fill(classes, "unreferenced");
    }

    /// The object that is expected.
    static Map<String, Object> of(String name, byte[] bytes) {
        MapOracle oracle = new MapOracle(bytes);
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("file", name);
        object.put("batches", oracle.batches());
        object.put("totals", oracle.totals());
        return object;
    }

    /// A dictionary's values have the type and the children of the first field encoded by it.
    private void findDictionaries(Field field) {
        if (field.getDictionary() != null) {
            dictionaries.putIfAbsent(field.getDictionary().getId(), field);
        }
        field.getChildren().forEach(this::findDictionaries);
    }

    /// Finds the first field that each dictionary encodes: first of the columns, then of the values
    /// of dictionaries that were found.
    private void findUsers() {
        columns.forEach(each -> findUsers(each, name(each), null));
        while (!found.isEmpty()) {
            long id = found.remove();
            for (Field child : dictionaries.get(id).getChildren()) {
                findUsers(child, "dictionary " + id + "." + name(child), usedIn.get(id));
            }
        }
    }

    private void findUsers(Field field, String path, String column) {
        if (field.getDictionary() == null) {
            field.getChildren().forEach(each -> findUsers(each, path + "." + name(each), column));
            return;
        }
        long id = field.getDictionary().getId();
        if (users.putIfAbsent(id, column == null ? path : path + " of " + column) == null) {
            usedIn.put(id, column == null ? path : column);
            found.add(id);
        }
    }

    // ---- batches

    private List<Object> batches() {
        List<Object> batches = new ArrayList<>();
        for (OracleMessage message : file.messages()) {
            paint("metadata", null, message.offset(), message.bodyOffset());
            if (message.batch() == null) {
                continue;
            }
            Long id = message.dictionaryId();
            List<String[]> nodes = new ArrayList<>();
            List<String[]> buffers = new ArrayList<>();
            Flattening flattening = new Flattening(message, nodes, buffers);
            if (id == null) {
                for (int i = 0; i < columns.size(); i++) {
                    Field column = columns.get(i);
                    flattening.add(column, name(column), "column " + i, false);
                }
            } else {
                String title = "dictionary " + id;
                flattening.add(dictionaries.get(id), title, title, true);
            }
            batches.add(batch(message, nodes, buffers));
        }
        return batches;
    }

    private Map<String, Object> batch(
            OracleMessage message, List<String[]> nodes, List<String[]> buffers) {
        RecordBatch batch = message.batch();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("message", (long) message.index());
        if (message.dictionaryId() != null) {
            object.put("dictionaryId", message.dictionaryId());
        }
        object.put("rows", batch.length());
        List<Object> allNodes = new ArrayList<>();
        for (int i = 0; i < batch.nodesLength(); i++) {
            Map<String, Object> node = new LinkedHashMap<>();
            node.put("path", nodes.get(i)[0]);
            node.put("length", batch.nodes(i).length());
            node.put("nullCount", batch.nodes(i).nullCount());
            allNodes.add(node);
        }
        object.put("nodes", allNodes);
        List<Object> allBuffers = new ArrayList<>();
        for (int i = 0; i < batch.buffersLength(); i++) {
            long offset = message.bodyOffset() + batch.buffers(i).offset();
            long length = batch.buffers(i).length();
            Map<String, Object> buffer = new LinkedHashMap<>();
            buffer.put("path", buffers.get(i)[0]);
            buffer.put("role", buffers.get(i)[1]);
            buffer.put("index", (long) i);
            buffer.put("offset", offset);
            buffer.put("length", length);
            allBuffers.add(buffer);
            boolean isDictionary = message.dictionaryId() != null;
            String kind = isDictionary ? "dictionaries" : "columns";
            paint(kind, buffers.get(i)[2], offset, offset + length);
        }
        object.put("buffers", allBuffers);
        paintPadding(message);
        return object;
    }

    private static String name(Field field) {
        return field.getName() == null ? "" : field.getName();
    }

    /// A batch's fields in pre-order.
    private final class Flattening {
        private final boolean isOld;
        private final RecordBatch batch;
        private final List<String[]> nodes;
        private final List<String[]> buffers;
        private int views;

        Flattening(OracleMessage message, List<String[]> nodes, List<String[]> buffers) {
            this.isOld = message.version().equals("V4");
            this.batch = message.batch();
            this.nodes = nodes;
            this.buffers = buffers;
        }

        void add(Field field, String path, String owner, boolean asValues) {
            nodes.add(new String[] {path});
            if (field.getDictionary() != null && !asValues) {
                buffers.add(new String[] {path, "validity", owner});
                buffers.add(new String[] {path, "data", owner});
                return;
            }
            if (isOld && field.getType() instanceof ArrowType.Union) {
                buffers.add(new String[] {path, "validity", owner});
            }
            for (BufferType each : TypeLayout.getTypeLayout(field.getType()).getBufferTypes()) {
                if (each == BufferType.VARIADIC_DATA_BUFFERS) {
                    continue;
                }
                buffers.add(new String[] {path, role(each), owner});
            }
            if (field.getType() instanceof ArrowType.Utf8View
                    || field.getType() instanceof ArrowType.BinaryView) {
                for (long i = batch.variadicBufferCounts(views++); i > 0; i--) {
                    buffers.add(new String[] {path, "variadic", owner});
                }
            }
            field.getChildren().forEach(each -> add(each, path + "." + name(each), owner, false));
        }

        private static String role(BufferType type) {
            return switch (type) {
                case VALIDITY -> "validity";
                case OFFSET -> "offsets";
                case SIZE -> "sizes";
                case TYPE -> "typeIds";
                case VIEWS -> "views";
                case DATA -> "data";
                default -> throw new IllegalArgumentException(type.toString());
            };
        }
    }

    // ---- bytes

    private void paint(String of, String owner, long from, long to) {
        for (int at = (int) from; at < to; at++) {
            classes[at] = of;
            owners[at] = owner;
        }
    }

    /// Behind each buffer, as far as nothing else is there.
    private void paintPadding(OracleMessage message) {
        int start = (int) message.bodyOffset();
        String owner = null;
        for (int at = start; at < message.endOffset(); at++) {
            if (owners[at] != null) {
                owner = owners[at];
            } else if (owner != null && (at - start) % ALIGNMENT != 0) {
                classes[at] = "padding";
                owners[at] = owner;
            } else {
                owner = null;
            }
        }
    }

    private Map<String, Object> totals() {
        if (file.footer() != null) {
            paint("magic", null, 0, 6);
            paint("padding", null, 6, 8);
            paint("metadata", null, markOffset(), file.footer().offset());
            paint("footer", null, file.footer().offset(), bytes.length - 6L);
            paint("magic", null, bytes.length - 6L, bytes.length);
        } else {
            paint("metadata", null, markOffset(), bytes.length);
        }
        for (int i = 0; i < bytes.length; i++) {
            counts.merge(new Paint(classes[i], owners[i]), 1L, Long::sum);
        }
        Map<String, Object> totals = new LinkedHashMap<>();
        totals.put("size", (long) bytes.length);
        for (BytePurpose each : BytePurpose.values()) {
            totals.put(each.id(), count(each.id(), null));
        }
        long waste = count("padding", null) + count("unreferenced", null);
        totals.put("waste", waste);
        totals.put("overlapping", 0L);
        List<Object> byColumn = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            byColumn.add(sums("path", name(columns.get(i)), "columns", "column " + i));
        }
        totals.put("byColumn", byColumn);
        totals.put(
                "byDictionary",
                file.dictionaryBatches().stream()
                        .map(OracleMessage::dictionaryId)
                        .distinct()
                        .sorted()
                        .map(id -> dictionary(id))
                        .toList());
        return totals;
    }

    private long markOffset() {
        return file.messages().isEmpty() ? 8 : file.messages().getLast().endOffset();
    }

    private Object dictionary(long id) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("dictionaryId", id);
        object.put("column", users.get(id));
        object.put("bytes", count("dictionaries", "dictionary " + id));
        object.put("padding", count("padding", "dictionary " + id));
        return object;
    }

    private Object sums(String key, Object value, String of, String owner) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put(key, value);
        object.put("bytes", count(of, owner));
        object.put("padding", count("padding", owner));
        return object;
    }

    private long count(String of, String owner) {
        return counts.entrySet().stream()
                .filter(each -> each.getKey().of().equals(of))
                .filter(each -> owner == null || owner.equals(each.getKey().owner()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }
}
