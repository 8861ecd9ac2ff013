// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataEdit;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.Metadata;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// Schemas, in messages and footers.
final class KnownInputs {
    /// Random schemas break rules.
    private static final Rule[] ANY = MeaningRule.values();

    private KnownInputs() {}

    /// Columns `prefix_0` and so on, of two types in turn.
    static ArrowSchema schema(String prefix, int columns, String... metadata) {
        return schema(ByteOrder.LITTLE_ENDIAN, prefix, columns, metadata);
    }

    static ArrowSchema schema(
            ByteOrder endianness, String prefix, int columns, String... metadata) {
        List<ArrowField> fields = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            fields.add(
                    ArrowField.of(
                            prefix + "_" + i,
                            i % 2 == 0 ? new ArrowType.Int(64, true) : ArrowType.Simple.UTF8));
        }
        return new ArrowSchema(endianness, fields, Metadata.of(metadata), List.of(), Set.of());
    }

    static byte[] message(ArrowSchema schema) {
        byte[] bytes =
                schema.toMessage(EmissionOrder.ARROW_CPP, ANY).toArray(ValueLayout.JAVA_BYTE);
        return Frames.padded(bytes, Long.BYTES);
    }

    /// @param batches how many blocks, of random numbers
    /// @param pairs keys and values of the footer
    static byte[] footer(ArrowSchema schema, EmissionOrder order, int batches, String... pairs) {
        Random random = new Random(batches);
        long[] blocks = random.longs(3L * batches, 0, 1 << 20).map(each -> each << 3).toArray();
        FlatBufferWriter bytes = order.newWriter();
        MetadataWriter writer = new MetadataWriter(order, bytes);
        MetadataEdit edit = new MetadataEdit().recordBatches(blocks, 0, batches);
        if (pairs.length == 0) {
            writer.schemaFooter(schema.toTable(ANY), MetadataVersion.V5, edit);
        } else {
            edit.dictionaries(blocks, 0, 0).footerSchema(schema.toTable(ANY));
            writer.footer(WrittenMessages.footerOfPairs(pairs), edit);
        }
        return bytes.toByteArray();
    }

    static byte[] footer(ArrowSchema schema, int batches) {
        return footer(schema, EmissionOrder.ARROW_CPP, batches);
    }

    /// A file of a schema message and a footer; there is nothing where the blocks say.
    static byte[] file(ArrowSchema schema, int batches) {
        return Frames.file(Frames.frame(message(schema)), footer(schema, batches));
    }

    /// A stream of nothing but a schema message.
    static byte[] stream(ArrowSchema schema) {
        return Frames.join(Frames.frame(message(schema)), Frames.END);
    }
}
