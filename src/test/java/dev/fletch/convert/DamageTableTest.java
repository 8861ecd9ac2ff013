// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.command.convert.Converted;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.DamageBase;
import dev.fletch.testdata.DamageBase.Form;
import dev.fletch.testdata.DamageBase.Place;
import dev.fletch.testdata.EditedInput;
import dev.fletch.testdata.EditedInput.Edit;
import dev.fletch.testdata.EditedInput.Range;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.ProducerStyle;
import dev.fletch.testdata.Producers;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/// What salvage keeps of inputs with edits, against a reference that knows which bytes were
/// touched: no untouched batch is lost, and none that lost or gained bytes is kept.
///
/// `corpus/damage.txt` has the results: see there. `-Dfletch.damage.write=true` writes it again.
@Timeout(900)
class DamageTableTest {
    private static final long SEED = 58;
    private static final int[] SIZES = {
        1, 2, 3, 4, 5, 7, 8, 12, 16, 20, 64, 100, 104, 512, 1001, 4096, 10_000, 65_536
    };
    private static final int TIMES = 4;
    private static final boolean WRITES = Boolean.getBoolean("fletch.damage.write");

    /// From one row to the next. No divisor of the number of edits or places.
    private static final int ROW_STEP = WRITES ? 1 : CaseCount.of(23, 1);

    private static final Set<String> EXCEPTIONS =
            Set.of("doubtful", "overlapped", "next-stream", "delta");
    private static final Path TABLE =
            Goldens.repositoryRoot().resolve("src/test/resources/corpus/damage.txt");

    /// The results of a row.
    private static final class Counts {
        int cases;
        int untouched;
        final Map<String, Integer> lost = new TreeMap<>();
        int touched;
        int undecided;
        int hidden;

        void add(Counts other) {
            cases += other.cases;
            untouched += other.untouched;
            other.lost.forEach((reason, count) -> lost.merge(reason, count, Integer::sum));
            touched += other.touched;
            undecided += other.undecided;
            hidden += other.hidden;
        }

        int lost(String reason) {
            return lost.getOrDefault(reason, 0);
        }

        int lost() {
            return lost.values().stream().mapToInt(Integer::intValue).sum();
        }

        /// Whether the row has other losses than the exceptions, or touched batches.
        boolean isOpen() {
            return touched > 0 || !EXCEPTIONS.containsAll(lost.keySet());
        }

        @Override
        public String toString() {
            return String.format(
                    "cases=%d untouched=%d lost=%d%s touched=%d undecided=%d hidden=%d%s",
                    cases,
                    untouched,
                    lost(),
                    lost.isEmpty() ? "" : lost.toString().replace(" ", ""),
                    touched,
                    undecided,
                    hidden,
                    isOpen() ? " | open" : "");
        }
    }

    // ---- the reference

    /// Adds what salvage keeps of an edited input to a row's results.
    private static void judge(EditedInput edited, DamageBase base, Counts counts, String title) {
        Converted kept = salvaged(edited.bytes());
        List<String> contents = kept == null ? List.of() : kept.contents();
        boolean hasSchema = base.hasSchema(edited);
        counts.cases++;
        for (OracleMessage each : base.messages()) {
            List<Integer> places =
                    each.isRecordBatch() && hasSchema
                            ? edited.places(DamageBase.range(each))
                            : List.of();
            boolean isKept = contents.contains(Converted.content(base.bytes(), each));
            counts.untouched += places.isEmpty() ? 0 : 1;
            if (!places.isEmpty() && !isKept) {
                String reason = reason(kept, places);
                counts.lost.merge(reason, 1, Integer::sum);
                show("lost, " + reason, title, places.getFirst());
            }
        }
        if (kept != null) {
            for (OracleMessage each : OracleListing.list(kept.bytes()).recordBatches()) {
                judgeKept(kept, each, edited, base, counts, title);
            }
        }
    }

    private static Converted salvaged(byte[] bytes) {
        try {
            return Converted.of(bytes, ArrowContainer.STREAM, true);
        } catch (FletchException e) {
            return null; // nothing is saved
        }
    }

    /// Why an untouched batch is lost, by the report.
    private static String reason(Converted kept, List<Integer> places) {
        if (kept == null) {
            return "nothing-saved";
        }
        for (Fault each : kept.report().leftOut()) {
            if (places.contains((int) each.position())) {
                String text = each.text();
                return text.contains("bytes belong to no message: behind")
                        ? "doubtful"
                        : text.contains("overlaps")
                                ? "overlapped"
                                : text.contains("dictionary that is left") ? "delta" : "invalid";
            }
        }
        boolean isNext =
                kept.report().notes().stream()
                        .anyMatch(each -> each.startsWith("another stream follows"));
        return isNext ? "next-stream" : "not-found";
    }

