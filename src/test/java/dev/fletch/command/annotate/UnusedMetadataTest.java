// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.FletchException;
import dev.fletch.Rule;
import dev.fletch.StructureRule;
import dev.fletch.ValueRule;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.corpus.CaseFile;
import dev.fletch.flatbuf.internal.VerifierEngine;
import dev.fletch.format.Block;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.Verifier;
import dev.fletch.format.internal.tables.ArrowRules;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.testdata.ArrowBytes;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.Producers;
import dev.fletch.wire.Wire;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/// Bytes of metadata and of files that belong to nothing: found by the verifier as by `annotate`,
/// which walks a flatbuffer on its own, and gone from what is converted.
class UnusedMetadataTest {
    private static final Path CORPUS = Path.of("src/test/resources/corpus");
    private static final ReadOptions OPTIONS =
            ReadOptions.VERIFY.withLevel(Level.VALUES).with(Check.UNUSED_BYTES, true);
    private static final List<Rule> UNUSED =
            List.of(
                    StructureRule.UNUSED_METADATA,
                    FileRule.UNUSED_GAP,
                    ValueRule.UNUSED_VALUES,
                    ValueRule.UNUSED_PADDING);

    private final VerifierEngine engine = new VerifierEngine(ArrowRules.SET, Checks.ARROW_CPP);
    private final BitSet covered = new BitSet();
    private long metadataBytes;
    private long unusedBytes;

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(each -> each.toString().contains(".arrow")).sorted().toList();
        }
    }

    /// Inputs by their names: of arrow-java, of the corpus, and those of others that are there.
    private static Map<String, byte[]> inputs() throws IOException {
        Map<String, byte[]> inputs = new TreeMap<>();
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            inputs.put(each.name() + " stream", each.stream());
            if (each.hasFile()) {
                inputs.put(each.name() + " file", each.file());
            }
        }
        for (Path each : files(CORPUS)) {
            inputs.put(CORPUS.relativize(each).toString(), Files.readAllBytes(each));
        }
        if (Goldens.present()) {
            for (Path each : Goldens.all()) {
                inputs.put(Goldens.title(each), Files.readAllBytes(each));
            }
            for (Path each : Producers.parameters()) {
                inputs.put(each.getFileName().toString(), Files.readAllBytes(each));
            }
        }
        return inputs;
    }

    // ---- what the verifier covers

    /// Bytes with an owner, by [FlatbufferWalk]; null if a table is of an unknown kind, whose
    /// fields only that shows.
    private static BitSet walked(String root, MemorySegment memory, long at, long length) {
        BitSet owned = new BitSet();
        FlatbufferWalk walk =
                new FlatbufferWalk(memory, at, length, FlatbufferWalk.MAX_REGIONS, root);
        for (Region each : walk.regions()) {
            boolean isTable = each.node() != null && each.node().kind == Node.Kind.TABLE;
            if (isTable && each.node().rules.name().contains("(")) {
                return null;
            }
            boolean isUnused =
                    each.kind() == RegionKind.PADDING || each.kind() == RegionKind.UNREFERENCED;
            owned.set((int) (each.at() - at), (int) (each.end() - at), !isUnused);
        }
        return owned;
    }

    private void compare(
            String name, Verifier.Root root, MemorySegment memory, long at, long length) {
        int kind = ArrowRules.SET.kind(root.table());
        if (!engine.cover(kind, memory, at, length, covered)) {
            return;
        }
        BitSet expected = walked(root.table(), memory, at, length);
        if (expected == null) {
            return;
        }
        assertEquals(expected, covered, () -> name + " at " + at);
        metadataBytes += length;
        unusedBytes += length - covered.cardinality();
    }

    /// Calls an action for the place of each message's metadata.
    private static void messages(byte[] input, BiConsumer<Long, Long> action) {
        MemorySegment memory = MemorySegment.ofArray(input);
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        try {
            if (new String(input, 0, Math.min(6, input.length)).equals("ARROW1")) {
                ArrowFile file = ArrowFile.of(memory);
                for (int i = 0; i < file.messageCount(); i++) {
                    file.message(i, frame, message);
                    action.accept(frame.metadataOffset(), (long) frame.metadataLength());
                }
                return;
            }
            long at = 0;
            while (frame.wrap(memory, at, message) == FrameKind.MESSAGE) {
                action.accept(frame.metadataOffset(), (long) frame.metadataLength());
                at = frame.nextOffset();
            }
        } catch (FletchException _) {
            // the messages before are compared
        }
    }

    @Test
    void coveredBytesAreThoseOfAnnotate() throws IOException {
        Map<String, byte[]> inputs = inputs();
        int[] compared = new int[2];
        inputs.forEach(
                (name, input) -> {
                    MemorySegment memory = MemorySegment.ofArray(input);
                    messages(
                            input,
                            (at, length) -> {
                                compare(name, Verifier.Root.MESSAGE, memory, at, length);
                                compared[0]++;
                            });
                    int end = input.length - 10;
                    if (end > 0 && new String(input, end + 4, 6).equals("ARROW1")) {
                        int length = memory.get(Wire.INT, end);
                        if (length > 0 && length < end) {
                            compare(name, Verifier.Root.FOOTER, memory, end - length, length);
                            compared[1]++;
                        }
                    }
                });
        CaseCount.report(
                "%,d inputs, %,d messages, %,d footers: %,d bytes, %,d of them unused",
                inputs.size(), compared[0], compared[1], metadataBytes, unusedBytes);
        assertTrue(compared[0] > 100 && compared[1] > 10 && unusedBytes > 0);
    }

    // ---- what verify says

    private static List<Fault> unusedIn(byte[] input) {
        List<Fault> found = ArrowBytes.faults(input, OPTIONS);
        found.removeIf(each -> !UNUSED.contains(each.rule()));
        return found;
    }

    /// Each byte of metadata that belongs to nothing is found, if it is not 0.
    @Test
    void bytesOfMetadataAreFound() {
        int found = 0;
        ArrowCase of = ArrowVectorFiles.named("nested");
        for (byte[] input : List.of(of.file(), of.stream())) {
            List<Fault> before = unusedIn(input);
            List<Integer> places = new ArrayList<>();
            MemorySegment memory = MemorySegment.ofArray(input);
            int kind = ArrowRules.SET.kind(Verifier.Root.MESSAGE.table());
            messages(
                    input,
                    (at, length) -> {
                        engine.cover(kind, memory, at, length, covered);
                        for (int i = 0; i < length; i++) {
                            if (!covered.get(i)) {
                                places.add((int) (at + i));
                            }
                        }
                    });
            for (int at : places) {
                byte kept = input[at];
                input[at] = 7;
                List<Fault> after = rules(unusedIn(input), StructureRule.UNUSED_METADATA);
                input[at] = kept;
                assertEquals(1, after.size(), () -> "at=" + at + ", " + before);
                assertEquals(at, after.getFirst().position());
                assertEquals(1, after.getFirst().value());
                found++;
            }
        }
        CaseCount.report("%,d bytes, one by one", found);
        assertTrue(found > 0);
    }

    /// A struct of blocks has four bytes of padding.
    @Test
    void paddingOfBlocksIsFound() {
        byte[] file = ArrowVectorFiles.named("nested").file();
        Block block = new Block();
        ArrowFile.of(MemorySegment.ofArray(file)).footer().recordBatches(0, block);
        int at = Math.toIntExact(block.position()) + Long.BYTES + Integer.BYTES;
        file[at] = 7;
        List<Fault> found = rules(unusedIn(file), StructureRule.UNUSED_METADATA);
        assertEquals(1, found.size());
        assertEquals(at, found.getFirst().position());
    }

    /// The bytes of a message that no block lists.
    @Test
    void gapsOfFilesAreFound() throws IOException {
        String file =
                "file blocks 1 3 <n:Int(bitWidth=64)>"
                        + " | batch 1 [1] [- i64(7)]".repeat(3)
                        + " => @start(2) zeros(LENGTH)";
        byte[] whole = CaseFile.input(file.replace("LENGTH", "0"));
        OracleMessage message = OracleListing.list(whole).messages().get(2);
        long length = message.endOffset() - message.offset();
        byte[] input = CaseFile.input(file.replace("LENGTH", "" + length));
        assertEquals(List.of(), rules(unusedIn(input), FileRule.UNUSED_GAP));
        int gap = (int) message.offset();
        input[gap + 5] = 1;
        input[(int) message.endOffset() - 1] = 1;
        List<Fault> found = rules(unusedIn(input), FileRule.UNUSED_GAP);
        assertEquals(1, found.size());
        assertEquals(gap + 5, found.getFirst().position());
        assertTrue(found.getFirst().text().contains("bytes=2"), found.getFirst()::text);
        assertEquals(List.of(), rules(unusedIn(cleared(input)), FileRule.UNUSED_GAP));
    }

    private static List<Fault> rules(List<Fault> of, Rule rule) {
        return of.stream().filter(each -> each.rule() == rule).toList();
    }

    // ---- what is converted

    private static byte[] cleared(byte[] input) throws IOException {
        return ArrowBytes.converted(input, ConvertOptions.DEFAULT.clearingUnused());
    }

    /// Also where values are not verified, as in big-endian inputs, there are no unused bytes of
    /// metadata and files.
    @Test
    void convertedInputsHaveNoUnusedBytes() throws IOException {
        int clean = 0;
        int before = 0;
        for (Map.Entry<String, byte[]> each : inputs().entrySet()) {
            byte[] after;
            try {
                after = cleared(each.getValue());
            } catch (FletchException | IllegalArgumentException _) {
                assertFalse(each.getKey().contains(".sound."), each::getKey);
                continue;
            }
            List<Fault> left = unusedIn(after);
            assertEquals(List.of(), left, each::getKey);
            before += unusedIn(each.getValue()).isEmpty() ? 0 : 1;
            clean++;
        }
        CaseCount.report("%,d converted inputs, %,d had unused bytes", clean, before);
        assertTrue(clean > 100 && before > 100);
    }
}
