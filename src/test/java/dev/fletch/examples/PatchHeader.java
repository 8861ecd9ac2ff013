// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.format.FieldNode;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/// Corrects the null count of a field in a record batch, in place. Arguments: a file with the
/// message, without its frame; the number of the field's node; the null count.
public class PatchHeader {
    public static void main(String[] args) throws Exception {
        var path = Path.of(args[0]);
        byte[] bytes = Files.readAllBytes(path);
        var batch = new RecordBatch();
        var node = new FieldNode();
        if (new Message().wrap(MemorySegment.ofArray(bytes)).header(batch)) {
            batch.nodes(Integer.parseInt(args[1]), node);
            System.out.println("was " + node.nullCount() + " of " + node.length());
            node.set(node.length(), Long.parseLong(args[2]));
            Files.write(path, bytes);
        }
    }
}