    private static void judgeKept(
            Converted kept,
            OracleMessage saved,
            EditedInput edited,
            DamageBase base,
            Counts counts,
            String title) {
        byte[] metadata = unpadded(saved.metadata());
        byte[] body =
                Arrays.copyOfRange(kept.bytes(), (int) saved.bodyOffset(), (int) saved.endOffset());
        boolean isTouched = true;
        boolean isHidden = false;
        Range found = find(edited.bytes(), 0, metadata, body);
        int prefix = base.messages().getFirst().prefixLength();
        int last = -1;
        while (found != null && isTouched) {
            last = found.start();
            int from = Math.max(0, last - prefix);
            isTouched =
                    edited.hasLostOrGained(from, found.end(), base.batches())
                            && edited.hasLostOrGained(last, found.end(), inner(base));
            isHidden |= edited.isHidden(from, found.end(), base.marker());
            found = find(edited.bytes(), last + 1, metadata, body);
        }
        if (!isTouched) {
            return;
        }
        String place = "offset " + (last - prefix) + ": ";
        boolean isReported =
                kept.report().notes().stream()
                        .anyMatch(each -> each.contains(place) && each.endsWith(" is kept"));
        if (isHidden) {
            counts.hidden++;
        } else if (isReported) {
            counts.undecided++;
        } else {
            counts.touched++;
            show("touched", title, last);
        }
    }

    /// The ranges of batches without their prefixes.
    private static List<Range> inner(DamageBase base) {
        return base.messages().stream()
                .filter(OracleMessage::isRecordBatch)
                .map(each -> new Range((int) each.metadataOffset(), (int) each.endOffset()))
                .toList();
    }

    /// Metadata without padding, which salvage may change.
    private static byte[] unpadded(ByteBuffer metadata) {
        byte[] bytes = new byte[metadata.remaining()];
        metadata.get(bytes);
        int end = bytes.length;
        while (bytes[end - 1] == 0) {
            end--;
        }
        return Arrays.copyOf(bytes, end);
    }

    /// Finds metadata and body in an input; null if they are not there.
    private static Range find(byte[] in, int from, byte[] metadata, byte[] body) {
        for (int at = from; at <= in.length - metadata.length - body.length; at++) {
            if (in[at] != metadata[0]) {
                continue;
            }
            int padding = at + metadata.length;
            if (!Arrays.equals(in, at, padding, metadata, 0, metadata.length)) {
                continue;
            }
            int zeros = 0;
            for (int end = padding + body.length; end <= in.length && zeros == 0; end++) {
                int bodyAt = end - body.length;
                if (Arrays.equals(in, bodyAt, end, body, 0, body.length)) {
                    return new Range(at, end);
                }
                zeros = bodyAt < in.length ? in[bodyAt] : 1;
            }
        }
        return null;
    }

    private static void show(String what, String title, int at) {
        if (Boolean.getBoolean("fletch.damage.show")) {
            System.out.println(what + ": offset " + at + ": " + title);
        }
    }

    // ---- rows

    private static Counts row(
            ProducerStyle style,
            byte[] stream,
            Form form,
            Edit edit,
            Place place,
            int round,
            int times) {
        int[] numbers = {style.ordinal(), form.ordinal(), edit.ordinal(), place.ordinal(), round};
        SplittableRandom random = new SplittableRandom(SEED + Arrays.hashCode(numbers));
        String name = style.id() + " " + DamageBase.id(form);
        Counts counts = new Counts();
        for (int i = 0; i < times * SIZES.length; i++) {
            int size = SIZES[i % SIZES.length];
            DamageBase base = DamageBase.of(stream, style.headLength(), form, random);
            edit(base, edit, place, size, i % TIMES == 0 ? 2 : 1, random, counts, name);
        }
        return counts;
    }

    private static void edit(
            DamageBase base,
            Edit edit,
            Place place,
            int size,
            int edits,
            SplittableRandom random,
            Counts counts,
            String name) {
        EditedInput edited = new EditedInput(base.bytes());
        StringBuilder title = new StringBuilder(name + " " + edit.id());
        for (int left = edits; left > 0; left--) {
            int at =
                    Math.clamp(
                            base.position(place, random),
                            0,
                            Math.max(0, edited.bytes().length - 1));
            edited.apply(edit, at, size, random);
            title.append(" ")
                    .append(DamageBase.id(place))
                    .append(" ")
                    .append(size)
                    .append("@")
                    .append(at);
        }
        judge(edited, base, counts, title.toString());
    }

