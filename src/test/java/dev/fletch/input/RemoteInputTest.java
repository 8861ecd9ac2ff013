// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.Limits;
import dev.fletch.corpus.CaseFile;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.internal.FileTail;
import dev.fletch.remote.CountingSource;
import dev.fletch.remote.SmallRanges;
import dev.fletch.remote.internal.RangeOptions;
import dev.fletch.scan.internal.BytePurpose;
import dev.fletch.scan.internal.FieldTotals;
import dev.fletch.scan.internal.MapWalk;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.Producers;
import dev.fletch.verify.internal.InputCheck;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/// A remote object, of which only some bytes are read, gives the same messages, sums and findings
/// as the same bytes in memory. Windows of 512 bytes, and no merging, so that even small files have
/// parts that are not read.
class RemoteInputTest {
    private static final RangeOptions SMALL = SmallRanges.OF.endBytes(512).mergeBytes(0).options();
    private static final Path SAMPLES = Path.of("src/test/resources/samples");

    private interface Reading {
        void read(InputBytes bytes, List<String> into) throws IOException;
    }

    private static List<String> local(byte[] bytes, Reading reading) throws IOException {
        return result(InputBytes.of(MemorySegment.ofArray(bytes)), reading);
    }

    private static List<String> remote(byte[] bytes, Need need, Reading reading)
            throws IOException {
        CountingSource source = new CountingSource(bytes);
        List<String> result = result(InputBytes.open(source, need, SMALL, Limits.DEFAULT), reading);
        assertTrue(source.isClosed());
        return result;
    }

    private static List<String> result(InputBytes opened, Reading reading) throws IOException {
        List<String> found = new ArrayList<>();
        try (InputBytes bytes = opened) {
            reading.read(bytes, found);
        } catch (RuntimeException e) {
            Fault fault = InputFaults.of(e, null);
            if (fault == null) {
                throw e;
            }
            found.add(fault.position() + " " + fault.text());
        }
        return found;
    }

    private static void messages(InputBytes bytes, List<String> into) throws IOException {
        Input input = Input.of(bytes);
        while (input.next() || input.hasIncomplete()) {
            into.add(
                    "%d %s %d %d %d"
                            .formatted(
                                    input.frame().offset(),
                                    MessageHeader.NAMES.name(input.message.headerType()),
                                    input.frame().metadataLength(),
                                    input.frame().bodyLength(),
                                    input.rows()));
            if (input.hasIncomplete()) {
                break;
            }
        }
        into.add(input.form() + " " + input.batches() + " " + input.expectedBatches());
        into.add(String.valueOf(input.fault()));
        into.add(input.nextStream() + " " + input.behindMarker());
    }

    private static void schema(InputBytes bytes, List<String> into) throws IOException {
        into.add("" + Input.of(bytes).schema().fieldsCount());
    }

    private static void sums(InputBytes bytes, List<String> into) throws IOException {
        MapWalk walk = new MapWalk(Input.of(bytes), false);
        walk.run(_ -> {});
        into.add(String.valueOf(walk.fault()));
        for (BytePurpose each : BytePurpose.values()) {
            into.add(each + " " + walk.totals().bytes(each));
        }
        for (FieldTotals.Sums each : walk.totals().columns()) {
            into.add(each.path() + " " + each.rows() + " " + each.nulls() + " " + each.bytes());
        }
    }

    /// With the sizes of compressed buffers.
    private static void sizes(InputBytes bytes, List<String> into) throws IOException {
        bytes.loadPrefixes();
        assertTrue(bytes.hasPrefixes());
        MapWalk walk = new MapWalk(Input.of(bytes), true);
        walk.run(_ -> {});
        into.add(String.valueOf(walk.fault()));
        for (FieldTotals.Sums each : walk.totals().columns()) {
            into.add(each.path() + " " + each.uncompressed());
        }
    }

    private static void findings(InputBytes bytes, List<String> into) throws IOException {
        new InputCheck(
                        ReadOptions.VERIFY.withChecks(Checks.DEFAULT.enabled()),
                        each -> into.add(each.toString()))
                .run(bytes);
    }

