// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.convert.Converted;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.testdata.ArrowCpp;
import dev.fletch.testdata.ArrowCpp.Reading;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.AssembledFile;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;

import org.apache.arrow.vector.ipc.message.ArrowBlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/// Footers that repeat, omit or reorder batches: the footer's list decides in every command, as for
/// arrow-java.
class FooterListsTest {
    private static final int MIXTURES = CaseCount.of(2, 8);
    private static final List<String> SAMPLES =
            List.of("several_batches", "dictionary_int16", "dictionaries");
    private static final Reading REFUSED =
            new Reading("Unsupported dictionary replacement in IPC file", "", 0);

    @TempDir Path folder;

    /// Indexes of a file's blocks, in the order in which the footer lists them.
    private record Lists(String name, List<Integer> dictionaries, List<Integer> records) {
        /// Whether some record batches may not be listed, which salvage adds.
        boolean isMixed() {
            return name.startsWith("mixture");
        }
    }

    private static List<Lists> lists(int dictionaries, int records) {
        List<Integer> allDictionaries = until(dictionaries);
        List<Integer> all = until(records);
        List<Lists> lists = new ArrayList<>();
        lists.add(new Lists("as usual", allDictionaries, all));
        for (int times : new int[] {2, 10, CaseCount.of(100, 1_000)}) {
            lists.add(new Lists(times + " times", allDictionaries, repeated(all, times)));
            lists.add(new Lists("one " + times + " times", allDictionaries, one(all, times)));
        }
        lists.add(new Lists("dictionaries 3 times", repeated(allDictionaries, 3), all));
        lists.add(new Lists("dictionaries in reverse", allDictionaries.reversed(), all));
        lists.add(new Lists("in reverse", allDictionaries, all.reversed()));
        lists.add(new Lists("without the first", allDictionaries, all.subList(1, records)));
        lists.add(new Lists("without the last", allDictionaries, all.subList(0, records - 1)));
        lists.add(new Lists("without all", allDictionaries, List.of()));
        Random random = new Random(39);
        for (int i = 0; i < MIXTURES; i++) {
            List<Integer> mixed =
                    new ArrayList<>(random.ints(2L * records, 0, records).boxed().toList());
            List<Integer> ids = new ArrayList<>(repeated(allDictionaries, 2));
            Collections.shuffle(ids, random);
            lists.add(new Lists("mixture " + i, ids, mixed));
        }
        return lists;
    }