    private static Map<String, Counts> rows(int round, int times) {
        String chosen = System.getProperty("fletch.damage.rows", "");
        Map<String, Counts> rows = new LinkedHashMap<>();
        int index = 0;
        for (ProducerStyle style : ProducerStyle.values()) {
            byte[] stream = style.stream();
            for (Form form : Form.values()) {
                for (Edit edit : Edit.values()) {
                    for (Place place : Place.values()) {
                        if (place == Place.FOOTER && form != Form.FILE) {
                            continue;
                        }
                        String name = style.id() + "/" + DamageBase.id(form);
                        String row = name + " | " + edit.id() + " " + DamageBase.id(place);
                        if (index++ % ROW_STEP == 0 && row.contains(chosen)) {
                            rows.put(row, row(style, stream, form, edit, place, round, times));
                        }
                    }
                }
            }
        }
        return rows;
    }

    @Test
    void salvageKeepsWhatTheTableOfDamageSays() throws IOException {
        Map<String, Counts> rows = rows(0, TIMES);
        Counts all = new Counts();
        rows.values().forEach(all::add);
        long open = rows.values().stream().filter(Counts::isOpen).count();
        System.out.printf("Table of damage: %d rows, %d open; %s%n", rows.size(), open, all);
        assertTrue(all.cases >= 20_000 / ROW_STEP, "too few cases: " + all.cases);
        List<String> lines = new ArrayList<>();
        rows.forEach((row, counts) -> lines.add(row + " | " + counts));
        List<String> table = new ArrayList<>(Files.readAllLines(TABLE));
        List<String> head = table.stream().filter(each -> each.startsWith("#")).toList();
        if (WRITES) {
            List<String> written = new ArrayList<>(head);
            written.addAll(lines);
            Files.write(TABLE, written);
            return;
        }
        table.removeAll(head);
        assertEquals(Math.ceilDiv(table.size(), ROW_STEP), rows.size());
        table.removeIf(each -> !rows.containsKey(each.substring(0, each.lastIndexOf(" | cases="))));
        assertEquals(String.join("\n", table), String.join("\n", lines));
    }

    /// Other random positions lose as few batches.
    @Test
    void otherPositionsGiveSimilarResults() {
        for (int round = 1; round <= CaseCount.of(0, 1); round++) {
            Counts all = new Counts();
            rows(round, 1).values().forEach(all::add);
            CaseCount.report("Damage, round %d: %s", round, all);
            assertFew(all);
        }
    }

    @Test
    void filesOfOtherProducersLoseFewBatches() throws IOException {
        Counts all = new Counts();
        SplittableRandom random = new SplittableRandom(SEED);
        Producers.folder(); // skips if absent
        for (Path path : Producers.parameters()) {
            DamageBase base;
            try {
                base = DamageBase.of(Files.readAllBytes(path));
            } catch (OracleListing.MalformedException | IndexOutOfBoundsException e) {
                continue; // such as a schema message without prefix
            }
            for (int i = 0; i < CaseCount.of(60, 1_000) && !base.batches().isEmpty(); i++) {
                Edit edit = Edit.values()[i % Edit.values().length];
                Place place = Place.values()[i / Edit.values().length % Place.values().length];
                place = base.has(place) ? place : Place.BETWEEN;
                int size = SIZES[random.nextInt(SIZES.length)];
                edit(base, edit, place, size, 1, random, all, path.getFileName().toString());
            }
        }
        CaseCount.report("Damage of files of other producers: %s", all);
        assertFew(all);
    }

    /// No block tells where the footer was: bytes behind the message that end with zeros, as it
    /// does, may have been inserted into it.
    @Test
    void lastMessageOfABlockIsKeptWithANoteIfBytesBehindItMayHaveBeenInsertedIntoIt() {
        byte[] file = TradesSample.file();
        DamageBase base = DamageBase.of(file);
        EditedInput marker = new EditedInput(file);
        marker.apply(Edit.INVERT, base.marker(), 1, new SplittableRandom(1));
        EditedInput inserted = new EditedInput(file);
        inserted.apply(Edit.INSERT_RANDOM, base.marker(), 1001, new SplittableRandom(1));
        EditedInput padded = new EditedInput(file);
        padded.apply(Edit.INSERT_ZEROS, base.marker(), 64, new SplittableRandom(1));
        padded.apply(Edit.INSERT_RANDOM, base.marker(), 1001, new SplittableRandom(1));
        for (EditedInput each : List.of(marker, inserted, padded)) {
            Converted kept = Converted.of(each.bytes(), ArrowContainer.STREAM, true);
            assertEquals(Converted.contents(file), kept.contents());
            assertEquals(List.of(), kept.report().leftOut());
            boolean hasNote =
                    kept.report().notes().stream()
                            .anyMatch(note -> note.endsWith("; the message is kept"));
            assertEquals(each != inserted, hasNote, () -> "" + kept.report().notes());
        }
    }

    private static void assertFew(Counts all) {
        int unnamed = all.lost() - EXCEPTIONS.stream().mapToInt(all::lost).sum();
        assertTrue(unnamed * 100 <= all.untouched, all.toString());
        assertTrue(all.touched * 200 <= all.cases, all.toString());
    }
}
