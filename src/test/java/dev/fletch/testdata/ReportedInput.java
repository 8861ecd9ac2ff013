// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import dev.fletch.testdata.AssembledFile.WrongBlocks;

import org.apache.arrow.vector.ipc.message.ArrowBlock;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// An input like those of public bug reports about Arrow readers, built from messages of
/// arrow-java.
///
/// @param name unique; says what is unusual or damaged
/// @param source the sound file or stream that the messages are from
/// @param batches indexes in the source of the record batches that can be saved, in the expected
///     order
/// @param isComplete whether nothing is lost: no message is damaged or incomplete
public record ReportedInput(
        String name, byte[] bytes, byte[] source, List<Integer> batches, boolean isComplete) {

    /// The name, as a test's title.
    @Override
    public String toString() {
        return name;
    }

    /// What arrow-java reads in the batches that can be saved, one text per batch.
    public List<String> values() {
        List<String> all = ArrowVectorReading.read(source).values();
        return batches.stream().map(all::get).toList();
    }

    /// Sum of the rows that can be saved.
    public long rows() {
        List<OracleMessage> all = OracleListing.list(source).recordBatches();
        return batches.stream().mapToLong(each -> all.get(each).rows()).sum();
    }

    // ---- the inputs

    /// All inputs.
    public static List<ReportedInput> all() {
        List<ReportedInput> all = new ArrayList<>();
        for (String each : List.of("several_batches", "dictionary_int16", "dictionaries")) {
            byte[] stream = ArrowVectorFiles.named(each).stream();
            for (int head : new int[] {6, 64}) {
                all.addAll(heads(each + ", head " + head, head, stream));
            }
            all.addAll(footerLists(each, stream));
            all.addAll(streams(each, stream));
        }
        for (int levels = 2; levels <= 4; levels++) {
            ArrowCase nested = ArrowVectorFiles.outerFirst(levels);
            String name = "dictionaries in " + levels + " levels, outer first";
            all.add(whole(name + ": file", nested.file(), nested.stream()));
            all.add(whole(name + ": stream", nested.stream(), nested.stream()));
        }
        byte[] runs = ArrowVectorFiles.named("run_end_encoded").stream();
        all.add(whole("run-end encoded node with nulls", withNullCount(runs, 2), runs));
        return all;
    }

    private static ReportedInput whole(String name, byte[] bytes, byte[] source) {
        int count = OracleListing.list(source).recordBatches().size();
        return new ReportedInput(name, bytes, source, until(count), true);
    }

    private static List<Integer> until(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    private static List<ReportedInput> heads(String name, int head, byte[] source) {
        byte[] file = AssembledFile.of(head, source).file();
        int batches = OracleListing.list(source).recordBatches().size();
        OracleMessage last = OracleListing.list(source).recordBatches().getLast();
        byte[] cut = Arrays.copyOf(file, (int) (head + last.endOffset() - 1));
        List<ReportedInput> inputs = new ArrayList<>();
        inputs.add(whole(name, file, source));
        inputs.add(
                whole(
                        name + ", no footer",
                        AssembledFile.of(head, source).withoutFooter(),
                        source));
        inputs.add(new ReportedInput(name + ", cut", cut, source, until(batches - 1), false));
        for (WrongBlocks each : WrongBlocks.values()) {
            byte[] wrong =
                    AssembledFile.of(head, source).wrong(each, new SplittableRandom(7)).file();
            inputs.add(whole(name + ", blocks " + each, wrong, source));
        }
        return inputs;
    }

    private static List<ReportedInput> footerLists(String name, byte[] source) {
        int count = OracleListing.list(source).recordBatches().size();
        List<Integer> repeats = new ArrayList<>(until(count));
        repeats.addAll(List.of(count - 1, 0, 0));
        List<Integer> reversed = until(count).reversed();
        List<Integer> omits = until(count).subList(1, count);
        List<Integer> all = new ArrayList<>(omits);
        all.add(0); // without a block: behind the others
        return List.of(
                listed(name + ", footer repeats", source, repeats, repeats),
                listed(name + ", footer in reverse", source, reversed, reversed),
                listed(name + ", footer omits", source, omits, all));
    }

    private static ReportedInput listed(
            String name, byte[] source, List<Integer> blocks, List<Integer> saved) {
        AssembledFile file = AssembledFile.of(8, source);
        List<ArrowBlock> sound = file.records();
        byte[] bytes =
                file.blocks(file.dictionaries(), blocks.stream().map(sound::get).toList()).file();
        return new ReportedInput(name, bytes, source, saved, true);
    }

    private static List<ReportedInput> streams(String name, byte[] source) {
        OracleFile listing = OracleListing.list(source);
        int count = listing.recordBatches().size();
        int end = (int) listing.endOffset();
        OracleMessage last = listing.recordBatches().getLast();
        OracleMessage first = listing.recordBatches().getFirst();
        byte[] withoutMarker = Arrays.copyOf(source, end);
        byte[] withoutPrefix = source.clone();
        Arrays.fill(withoutPrefix, (int) first.offset(), (int) first.metadataOffset(), (byte) 0);
        byte[] metadata = source.clone();
        metadata[(int) last.metadataOffset()] = 0x7F;
        return List.of(
                whole(name + ", stream", source, source),
                whole(name + ", stream without its end marker", withoutMarker, source),
                whole(name + ", two streams", joined(source, source), source),
                whole(
                        name + ", zeros before the second",
                        joined(source, new byte[64], source),
                        source),
                whole(name + ", no marker between them", joined(withoutMarker, source), source),
                new ReportedInput(
                        name + ", cut",
                        Arrays.copyOf(source, (int) last.endOffset() - 1),
                        source,
                        until(count - 1),
                        false),
                new ReportedInput(
                        name + ", first prefix is zero",
                        withoutPrefix,
                        source,
                        until(count).subList(1, count),
                        false),
                new ReportedInput(
                        name + ", last root offset is wrong",
                        metadata,
                        source,
                        until(count - 1),
                        false));
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Arrays.stream(parts).forEach(out::writeBytes);
        return out.toByteArray();
    }

    /// Sets the null count of the first field's node in each record batch, which was 0.
    public static byte[] withNullCount(byte[] stream, long nulls) {
        byte[] bytes = stream.clone();
        ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (OracleMessage each : OracleListing.list(stream).recordBatches()) {
            int count = each.batch().nodesLength();
            int at = (int) each.metadataOffset();
            // A vector of `count` nodes, of which the first one has the batch's rows.
            while (words.getInt(at) != count
                    || words.getLong(at + 4) != each.rows()
                    || words.getLong(at + 12) != 0) {
                at += Integer.BYTES;
            }
            words.putLong(at + 12, nulls);
        }
        return bytes;
    }
}