    private static List<Integer> until(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    private static List<Integer> repeated(List<Integer> all, int times) {
        return Collections.nCopies(times, all).stream().flatMap(List::stream).toList();
    }

    private static List<Integer> one(List<Integer> all, int times) {
        List<Integer> list = new ArrayList<>(Collections.nCopies(times, all.getFirst()));
        list.addAll(all.subList(1, all.size()));
        return list;
    }

    private static byte[] file(byte[] source, Lists lists) {
        AssembledFile file = AssembledFile.of(8, source);
        List<ArrowBlock> dictionaries = file.dictionaries();
        List<ArrowBlock> records = file.records();
        return file.blocks(
                        lists.dictionaries.stream().map(dictionaries::get).toList(),
                        lists.records.stream().map(records::get).toList())
                .file();
    }

    @Test
    void footerListDecidesInEveryCommandAsForArrowJava() throws IOException {
        int files = 0;
        int batches = 0;
        for (String name : SAMPLES) {
            byte[] source = ArrowVectorFiles.named(name).stream();
            List<OracleMessage> records = OracleListing.list(source).recordBatches();
            int dictionaries = OracleListing.list(source).dictionaryBatches().size();
            for (Lists each : lists(dictionaries, records.size())) {
                byte[] bytes = file(source, each);
                String title = name + ", " + each.name;
                List<Long> rows =
                        each.records.stream().map(index -> records.get(index).rows()).toList();
                ArrowVectorReading read = ArrowVectorReading.read(bytes);
                assertEquals(rows, read.batchRows().stream().map(Long::valueOf).toList(), title);
                assertCommandsShow(bytes, rows, title);
                assertConverted(bytes, each, read, title);
                files++;
                batches += rows.size();
            }
        }
        System.out.printf("Footer lists: %d files, %d batches%n", files, batches);
    }

    /// Arrow C++ reads each file and what is written from it; it refuses a dictionary that is
    /// listed twice.
    @Test
    void footerListDecidesAsForArrowCpp() throws IOException {
        List<Path> files = new ArrayList<>();
        List<Reading> expected = new ArrayList<>();
        for (String name : SAMPLES) {
            byte[] source = ArrowVectorFiles.named(name).stream();
            OracleFile listing = OracleListing.list(source);
            int dictionaries = listing.dictionaryBatches().size();
            for (Lists each : lists(dictionaries, listing.recordBatches().size())) {
                if (each.records.isEmpty()) {
                    continue; // the dataset adds an empty batch
                }
                byte[] bytes = file(source, each);
                boolean isRefused = each.dictionaries.size() > dictionaries;
                Reading reading = Reading.of(ArrowVectorReading.read(bytes));
                Converted converted = Converted.of(bytes, ArrowContainer.FILE, isRefused);
                List<byte[]> all =
                        isRefused && each.isMixed()
                                ? List.of(bytes)
                                : List.of(bytes, converted.bytes());
                for (byte[] of : all) {
                    Path file = folder.resolve(files.size() + ".arrow");
                    files.add(Files.write(file, of));
                    expected.add(isRefused && of == bytes ? REFUSED : reading);
                }
            }
        }
        List<Reading> found = ArrowCpp.read(files);
        for (int i = 0; i < files.size(); i++) {
            assertEquals(expected.get(i), found.get(i), files.get(i).toString());
        }
        System.out.printf("Footer lists: %d files read by Arrow C++%n", files.size());
    }

    private void assertCommandsShow(byte[] bytes, List<Long> rows, String title)
            throws IOException {
        long sum = rows.stream().mapToLong(Long::longValue).sum();
        for (String command : List.of("count", "columns")) {
            Map<String, Object> shown = json(command, bytes);
            assertEquals(sum, shown.get("rows"), title);
            assertEquals((long) rows.size(), shown.get("batches"), title);
        }
        Map<String, Object> verdict = json("verify", bytes, isRefused(bytes, title));
        assertEquals((long) rows.size(), verdict.get("recordBatches"), title);
        List<Long> listed = new ArrayList<>();
        for (Object each : JsonTree.array(json("ls", bytes).get("messages"))) {
            Map<String, Object> message = JsonTree.object(each);
            if (message.get("kind").equals("RecordBatch")) {
                listed.add((Long) message.get("rows"));
            }
        }
        assertEquals(rows.stream().sorted().toList(), listed.stream().sorted().toList(), title);
    }

    /// Whether a file lists a dictionary twice, which Arrow C++ refuses.
    private static boolean isRefused(byte[] bytes, String title) {
        boolean isListed = title.contains("dictionaries 3 times") || title.contains("mixture");
        return isListed && !OracleListing.list(bytes).dictionaryBatches().isEmpty();
    }

    private Map<String, Object> json(String command, byte[] bytes) throws IOException {
        return json(command, bytes, false);
    }

    private Map<String, Object> json(String command, byte[] bytes, boolean isInvalid)
            throws IOException {
        Path file = Files.write(folder.resolve("of.arrow"), bytes);
        Run run = Cli.runAlone(command, "--json", file.toString());
        assertEquals(isInvalid ? 1 : 0, run.status(), run.err() + run.out());
        return JsonTree.object(run.json().getFirst());
    }

    /// Rows and their order are those of the footer. A file that lists a dictionary twice needs
    /// salvage.
    private static void assertConverted(
            byte[] bytes, Lists each, ArrowVectorReading read, String title) {
        boolean isRefused = isRefused(bytes, title);
        for (ArrowContainer to : ArrowContainer.values()) {
            if (isRefused) {
                FletchException e =
                        assertThrows(
                                FletchException.class, () -> Converted.of(bytes, to, false), title);
                assertEquals(MeaningRule.DICTIONARY_REPLACED, e.rule());
            }
            if (isRefused && each.isMixed()) {
                continue;
            }
            Converted converted = Converted.of(bytes, to, isRefused);
            assertEquals(
                    read.values(), ArrowVectorReading.read(converted.bytes()).values(), title + to);
            assertEquals(read.values().size(), converted.report().batches(), title);
        }
    }

    @Test
    void batchesThatNoBlockListsAreNotesAndFollowWithSalvage() throws IOException {
        byte[] source = ArrowVectorFiles.named("several_batches").stream();
        List<String> all = Converted.contents(source);
        Lists lists = new Lists("some", List.of(), List.of(4, 2));
        byte[] bytes = file(source, lists);
        List<Object> faults = JsonTree.array(json("verify", bytes).get("faults"));
        List<Object> codes =
                faults.stream().map(each -> JsonTree.object(each).get("code")).toList();
        assertEquals(4, Collections.frequency(codes, "message-without-block"), codes.toString());
        assertTrue(codes.contains("block-order"), codes.toString());
        Converted listed = Converted.of(bytes, ArrowContainer.FILE, false);
        assertEquals(List.of(all.get(4), all.get(2)), listed.contents());
        assertEquals(
                4, count(listed, "RecordBatch has no block in the footer, and is not converted"));
        Converted saved = Converted.of(bytes, ArrowContainer.FILE, true);
        List<String> expected = new ArrayList<>();
        List.of(4, 2, 0, 1, 3, 5).forEach(index -> expected.add(all.get(index)));
        assertEquals(expected, saved.contents());
        assertEquals(4, count(saved, "RecordBatch has no block in the footer, and is converted"));
        assertEquals(0, saved.report().leftOutCount());
    }

    private static long count(Converted of, String text) {
        return of.report().notes().stream().filter(each -> each.contains(text)).count();
    }

    /// No reader of files finds it, and no batch that needs it can be read.
    @Test
    void aDictionaryThatNoBlockListsIsFoundBySalvageOnly() {
        byte[] source = ArrowVectorFiles.named("dictionary_int16").stream();
        byte[] bytes = file(source, new Lists("no dictionary", List.of(), List.of(0, 1)));
        FletchException refused =
                assertThrows(
                        FletchException.class,
                        () -> Converted.of(bytes, ArrowContainer.FILE, false));
        assertTrue(refused.getMessage().contains("dictionaries are missing"), refused.getMessage());
        Converted saved = Converted.of(bytes, ArrowContainer.FILE, true);
        assertEquals(Converted.contents(source), saved.contents());
        assertEquals(0, saved.report().leftOutCount());
    }
}
