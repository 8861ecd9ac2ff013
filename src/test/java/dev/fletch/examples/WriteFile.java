// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.write.BodyLayout;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.RecordBatchTemplate;
import dev.fletch.format.write.SegmentList;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.model.ArrowField;
import dev.fletch.model.ArrowSchema;
import dev.fletch.model.ArrowType;

import java.io.FileOutputStream;
import java.lang.foreign.MemorySegment;

/// Writes a file with a column of three numbers, as Arrow C++ does. The buffers of the body go out
/// as they are.
public class WriteFile {
    public static void main(String[] args) throws Exception {
        var order = EmissionOrder.ARROW_CPP;
        var schema = ArrowSchema.of(ArrowField.of("id", new ArrowType.Int(32, true)));
        var message = new FlatBufferWriter(order.dialect());
        schema.writeMessage(order, message);

        var numbers = MemorySegment.ofArray(new int[] {7, 8, 9});
        var layout = new BodyLayout().addNode(3, 0);
        layout.addBuffer(0); // no nulls, no validity buffer
        layout.addBuffer(numbers.byteSize());
        var body = new SegmentList().addBuffer(numbers, 0, numbers.byteSize());
        var template = RecordBatchTemplate.of(order, MetadataVersion.V5, 1, 2, 0);
        var header = MemorySegment.ofArray(new byte[template.maxLength()]); // for each batch
        try (var file = MessageWriter.of(ArrowContainer.FILE, new FileOutputStream(args[0]))) {
            file.write(message.segment());
            file.write(header, 0, template.write(header, 0, 3, layout), body);
            file.finish();
        }
    }
}
