// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.input.DetectedInput;
import dev.fletch.ipc.internal.MessagePlace;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.LargeSchemas;
import dev.fletch.testdata.OracleFile.Flatbuffer;
import dev.fletch.testdata.OracleListing;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/// The regions of one byte, and of one message, are those of the complete listing, though most
/// flatbuffers are not divided, and one only in part.
class AnnotateAtTest {
    private static final int DAMAGED = CaseCount.of(6, 40);
    private static final int OFFSETS = 4;

    @Test
    void theRegionsOfAByteAndOfAMessageAreThoseOfTheCompleteListing() throws IOException {
        Random random = new Random(15);
        int compared = 0;
        int found = 0;
        for (String name : List.of("dictionaries", "all_types", "custom_metadata", "nested")) {
            byte[] file = ArrowVectorFiles.named(name).file();
            byte[] stream = ArrowVectorFiles.named(name).stream();
            Flatbuffer footer = OracleListing.list(file).flatbuffers().getLast();
            for (byte[] sound :
                    List.of(
                            file,
                            stream,
                            Arrays.copyOf(file, (int) footer.offset()),
                            firstMessage(stream),
                            footer.bytes(),
                            LargeSchemas.schemaMessage(30))) {
                for (int i = 0; i < DAMAGED; i++) {
                    byte[] bytes = i == 0 ? sound : damaged(sound, random);
                    TreeMap<Long, String> all = regions(bytes, new Selection(null, null));
                    for (int j = 0; j < OFFSETS; j++) {
                        long at = random.nextInt(bytes.length);
                        TreeMap<Long, String> one = regions(bytes, new Selection(at, null));
                        assertEquals(1, one.size(), name + " " + i + " at " + at);
                        assertEquals(all.floorEntry(at), one.firstEntry(), name + " " + i);
                        found += one.firstEntry().getValue().contains("second reference") ? 1 : 0;
                        compared++;
                    }
                    int message = i % 5;
                    TreeMap<Long, String> ofMessage = new TreeMap<>(all);
                    ofMessage.values().removeIf(each -> !each.startsWith(message + " "));
                    assertEquals(ofMessage, regions(bytes, new Selection(null, message)), name);
                }
            }
        }
        CaseCount.report("Regions of one byte: %d, with notes %d", compared, found);
        assertTrue(compared > 0);
    }

    private static byte[] firstMessage(byte[] stream) {
        MemorySegment memory = MemorySegment.ofArray(stream);
        return Arrays.copyOf(stream, (int) MessagePlace.at(memory, 0, stream.length).bodyAt());
    }

    private static byte[] damaged(byte[] sound, Random random) {
        byte[] bytes = random.nextInt(8) == 0 ? shortened(sound, random) : sound.clone();
        for (int i = random.nextInt(4); i >= 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(64);
        }
        return bytes;
    }

    /// Without the footer's end, mostly.
    private static byte[] shortened(byte[] sound, Random random) {
        return Arrays.copyOf(sound, sound.length - random.nextInt(sound.length / 4));
    }

    private static TreeMap<Long, String> regions(byte[] bytes, Selection selection)
            throws IOException {
        DetectedInput input = AnnotateInput.of(MemorySegment.ofArray(bytes), null);
        AnnotateFaults faults = AnnotateFaults.of(input, true);
        TreeMap<Long, String> found = new TreeMap<>();
        AnnotateSink sink =
                (region, part, there, note) -> {
                    StringWriter text = new StringWriter();
                    PrintWriter out = new PrintWriter(text);
                    Node node = region.node();
                    if (node != null) {
                        node.isShown = false;
                        out.println(node.heading(part.bufferAt()));
                    }
                    boolean isHelp = note != null && note.contains("fletch map --at");
                    out.println(part.title() + " " + region + " " + (isHelp ? null : note));
                    out.println(region.meaning(input.memory(), part.bufferAt()));
                    out.println(part.owners().of(region) + " " + there);
                    String whole = part.message() + " " + text;
                    found.put(region.at(), whole.replaceAll("Node@[0-9a-f]+", "Node"));
                };
        new AnnotateWalk(input, faults, selection.to(sink, input)).run();
        return found;
    }
}
