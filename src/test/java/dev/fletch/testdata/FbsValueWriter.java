// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.fbs.FbsDocument;
import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.StructDecl;
import dev.fletch.fbs.FbsDocument.StructField;
import dev.fletch.fbs.FbsDocument.TableDecl;
import dev.fletch.fbs.FbsType;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Writes an [FbsValue] with the official builder. What the builder leaves open is random by a
/// seed: the order in which children are written and fields are added, whether defaults are
/// stored, whether equal strings are.
public final class FbsValueWriter {
    private final FbsDocument document;
    private final Random random;
    private final FlatBufferBuilder builder = new FlatBufferBuilder();
    private final boolean sharesStrings;

    /// Where a table was written: one object that stands in two places is written once.
    private final Map<FbsValue, Integer> offsetByTable = new IdentityHashMap<>();

    private FbsValueWriter(FbsDocument document, long seed) {
        this.document = document;
        this.random = new Random(seed);
        this.sharesStrings = random.nextBoolean();
        builder.forceDefaults(random.nextInt(4) == 0);
    }

    /// Returns a flatbuffer whose root is `table`; its length is what the builder gives it.
    public static byte[] write(FbsDocument document, FbsValue.Table table, long seed) {
        FbsValueWriter writer = new FbsValueWriter(document, seed);
        writer.builder.finish(writer.table(table));
        return writer.builder.sizedByteArray();
    }

    private int table(FbsValue.Table table) {
        Integer written = offsetByTable.get(table);
        if (written != null) {
            return written;
        }
        TableDecl declaration = document.table(table.name());
        List<FieldDecl> present = new ArrayList<>(declaration.fields());
        present.removeIf(each -> !table.fields().containsKey(each.name()));
        Collections.shuffle(present, random);
        Map<String, Integer> offsetByName = new HashMap<>();
        for (FieldDecl field : present) {
            if (!field.type().isScalar() && !(field.type() instanceof FbsType.Struct)) {
                offsetByName.put(
                        field.name(), child(table.fields().get(field.name()), field.type()));
            }
        }
        Collections.shuffle(present, random);
        builder.startTable(declaration.slotCount());
        for (FieldDecl field : present) {
            addField(field, table.fields().get(field.name()), offsetByName.get(field.name()));
        }
        int offset = builder.endTable();
        offsetByTable.put(table, offset);
        return offset;
    }

    /// Writes what an offset leads to.
    private int child(FbsValue value, FbsType type) {
        return switch (value) {
            case FbsValue.Text(String text) ->
                    sharesStrings ? builder.createSharedString(text) : builder.createString(text);
            case FbsValue.Table table -> table(table);
            case FbsValue.Vector vector -> vector(vector, ((FbsType.Vector) type).element());
            default -> throw new IllegalArgumentException("not behind an offset: " + value);
        };
    }

    private int vector(FbsValue.Vector vector, FbsType type) {
        List<FbsValue> elements = vector.elements();
        int[] offsets = new int[elements.size()];
        if (type instanceof FbsType.Table) {
            for (int i = 0; i < offsets.length; i++) {
                offsets[i] = child(elements.get(i), type);
            }
        }
        builder.startVector(type.inlineBytes(), elements.size(), type.alignmentBytes());
        for (int i = elements.size() - 1; i >= 0; i--) {
            switch (elements.get(i)) {
                case FbsValue.Number(long number) -> put(type.inlineBytes(), number);
                case FbsValue.Struct struct -> struct(struct, type);
                default -> builder.addOffset(offsets[i]);
            }
        }
        return builder.endVector();
    }

    private void addField(FieldDecl field, FbsValue value, Integer offset) {
        switch (value) {
            case FbsValue.Number(long number) -> addNumber(field, number);
            case FbsValue.Struct struct ->
                    builder.addStruct(field.slot(), struct(struct, field.type()), 0);
            default -> builder.addOffset(field.slot(), offset, 0);
        }
    }

    private void addNumber(FieldDecl field, long number) {
        int slot = field.slot();
        long absent = field.defaultValue();
        switch (field.type().inlineBytes()) {
            case 1 -> builder.addByte(slot, (byte) number, (int) absent);
            case 2 -> builder.addShort(slot, (short) number, (int) absent);
            case 4 -> builder.addInt(slot, (int) number, (int) absent);
            default -> builder.addLong(slot, number, absent);
        }
    }

    /// Writes a struct where it stands, from its end to its start.
    private int struct(FbsValue.Struct struct, FbsType type) {
        StructDecl declaration = document.struct(((FbsType.Struct) type).name());
        builder.prep(declaration.alignmentBytes(), declaration.sizeBytes());
        int position = declaration.sizeBytes();
        for (int i = struct.values().size() - 1; i >= 0; i--) {
            StructField field = declaration.fields().get(i);
            int bytes = field.type().inlineBytes();
            builder.pad(position - field.offsetBytes() - bytes);
            put(bytes, struct.values().get(i));
            position = field.offsetBytes();
        }
        return builder.offset();
    }

    private void put(int bytes, long number) {
        switch (bytes) {
            case 1 -> builder.putByte((byte) number);
            case 2 -> builder.putShort((short) number);
            case 4 -> builder.putInt((int) number);
            default -> builder.putLong(number);
        }
    }
}