    private static List<Path> inputs() throws IOException {
        List<Path> all = new ArrayList<>(Goldens.present() ? Goldens.all() : List.of());
        all.removeIf(each -> each.toString().endsWith("gz"));
        try (Stream<Path> samples = Files.list(SAMPLES)) {
            samples.filter(each -> !each.toString().endsWith(".json")).forEach(all::add);
        }
        if (Goldens.present()) {
            try (Stream<Path> files = Files.list(Producers.folder())) {
                files.filter(each -> each.getFileName().toString().contains(".arrow"))
                        .forEach(all::add);
            }
        }
        // A folder has no order, and the edits of each input depend on it.
        Collections.sort(all);
        return all;
    }

    private static void compare(String title, byte[] bytes) throws IOException {
        for (Reading each :
                List.<Reading>of(
                        RemoteInputTest::messages, RemoteInputTest::sums, RemoteInputTest::sizes)) {
            assertEquals(local(bytes, each), remote(bytes, Need.HEADERS, each), title);
        }
        assertEquals(
                local(bytes, RemoteInputTest::schema),
                remote(bytes, Need.SCHEMA, RemoteInputTest::schema),
                title);
        List<String> findings = local(bytes, RemoteInputTest::findings);
        List<String> found = remote(bytes, Need.ALL_BUT_BODIES, RemoteInputTest::findings);
        // Where a file's end is cut off, its last bytes are tried as a footer, also those of a
        // body.
        boolean isCut = !findings.isEmpty() && findings.getFirst().contains("no-trailing-magic");
        assertEquals(
                isCut ? findings.getFirst() : findings, isCut ? found.getFirst() : found, title);
    }

    @Test
    void remoteInputGivesTheResultsOfALocalOne() throws IOException {
        long size = 0;
        long read = 0;
        List<Path> inputs = inputs();
        for (Path path : inputs) {
            byte[] bytes = Files.readAllBytes(path);
            compare(path.toString(), bytes);
            CountingSource source = new CountingSource(bytes);
            InputBytes.open(source, Need.HEADERS, SMALL, Limits.DEFAULT).close();
            size += bytes.length;
            read += source.bytesRead();
        }
        System.out.printf(
                "Remote inputs: %d inputs, %d of %d bytes read for headers%n",
                inputs.size(), read, size);
        assertTrue(inputs.size() >= 2);
    }

    @Test
    void damagedRemoteInputGivesTheResultsOfALocalOne() throws IOException {
        Random random = new Random(20);
        int count = 0;
        for (Path path : inputs()) {
            byte[] bytes = Files.readAllBytes(path);
            if (bytes.length > 100_000) {
                continue;
            }
            for (int i = 0; i < CaseCount.of(1, 10); i++) {
                byte[] cut = Arrays.copyOf(bytes, random.nextInt(bytes.length));
                compare(path + " cut to " + cut.length, cut);
                byte[] changed = bytes.clone();
                int at = i % 2 == 0 ? bytes.length - 1 - random.nextInt(300) : random.nextInt(600);
                at = Math.clamp(at, 0, bytes.length - 1);
                changed[at] ^= (byte) (1 << random.nextInt(8));
                compare(path + " changed at " + at, changed);
                count += 2;
            }
        }
        System.out.printf("Remote inputs: %d damaged ones%n", count);
        assertTrue(count > 0);
    }

    @Test
    void remoteFileWithoutASchemaInItsFooterIsReadAsAStream() throws IOException {
        String int8 = "<int8:Int(bitWidth=8 is_signed=1)>";
        String batch = " | batch 2000 [2000] [- zeros(2000)]";
        byte[] file = CaseFile.input("file " + int8 + batch + " => @slot(footer.schema) i16(0)");
        compare("no schema in the footer", file);
    }

    /// Its footer's length is wrong, too, and it is too large to be read as a whole.
    @Test
    void largeRemoteFileWhoseMagicIsOverwrittenIsReadAsAFile() throws IOException {
        byte[] whole = Files.readAllBytes(SAMPLES.resolve("trades.stream"));
        ByteBuffer file = ByteBuffer.allocate(20 << 20);
        file.putLong(-1).put(whole).position(file.capacity() - FileTail.BYTES);
        file.putInt(0).put("ARROW1".getBytes(StandardCharsets.US_ASCII));
        assertEquals(
                local(file.array(), RemoteInputTest::messages),
                remote(file.array(), Need.HEADERS, RemoteInputTest::messages));
    }

