// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.batch.BatchLayout;
import dev.fletch.format.BatchMessages;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.testdata.Allocations;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Random;

/// A program that reads what is recognized and what is not, in an order that [RecorderEventsTest]
/// knows.
final class RecordedReads {
    private static final Random RANDOM = new Random(1);

    private RecordedReads() {}

    /// @param arguments "all" and a file of Arrow; "batches" to read new shapes and check that
    ///     nothing is allocated
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("batches")) {
            readWithoutAllocation();
            return;
        }
        readBatches();
        readSchemas();
        fullPass();
        try (ArrowFile file = ArrowFile.open(Path.of(arguments[1]))) {
            var schema = new Schema();
            file.footer().schema(schema);
            BatchLayout.compile(schema, file.footer().version());
        }
    }

    private static byte[] batch(int columns) {
        var form = new BatchMessages.Form(columns, 2 * columns, -1, -1, 0, -1, false);
        return BatchMessages.message(form, RANDOM);
    }

    private static void read(Verifier verifier, int columns, int times) {
        var message = new Message();
        for (int i = 0; i < times; i++) {
            byte[] bytes = batch(columns);
            verifier.message(MemorySegment.ofArray(bytes), 0, bytes.length, message);
        }
    }

    private static void readBatches() {
        var verifier = new Verifier();
        read(verifier, 1, 10); // three are new
        read(verifier, 2, 3);
        read(verifier, 1, 2); // evicted
        read(verifier, 5_000, 1); // too large
        for (int columns = 3; columns < 7; columns++) { // more than the credit pays for
            read(verifier, columns, 3);
        }
    }

    private static void readSchemas() {
        var known = new KnownSchemas(1, 1 << 20);
        var options = ReadOptions.DEFAULT.withKnownSchemas(known);
        for (String name : new String[] {"a", "a", "a", "b", "b", "a"}) {
            byte[] stream = KnownInputs.stream(KnownInputs.schema(name, 5));
            new EncapsulatedMessage(options).wrap(MemorySegment.ofArray(stream), 0, new Message());
        }
        byte[] file = KnownInputs.file(KnownInputs.schema("c", 2_000), 0);
        var small = new KnownSchemas(1, 1 << 10);
        ArrowFile.of(MemorySegment.ofArray(file), ReadOptions.DEFAULT.withKnownSchemas(small));
    }

    private static void fullPass() {
        byte[] bytes = batch(1);
        bytes[0] = 127;
        var verifier = new Verifier();
        verifier.verify(Verifier.Root.MESSAGE, MemorySegment.ofArray(bytes));
        // More levels than the quick pass takes.
        ArrowField field = ArrowField.of("leaf", new ArrowType.Int(32, true));
        for (int level = 0; level < 40; level++) {
            field = ArrowField.of("level", ArrowType.Simple.STRUCT, field);
        }
        byte[] deep = KnownInputs.message(ArrowSchema.of(field));
        verifier.verify(Verifier.Root.MESSAGE, MemorySegment.ofArray(deep));
    }

    private static void readWithoutAllocation() {
        var verifier = new Verifier();
        var message = new Message();
        // No two in a row are alike, so none is learned.
        byte[][] shapes = {batch(1), batch(2), batch(3)};
        MemorySegment memory = MemorySegment.ofArray(Frames.join(shapes));
        Allocations.assertNone(
                "batches of changing shapes",
                () -> {
                    long at = 0;
                    for (byte[] each : shapes) {
                        verifier.message(memory, at, each.length, message);
                        at += each.length;
                    }
                });
        System.out.println("nothing allocated");
    }
}
