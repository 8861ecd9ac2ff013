// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.format.FieldNode;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/// Changes numbers of a record batch message where they are: two rows are taken back. Argument: a file with the
/// message, without its frame.
public class PatchHeader {
    public static void main(String[] args) throws Exception {
        var path = Path.of(args[0]);
        var bytes = MemorySegment.ofArray(Files.readAllBytes(path));
        var batch = new RecordBatch();
        var node = new FieldNode();
        if (new Message().wrap(bytes).header(batch)) {
            batch.setLength(batch.length() - 2);
            for (int i = 0; i < batch.nodesCount(); i++) {
                batch.nodes(i, node).set(node.length() - 2, 0);
            }
            Files.write(path, (byte[]) bytes.heapBase().get());
        }
        System.out.println(batch.length() + " rows");
    }
}