    @Test
    void markerBetweenMessagesDoesNotEndARemoteStream() throws IOException {
        for (Path path : inputs()) {
            byte[] bytes = Files.readAllBytes(path);
            List<Long> offsets = new ArrayList<>();
            Input input = Input.of(InputBytes.of(MemorySegment.ofArray(bytes)));
            while (input.form() == DetectedInput.Form.STREAM && input.next()) {
                offsets.add(input.frame().offset());
            }
            if (offsets.size() > 2 && bytes.length > 2_000) {
                int at = offsets.get(2).intValue();
                ByteBuffer marked = ByteBuffer.allocate(bytes.length + Long.BYTES);
                marked.put(bytes, 0, at).putInt(-1).putInt(0).put(bytes, at, bytes.length - at);
                compare(path + " with a marker at " + at, marked.array());
            }
        }
    }

    @Test
    void remoteStreamEndsWhereAnotherBegins() throws IOException {
        for (boolean hasMarker : new boolean[] {true, false}) {
            byte[] one = Files.readAllBytes(SAMPLES.resolve("trades.stream"));
            int length = one.length - (hasMarker ? 0 : Long.BYTES);
            ByteBuffer two = ByteBuffer.allocate(length + one.length);
            two.put(one, 0, length).put(one);
            compare("two streams, marker between them: " + hasMarker, two.array());
            two.putInt(length + 14_952, 0); // in the metadata of its second batch
            compare("damage in the second stream, marker: " + hasMarker, two.array());
        }
    }

    @Test
    void streamFarBehindTheMarkerOfARemoteOneIsFound() throws IOException {
        byte[] one = Files.readAllBytes(SAMPLES.resolve("trades.stream"));
        for (int zeros : new int[] {8, 600, 70_000}) {
            ByteBuffer two = ByteBuffer.allocate(2 * one.length + zeros);
            two.put(one).position(one.length + zeros).put(one);
            compare("two streams, zeros between them: " + zeros, two.array());
        }
    }

    /// It is too large to be searched, also for the streams behind zeros and another marker.
    @Test
    void allStreamsOfALargeRemoteObjectAreVerified() throws IOException {
        String batch = "<int8:Int(bitWidth=8 is_signed=1)> | batch 9000000 [9000000]";
        byte[] one = CaseFile.input("stream " + batch + " [- zeros(9000000)]");
        byte[] wrong = CaseFile.input("stream " + batch + " [- zeros(8999992)]");
        for (int zeros : new int[] {0, 16, 70_000}) {
            ByteBuffer all = ByteBuffer.allocate(one.length + wrong.length + one.length + zeros);
            all.put(one).position(one.length + zeros / 2).put(wrong).putInt(-1).putInt(0);
            all.position(all.capacity() - one.length).put(one);
            List<String> found = local(all.array(), RemoteInputTest::findings);
            assertTrue(found.toString().contains("data-size"), found::toString);
            assertEquals(2, found.stream().filter(each -> each.contains("stream-follows")).count());
            assertEquals(
                    found, remote(all.array(), Need.ALL_BUT_BODIES, RemoteInputTest::findings));
        }
    }

    @Test
    void wrongLengthOfTheSchemaMessageIsFoundByWhatFollows() throws IOException {
        byte[] bytes = Files.readAllBytes(SAMPLES.resolve("trades.stream"));
        for (int bit = 8 * Integer.BYTES; bit < 8 * (Integer.BYTES + Short.BYTES); bit++) {
            byte[] changed = bytes.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            compare("trades.stream, bit " + bit, changed);
        }
    }

    @Test
    void largeObjectOfNoKnownFormIsNotRead() throws IOException {
        byte[] bytes = new byte[20 << 20];
        new Random(1).nextBytes(bytes);
        CountingSource source = new CountingSource(bytes);
        try (InputBytes input =
                InputBytes.open(
                        source, Need.ALL_BUT_BODIES, RangeOptions.DEFAULT, Limits.DEFAULT)) {
            assertThrows(RuntimeException.class, () -> Input.of(input));
        }
        assertTrue(source.bytesRead() <= 2 * RangeOptions.DEFAULT.endBytes());
    }

    @Test
    void failedSourceIsClosed() {
        CountingSource source =
                new CountingSource(new byte[1000]) {
                    /// Claims more bytes than there are.
                    @Override
                    public long size() {
                        return 2 * super.size();
                    }
                };
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> InputBytes.open(source, Need.HEADERS, SMALL, Limits.DEFAULT));
        assertTrue(source.isClosed());
        assertTrue(source.bytesRead() > 0);
    }
}
