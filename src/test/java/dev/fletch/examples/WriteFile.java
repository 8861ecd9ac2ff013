// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.batch.BatchBuilder;
import dev.fletch.batch.BatchLayout;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;

import java.io.FileOutputStream;
import java.lang.foreign.MemorySegment;

/// Writes a file of three batches, each with the ids 7, 8, 9 and the names "one", null, "three".
public class WriteFile {
    public static void main(String[] args) throws Exception {
        var id = ArrowField.of("id", new ArrowType.Int(64, true));
        var name = ArrowField.of("name", new ArrowType.Utf8()).nullable();
        var schema = ArrowSchema.of(id, name);
        var layout = BatchLayout.compile(schema.toTable(), MetadataVersion.V5);
        var batch = new BatchBuilder(layout); // for all batches
        var ids = MemorySegment.ofArray(new long[] {7, 8, 9});
        var present = MemorySegment.ofArray(new byte[] {0b101}); // one bit per row, from the lowest
        var offsets = MemorySegment.ofArray(new int[] {0, 3, 3, 8}); // in the bytes of all names
        var names = MemorySegment.ofArray("onethree".getBytes("UTF-8"));
        try (var out = MessageWriter.of(ArrowContainer.FILE, new FileOutputStream(args[0]))) {
            out.write(schema.toMessage(EmissionOrder.ARROW_CPP));
            for (int i = 0; i < 3; i++) {
                batch.begin(3).buffer(layout.field("id"), BufferRole.DATA, ids);
                batch.buffer(layout.field("name"), BufferRole.VALIDITY, present);
                batch.buffer(layout.field("name"), BufferRole.OFFSETS, offsets);
                batch.buffer(layout.field("name"), BufferRole.DATA, names);
                out.write(batch);
            }
            out.finish();
        }
    }
}
